"""Concrete runs of a Horn system in which loops are accelerated."""
