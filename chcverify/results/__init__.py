"""Plain data about the result of a run; nothing here imports a solver at run time except `result.py`.

`outcome.py`: what the user is shown. `source_facts.py`: invariants and trace steps of source programs.
`report_data.py`: graphs, clauses and certificates for reports. `repeated_steps.py`: repetitions in traces. `result.py`:
what an engine answers about a Horn system.
"""
