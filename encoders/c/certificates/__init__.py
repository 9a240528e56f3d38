"""Certificates of encoded programs as runs and invariants, and back.

`run_to_derivation.py`: from a run to a derivation. `derivation_to_inputs.py` and `derivation_replay.py`: from a
derivation to a run. `source_invariants.py` with `formula_printer.py`: from a model to invariants in C.

Many modules: the objects whose contents are chosen serve both directions; the invariants that annotations claim are
read and printed by what prints those of models.
"""
