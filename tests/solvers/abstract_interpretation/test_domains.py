"""Each domain: joins are upper bounds, formulas say what the value says; presets prove small loops."""

from collections.abc import Callable
from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from solvers.abstract_interpretation.analysis_passes import PRESETS
from solvers.abstract_interpretation.domains import polyhedra
from solvers.abstract_interpretation.domains.basic_domains import (
    AbstractValue,
    AffineHull,
    Bounds,
    Congruences,
    PairEqualities,
    Vector,
)
from solvers.abstract_interpretation.domains.bitvector_domains import (
    BitVectorOrders,
    BitVectorRanges,
    KnownBits,
    ModularGrid,
)
from solvers.abstract_interpretation.domains.budget import Budget
from solvers.abstract_interpretation.domains.interval_sets import IntervalSets
from solvers.abstract_interpretation.domains.linear_congruences import LinearCongruences, smith
from solvers.abstract_interpretation.domains.polyhedra import Polyhedron
from solvers.abstract_interpretation.engine import DataFlow
from solvers.engine import Context

FEATURES = list(z3.Ints("f0 f1 f2"))
THRESHOLDS = [Fraction(v) for v in (-8, 0, 8)]
STARTS: list[Callable[[Vector], AbstractValue]] = [
    lambda vector: Bounds(vector, THRESHOLDS),
    Congruences,
    lambda vector: Congruences(vector, cap=2),
    PairEqualities,
    AffineHull,
    LinearCongruences,
    lambda vector: IntervalSets(vector, THRESHOLDS, [True] * 3, most=2, delay=3),
]
if polyhedra.available():
    STARTS += [
        lambda vector: Polyhedron(vector, THRESHOLDS, Budget()),
        lambda vector: Polyhedron(vector, THRESHOLDS, Budget(generators=2)),
        lambda vector: Polyhedron(vector, THRESHOLDS, Budget(dimensions=2)),
    ]
needs_polyhedra = pytest.mark.skipif(not polyhedra.available(), reason=polyhedra.MISSING)
vectors = st.lists(st.lists(st.integers(-12, 12).map(Fraction), min_size=3, max_size=3), min_size=1, max_size=8)


def contains(value: AbstractValue, vector: Vector) -> bool:
    formula = z3.And([z3.BoolVal(True), *value.formula(FEATURES)])
    instance = z3.substitute(formula, *[(f, z3.IntVal(int(v))) for f, v in zip(FEATURES, vector, strict=True)])
    return z3.is_true(z3.simplify(instance))


@pytest.mark.parametrize("start", STARTS)
@settings(max_examples=20, deadline=None)
@given(points=vectors)
def test_join_is_an_upper_bound(start: Callable[[Vector], AbstractValue], points: list[list[Fraction]]) -> None:
    value = start(points[0])
    for seen, point in enumerate(points):
        value.join(point)
        assert all(contains(value, earlier) for earlier in points[: seen + 1])


def contains_(value: AbstractValue, numbers: tuple[int, ...]) -> bool:
    features = FEATURES[: len(numbers)]
    formula = z3.And([z3.BoolVal(True), *value.formula(features)])
    return z3.is_true(
        z3.simplify(z3.substitute(formula, *[(f, z3.IntVal(n)) for f, n in zip(features, numbers, strict=True)]))
    )


@settings(max_examples=60, deadline=None)
@given(points=vectors)
def test_first_value_is_the_point_itself(points: list[list[Fraction]]) -> None:
    for start in (STARTS[0], STARTS[1], STARTS[4]):
        value = start(points[0])
        assert all(contains(value, point) == (point == points[0]) for point in points)


@pytest.mark.parametrize("start", STARTS)
@settings(max_examples=5, deadline=None)
@given(steps=st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=3))
def test_joins_along_a_ray_come_to_rest(start: Callable[[Vector], AbstractValue], steps: list[list[int]]) -> None:
    point = [Fraction(0)] * 3
    value = start(point)
    changes = 0
    for turn in range(60):
        point = [p + s for p, s in zip(point, steps[turn % len(steps)], strict=True)]
        if not contains(value, point):
            value.join(point)
            changes += 1
    assert changes <= 40


def test_gaps_keep_what_lies_between_out() -> None:
    value = IntervalSets([Fraction(0)], THRESHOLDS, [True])
    for number in (1, 5, 6, 2):
        value.join([Fraction(number)])
    assert value.intervals == [[(0, 2), (5, 6)]]


def test_gaps_are_closed_beyond_their_number() -> None:
    value = IntervalSets([Fraction(0)], THRESHOLDS, [True], most=2)
    for number in (10, 13):
        value.join([Fraction(number)])
    assert value.intervals == [[(0, 0), (10, 13)]]


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.lists(st.integers(-6, 6), min_size=3, max_size=3), min_size=1, max_size=4),
    factors=st.lists(st.integers(-3, 3), min_size=4, max_size=4),
    other=st.lists(st.integers(-6, 6), min_size=3, max_size=3),
)
def test_a_grid_holds_the_integer_combinations_of_its_directions(
    rows: list[list[int]], factors: list[int], other: list[int]
) -> None:
    grid, hull = LinearCongruences([Fraction(0)] * 3), AffineHull([Fraction(0)] * 3)
    for row in rows:
        grid.join([Fraction(v) for v in row])
        hull.join([Fraction(v) for v in row])
    combination = [Fraction(sum(f * row[i] for f, row in zip(factors, rows, strict=False))) for i in range(3)]
    assert contains(grid, combination)
    # With the equalities a grid holds nothing else: other = sum z_i rows_i has a solution in integers.
    solver = z3.Solver()
    weights = [z3.Int(f"z{i}") for i in range(len(rows))]
    solver.add([z3.Sum([w * row[i] for w, row in zip(weights, rows, strict=True)]) == other[i] for i in range(3)])
    point = [Fraction(v) for v in other]
    assert (solver.check() == z3.sat) == (contains(grid, point) and contains(hull, point))


def test_smith_normal_form() -> None:
    assert [modulus for modulus, _ in smith([[2, 4], [0, 6]], 2)] == [2, 6]


BYTES = list(z3.BitVecs("b0 b1 b2", 8))
BIT_STARTS: list[Callable[[Vector], AbstractValue]] = [
    lambda vector: KnownBits(vector, [8] * 3),
    lambda vector: BitVectorRanges(vector, [8] * 3, THRESHOLDS),
    lambda vector: BitVectorOrders(vector, [8] * 3),
    lambda vector: ModularGrid(vector, 8),
]
bytes_ = st.lists(st.lists(st.integers(0, 255).map(Fraction), min_size=3, max_size=3), min_size=1, max_size=6)


@pytest.mark.parametrize("start", BIT_STARTS)
@settings(max_examples=20, deadline=None)
@given(points=bytes_)
def test_joins_of_bit_vectors_are_upper_bounds(
    start: Callable[[Vector], AbstractValue], points: list[list[Fraction]]
) -> None:
    value = start(points[0])
    for seen, point in enumerate(points):
        value.join(point)
        formula = z3.And([z3.BoolVal(True), *value.formula(BYTES)])
        for earlier in points[: seen + 1]:
            numbers = [z3.BitVecVal(int(v), 8) for v in earlier]
            assert z3.is_true(z3.simplify(z3.substitute(formula, *zip(BYTES, numbers, strict=True))))


def test_equalities_of_bit_vectors_survive_wrapping() -> None:
    value = ModularGrid([Fraction(v) for v in (250, 5, 3)], 8)
    for step in range(1, 12):
        value.join([Fraction(v % 256) for v in (250 + step, 5 - step, 3 + 4 * step)])
    solver = z3.Solver()
    b0, b1, b2 = BYTES
    # value(b) => b0 + b1 = 255 & b2 = 3 + 4 (b0 - 250)
    solver.add(*value.formula(BYTES), z3.Not(z3.And(b0 + b1 == 255, b2 == 3 + 4 * (b0 - 250))))
    assert solver.check() == z3.unsat


def test_signed_ranges_know_minus_one_to_one() -> None:
    value = BitVectorRanges([Fraction(255)], [8], [])
    value.join([Fraction(1)])
    solver = z3.Solver()
    # value(b) => -1 <= b <= 1
    solver.add(*value.formula(BYTES[:1]), z3.Not(z3.And(BYTES[0] >= -1, BYTES[0] <= 1)))
    assert solver.check() == z3.unsat


@needs_polyhedra
@settings(max_examples=10, deadline=None)
@given(points=vectors)
def test_polyhedra_are_the_convex_hull_before_widening(points: list[list[Fraction]]) -> None:
    value = Polyhedron(points[0], THRESHOLDS, Budget())
    for point in points[1:]:
        value.join(point)
    middle = [sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)]
    reals = z3.Reals("r0 r1 r2")
    formula = z3.And([z3.BoolVal(True), *value.formula(reals)])
    instance = z3.substitute(formula, *[(r, z3.RealVal(m)) for r, m in zip(reals, middle, strict=True)])
    assert z3.is_true(z3.simplify(instance))
    solver = z3.Solver()
    weights = [z3.Real(f"w{i}") for i in range(len(points))]
    combination = [sum(w * z3.RealVal(p[i]) for w, p in zip(weights, points, strict=True)) for i in range(3)]
    # value(r) & ~ exists w >= 0. sum w = 1 & r = sum w_i p_i
    inside = z3.And(
        [w >= 0 for w in weights] + [z3.Sum(weights) == 1] + [r == c for r, c in zip(reals, combination, strict=True)]
    )
    solver.add(formula, z3.Not(z3.Exists(list(weights), inside)))
    assert solver.check() == z3.unsat


@needs_polyhedra
def test_integer_constraints_are_tightened() -> None:
    # The hull of (0, 0), (3, 0), (0, 2) has the side 2 x + 3 y <= 6.
    value = Polyhedron([Fraction(0)] * 2, THRESHOLDS, Budget())
    for point in ((3, 0), (0, 2)):
        value.join([Fraction(v) for v in point])
    assert contains_(value, (1, 1)) and not contains_(value, (2, 1))


@needs_polyhedra
def test_a_large_polyhedron_becomes_an_octagon_and_that_is_counted() -> None:
    budget = Budget(generators=3)
    value = Polyhedron([Fraction(0)] * 2, THRESHOLDS, budget)
    for point in ((4, 0), (0, 4), (4, 5)):
        value.join([Fraction(v) for v in point])
    assert budget.weakened == {"polyhedron to octagon": 1}
    assert contains_(value, (4, 5)) and not contains_(value, (5, 5))


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
# A mode that steers a counter: only with the mode important are its values kept apart.
FLAGS = loop(
    z3.And(x == 0, y == 0),
    z3.If(y == 0, z3.And(x1 == x + 10, y1 == 7), z3.And(x1 == x - 10, y1 == 0)),
    z3.And(y == 7, x != 10),
)
# x takes every third number up to 9: unions of intervals keep the gaps, widened intervals do not.
LADDER = loop(z3.And(x == 0, y == 0), z3.And(x < 9, x1 == x + 3, y1 == 0), z3.Or(x == 4, x == 8))
bx, by, bx1, by1 = z3.BitVecs("bx by bx1 by1", 8)
R = Predicate("R", (z3.BitVecSort(8), z3.BitVecSort(8)))


def bit_loop(start: z3.BoolRef, step: z3.BoolRef, bad: z3.BoolRef) -> HornSystem:
    # start => R(bx, by); R(bx, by) & step => R(bx1, by1); R(bx, by) & bad => false
    clauses = [Clause(R(bx, by), (), start), Clause(R(bx1, by1), (R(bx, by),), step)]
    return HornSystem.of([*clauses, Clause(None, (R(bx, by),), bad)])


WRAPPING = bit_loop(z3.And(bx == 7, by == 1), z3.And(bx1 == bx + 1, by1 == by + 3), by != 3 * bx - 20)
BELOW = bit_loop(z3.And(bx == 0, by >= 0), z3.And(bx < by, bx1 == bx + 1, by1 == by), bx > by)
PROVES = [
    ("df", WRAPPING, True),
    ("df", BELOW, True),
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
    ("df-refined", EQUAL, True),
    ("df-refined", FLAGS, True),
    ("df-refined", LADDER, True),
]


@pytest.mark.parametrize(("preset", "system", "proves"), PROVES)
def test_presets(preset: str, system: HornSystem, proves: bool) -> None:
    result = DataFlow(preset).solve(system, Context.within(600))
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
    assert isinstance(DataFlow(preset).solve(system, Context.within(2)), Unknown)


def test_nonlinear_clauses() -> None:
    # x = 1 => Q(x); Q(x) & Q(y) & x1 = x + y => Q(x1); Q(x) & x <= 0 => false
    Q = Predicate("Q", (INT,))
    system = HornSystem.of(
        [Clause(Q(x), (), x == 1), Clause(Q(x1), (Q(x), Q(y)), x1 == x + y), Clause(None, (Q(x),), x <= 0)]
    )
    assert isinstance(DataFlow("df-boxes").solve(system, Context.within(600)), Safe)


def test_known_bits() -> None:
    # b = 5 => B(b); B(b) & b1 = b + 8 => B(b1); B(b) & (b & 5) != 5 => false
    B = Predicate("B", (z3.BitVecSort(32),))
    b, b1 = z3.BitVecs("b b1", 32)
    system = HornSystem.of(
        [Clause(B(b), (), b == 5), Clause(B(b1), (B(b),), b1 == b + 8), Clause(None, (B(b),), b & 5 != 5)]
    )
    assert isinstance(DataFlow("df-boxes").solve(system, Context.within(600)), Safe)


def test_a_bound_passes_many_thresholds_in_few_jumps() -> None:
    ladder = [Fraction(10 * i) for i in range(1000)]
    value = Bounds([Fraction(0)], ladder)
    joins = 0
    while value.high[0] is not None:
        value.join([value.high[0] + 1])
        joins += 1
    assert joins < 20 and value.low[0] == 0
