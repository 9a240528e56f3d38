"""k-induction on Horn clauses.

`engine.py`: base and step cases. `combined_case.py`: all loops cut at once. `kipdr.py`: k-induction with property
direction. `invariant_seeding.py`: with generators of invariants. `exclusion_models.py` turns proofs into
models.
"""
