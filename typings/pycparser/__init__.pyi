"""The part of pycparser that is used, which has no types for the fields of its nodes."""
