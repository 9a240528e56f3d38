"""The PDR engine on small systems of every theory; each witness is checked."""

import time

import pytest
from pdr_systems import CASES, Case

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.results.result import Safe, Unsafe
from solvers.engine import Context
from solvers.pdr.engine import Pdr

PATIENCE = 600.0  # seconds: however busy the machine


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_answer_and_witness(case: Case) -> None:
    result = Pdr().solve(case.system, Context.within(PATIENCE))
    deadline = time.monotonic() + PATIENCE
    if case.safe:
        assert isinstance(result, Safe), result
        assert check_model(case.system, result.model, deadline).accepted
    else:
        assert isinstance(result, Unsafe), result
        assert check_derivation(case.system, result.derivation, deadline).accepted
