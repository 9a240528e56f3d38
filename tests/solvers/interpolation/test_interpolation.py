"""Interpolation: the laws of interpolants, per backend."""

from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.interpolation import (
    ALL,
    BitwuzlaInterpolator,
    FarkasInterpolator,
    MathSatInterpolator,
    SpacerInterpolator,
    binary,
    is_interpolant,
)

x, y, z, u = z3.Ints("x y z u")
r, s, t = z3.Reals("r s t")
f, g = z3.BitVecs("f g", 8)
p = z3.Bool("p")

PAIRS = [
    (z3.And(x == 0, y == x + 1), z3.And(y >= 2)),
    (z3.And(x >= 0, y >= x), z3.And(y <= -1, z == y)),
    (z3.And(x + y <= 3, z == x), z3.And(z >= 2, y >= 2)),
    (z3.Or(z3.And(x == 1, y == 2), z3.And(x == 3, y == 4)), z3.And(x + u >= 4, y <= 2, u <= 0)),
    (z3.And(r < s, s < t), z3.And(t < r)),
    (z3.And(2 * r + s <= 1, s >= 0), z3.And(r >= 1)),
]


@pytest.mark.parametrize("pair", PAIRS, ids=range(len(PAIRS)))
@pytest.mark.parametrize("interpolator", [FarkasInterpolator(), SpacerInterpolator()], ids=["farkas", "spacer"])
def test_binary(interpolator: object, pair: tuple[z3.BoolRef, z3.BoolRef]) -> None:
    a, b = pair
    assert binary(a, b, [interpolator]) is not None  # `binary` returns only what passed the check


BITS = [
    (z3.And(f == 3, g == f + 1), z3.UGT(g, 9)),
    (z3.And(f & 1 == 0, g == f + 2, p), z3.And(g & 1 == 1, p)),
    (z3.Or(z3.And(p, f == 1), z3.And(z3.Not(p), f == 200)), z3.And(f > 2, z3.ULT(f, 190))),
]


@pytest.mark.parametrize("pair", BITS, ids=range(len(BITS)))
@pytest.mark.parametrize("interpolator", [BitwuzlaInterpolator(), SpacerInterpolator()], ids=["bitwuzla", "spacer"])
def test_bit_vectors(interpolator: Any, pair: tuple[z3.BoolRef, z3.BoolRef]) -> None:
    if isinstance(interpolator, BitwuzlaInterpolator) and not interpolator.available():
        assert interpolator.propose(*pair, 1000) is None
        pytest.skip("bitwuzla is not installed")
    assert binary(*pair, [interpolator]) is not None


def test_interpolants_of_bitwuzla_are_formulas_that_it_can_read_again() -> None:
    if not BitwuzlaInterpolator.available():
        pytest.skip("bitwuzla is not installed")
    first = binary(z3.And(f == 0, g == f + 2), z3.And(g > 2, g < 100), [BitwuzlaInterpolator()])
    assert first is not None
    h = z3.BitVec("h", 8)
    assert binary(z3.And(first, h == g + 2), z3.And(g == 2, h == 7), [BitwuzlaInterpolator()]) is not None


def test_bitwuzla_leaves_other_sorts() -> None:
    assert BitwuzlaInterpolator().propose(x > 3, x < 2, 1000) is None


class NegationOfB(MathSatInterpolator):
    """Stands in for MathSAT, which cannot be installed here: the weakest one if all of B is shared."""

    def available(self) -> bool:
        return True

    def interpolant(self, environment: Any, a: Any, b: Any) -> Any:
        return environment.formula_manager.Not(b)


def test_mathsat_by_pysmt() -> None:
    strange = z3.Real("a name|with!bars")
    pair = z3.And(strange > 2, r == 2 * strange), z3.And(r <= 4, z3.Or(r > 0, strange < 0))
    assert binary(*pair, [NegationOfB()]) is not None
    assert NegationOfB().propose(x % 3 == 1, x == 3, 1000) is None  # pysmt does not know mod
    assert MathSatInterpolator().available() or MathSatInterpolator().propose(*pair, 1000) is None


def test_all_together() -> None:
    for a, b in [*PAIRS, *BITS]:
        assert binary(a, b, ALL) is not None


def test_check_rejects_what_is_no_interpolant() -> None:
    a, b = z3.And(x == 0, y == x), y > 3
    assert is_interpolant(a, y <= 0, b)
    assert not is_interpolant(a, y <= -1, b)  # not implied by a
    assert not is_interpolant(a, y <= 9, b)  # consistent with b
    assert not is_interpolant(a, z3.And(x == 0, y <= 0), b)  # x is not shared


def test_farkas_sums_literals() -> None:
    # x = y = 0 or both grew by one from x <= y; against x >= 5 & y <= 3: only a relation of x and y is general.
    a = z3.And(x <= y)
    interpolant = FarkasInterpolator().propose(a, z3.And(x >= 5, y <= 3), 1000)
    assert interpolant is not None
    solver = z3.Solver()
    solver.add(interpolant != (x - y <= 1))  # not (x - y >= 5 - 3)
    assert solver.check() == z3.unsat


def test_satisfiable_pair_has_none() -> None:
    assert binary(x > 0, x < 5, [FarkasInterpolator(), SpacerInterpolator()]) is None


half_planes = st.tuples(*[st.integers(-3, 3)] * 3, st.integers(-6, 6))


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(st.lists(half_planes, min_size=1, max_size=3), st.lists(half_planes, min_size=1, max_size=3))
def test_random_half_planes(left: list[tuple[int, ...]], right: list[tuple[int, ...]]) -> None:
    a = z3.And([c * x + d * y + e * z <= k for c, d, e, k in left])
    b = z3.And([c * x + d * y + e * u <= k for c, d, e, k in right])
    solver = z3.Solver()
    solver.add(a, b)
    proposal = FarkasInterpolator().propose(a, b, 2000)
    if solver.check() == z3.sat:
        assert proposal is None
    elif proposal is not None:
        assert is_interpolant(a, proposal, b)
