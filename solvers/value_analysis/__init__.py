"""Values of the variables of a program's clauses, computed without a solver: intervals, objects, what pointers lead to."""
