"""The engine on small systems: every answer's certificate is accepted by the checkers, also read from its text."""

import time

import pytest
import z3

from chcverify.certificate.files.certificate_text import (
    derivation_from_text,
    derivation_to_text,
    model_from_text,
    model_to_text,
)
from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import subterms
from chcverify.terms.native.arena import Arena
from solvers.bounded.engine import Bounded
from solvers.bounded.execute import SymbolicExecution, UnrollingLimits
from solvers.engine import Context

INT, BYTE, WORD = z3.IntSort(), z3.BitVecSort(8), z3.BitVecSort(32)
ARRAY = z3.ArraySort(INT, INT)
i, j, s, t, v = z3.Ints("i j s t v")
a, b = z3.Const("a", ARRAY), z3.Const("b", ARRAY)
x, y, u = z3.BitVecs("x y u", 8)
P, Q, R = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT)), Predicate("R", (INT, INT))
A, B = Predicate("A", (INT, ARRAY)), Predicate("B", (INT, INT, ARRAY))


def clause(head: Application | None, *tail: Application | z3.BoolRef) -> Clause:
    """body and constraint => head."""
    body = tuple(part for part in tail if isinstance(part, Application))
    constraint = [part for part in tail if not isinstance(part, Application)]
    return Clause(head, body, z3.And(constraint) if constraint else z3.BoolVal(True))


def answer(*clauses: Clause) -> Result:
    """What the engine says, if its certificate is accepted, also after it was written and read."""
    system = HornSystem.of(clauses)
    result = Bounded().solve(system, Context.within(60))
    if isinstance(result, Safe):
        again = model_from_text(system, model_to_text(system, result.model))
        found = [certify(system, model, time.monotonic() + 60) for model in (result.model, again)]
    elif isinstance(result, Unsafe):
        steps = derivation_from_text(system, derivation_to_text(system, result.derivation))
        found = [certify(system, derivation, time.monotonic() + 60) for derivation in (result.derivation, steps)]
    else:
        found = []
    assert all(one.accepted for one in found), [one.reason for one in found]
    return result


def summation(steps: int, *query: z3.BoolRef) -> list[Clause]:
    """s is the sum of `steps` inputs from 0 to 9."""
    return [
        # P(0, 0)
        clause(P(i, s), i == 0, s == 0),
        # P(i, s) & i < steps & 0 <= v <= 9 => P(i + 1, s + v)
        clause(P(i + 1, s + v), P(i, s), i < steps, v >= 0, v <= 9),
        # P(i, s) & i >= steps => Q(i, s)
        clause(Q(i, s), P(i, s), i >= steps),
        # Q(i, s) & query => false
        clause(None, Q(i, s), *query),
    ]


def test_loops_with_inputs() -> None:
    assert isinstance(answer(*summation(7, s > 63)), Safe)
    assert isinstance(answer(*summation(7, s == 63)), Unsafe)
    assert isinstance(answer(*summation(7, i != 7)), Safe)


def test_branches_are_merged() -> None:
    """2^40 paths, some with a sum of 20 and none above 40."""

    def program(query: z3.BoolRef) -> list[Clause]:
        return [
            clause(P(i, s), i == 0, s == 0),
            # P(i, s) & i < 40 & v > 0 => R(i, s + 1)
            clause(R(i, s + 1), P(i, s), i < 40, v > 0),
            # P(i, s) & i < 40 & v <= 0 => R(i, s)
            clause(R(i, s), P(i, s), i < 40, v <= 0),
            # R(i, s) => P(i + 1, s)
            clause(P(i + 1, s), R(i, s)),
            clause(None, P(i, s), i == 40, query),
        ]

    assert isinstance(answer(*program(s > 40)), Safe)
    assert isinstance(answer(*program(s == 20)), Unsafe)


def test_overlapping_branches() -> None:
    """Both ways can be taken with the same inputs: a violation on either is found, and neither hides the other."""

    def program(query: z3.BoolRef) -> list[Clause]:
        return [
            clause(P(i, s), i == 0, s == 0),
            # P(i, s) => Q(i, 1);  P(i, s) => Q(i, 2)
            clause(Q(i, t), P(i, s), t == 1),
            clause(Q(i, t), P(i, s), t == 2),
            # Q(i, s) & Q's sum is doubled or not
            clause(R(i, s + s), Q(i, s)),
            clause(R(i, s), Q(i, s)),
            clause(None, R(i, s), query),
        ]

    assert isinstance(answer(*program(z3.Or(s < 1, s > 4, s == 3))), Safe)
    for value in (1, 2, 4):
        assert isinstance(answer(*program(s == value)), Unsafe)


def reversal(length: int, *query: z3.BoolRef) -> list[Clause]:
    """An array is filled, and turned round in place."""
    return [
        clause(A(i, a), i == 0),
        # A(i, a) & i < length & 0 <= v <= 255 => A(i + 1, a[i := v])
        clause(A(i + 1, z3.Store(a, i, v)), A(i, a), i < length, v >= 0, v <= 255),
        # A(i, a) & i >= length => B(0, a[0], a)
        clause(B(j, z3.Select(a, 0), a), A(i, a), i >= length, j == 0),
        # B(j, s, a) & j < length - 1 - j: cells j and length - 1 - j change places
        clause(
            B(j + 1, s, z3.Store(z3.Store(a, j, z3.Select(a, length - 1 - j)), length - 1 - j, z3.Select(a, j))),
            B(j, s, a),
            j < length - 1 - j,
        ),
        clause(None, B(j, s, a), j >= length - 1 - j, *query),
    ]


def test_arrays_at_known_places() -> None:
    result = answer(*reversal(9, z3.Select(a, 8) != s))
    assert isinstance(result, Safe)
    # KnownCells are arguments of their own: no definition speaks of an array.
    sorts = {sort.kind() for item in result.model.definitions for sort in item.predicate.sorts}
    assert sorts == {z3.Z3_INT_SORT}
    assert isinstance(answer(*reversal(9, z3.Select(a, 4) != s)), Unsafe)


def test_array_at_an_input() -> None:
    inside = (v >= 0, v < 5)
    safe = answer(*reversal(5, *inside, z3.Select(a, v) > 255))
    assert isinstance(safe, Safe)
    assert isinstance(answer(*reversal(5, *inside, z3.Select(a, v) == 255)), Unsafe)


def bits(query: z3.BoolRef) -> list[Clause]:
    """y counts the ones of x by clearing the last one until there is none."""
    three = Predicate("C", (BYTE, BYTE, BYTE))
    return [
        clause(three(x, x, y), y == 0),
        # C(x, u, y) & u != 0 => C(x, u & (u - 1), y + 1)
        clause(three(x, u & (u - 1), y + 1), three(x, u, y), u != 0),
        clause(None, three(x, u, y), u == 0, query),
    ]


def test_end_of_a_loop_that_only_solvers_see() -> None:
    assert isinstance(answer(*bits(z3.UGT(y, 8))), Safe)
    assert isinstance(answer(*bits(z3.And(y == 7, z3.URem(x, 3) == 1))), Unsafe)
    assert isinstance(answer(*bits(z3.And(y == 8, z3.URem(x, 3) != 0))), Safe)


def test_as_many_iterations_as_a_word_has_bits() -> None:
    """x is halved until it is 0; y counts: nothing becomes constant at the loop's head."""
    word = z3.BitVecSort(40)
    two = Predicate("H", (word, INT))
    half, count = z3.BitVec("half", 40), z3.Int("count")
    start = clause(two(half, count), count == 0)
    # H(half, count) & half != 0 => H(half >> 1, count + 1)
    step = clause(two(z3.LShR(half, 1), count + 1), two(half, count), half != 0)
    assert isinstance(answer(start, step, clause(None, two(half, count), half == 0, count > 40)), Safe)
    assert isinstance(answer(start, step, clause(None, two(half, count), half == 0, count == 40)), Unsafe)


def test_a_loop_that_is_entered_again_with_another_limit() -> None:
    """The inner loop counts to n, which the outer one doubles: its counter begins far from the new limit."""
    inner = Predicate("I", (INT, INT, INT))
    n = z3.Int("n")
    clauses = [
        clause(P(i, n), i == 0, n == 4),
        clause(inner(i, n, z3.IntVal(0)), P(i, n), i < 3),
        # I(i, n, s) & s < n => I(i, n, s + 1);  I(i, n, s) & s >= n => P(i + 1, 2 * n)
        clause(inner(i, n, s + 1), inner(i, n, s), s < n),
        clause(P(i + 1, 2 * n), inner(i, n, s), s >= n),
    ]
    assert isinstance(answer(*clauses, clause(None, P(i, n), i >= 3, n != 32)), Safe)
    assert isinstance(answer(*clauses, clause(None, P(i, n), i >= 3, n == 32)), Unsafe)


def test_wrap_around() -> None:
    """Sums that wrap around, in another order: integers with choices, which are hard, are bit-vectors for bitwuzla."""
    pytest.importorskip("bitwuzla")

    def wrapped(term: z3.ArithRef) -> z3.ArithRef:
        return z3.If(term > 127, term - 256, z3.If(term < -128, term + 256, term))

    inputs = z3.Ints("v0 v1 v2 v3 v4 v5 v6 v7 v8 v9")
    many = Predicate("M", (INT,) * len(inputs))
    forward, backward = z3.IntVal(0), z3.IntVal(0)
    for one, other in zip(inputs, reversed(inputs), strict=True):
        forward, backward = wrapped(forward + one), wrapped(backward + other)
    bounds = [z3.And(one >= -128, one <= 127) for one in inputs]
    start = clause(many(*inputs), *bounds)
    assert isinstance(answer(start, clause(None, many(*inputs), forward != backward)), Safe)
    assert isinstance(answer(start, clause(None, many(*inputs), forward == backward + 1 - inputs[0])), Unsafe)


def test_unreachable_and_empty() -> None:
    assert isinstance(answer(clause(P(i, s), i == 0, s == 1), clause(None, P(i, s), i > s)), Safe)
    assert isinstance(answer(clause(None, P(i, s), i > s)), Safe)
    assert isinstance(answer(clause(None, i > 0)), Unsafe)


def test_without_end_is_unknown() -> None:
    system = HornSystem.of(
        [clause(P(i, s), i == 0, s == 0), clause(P(i, s + 1), P(i, s)), clause(None, P(i, s), s < 0)]
    )
    assert isinstance(Bounded().solve(system, Context.within(5)), Unknown)


def test_violations_before_giving_up() -> None:
    """The loop has no bound, but a violation within it after three iterations."""
    found = answer(
        clause(P(i, s), i == 0, s == 0),
        # P(i, s) & v >= 0 => P(i + 1, s + v);  P(i, s) & v < 0 => Q(i, s)
        clause(P(i + 1, s + v), P(i, s), v >= 0),
        clause(Q(i, s), P(i, s), v < 0),
        clause(None, P(i, s), s == 100, i == 3),
        clause(None, Q(i, s), s < 0),
    )
    assert isinstance(found, Unsafe)


def counting(limit: z3.ArithRef, *assumed: z3.BoolRef) -> HornSystem:
    """i counts from 0 to a limit."""
    return HornSystem.of(
        [
            # assumed => P(0, limit)
            clause(P(i, j), i == 0, j == limit, *assumed),
            # P(i, j) & i < j => P(i + 1, j);  P(i, j) & i >= j => Q(i, j)
            clause(P(i + 1, j), P(i, j), i < j),
            clause(Q(i, j), P(i, j), i >= j),
            clause(None, Q(i, j), i > j, j >= 0),
        ]
    )


def test_long_loops_are_given_up_at_once() -> None:
    context = Context.within(600)
    for system in (counting(z3.IntVal(10**9)), counting(v)):
        found = Bounded().solve(system, context)
        assert isinstance(found, Unknown) and found.reason.startswith("a loop")
    assert isinstance(Bounded().solve(counting(v, v <= 12), context), Safe)
    assert isinstance(Bounded().solve(counting(z3.IntVal(300)), context), Safe)


def test_long_nests_of_loops_are_given_up_in_the_inner_loop() -> None:
    outer, inner = Predicate("outer", (INT,)), Predicate("inner", (INT, INT))
    system = HornSystem.of(
        [
            # outer(0);  outer(i) & i < 900 => inner(i, 0)
            clause(outer(i), i == 0),
            clause(inner(i, z3.IntVal(0)), outer(i), i < 900),
            # inner(i, j) & j < 900 => inner(i, j + 1);  inner(i, j) & j >= 900 => outer(i + 1)
            clause(inner(i, j + 1), inner(i, j), j < 900),
            clause(outer(i + 1), inner(i, j), j >= 900),
            clause(P(i, i), outer(i), i >= 900),
            clause(None, P(i, j), i > 900),
        ]
    )
    found = Bounded().solve(system, Context.within(600))
    assert found == Unknown("a loop of more than 8000 steps")


def test_checks_in_a_loop_that_constants_bound_are_no_ways_out() -> None:
    """Each iteration can end in an error or go on: only the counter decides how often, and no solver is asked."""
    outside, error = Predicate("outside", (INT, INT)), Predicate("error", ())
    clauses = [
        clause(P(i, s), i == 0, s == 0),
        # P(i, s) & i < 12 & 0 <= v <= 9 => R(i, s + v)
        clause(R(i, s + v), P(i, s), i < 12, v >= 0, v <= 9),
        # R(i, s) & s > 9 * (i + 1) => error;  R(i, s) & s <= 9 * (i + 1) => P(i + 1, s)
        clause(error(), R(i, s), s > 9 * (i + 1)),
        clause(P(i + 1, s), R(i, s), s <= 9 * (i + 1)),
        clause(outside(i, s), P(i, s), i >= 12),
        clause(None, error()),
        clause(None, outside(i, s), s < 0),
    ]
    system, arena, asked = HornSystem.of(clauses), Arena(), list[int]()

    def ask(condition: int) -> tuple[bool, bool]:
        asked.append(condition)
        return False, True

    execution = SymbolicExecution(system, arena, UnrollingLimits(1_000, 66, lambda _: False, ask, lambda: ""))
    execution.run()
    assert not asked
    assert isinstance(answer(*clauses), Safe)
    assert isinstance(answer(*clauses[:-1], clause(None, outside(i, s), s == 107)), Unsafe)


def test_a_loop_of_transitions_without_guards_has_no_end() -> None:
    # P(0, 0); P(i, s) => Q(i + 1, s); Q(i, s) => P(i, s + 2); P(i, s) & s = wrong => false
    def system(wrong: int) -> list[Clause]:
        return [
            clause(P(i, s), i == 0, s == 0),
            clause(Q(i + 1, s), P(i, s)),
            clause(P(i, s + 2), Q(i, s)),
            clause(None, P(i, s), s == wrong),
        ]

    assert answer(*system(3)) == Unknown("a loop without end")
    assert isinstance(answer(*system(4)), Unsafe)
    # with a guard on one of them it ends
    ending = [*system(3)[:1], clause(Q(i + 1, s), P(i, s), i < 100), *system(3)[2:]]
    assert isinstance(answer(*ending), Safe)


def test_states_share_the_cells_of_arrays() -> None:
    """An array of n cells is filled and copied: n states with up to n known cells each, as a term of O(n log n)."""
    fill, copy, check = (Predicate(name, (INT, ARRAY, ARRAY)) for name in ("Fill", "Copy", "Check"))

    def size(cells: int) -> int:
        result = answer(
            # Fill(0, a, b)
            clause(fill(i, a, b), i == 0),
            # Fill(i, a, b) & i < cells => Fill(i + 1, a[i := 7], b)
            clause(fill(i + 1, z3.Store(a, i, 7), b), fill(i, a, b), i < cells),
            # Fill(i, a, b) & i >= cells => Copy(0, a, b)
            clause(copy(z3.IntVal(0), a, b), fill(i, a, b), i >= cells),
            # Copy(i, a, b) & i < cells => Copy(i + 1, a, b[i := a[i]])
            clause(copy(i + 1, a, z3.Store(b, i, a[i])), copy(i, a, b), i < cells),
            # Copy(i, a, b) & i >= cells => Check(0, a, b)
            clause(check(z3.IntVal(0), a, b), copy(i, a, b), i >= cells),
            # Check(i, a, b) & i < cells & b[i] = 7 => Check(i + 1, a, b)
            clause(check(i + 1, a, b), check(i, a, b), i < cells, b[i] == 7),
            # Check(i, a, b) & i < cells & b[i] != 7 => false
            clause(None, check(i, a, b), i < cells, b[i] != 7),
        )
        assert isinstance(result, Safe)
        return sum(1 for _ in subterms(*result.model.interpretations.values()))

    assert size(48) < 3 * size(24)


@pytest.mark.parametrize("largest", [99, 98])
def test_a_large_number_in_a_violation_says_nothing_of_the_loop(largest: int) -> None:
    """A number of two digits is read; that it is compared with 1,000,000 where it is judged does not bound the loop."""
    stop = Predicate("stop", (INT,))
    system = [
        # P(0, 0)
        clause(P(i, s), i == 0, s == 0),
        # P(i, s) & i < 40 & 0 <= v <= 9 => P(i + 1, (10 * s + v) mod 100)
        clause(P(i + 1, (10 * s + v) % 100), P(i, s), i < 40, v >= 0, v <= 9),
        # P(i, s) & s > largest & s < 1000001 => stop(s);  stop(s) => false
        clause(stop(s), P(i, s), s > largest, s < 1000001),
        clause(None, stop(s)),
    ]
    assert isinstance(answer(*system), Safe if largest == 99 else Unsafe)
