"""Engines and helpers that find invariants from candidates.

`candidate_mining.py`, `candidate_checks.py`, `houdini_engine.py`; `model_minimisation.py`.
"""
