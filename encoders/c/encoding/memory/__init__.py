"""Memory in clauses: bytes, whole records, blocks and their links, what was written, and the checks of all these."""
