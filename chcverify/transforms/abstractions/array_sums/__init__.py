"""Sums over the cells of arrays as numbers: what sums the clauses compute, and the bounds at which they are wanted
(`summands.py`), and the clauses over them (`cell_summation.py`, `sum_values.py`).
"""
