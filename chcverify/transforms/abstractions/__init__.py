"""Transforms that change the theory or strengthen the clauses; a refutation of the result may have no counterpart.

`cell_morphing.py` and `affine_cells.py`: arrays by cells. `bitvectors_as_integers.py` with `signedness.py`.
`invariant_simplification.py`: what given invariants decide. `unconstrained_arguments.py`: arguments that do not matter.
"""
