"""Abstract interpretation of Horn systems.

`engine.py` runs the passes of `analysis_passes.py`; `fixpoint.py` computes a fixpoint over the domains in `domains`,
with `narrowing.py`, `partitioning.py` (one value for each case), `refinement.py` (which terms are tracked) and
`segmentation.py` (arrays).
"""
