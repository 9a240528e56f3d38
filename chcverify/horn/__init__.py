"""The Horn core: predicates, clauses, systems, and their readers and writers."""
