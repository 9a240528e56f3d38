"""Horn systems as the PDR engines see them.

`rule_system.py`: rules over shared constants. `frames.py`: lemmas by level. `transitions.py`: one incremental solver
for each predicate, with a copy that makes proofs in `proof_solver.py`.
"""
