"""What accepts a certificate. Only a solver's `unsat` for every obligation is an acceptance.

Reading order: `policy.py` (when is a certificate good enough), `certificate_obligations.py` (what must be refuted) with
`structure.py`, `instances.py` and `obligation.py`, then `z3_checker.py` and `cvc5_checker.py`; `cvc5_process.py` and
`cvc5_worker.py` run cvc5 in its own process.
"""
