"""Bounded model checking and k-induction by unrolling Horn clauses."""
