"""Relations between the arguments of a predicate: constant differences, and inequalities of sums."""
