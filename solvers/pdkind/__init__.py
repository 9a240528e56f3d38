"""Property-directed k-induction."""
