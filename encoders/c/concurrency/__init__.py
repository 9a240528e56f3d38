"""Programs with threads as Horn clauses: flat threads, and thread-modular (Owicki-Gries) clauses of their steps."""
