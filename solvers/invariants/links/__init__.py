"""Engine `links`: invariants of linked data, as clauses over the order of addresses.

`engine.py`, then `address_arguments.py` (which arguments are addresses), `link_literals.py` (what clauses are made of)
and `clause_sets.py` (the clauses that hold of all facts seen).
"""
