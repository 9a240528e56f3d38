"""From flat programs to Horn clauses: one predicate for each location, one clause for each edge.

`encoder.py` is the entry. `edge_semantics.py` translates operations, `expression_terms.py` expressions, the modules of
`memory` what is stored; `program_start.py` makes one clause of the static initialisers; `integer_theory.py` is the
interface of `linear_integers.py` and `bitvector_integers.py`.
"""
