"""The presentation of a verdict to users: invariants, traces, reports, annotated sources, SARIF.

`verdict_lines.py` is the entry for the terminal, `report` for HTML. C text and witnesses are in `encoders.c`.
"""
