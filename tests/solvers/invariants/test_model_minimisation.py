"""Redundant conjuncts are dropped, and nothing else."""

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from invariant_loops import loop, proves

from chcverify.certificate.model import Model
from chcverify.results.result import Safe
from chcverify.terms.core.irredundant import follows, irredundant, irredundant_cases
from chcverify.terms.core.traversal import conjunction, conjuncts
from solvers.engine import Context
from solvers.invariants.houdini_engine import Houdini
from solvers.invariants.model_minimisation import minimised

x, y = z3.Ints("x y")


def implied(premises: list[z3.BoolRef], goal: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(*premises, z3.Not(goal))
    return bool(solver.check() == z3.unsat)


bounds = st.tuples(
    st.sampled_from(["<=", ">=", "=="]), st.sampled_from(["x", "y", "x + y", "x - y"]), st.integers(-5, 5)
)


@settings(max_examples=60, deadline=None)
@given(items=st.lists(bounds, max_size=8), known=st.lists(bounds, max_size=2))
def test_the_rest_implies_what_is_dropped(items: list[tuple[str, str, int]], known: list[tuple[str, str, int]]) -> None:
    parts = [eval(f"{term} {relation} {value}", {"x": x, "y": y}) for relation, term, value in items]
    facts = [eval(f"{term} {relation} {value}", {"x": x, "y": y}) for relation, term, value in known]
    kept = irredundant(parts, facts)
    assert all(any(k is part for part in parts) for k in kept)
    assert all(implied([*facts, *kept], part) for part in parts)
    for i, part in enumerate(kept):
        assert not implied([*facts, *kept[:i], *kept[i + 1 :]], part)


def test_the_simpler_of_two_stays() -> None:
    assert [str(part) for part in irredundant([x >= -2147483648, x >= 0, x + 0 * y >= 0])] == ["x >= 0"]


def test_no_time_drops_nothing() -> None:
    assert len(irredundant([x >= 0, x >= -1], seconds=0)) == 2


def test_models_stay_models_and_become_smaller() -> None:
    system = loop([x, y], z3.And(x == 0, y >= 0), [x + 1, y], x > y, guard=x < y)
    P = system.predicates[0]
    a, b = P.formals
    large = Model({P: conjunction([a >= 0, a >= -1, a >= -2, a <= b, a <= b + 1, b >= 0])})
    small = minimised(system, large, Context.within(600))
    assert proves(system, Safe(small))
    assert len(conjuncts(small[P])) == 2


@pytest.mark.parametrize("bad", [x > y, y < 0])
def test_what_is_no_model_is_left_alone(bad: z3.BoolRef) -> None:
    system = loop([x, y], z3.And(x == 0, y >= 0), [x + 1, y], bad, guard=x < y)
    P = system.predicates[0]
    wrong = Model({P: z3.And(P.formals[0] >= 5, P.formals[0] >= 4)})
    assert minimised(system, wrong, Context.within(600)) is wrong


def test_the_engine_stores_small_models() -> None:
    system = loop([x, y], z3.And(x == 0, y == 0), [x + 1, y + 1], x != y, guard=x < 100)
    result = Houdini().solve(system, Context.within(600))
    assert proves(system, result)
    assert isinstance(result, Safe)
    assert len(conjuncts(result.model[system.predicates[0]])) < 10


def test_cases_share_what_they_have_in_common_and_lose_what_is_known():
    parts = [x <= 9, z3.Or(z3.And(x >= 0, y == 1, x <= 9, x >= -1), z3.And(x >= 0, y == 2, x <= 10))]
    kept = irredundant_cases(parts, [y >= 0], 20)
    assert {str(part) for part in kept} == {"x <= 9", "x >= 0", "Or(y == 1, y == 2)"}


def test_cases_that_cannot_be_are_left_out_and_cases_do_not_repeat_each_other() -> None:
    # where y >= -9, y < -9 | x <= 3 | ~(x <= 3 | y < 0) says x <= 3 | y >= 0
    parts = [z3.Or(y < -9, x <= 3, z3.Not(z3.Or(x <= 3, y < 0)))]
    (kept,) = irredundant_cases(parts, [y >= -9], 20)
    solver = z3.Solver()
    # y >= -9 & kept != part
    solver.add(y >= -9, kept != parts[0])
    assert solver.check() == z3.unsat
    assert len(kept.children()) == 2 and not any(map(z3.is_and, kept.children()))


def test_what_follows_and_what_does_not() -> None:
    assert follows(z3.And(x > 2, y > x), y > 3)
    assert not follows(x > 2, y > 3)
