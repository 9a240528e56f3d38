"""z3 terms as integer handles through the C interface, for hot loops.

`handles.py`: walks; `arena.py`: rewriting with reference counts; `raw.py`: terms, models and solvers in a context of
their own; `farkas_proofs.py`: Farkas lemmas of proofs; `value_kinds.py`: kinds of declarations that are values.
"""
