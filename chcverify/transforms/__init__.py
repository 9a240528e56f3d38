"""Transformations of Horn systems, each with its back-translator."""
