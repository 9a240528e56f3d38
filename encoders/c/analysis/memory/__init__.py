"""Analyses of objects in memory.

Where memory is checked: `tracked_objects.py` with `object_effects.py`, `lost_blocks.py` with `linked_blocks.py` and
`link_direction.py`, `written_cells.py`. Where lifetimes are not checked: `forgotten_blocks.py`.
"""
