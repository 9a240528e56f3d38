"""Facts about all elements by cases: shorter, and equivalent."""

import pytest
import z3

from chcverify.terms.core.traversal import free_variables
from chcverify.terms.printing.quantified import by_cases

i, n, k = z3.Ints("i n k")
a = z3.Array("a", z3.IntSort(), z3.IntSort())
FILLED = z3.ForAll(
    [k],
    z3.Or(
        z3.And(k < 0, i >= 0, i <= n),
        z3.And(k >= 0, k < i, i >= 1, i <= n, a[k] == 42),
        z3.And(k >= i, k >= 0, i >= 0, i <= n),
    ),
)
ALL_THE_SAME = z3.ForAll(
    [k], z3.Or(z3.And(k < 0, i >= 0), z3.And(k >= 0, k < i, i >= 0, a[k] > 1), z3.And(k >= 0, k >= i, i >= 0, a[k] > 1))
)


def refuted(*formulas: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(*formulas)
    return bool(solver.check() == z3.unsat)


@pytest.mark.parametrize(("formula", "size"), [(FILLED, 3), (ALL_THE_SAME, 2)])
def test_bounds_and_elements_are_told_apart_and_mean_the_same(formula: z3.BoolRef, size: int) -> None:
    parts = by_cases(formula, 20)
    assert len(parts) == size and sum(map(z3.is_quantifier, parts)) == 1
    assert refuted(z3.And(parts), z3.Not(formula))
    assert refuted(formula, z3.Not(z3.And(parts)))
    guard, _ = next(part for part in parts if z3.is_quantifier(part)).body().children()
    assert n not in free_variables(guard) and len(str(guard)) < 40


def test_what_is_lost_in_cases_stays_as_it_is() -> None:
    gap = z3.ForAll([k], z3.Or(z3.And(k < 2 * i, a[k] == 1), k > 2 * n))  # says that 2i > 2n
    for formula in (
        gap,
        i > 0,
        z3.ForAll([i, k], z3.Or(a[i] == 0, a[k] == 0)),
        z3.Exists([k], z3.Or(k < i, a[k] == 0)),
    ):
        parts = by_cases(formula, 20)
        assert refuted(z3.And(parts), z3.Not(formula)) and refuted(formula, z3.Not(z3.And(parts)))
    assert by_cases(FILLED, 0.0)[0].eq(FILLED)
