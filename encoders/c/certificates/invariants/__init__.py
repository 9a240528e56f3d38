"""Models as invariants in C.

`source_invariants.py` with `readable_formulas.py` and `formula_printer.py`: from a model to invariants of source lines.
`claimed_invariants.py` and `claim_failures.py`: the invariants that annotations claim, and where they fail.
"""
