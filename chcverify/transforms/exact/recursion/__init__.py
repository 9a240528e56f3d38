"""Recursion over numbers: unary numbers as integers, recursive predicates over integers in closed form."""
