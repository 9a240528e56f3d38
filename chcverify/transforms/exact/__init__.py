"""Transforms that preserve satisfiability in both directions; one module each, all obey the law of `base.py`."""
