"""Engine `data-driven`: polynomial equalities that hold in sampled facts, checked for inductiveness.

`engine.py`, `sampling.py`, `polynomial_equalities.py`.
"""
