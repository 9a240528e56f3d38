"""Exact transforms of arrays: cells at known indices, and indices counted from a base."""
