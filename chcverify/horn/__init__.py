"""Constrained Horn clauses: `system.py` has predicates, clauses and systems; begin there.

`origin.py`: positions in the input. `features.py`: statistics. `ground_instance.py`: completes partial assignments of a
clause. `datatypes.py`, `names.py`: what writers need. Readers and writers are in `io`.
"""
