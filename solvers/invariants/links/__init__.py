"""Engine `links`: invariants of linked data, as clauses about what addresses lead to.

`engine.py`, then `address_arguments.py` (which arguments are addresses), `link_vocabulary.py` (what clauses are made
of: `reference_literals.py`, or `order_literals.py`) and `clause_sets.py` (the clauses that hold of all facts seen).
"""
