"""Violations on the machine: confirmed by the compiled program, or written as programs that fail.

`native_replay.py` confirms, `native_harness.py` generates the C code around the program; `violation_test.py` writes
programs that fail, `confirmation.py` runs those; `limited_process.py` starts what they run.
"""
