"""Bounded model checking: increasing depth, the shortest derivation, and the forward condition."""
