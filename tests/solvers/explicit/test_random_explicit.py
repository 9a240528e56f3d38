"""Random systems with few values: the answers' certificates are accepted, and they agree with Spacer's."""

import time

import pytest
from finite_systems import FiniteMaker

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Engine
from solvers.explicit.engine import Explicit
from solvers.spacer import Spacer

SEEDS = range(60)


def certified(engine: Engine, seed: int, seconds: float) -> Result:
    """The engine's answer, Unknown where it is not ready by then, accepted by the checker."""
    system = FiniteMaker(seed).system()
    result = engine.solve(system, Context.within(seconds))
    deadline = time.monotonic() + 600
    if isinstance(result, Safe):
        verdict = check_model(system, result.model, deadline)
        assert verdict.accepted, f"seed {seed}: {verdict.reason}"
    elif isinstance(result, Unsafe):
        verdict = check_derivation(system, result.derivation, deadline)
        assert verdict.accepted, f"seed {seed}: {verdict.reason}"
    return result


@pytest.mark.parametrize("seed", SEEDS)
def test_agrees_with_spacer(seed: int) -> None:
    answers = {type(certified(engine, seed, 5.0)) for engine in (Explicit(), Spacer())}
    assert not {Safe, Unsafe} <= answers


def test_closed_systems_are_decided() -> None:
    closed = [seed for seed in SEEDS if not FiniteMaker(seed).inputs]
    answers = [type(certified(Explicit(), seed, 600.0)) for seed in closed]
    assert Unknown not in answers
    assert answers.count(Safe) >= 5 and answers.count(Unsafe) >= 5
