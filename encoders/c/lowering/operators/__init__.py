"""Typed operations on expressions: conversions and constant folding, overflow conditions, integer addresses."""
