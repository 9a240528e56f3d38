"""Random loops over numbers and an array: with and without acceleration, a run comes to the same end."""

import random
import time

import pytest
import z3
from counted_loops import ITERATIONS, P, a, loop, x, y, z

from chcverify.certificate.derivation import Cycle
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.horn.system import Clause, HornSystem
from chcverify.results.result import Unknown, Unsafe
from solvers.acceleration import accelerated_run
from solvers.acceleration.engine import Acceleration
from solvers.engine import Context


def end(
    clauses: list[Clause], query: z3.BoolRef, gain: int, checked: bool, monkeypatch: pytest.MonkeyPatch
) -> Unsafe | Unknown:
    """The answer with cycles that stand for at least that many steps; checked: on the clauses."""
    monkeypatch.setattr(accelerated_run, "MIN_GAIN_RULES", gain)
    system = HornSystem.of([*clauses, Clause(None, (P(x, y, z, a),), query)])
    result = Acceleration().solve(system, Context.within(600))
    if isinstance(result, Unsafe) and checked:
        verdict = check_derivation(system, result.derivation, time.monotonic() + 600)
        assert verdict.accepted, verdict.reason
    assert isinstance(result, Unsafe | Unknown)
    return result


@pytest.mark.parametrize("seed", range(24))
def test_a_run_comes_to_the_same_end(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    clauses, over = loop(choose)
    plain = end(clauses, over, 1 << 300, False, monkeypatch)
    assert isinstance(plain, Unsafe)
    last = plain.derivation.ground_steps[-2].arguments
    cell = z3.IntVal(choose.randint(-5, ITERATIONS + 5))
    here = z3.And(y == last[1], z == last[2], a[cell] == z3.simplify(last[3][cell]))
    assert isinstance(end(clauses, z3.And(over, here), 5, True, monkeypatch), Unsafe)
    assert isinstance(end(clauses, z3.And(over, z3.Not(here)), 5, True, monkeypatch), Unknown)


def test_many_of_them_have_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [end(*loop(random.Random(seed)), 5, False, monkeypatch) for seed in range(12)]
    cycles = [any(isinstance(s, Cycle) for s in r.derivation.steps) for r in found if isinstance(r, Unsafe)]
    assert len(cycles) == 12 and sum(cycles) >= 4
