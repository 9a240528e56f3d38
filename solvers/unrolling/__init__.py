"""Unrolling of Horn clauses: paths and trees of clause instances in one solver, and k-cuts of loops.

`clause_paths.py` for linear systems, `derivation_trees.py` for others; `clause_graph.py`, `k_cut.py` and
`shared_headers.py` for loops. Used by `solvers.bmc` and `solvers.kinduction`.
"""
