"""Segments: orders are sound, and small loops over arrays are proved as cells, their unsafe twins never."""

import time
from dataclasses import replace
from fractions import Fraction

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe
from solvers.abstract_interpretation.domains.bounded_zones import BoundedZones
from solvers.engine import Context
from solvers.registry import get

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
SIZE = 500
ONE = Predicate("one", (INT, INT, ARRAY), names=("i", "j", "a"))
TWO = Predicate("two", (INT, INT, ARRAY, ARRAY), names=("i", "flag", "a", "b"))
i, j, k, flag = z3.Ints("i j k flag")
a, b = z3.Array("a", INT, INT), z3.Array("b", INT, INT)
TRUE, ZERO, OPEN = z3.BoolVal(True), z3.IntVal(0), i < SIZE
WITHIN = z3.And(i >= SIZE, k >= 0, k < SIZE)


def flags(taken_back):
    """flag is 0 from the first difference on; or its last state is all that it tells."""
    return (
        Clause(TWO(ZERO, z3.IntVal(1), a, b), (), TRUE),
        Clause(
            TWO(i + 1, z3.IntVal(1) if taken_back else flag, a, b), (TWO(i, flag, a, b),), z3.And(OPEN, a[i] == b[i])
        ),
        Clause(TWO(i + 1, ZERO, a, b), (TWO(i, flag, a, b),), z3.And(OPEN, a[i] != b[i])),
        Clause(None, (TWO(i, flag, a, b),), z3.And(WITHIN, flag != 0, a[k] != b[k])),
    )


def rows(width):
    """10 rows of `width`, in a matrix of 10 columns."""
    return (
        Clause(ONE(ZERO, ZERO, a), (), TRUE),
        Clause(ONE(i, j + 1, z3.Store(a, 10 * i + j, 7)), (ONE(i, j, a),), z3.And(i < 50, j < width)),
        Clause(ONE(i + 1, ZERO, a), (ONE(i, j, a),), z3.And(i < 50, j >= width)),
        Clause(None, (ONE(i, j, a),), z3.And(i >= 50, k >= 0, k < SIZE, a[k] != 7)),
    )


def sentinel(beyond):
    """The search for what stands at place j ends there at the latest, if j is a place."""
    return (
        Clause(ONE(ZERO, j, z3.Store(a, j, 3)), (), z3.And(j >= -beyond, j < SIZE)),
        Clause(ONE(i + 1, j, a), (ONE(i, j, a),), a[i] != 3),
        Clause(None, (ONE(i, j, a),), i > j),
    )


def strides(start):
    """Every second cell is written."""
    return (
        Clause(ONE(z3.IntVal(start), ZERO, a), (), TRUE),
        Clause(ONE(i + 2, ZERO, z3.Store(a, i, 9)), (ONE(i, j, a),), OPEN),
        Clause(None, (ONE(i, j, a),), z3.And(WITHIN, k % 2 == 0, a[k] != 9)),
    )


def differences(most):
    """The sum of 400 - a[i], which is stored in a second array before, where each a[i] is at most `most`."""
    summed = Predicate("summed", (INT, INT, ARRAY), names=("i", "s", "b"))
    s, v = z3.Ints("s v")
    total = s + b[i]
    wrapped = z3.If(total < -(1 << 31), total + (1 << 32), z3.If(total >= 1 << 31, total - (1 << 32), total))
    return (
        Clause(ONE(ZERO, ZERO, a), (), TRUE),
        Clause(ONE(i + 1, j, z3.Store(a, i, v)), (ONE(i, j, a),), z3.And(OPEN, v >= 0, v <= most)),
        Clause(TWO(ZERO, flag, a, b), (ONE(i, flag, a),), i >= SIZE),
        Clause(TWO(i + 1, flag, a, z3.Store(b, i, 400 - a[i])), (TWO(i, flag, a, b),), OPEN),
        Clause(summed(ZERO, ZERO, b), (TWO(i, flag, a, b),), i >= SIZE),
        Clause(summed(i + 1, wrapped, b), (summed(i, s, b),), OPEN),
        Clause(None, (summed(i, s, b),), s < 0),
    )


def is_safe(clauses, seconds, options=None):
    system = HornSystem.of(clauses)
    form = SystemVariants(time.monotonic() + 600).cells(system)
    assert form is not None
    cells, back, _ = form
    result = get("df-segments").solve(cells, replace(Context.within(seconds), options=options or {}))
    if isinstance(result, Safe):
        assert certify(system, back.model(result.model), time.monotonic() + 600, "off").accepted
    return isinstance(result, Safe)


@pytest.mark.parametrize(
    "clauses",
    [flags(False), rows(10), sentinel(0), strides(0)],
    ids=["flags", "rows", "sentinel", "strides"],
)
def test_loops_over_arrays(clauses):
    assert is_safe(clauses, 60)


def test_the_sum_of_bounded_cells_does_not_wrap_around():
    assert is_safe(differences(400), 600)


@pytest.mark.parametrize("clauses", [flags(True), rows(9), strides(1)], ids=["flags", "rows", "strides"])
def test_unsafe_twins(clauses):
    assert not is_safe(clauses, 600)


@pytest.mark.parametrize("option", ["nested-loop-ends", "exclude-flags"])
def test_heuristics_of_a_family_are_not_needed_elsewhere(option):
    assert is_safe(strides(0), 60, {option: "off"})
    assert not is_safe(strides(1), 600, {option: "off"})


@given(st.lists(st.tuples(*[st.integers(-6, 6)] * 3), min_size=1))
def test_orders_hold_of_what_was_joined(vectors):
    x = z3.Ints("x y z")
    rows = [[Fraction(value) for value in vector] for vector in vectors]
    orders = BoundedZones(rows[0])
    for row in rows[1:]:
        orders.join(row)
        orders.formula(x)  # between joins, since it remembers terms
    formula = z3.And(*orders.formula(x), TRUE)
    for vector in vectors:
        assert z3.is_true(z3.simplify(z3.substitute(formula, *zip(x, map(z3.IntVal, vector), strict=True))))
    for first, second in ((0, 1), (1, 2), (2, 0)):  # and they are not weaker than the least differences
        least = min(vector[second] - vector[first] for vector in vectors)
        if least >= 0:
            solver = z3.Solver()
            solver.add(formula, x[second] < x[first] + min(least, 3))
            assert solver.check() == z3.unsat
