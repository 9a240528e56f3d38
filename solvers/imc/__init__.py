"""Interpolation-based model checking."""
