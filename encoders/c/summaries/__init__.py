"""What a proof and the automata say of whole functions: clauses of contracts, as candidates to be proved."""
