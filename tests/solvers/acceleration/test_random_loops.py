"""Random loops over numbers and an array: with and without acceleration, a run comes to the same end."""

import random
import time
from dataclasses import replace

import pytest
import z3

from chcverify.certificate.derivation import Cycle
from chcverify.certificate.kernel.z3_checker import check_derivation
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Unknown, Unsafe
from solvers.acceleration import accelerated_run
from solvers.acceleration.acceleration_tuning import ACCELERATION_TUNING
from solvers.acceleration.engine import Acceleration
from solvers.engine import Context

ITERATIONS = 40
INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
x, y, z = z3.Ints("x y z")
a = z3.Const("a", ARRAY)
P = Predicate("P", (INT, INT, INT, ARRAY))


def loop(choose: random.Random) -> tuple[list[Clause], z3.BoolRef]:
    """A loop that counts x from 0 to ITERATIONS, and when it is over."""

    def number() -> z3.ArithRef:
        c = choose.randint(-3, 3)
        return choose.choice(
            [z3.IntVal(c), x, c * x + 1, y + c, y % choose.randint(2, 9), a[index()], z + c, x / choose.randint(2, 9)]
        )

    def index() -> z3.ArithRef:
        c = choose.randint(-5, 5)
        return choose.choice([x + c, x + c, 2 * x + c, ITERATIONS - x, z3.IntVal(c)])

    def condition() -> z3.BoolRef:
        bound = choose.randint(0, ITERATIONS)
        return choose.choice([x < bound, x == bound, x % 2 == 0, y > bound, z <= y, a[index()] > 0])

    def value() -> z3.ArithRef:
        return z3.If(condition(), number(), number()) if choose.random() < 0.5 else number()

    array = a
    for _ in range(choose.randint(0, 3)):
        array = z3.Store(array, index(), value())
    start = Clause(P(z3.IntVal(0), z3.IntVal(1), z3.IntVal(0), a), (), a == z3.K(INT, z3.IntVal(0)))
    step = Clause(P(x + 1, value(), y, array), (P(x, y, z, a),), x < ITERATIONS)
    return [start, step], x == ITERATIONS


def end(
    clauses: list[Clause], query: z3.BoolRef, gain: int, checked: bool, monkeypatch: pytest.MonkeyPatch
) -> Unsafe | Unknown:
    """The answer with cycles that stand for at least that many steps; checked: on the clauses."""
    monkeypatch.setattr(accelerated_run, "ACCELERATION_TUNING", replace(ACCELERATION_TUNING, min_gain_rules=gain))
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
