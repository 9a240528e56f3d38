"""Engine `congruences`: polynomial congruences modulo powers of two, by algebra.

`engine.py`, then `congruence_candidates.py` and `ideal_membership.py`; `last_clause.py` computes postconditions of the
last clause.
"""
