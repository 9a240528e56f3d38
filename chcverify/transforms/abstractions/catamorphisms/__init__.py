"""Catamorphism abstraction: terms of datatypes become tuples of numbers, the values of folds.

Katsura, Kobayashi, Sakayori, Sato: Automated catamorphism synthesis for solving constrained Horn clauses over algebraic
data types (2025) [KatsuraKobayashiSakayoriSato2025]; sizes: Hojjat, Ruemmer: Deciding and interpolating algebraic data
types by reduction (2017) [HojjatRuemmer2017].

Reading order: `components.py` (what a term becomes), `basic_components.py`, `element_components.py` and
`clause_folds.py` (which folds are tried), `term_abstraction.py`, `folding.py` (the transform).
"""
