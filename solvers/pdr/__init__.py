"""Property-directed reachability for constrained Horn clauses.

`engine.py` is the search. `transition_system` has rules, frames and solvers; `lemmas` generalises, propagates and
minimises lemmas. `proof_obligations.py`, `predecessors.py` and `reach_facts.py` belong to the search.
"""
