"""Random C programs: gcc, the interpreter and the encoded clauses must agree on their final values."""
