"""Contracts from proofs: candidates of one proof, of which those stay that are proved again as they are written."""
