"""Arithmetic of C on Python numbers, independent of the encoding."""
