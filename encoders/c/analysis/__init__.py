"""Static analyses of flat programs, before they are encoded.

`points_to.py` with `regions.py`, `storage.py` (which state variables hold which object), `effects.py`, `liveness.py`,
and `interval_analysis.py` with `abstract_evaluation.py` and `machine_intervals.py`. Of memory that is checked:
`tracked_objects.py`, `lost_blocks.py` with `linked_blocks.py` and `link_direction.py`, `written_cells.py`. Of memory
that is not: `forgotten_blocks.py`.

Many modules: one for each analysis, which share storage and regions.
"""
