"""Engines and helpers that find invariants from candidates, and engines that start with invariants of others.

`candidate_mining.py`, `candidate_checks.py`, `houdini_engine.py`; `model_minimisation.py`; `seeded_engines.py`.
"""
