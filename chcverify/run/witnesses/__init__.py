"""Validation of witnesses: `witness_program.py` makes one problem of a program and its witness, and
`termination_validation.py` does it for termination; `witness_marks.py` reads positions and values off a witness.
"""
