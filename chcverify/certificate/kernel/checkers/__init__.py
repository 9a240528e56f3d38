"""The solvers that the kernel asks, each in its own modules: z3, cvc5 and bitwuzla.

`z3_checker.py` asks z3 in this process; `cvc5_checker.py` writes the same obligations for cvc5, which `cvc5_process.py`
starts and `cvc5_worker.py` is; `bitwuzla_checker.py` and `bitwuzla_worker.py` do so for models with definitions.
"""
