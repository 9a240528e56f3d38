"""Counterexample to induction-guided abstraction refinement."""
