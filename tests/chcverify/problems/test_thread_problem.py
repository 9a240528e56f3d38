"""Derivations from thread-modular clauses are no runs."""

import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation
from chcverify.horn.system import Clause, HornSystem
from chcverify.problems.protocol import Refused
from chcverify.problems.thread_problem import ThreadProblem


def test_no_derivation_is_a_violation() -> None:
    problem = ThreadProblem(HornSystem.of([Clause(None, (), z3.BoolVal(True))]), {"unsafe": "false"})
    for judged in (problem.replay, problem.confirm):
        with pytest.raises(Refused, match="no schedule was found"):
            judged(Derivation(()), time.monotonic() + 1)
