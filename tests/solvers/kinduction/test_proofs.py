"""From k-inductive to inductive: each way to a model alone; and questions that take too long."""

from collections.abc import Callable

import pytest
import z3
from unrolling_systems import validate

from chcverify.certificate.model import Model
from chcverify.effort import MOMENT_S
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from chcverify.terms.core.traversal import conjuncts
from solvers.bmc.engine import BaseCase, BaseRun
from solvers.engine import Context
from solvers.kinduction.exclusion_models import excluding_model
from solvers.unrolling.clause_paths import Paths
from solvers.unrolling.lemma_selection import needed_invariants
from solvers.unrolling.model_strengthening import inductive_model, interpolated_model, safe_states

INT = z3.IntSort()
x, y, z, x1, y1, z1 = z3.Ints("x y z x1 y1 z1")
Q = Predicate("Q", (INT, INT, INT))
Way = Callable[[HornSystem, int, dict[Predicate, z3.BoolRef], Context], Model | None]


def rotation(condition: z3.BoolRef) -> HornSystem:
    return HornSystem.of(
        [
            # x = 1 & y = 2 & z = 3 => Q(x, y, z)
            Clause(Q(x, y, z), (), z3.And(x == 1, y == 2, z == 3)),
            # Q(x, y, z) & x1 = y & y1 = z & z1 = x & condition => Q(x1, y1, z1)
            Clause(Q(x1, y1, z1), (Q(x, y, z),), z3.And(x1 == y, y1 == z, z1 == x, condition)),
            # Q(x, y, z) & x = y => false
            Clause(None, (Q(x, y, z),), x == y),
        ]
    )


WAYS: dict[str, Way] = {
    "elimination": inductive_model,
    "exclusion": lambda system, k, known, context: excluding_model(system, known, context),
    "interpolation": lambda s, k, known, context: interpolated_model(s, k, known, safe_states(s, context), context),
}


@pytest.mark.parametrize("way", WAYS)
def test_swap_of_three_values_is_3_inductive(way: str) -> None:
    system = rotation(z3.BoolVal(True))
    model = WAYS[way](system, 3, {}, Context.within(600))
    assert model is not None
    validate(system, Safe(model))


@pytest.mark.parametrize("way", WAYS)
def test_relative_to_an_invariant(way: str) -> None:
    """That all three differ is inductive, and the property follows from it at once."""
    system = rotation(x + y + z == 6)
    a, b, c = Q.formals
    known = {Q: z3.Distinct(a, b, c)}
    model = WAYS[way](system, 1, known, Context.within(600))
    assert model is not None
    validate(system, Safe(model))


def test_a_proof_without_invariants_needs_none() -> None:
    system = rotation(z3.BoolVal(True))
    known = {Q: z3.Distinct(*Q.formals)}
    assert needed_invariants(system, 3, known, safe_states(system, Context.within(600)), Context.within(600)) == {}


def test_needed_invariants_are_inductive_together() -> None:
    """x <= 3 is what the query denies; in the next state it follows from y <= 3 only, and that from z <= 3."""
    rules = rotation(z3.BoolVal(True)).clauses[:2]
    # Q(x, y, z) & x > 3 => false
    system = HornSystem.of([*rules, Clause(None, (Q(x, y, z),), x > 3)])
    a, b, c = Q.formals
    known = {Q: z3.And(a >= 1, b >= 1, a <= 3, c >= 1, b <= 3, c <= 3)}
    found = needed_invariants(system, 1, known, {}, Context.within(600))
    assert set(conjuncts(found[Q])) == {a <= 3, b <= 3, c <= 3}
    model = Model({Q: found[Q]})
    validate(system, Safe(model))


def test_without_time_all_invariants_stay() -> None:
    system = rotation(z3.BoolVal(True))
    known = {Q: z3.Distinct(*Q.formals)}
    assert needed_invariants(system, 1, known, {}, Context.within(0)) == known


def test_no_time_is_no_model() -> None:
    assert excluding_model(rotation(z3.BoolVal(True)), {}, Context.within(0)) is None


def test_a_question_that_is_not_answered_gets_twice_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def check(paths: Paths, seconds: float, *literals: z3.BoolRef) -> z3.CheckSatResult:
        asked.append(seconds)
        return z3.unknown

    monkeypatch.setattr(Paths, "check", check)
    run = BaseRun(rotation(z3.BoolVal(True)), Context.within(60))
    assert isinstance(run.base, BaseCase)
    assert run.look_deeper() is None and not run.stuck
    result = run.reach(1)  # 1, 2, 4, ... seconds until it had all the time there is
    assert isinstance(result, Unknown) and run.stuck
    assert asked[:4] == [MOMENT_S, 2 * MOMENT_S, 4 * MOMENT_S, 8 * MOMENT_S] and len(asked) < 12 and max(asked) < 100
