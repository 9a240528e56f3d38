"""The engine on small systems: every answer's certificate is accepted by the checker."""

import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.portfolio.schedule import choose
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context
from solvers.explicit.engine import Explicit, explicit_large

INT, BOOL, REAL, BYTE = z3.IntSort(), z3.BoolSort(), z3.RealSort(), z3.BitVecSort(8)
ARRAY = z3.ArraySort(INT, INT)
TRUE = z3.BoolVal(True)
n, m, r, s, t, v = z3.Ints("n m r s t v")
p, q = z3.Bools("p q")
a, b = (z3.Const(name, ARRAY) for name in ("a", "b"))
P, Q = Predicate("P", (INT,)), Predicate("Q", (INT, INT))
A = Predicate("A", (INT, ARRAY))


def clause(head: Application | None, *tail: Application | z3.BoolRef) -> Clause:
    """body and constraint => head."""
    body = tuple(part for part in tail if isinstance(part, Application))
    return Clause(head, body, z3.And([part for part in tail if not isinstance(part, Application)] or [TRUE]))


def answer(*clauses: Clause, is_large: bool = False) -> Result:
    """What the engine says, if it is accepted."""
    system = HornSystem.of(clauses)
    result = (explicit_large() if is_large else Explicit()).solve(system, Context.within(600))
    if isinstance(result, Safe):
        verdict = check_model(system, result.model, time.monotonic() + 600)
        assert verdict.accepted, verdict.reason
    elif isinstance(result, Unsafe):
        verdict = check_derivation(system, result.derivation, time.monotonic() + 600)
        assert verdict.accepted, verdict.reason
    return result


def kinds(clauses: list[Clause], *queries: Clause) -> list[type[Result]]:
    return [type(answer(*clauses, query)) for query in queries]


def fibonacci(argument: int) -> list[Clause]:
    """Called with the argument: CALL(n) for what is asked, FIB(n, r) for what is known."""
    call, fib = Predicate("CALL", (INT,)), Predicate("FIB", (INT, INT))
    return [
        # CALL(argument)
        clause(call(n), n == argument),
        # CALL(n) & n < 2 => FIB(n, n)
        clause(fib(n, n), call(n), n < 2),
        # CALL(n) & n >= 2 & m = n - 1 => CALL(m)
        clause(call(m), call(n), n >= 2, m == n - 1),
        # CALL(n) & n >= 2 & FIB(n - 1, r) & m = n - 2 => CALL(m)
        clause(call(m), call(n), n >= 2, fib(n - 1, r), m == n - 2),
        # CALL(n) & n >= 2 & FIB(m, r) & m = n - 1 & FIB(n - 2, s) => FIB(n, r + s)
        clause(fib(n, r + s), call(n), n >= 2, fib(m, r), m == n - 1, fib(n - 2, s)),
    ]


def result_is(argument: int, value: int) -> Clause:
    """FIB(argument, value) => false"""
    return clause(None, Predicate("FIB", (INT, INT))(n, r), n == argument, r == value)


def test_recursion_shares_what_it_knows() -> None:
    unsafe = answer(*fibonacci(60), result_is(60, 1548008755920))
    assert isinstance(unsafe, Unsafe)
    assert len(unsafe.derivation.steps) < 200
    assert isinstance(answer(*fibonacci(60), result_is(60, 1548008755921)), Safe)


def test_bit_vectors_wrap_around() -> None:
    W = Predicate("W", (BYTE, BYTE))
    x, y = z3.BitVecs("x y", 8)
    loop = [
        # W(0, 0);  W(x, y) => W(x + 3, x / 2 - (x >> 1))
        clause(W(x, y), x == 0, y == 0),
        clause(W(x + 3, x / 2 - (x >> 1)), W(x, y)),
    ]
    # all x are reached; y is 1 only for odd negative ones
    assert kinds(
        loop,
        clause(None, W(x, y), x == 201, y == 0),
        clause(None, W(x, y), z3.UGT(y, 1)),
        clause(None, W(x, y), y == 1, x - 3 > 0),
    ) == [Unsafe, Safe, Safe]


def test_reals() -> None:
    R = Predicate("R", (REAL,))
    x = z3.Real("x")
    halves = [clause(R(x), x == 1), clause(R(x / 2), R(x), x > z3.Q(1, 100))]
    assert kinds(halves, clause(None, R(x), x == z3.Q(1, 128)), clause(None, R(x), x == z3.Q(1, 256))) == [Unsafe, Safe]


def test_arrays() -> None:
    fill = [
        # A(0, 0 everywhere);  A(n, a) & n < 5 => A(n + 1, store(a, n, 2 n))
        clause(A(n, a), n == 0, a == z3.K(INT, z3.IntVal(0))),
        clause(A(n + 1, z3.Store(a, n, 2 * n)), A(n, a), n < 5),
    ]
    same = z3.Store(z3.Store(z3.K(INT, z3.IntVal(0)), 2, 4), 1, 2)
    assert kinds(
        fill,
        clause(None, A(n, a), n == 5, a[3] == 6, a[7] == 0),
        clause(None, A(n, a), n == 5, z3.Or(a[3] != 6, a[7] != 0)),
        clause(None, A(n, a), n == 3, a == same),
        clause(None, A(n, a), n == 3, a != same),
        clause(None, A(n, a), n == 2, a == same),
    ) == [Unsafe, Safe, Unsafe, Safe, Safe]


def test_arrays_over_few_indices_may_be_equal_though_stored_otherwise() -> None:
    B = Predicate("B", (z3.ArraySort(BOOL, INT),))
    x = z3.Const("x", z3.ArraySort(BOOL, INT))
    both = z3.Store(z3.Store(z3.K(BOOL, z3.IntVal(0)), False, 1), True, 1)
    system = [clause(B(x), x == both)]
    assert not isinstance(answer(*system, clause(None, B(x), x == z3.K(BOOL, z3.IntVal(1)))), Safe)
    assert not isinstance(answer(*system, clause(None, B(x), x != z3.K(BOOL, z3.IntVal(1)))), Unsafe)


def test_what_nobody_looks_at_may_be_anything() -> None:
    start = clause(A(n, a), n == 0)
    step = clause(A(n + 1, z3.Store(a, n, v)), A(n, a), n < 4)
    assert isinstance(answer(start, step, clause(None, A(n, a), n > 4)), Safe)
    assert isinstance(answer(start, step, clause(None, A(n, a), n == 4)), Unsafe)
    # what was stored in cells is known, and the others are not
    known = clause(A(n + 1, z3.Store(a, n, n)), A(n, a), n < 4)
    assert isinstance(answer(start, known, clause(None, A(n, a), n == 4, a[2] != 2)), Safe)
    assert isinstance(answer(start, known, clause(None, A(n, a), n == 4, a[-1] + a[5] == 1)), Unsafe | Unknown)


def test_values_that_cancel_out() -> None:
    # P(v * 0), with any v
    assert isinstance(answer(clause(P(n), n == v * 0), clause(None, P(n), n != 0)), Safe | Unknown)
    # Q(v, n) with n = 1 whether v > 5 or not
    either = clause(Q(v, n), n == z3.If(v > 5, z3.IntVal(1), z3.IntVal(1)))
    assert isinstance(answer(either, clause(None, Q(m, n), n != 1)), Safe)


def test_few_values_are_enumerated() -> None:
    # 0 <= n <= 7 => P(n);  P(n) & P(m) => Q(n, m)
    few = [clause(P(n), n >= 0, n < 8), clause(Q(n, m), P(n), P(m))]
    assert kinds(
        few,
        clause(None, Q(n, m), n * m == 35),
        clause(None, Q(n, m), n * m == 37),
    ) == [Unsafe, Safe]
    # an enumeration, and a Boolean
    cases = [clause(P(n), z3.Or(n == 3, n == 5, z3.And(p, n == 8)))]
    assert kinds(cases, clause(None, P(n), n == 8), clause(None, P(n), n == 4)) == [Unsafe, Safe]
    B = Predicate("B", (BOOL, BOOL))
    flags = [clause(B(p, q)), clause(Q(n, m), B(p, q), n == z3.If(p, 1, 2), m == z3.If(q, n, 0))]
    assert kinds(flags, clause(None, Q(n, m), n + m == 4), clause(None, Q(n, m), n + m == 3)) == [Unsafe, Safe]


def test_values_that_bounds_allow_are_tried() -> None:
    # n >= 100 & n <= 10^6 => P(n);  P(n) & n > 7 => false
    assert isinstance(answer(clause(P(n), n >= 100, n <= 10**6), clause(None, P(n), n > 7)), Unsafe)
    assert isinstance(answer(clause(P(n), n < -100), clause(None, P(n), n < 7)), Unsafe)


@pytest.mark.parametrize(
    ("clauses", "reason"),
    [
        ([clause(P(n)), clause(None, P(n), n == 12345)], "nothing determines"),
        ([clause(P(n), n == 0), clause(P(n + 1), P(n)), clause(None, P(n), n < 0)], "more than 5000 facts"),
        (
            [clause(Q(n, m), n == 0), clause(Q(n + 1, m), Q(n, m), m != n), clause(None, Q(n, m), n < 0)],
            "more than 1000 facts, some",
        ),
        (
            [clause(P(n), n == 0), clause(P(n + 1), P(n), n < 900), clause(Q(n, m), P(n), P(m), n != m, n < 0)],
            "steps",
        ),
        ([clause(P(n), n == 0), clause(P(n + 1), P(n), n < 900), clause(None, P(n), n < 0)], "points"),
        (
            [
                clause(A(n, a), n == 0, a == z3.K(INT, z3.IntVal(0))),
                clause(A(n + 1, z3.Store(a, n, 1)), A(n, a)),
                clause(None, A(n, a), n < 0),
            ],
            "cells",
        ),
        ([clause(P(n), n == 2), clause(P(n * n), P(n)), clause(None, P(n), n < 0)], "more than 4000 bits"),
    ],
)
def test_gives_up_with_a_reason(clauses: list[Clause], reason: str) -> None:
    result = answer(*clauses)
    assert isinstance(result, Unknown)
    assert reason in result.reason


def test_gives_up_at_the_deadline() -> None:
    result = Explicit().solve(HornSystem.of(fibonacci(30)), Context.within(0))
    assert isinstance(result, Unknown)
    assert "time limit" in result.reason


def test_division_by_zero_is_no_value() -> None:
    # P(1 div 0)
    undefined = clause(P(n), m == 0, n == 1 / m)
    assert not isinstance(answer(undefined, clause(None, P(n), n == 0)), Safe | Unsafe)
    assert not isinstance(answer(undefined, clause(None, P(n), n != 0)), Safe | Unsafe)


def test_what_is_not_computed_is_any_value() -> None:
    F = Predicate("F", (z3.Float32(), INT))
    x = z3.FP("x", z3.Float32())
    system = [clause(F(x, n), n == 1, x == z3.FPVal(1.5, z3.Float32())), clause(F(x + x, n + 1), F(x, n), n < 3)]
    assert isinstance(answer(*system, clause(None, F(x, n), n > 3)), Safe)
    assert isinstance(answer(*system, clause(None, F(x, n), n == 2, x == x)), Unknown)
    sorted_ = z3.ForAll([v], a[v] <= a[v + 1])
    assert isinstance(answer(clause(P(n), n == 0, sorted_), clause(None, P(n), n > 0)), Safe)
    assert isinstance(answer(clause(P(n), n == 0), clause(None, P(n), n < 1, sorted_)), Unknown)


def test_a_known_key_meets_any_value() -> None:
    # P(0);  Q(v, 1), for all v;  P(n) & Q(n, m) => false
    meets = [clause(P(n), n == 0), clause(Q(v, m), m == 1)]
    assert not isinstance(answer(*meets, clause(None, P(n), Q(n, m))), Safe)
    assert isinstance(answer(*meets, clause(None, P(n), Q(n, m), m == 2)), Safe)
    # P(v), for all v;  Q(5, 1)
    other = [clause(P(v)), clause(Q(n, m), n == 5, m == 1)]
    assert not isinstance(answer(*other, clause(None, P(n), Q(n, m))), Safe)


def test_one_fact_for_several_atoms() -> None:
    # P(3);  P(n) & P(m) & P(r) & n + m + r = 9 => false
    assert isinstance(answer(clause(P(n), n == 3), clause(None, P(n), P(m), P(r), n + m + r == 9)), Unsafe)
    assert isinstance(answer(clause(P(n), n == 3), clause(None, P(n), P(m), P(r), n + m + r == 8)), Safe)
    assert isinstance(answer(clause(P(n), n == 3), clause(None, P(n), P(n), Q(n, n))), Safe)


def test_the_same_answer_each_time() -> None:
    first, second = (answer(*fibonacci(20), result_is(20, 6765)) for _ in range(2))
    assert isinstance(first, Unsafe) and isinstance(second, Unsafe)
    assert shape(first.derivation) == shape(second.derivation)


def shape(derivation: Derivation) -> list[tuple[int, list[str], tuple[int, ...]]]:
    return [(step.clause, list(map(str, step.arguments)), step.premises) for step in derivation.ground_steps]


def test_it_comes_early() -> None:
    runs = [run.label for run in choose(HornSystem.of([*fibonacci(5), result_is(5, 1)]))]
    assert "explicit" in runs[:2]


@pytest.mark.parametrize(("least", "kind"), [(0, Safe), (900, Unsafe)])
def test_more_points_than_a_model_of_explicit_may_have(least: int, kind: type[Result]) -> None:
    counted = [
        # P(0)
        clause(P(z3.IntVal(0))),
        # P(n) & n < 900 => P(n + 1)
        clause(P(m), P(n), n < 900, m == n + 1),
        # P(n) & (n < 0, or n = 900 where that is looked for) => false
        clause(None, P(n), n == 900 if least else n < 0),
    ]
    assert isinstance(answer(*counted, is_large=True), kind)
    if kind is Safe:
        assert isinstance(answer(*counted), Unknown)
