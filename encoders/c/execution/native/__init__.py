"""Replays violations with the program compiled by gcc: `native_replay.py`; `native_harness.py` generates the C code."""
