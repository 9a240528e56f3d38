"""Elimination of quantifiers: exact, by model-based projection, and by virtual substitution.

Begin with `elimination.py`; engines use `model_based_projection.py` and `implicants.py`.
"""
