"""Static analyses of flat programs, before they are encoded.

`points_to.py` with `regions.py`, `storage.py` (which state variables hold which object), `effects.py`, `liveness.py`,
and `interval_analysis.py` with `abstract_evaluation.py` and `machine_intervals.py`. `memory`: the objects whose
lifetimes, contents and links are followed.
"""
