"""Contracts in comments (ACSL): found in the text of a file, and translated to C where they have a meaning there."""
