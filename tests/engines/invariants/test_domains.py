"""Each domain: joins are upper bounds, formulas say what the value says; presets prove small loops."""

from collections.abc import Callable
from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.result import Safe, Unknown
from solvers.engine import Context
from solvers.invariants.domains import AffineHull, Bounds, Congruences, PairEqualities, Value, Vector
from solvers.invariants.engine import DataFlow
from solvers.invariants.presets import PRESETS

FEATURES = list(z3.Ints("f0 f1 f2"))
THRESHOLDS = [Fraction(v) for v in (-8, 0, 8)]
STARTS: list[Callable[[Vector], Value]] = [
    lambda vector: Bounds(vector, THRESHOLDS),
    Congruences,
    lambda vector: Congruences(vector, cap=2),
    PairEqualities,
    AffineHull,
]
vectors = st.lists(st.lists(st.integers(-12, 12).map(Fraction), min_size=3, max_size=3), min_size=1, max_size=8)


def contains(value: Value, vector: Vector) -> bool:
    formula = z3.And([z3.BoolVal(True), *value.formula(FEATURES)])
    instance = z3.substitute(formula, *[(f, z3.IntVal(int(v))) for f, v in zip(FEATURES, vector, strict=True)])
    return z3.is_true(z3.simplify(instance))


@pytest.mark.parametrize("start", STARTS)
@settings(max_examples=60, deadline=None)
@given(points=vectors)
def test_join_is_an_upper_bound(start: Callable[[Vector], Value], points: list[list[Fraction]]) -> None:
    value = start(points[0])
    for seen, point in enumerate(points):
        value.join(point)
        assert all(contains(value, earlier) for earlier in points[: seen + 1])


@settings(max_examples=60, deadline=None)
@given(points=vectors)
def test_first_value_is_the_point_itself(points: list[list[Fraction]]) -> None:
    for start in (STARTS[0], STARTS[1], STARTS[4]):
        value = start(points[0])
        assert all(contains(value, point) == (point == points[0]) for point in points)


@settings(max_examples=40, deadline=None)
@given(points=vectors)
def test_affine_hull_does_not_depend_on_the_order(points: list[list[Fraction]]) -> None:
    forward, backward = AffineHull(points[0]), AffineHull(points[-1])
    for point in points:
        forward.join(point)
    for point in reversed(points):
        backward.join(point)
    solver = z3.Solver()
    # hull(points) <=> hull(reversed points)
    left, right = (z3.And([z3.BoolVal(True), *hull.formula(FEATURES)]) for hull in (forward, backward))
    solver.add(left != right)
    assert solver.check() == z3.unsat


def test_bounds_jump_to_thresholds_and_then_to_infinity() -> None:
    value = Bounds([Fraction(0)], THRESHOLDS, delay=1)
    highs = []
    for step in (1, 2, 9):
        value.join([Fraction(step)])
        highs.append(value.high[0])
    assert highs == [1, 8, None]
    assert value.low[0] == 0


INT = z3.IntSort()
x, y, x1, y1 = z3.Ints("x y x1 y1")
P = Predicate("P", (INT, INT))


def loop(start: z3.BoolRef, step: z3.BoolRef, bad: z3.BoolRef) -> HornSystem:
    # start => P(x, y); P(x, y) & step => P(x1, y1); P(x, y) & bad => false
    return HornSystem.of(
        [Clause(P(x, y), (), start), Clause(P(x1, y1), (P(x, y),), step), Clause(None, (P(x, y),), bad)]
    )


BOUNDED = loop(z3.And(x == 0, y == 0), z3.And(x < 10, x1 == x + 1, y1 == 0), z3.Or(x > 10, y != 0))
EQUAL = loop(x == y, z3.And(x1 == x + 1, y1 == y + 1), x != y)
EVEN = loop(z3.And(x == 0, y == 1), z3.And(x1 == x + 2, y1 == y + 4), z3.Or(x % 2 == 1, y % 2 == 0))
MOD4 = loop(z3.And(x == 0, y == 1), z3.And(x1 == x + 4, y1 == y + 1), x % 4 != 0)
TWICE = loop(z3.And(x == 0, y == 3), z3.And(x1 == x + 1, y1 == y + 2), y != 2 * x + 3)
SQUARE = loop(z3.And(x == 0, y == 0), z3.And(x1 == x + 1, y1 == y + 2 * x + 1), z3.And(x == 30, y != 900))
PHASES = loop(
    z3.And(x == 0, y == 50),
    z3.And(x < 100, x1 == x + 1, y1 == z3.If(x < 50, y, y + 1)),
    z3.And(x == 100, y != 100),
)
PROVES = [
    ("df-boxes", BOUNDED, True),
    ("df-boxes", EQUAL, False),
    ("df-boxes-eq", EQUAL, True),
    ("df-boxes-eq", EVEN, False),
    ("df-boxes-eq-mod2", EVEN, True),
    ("df-boxes-eq-mod2", MOD4, False),
    ("df", MOD4, True),
    ("df", TWICE, True),
    ("df", PHASES, True),
    ("df-poly", SQUARE, True),
]


@pytest.mark.parametrize(("preset", "system", "proves"), PROVES)
def test_presets(preset: str, system: HornSystem, proves: bool) -> None:
    result = DataFlow(preset).solve(system, Context.within(30))
    if not proves:
        assert isinstance(result, Unknown)
        return
    assert isinstance(result, Safe)
    for clause in system.clauses:
        solver = z3.Solver()
        solver.add(clause.constraint, *(result.model.instantiate(atom) for atom in clause.body))
        if clause.head is not None:
            solver.add(z3.Not(result.model.instantiate(clause.head)))
        assert solver.check() == z3.unsat


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_unsafe_is_never_called_safe(preset: str) -> None:
    system = loop(z3.And(x == 0, y == 0), z3.And(x1 == x + 1, y1 == y + x), y > 100)
    assert isinstance(DataFlow(preset).solve(system, Context.within(10)), Unknown)


def test_nonlinear_clauses() -> None:
    # x = 1 => Q(x); Q(x) & Q(y) & x1 = x + y => Q(x1); Q(x) & x <= 0 => false
    Q = Predicate("Q", (INT,))
    system = HornSystem.of(
        [Clause(Q(x), (), x == 1), Clause(Q(x1), (Q(x), Q(y)), x1 == x + y), Clause(None, (Q(x),), x <= 0)]
    )
    assert isinstance(DataFlow("df-boxes").solve(system, Context.within(10)), Safe)


def test_known_bits() -> None:
    # b = 5 => B(b); B(b) & b1 = b + 8 => B(b1); B(b) & (b & 5) != 5 => false
    B = Predicate("B", (z3.BitVecSort(32),))
    b, b1 = z3.BitVecs("b b1", 32)
    system = HornSystem.of(
        [Clause(B(b), (), b == 5), Clause(B(b1), (B(b),), b1 == b + 8), Clause(None, (B(b),), b & 5 != 5)]
    )
    assert isinstance(DataFlow("df-boxes").solve(system, Context.within(10)), Safe)
