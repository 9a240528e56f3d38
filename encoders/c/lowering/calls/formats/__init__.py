"""Formatted output into strings and formatted input: calls of a model for each conversion."""
