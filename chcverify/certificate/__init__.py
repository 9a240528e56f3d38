"""Certificates: models and derivations, their file formats, and their checkers.

`model.py` and `derivation.py` are the data. `kernel` accepts or refuses certificates; `search` finds out how to ask
solvers and accepts nothing; `files` reads and writes.
"""
