"""Engines side by side or one after another, in limited processes, until a certificate of one is accepted.

Reading order: `run_plan.py` (what is asked and answered), `scheduler.py`, `schedule.py` (which engines, as data),
`variants.py` (the variants of a system), `variant_process.py` (a process for each variant), `engine_worker.py`,
`lemma_bus.py`, `processes.py`.
"""
