"""Functions that are defined by themselves."""
