"""Runs in which each procedure of a program is decided by itself."""
