"""Runs of C programs that do not end."""
