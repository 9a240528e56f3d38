"""Property-directed reachability for constrained Horn clauses."""
