"""Verification witnesses (SV-COMP, YAML 2.x): reading, writing and instrumenting programs with them.

`witness_writer.py` with `waypoints.py`; `witness_reader.py` with `witness_schema.py`; `source_marks.py` and
`instrumentation.py` put a witness into a program for validation.
"""
