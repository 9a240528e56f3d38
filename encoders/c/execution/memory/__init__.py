"""Checks of memory in runs: lifetimes and sizes of objects, releases, and blocks that no pointer leads to any more.

Only for programs whose checks include one of these. `memory_checks.py` decides; `references.py` finds lost blocks;
`temporaries.py` knows when the variables that the lowering made end.
"""
