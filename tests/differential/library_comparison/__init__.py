"""Random calls of the functions of the C library: sanitizers and valgrind against the interpreter and the clauses."""
