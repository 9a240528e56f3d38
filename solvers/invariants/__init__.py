"""Invariants of Horn systems: abstract interpretation and candidate pruning, as lemmas and as an engine."""
