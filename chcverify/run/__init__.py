"""One run from input to verdict.

`driver.py` composes the phases and reads like the picture in ARCHITECTURE.md; `supervisor.py` runs it in a limited
child process. `cross_check.py` compares two engines, `partial_invariants.py` says what holds without a verdict,
`phases.py` measures the phases; `witnesses` decides a program together with a witness.
"""
