"""z3 terms: walks, rewriting, arithmetic, printing. README.md says which of the layers to use when.

Outside this package nothing touches z3py's C API; handles come from `arena`, `raw` and `handles`.
"""
