"""Values of the variables of clauses, computed without a solver: intervals, objects, what pointers lead to."""
