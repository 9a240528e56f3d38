"""Variants of a system: their answers come back to it."""

import time

import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe
from solvers.engine import Context
from solvers.registry import get
from solvers.spacer import Spacer

INT, BYTE, BOOL = z3.IntSort(), z3.BitVecSort(8), z3.BoolSort()
ARRAY = z3.ArraySort(INT, INT)
x, y = z3.Ints("x y")
u = z3.BitVec("u", 8)
b = z3.Bool("b")
a = z3.Const("a", ARRAY)


def check(system: HornSystem, present: set[str], absent: set[str]) -> None:
    """Some variants exist, others do not; a model of one is a model of the system when it comes back."""
    for name, make in SystemVariants(time.monotonic() + 60).table().items():
        made = make(system)
        assert made is not None or name not in present, name
        assert made is None or name not in absent, name
        if made is None:
            continue
        variant, back, report = made
        assert report["stages"]
        result = Spacer().solve(variant, Context.within(60))
        assert isinstance(result, Safe), name
        assert check_model(system, back.model(result.model), time.monotonic() + 60).accepted


def test_a_loop_over_bits() -> None:
    loop = Predicate("loop", (BYTE, BOOL))
    check(
        HornSystem.of(
            [
                Clause(loop(u, b), (), z3.And(u == 0, b)),
                Clause(loop(u + 1, z3.Not(b)), (loop(u, b),), z3.ULT(u, 9)),
                Clause(None, (loop(u, b),), z3.And(u == 7, b)),
            ]
        ),
        {"reduced", "integers", "specialised"}, {"cells", "pairs"},
    )  # fmt: skip


def test_a_loop_over_an_array() -> None:
    loop = Predicate("loop", (INT, ARRAY))
    check(
        HornSystem.of(
            [
                Clause(loop(x, a), (), x == 0),
                Clause(loop(x + 1, z3.Store(a, x, 5)), (loop(x, a),), x < 9),
                Clause(None, (loop(x, a),), z3.And(x >= 9, y >= 0, y < x, a[y] != 5)),
            ]
        ),
        {"reduced", "cells"}, {"integers", "pairs", "sentinels"},
    )  # fmt: skip


def test_a_loop_up_to_a_sentinel() -> None:
    loop = Predicate("loop", (INT, ARRAY))
    system = HornSystem.of(
        [
            Clause(loop(x, z3.Store(a, 7, 0)), (), x == 0),
            Clause(loop(x + 1, a), (loop(x, a),), a[x] != 0),
            Clause(None, (loop(x, a),), x > 7),
        ]
    )
    made = SystemVariants(time.monotonic() + 60).sentinels(system)
    assert made is not None
    result = get("df-orders").solve(made[0], Context.within(60))
    assert isinstance(result, Safe)
    assert check_model(system, made[1].model(result.model), time.monotonic() + 60).accepted


def test_each_array_has_a_sentinel_of_its_own() -> None:
    first, second = (Predicate(name, (INT, ARRAY, ARRAY), names=("x", "a", "b")) for name in ("first", "second"))
    other = z3.Const("b", ARRAY)
    system = HornSystem.of(
        [
            Clause(first(x, z3.Store(a, 7, 0), z3.Store(other, 9, -1)), (), x == 0),
            Clause(first(x + 1, a, other), (first(x, a, other),), a[x] != 0),
            Clause(second(y, a, other), (first(x, a, other),), z3.And(x <= 7, a[x] == 0, y == 0)),
            Clause(second(x + 1, a, other), (second(x, a, other),), other[x] != -1),
            Clause(None, (second(x, a, other),), x > 9),
            Clause(None, (first(x, a, other),), x > 7),
        ]
    )
    made = SystemVariants(time.monotonic() + 60).sentinels(system)
    assert made is not None and not made[0].has_arrays
    result = get("df-orders").solve(made[0], Context.within(60))
    assert isinstance(result, Safe)
    assert check_model(system, made[1].model(result.model), time.monotonic() + 60).accepted


def test_a_query_about_two_cells() -> None:
    loop = Predicate("loop", (INT, ARRAY))
    check(
        HornSystem.of(
            [
                Clause(loop(x, a), (), x == 0),
                Clause(loop(x + 1, z3.Store(a, x, 5)), (loop(x, a),), x < 9),
                Clause(None, (loop(x, a),), z3.And(x >= 9, y >= 0, y + 1 < x, a[y] != a[y + 1])),
            ]
        ),
        {"reduced", "cells", "pairs"}, {"integers"},
    )  # fmt: skip
