"""Runs that decide properties of programs with threads."""
