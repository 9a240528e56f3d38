"""Interpolation: the laws of binary and sequence interpolants, per backend."""

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.terms.walk import conjunction
from solvers.interpolation import FarkasInterpolator, SpacerInterpolator, binary, is_interpolant, sequence

x, y, z, u = z3.Ints("x y z u")
r, s, t = z3.Reals("r s t")

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


def test_sequence() -> None:
    v = z3.Ints("v0 v1 v2 v3")
    formulas = [v[0] == 0, v[1] == v[0] + 1, v[2] == v[1] + 1, z3.And(v[3] == v[2], v[3] > 2)]
    found = sequence(formulas, [FarkasInterpolator(), SpacerInterpolator()])
    assert found is not None and len(found) == 3
    for k, formula in enumerate(formulas):
        left = conjunction([*found[k - 1 : k], formula]) if k else formula
        solver = z3.Solver()
        solver.add(left, z3.Not(found[k]) if k < 3 else z3.BoolVal(True))  # I_k & A_(k+1) => I_(k+1); at the end false
        assert solver.check() == z3.unsat


half_planes = st.tuples(*[st.integers(-3, 3)] * 3, st.integers(-6, 6))


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(st.lists(half_planes, min_size=1, max_size=3), st.lists(half_planes, min_size=1, max_size=3))
def test_random_half_planes(left: list[tuple[int, ...]], right: list[tuple[int, ...]]) -> None:
    a = z3.And([p * x + q * y + n * z <= k for p, q, n, k in left])
    b = z3.And([p * x + q * y + n * u <= k for p, q, n, k in right])
    solver = z3.Solver()
    solver.add(a, b)
    proposal = FarkasInterpolator().propose(a, b, 2000)
    if solver.check() == z3.sat:
        assert proposal is None
    elif proposal is not None:
        assert is_interpolant(a, proposal, b)
