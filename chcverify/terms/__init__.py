"""Helpers over z3 terms. Nothing outside this package touches the raw C API."""
