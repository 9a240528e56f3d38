"""Explicit-state reachability: clauses evaluated on values, facts in a table."""
