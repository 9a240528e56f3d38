"""Bounded model checking by symbolic execution with state merging: one formula for all runs of a bounded program."""
