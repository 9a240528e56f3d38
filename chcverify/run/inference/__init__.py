"""Contracts from proofs: the candidates of one proof that are proved again in the form in which they are written."""
