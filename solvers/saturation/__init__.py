"""Bottom-up evaluation: the facts of each predicate as a finite union of formulas, until no clause adds to it.

Kanellakis, Kuper, Revesz: Constraint query languages (JCSS 1995) [KanellakisKuperRevesz1995]. Reading order:
`clause_images.py`, `engine.py`, `derivation_formula.py`.
"""
