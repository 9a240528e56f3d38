"""Certificates of encoded programs as runs and invariants, and back.

`run_to_derivation.py`: from a run to a derivation. `derivation_to_inputs.py` and `derivation_replay.py`: from a
derivation to a run. `invariants`: from a model to invariants in C, and what annotations claim.
"""
