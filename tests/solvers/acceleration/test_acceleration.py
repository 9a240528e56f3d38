"""The engine on small systems: what it finds is accepted by the checker, and safe systems stay unknown."""

import time

import pytest
import z3

from chcverify.certificate.derivation import Cycle, Derivation
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.schedule import choose, named
from chcverify.results.result import Unknown, Unsafe
from solvers.acceleration.engine import Acceleration
from solvers.engine import Context

INT, BOOL = z3.IntSort(), z3.BoolSort()
ZERO, ONE = z3.IntVal(0), z3.IntVal(1)
ARRAY = z3.ArraySort(INT, INT)
x, y, z, x1, y1, z1, i, v = z3.Ints("x y z x1 y1 z1 i v")
a, b, a1, b1 = (z3.Const(name, ARRAY) for name in ("a", "b", "a1", "b1"))
r, r1 = z3.Reals("r r1")
p = z3.Bool("p")
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT))
A, B = Predicate("A", (INT, ARRAY, ARRAY)), Predicate("B", (INT, ARRAY, ARRAY))


def cycles(system: HornSystem, seconds: float = 600) -> list[Cycle]:
    """The cycles of the derivation that is found, accepted by the checker."""
    return [step for step in found(system, seconds).steps if isinstance(step, Cycle)]


def found(system: HornSystem, seconds: float = 600) -> Derivation:
    result = Acceleration().solve(system, Context.within(seconds, seed=1))
    assert isinstance(result, Unsafe), result
    verdict = check_derivation(system, result.derivation, time.monotonic() + 600)
    assert verdict.accepted, verdict.reason
    return result.derivation


def unknown(system: HornSystem, seconds: float = 600) -> str:
    result = Acceleration().solve(system, Context.within(seconds, seed=1))
    assert isinstance(result, Unknown)
    return result.reason


def counter(bound: int, query: z3.BoolRef) -> HornSystem:
    return HornSystem.of(
        [
            # x = 0 & y = 5 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 5)),
            # P(x, y) & x < bound => P(x + 1, y + 3)
            Clause(P(x + 1, y + 3), (P(x, y),), x < bound),
            # P(x, y) & x >= bound & query => false
            Clause(None, (P(x, y),), z3.And(x >= bound, query)),
        ]
    )


def test_a_long_loop_is_one_cycle() -> None:
    (cycle,) = cycles(counter(10**9, y == 5 + 3 * 10**9))
    assert cycle.count == 10**9


def test_a_safe_loop_is_unknown_and_says_that_there_is_no_other_run() -> None:
    assert "only run" in unknown(counter(10**9, y == 6 + 3 * 10**9))


def test_a_short_loop_stays_as_it_is() -> None:
    assert not cycles(counter(20, y == 65))


def test_large_steps_and_normal_clauses() -> None:
    system = HornSystem.of(
        [
            # x = 10^12 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 10**12, y == 0)),
            # P(x, y) & x > 6 & x1 = x - 7 & y = y1 + 2 => P(x1, y1)
            Clause(P(x1, y1), (P(x, y),), z3.And(x > 6, x1 == x - 7, y == y1 + 2)),
            # P(x, y) & x <= 6 & y = -2 * (10^12 div 7) => false
            Clause(None, (P(x, y),), z3.And(x <= 6, y == -2 * (10**12 // 7))),
        ]
    )
    assert len(cycles(system)) == 1


def test_branches_end_a_cycle_where_they_change_for_a_single_iteration_too() -> None:
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x < 10^6 => P(x + 1, if x = 3333 then y + 100 else if x < 500000 then y + 1 else y - 1)
            Clause(
                P(x + 1, z3.If(x == 3333, y + 100, z3.If(x < 500_000, y + 1, y - 1))),
                (P(x, y),),
                x < 10**6,
            ),
            # P(x, y) & x >= 10^6 & y = 99 => false
            Clause(None, (P(x, y),), z3.And(x >= 10**6, y == 99)),
        ]
    )
    assert len(cycles(system)) == 3


def test_wrap_around_ends_a_cycle() -> None:
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 1, y == 0)),
            # P(x, y) & x != 0 => P((x + 1) mod 2^32, y + 1)
            Clause(P((x + 1) % 2**32, y + 1), (P(x, y),), x != 0),
            # P(x, y) & x = 0 & y = 2^32 - 1 => false
            Clause(None, (P(x, y),), z3.And(x == 0, y == 2**32 - 1)),
        ]
    )
    assert cycles(system)


def test_a_cycle_of_two_iterations() -> None:
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x < 10^7 & x mod 2 = 0 => P(x + 1, y + 5);  odd: P(x + 1, y - 4)
            Clause(P(x + 1, y + 5), (P(x, y),), z3.And(x < 10**7, x % 2 == 0)),
            Clause(P(x + 1, y - 4), (P(x, y),), z3.And(x < 10**7, x % 2 != 0)),
            Clause(None, (P(x, y),), z3.And(x == 10**7, y == 5 * 10**6)),
        ]
    )
    assert [len(cycle.links) for cycle in cycles(system)] == [2]


def test_a_short_loop_within_a_long_one() -> None:
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x < 10^8 => Q(x, 0);  Q(x, y) & y < 4 => Q(x, y + 1);  Q(x, y) & y >= 4 => P(x + 1, y)
            Clause(Q(x, ZERO), (P(x, y),), x < 10**8),
            Clause(Q(x, y + 1), (Q(x, y),), y < 4),
            Clause(P(x + 1, y), (Q(x, y),), y >= 4),
            Clause(None, (P(x, y),), x >= 10**8),
        ]
    )
    assert [len(cycle.links) for cycle in cycles(system)] == [6]


def test_choices_are_made_for_free_variables_and_clauses() -> None:
    system = HornSystem.of(
        [
            # P(x, 0)
            Clause(P(x, ZERO), (), z3.BoolVal(True)),
            # P(x, y) => P(x, y + 1);  P(x, y) & x = 123456 & y > 10^5 => false
            Clause(P(x, y + 1), (P(x, y),), z3.BoolVal(True)),
            Clause(None, (P(x, y),), z3.And(x == 123456, y > 100_000)),
        ]
    )
    assert cycles(system)


def test_a_solver_helps_where_guesses_fail() -> None:
    system = HornSystem.of(
        [
            # 3 * x + 5 * y = 1000003 & x > 7 & y > 1000 => P(x, y)
            Clause(P(x, y), (), z3.And(3 * x + 5 * y == 1_000_003, x > 7, y > 1000)),
            Clause(None, (P(x, y),), z3.BoolVal(True)),
        ]
    )
    assert not cycles(system)


def test_disjunctions_are_cases() -> None:
    step = z3.Or(z3.And(x < 10, x1 == x + 1, y1 == y), z3.And(x >= 10, x < 10**6, x1 == x + 2, y1 == y + 1))
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            Clause(P(x1, y1), (P(x, y),), step),
            Clause(None, (P(x, y),), z3.And(x >= 10**6, y == 499_995)),
        ]
    )
    assert cycles(system)


def filling(index: z3.ArithRef, value: z3.ArithRef, query: z3.BoolRef, bound: int = 100_000) -> HornSystem:
    """A loop that stores the value at the index, both over x, and one that reads what is at i = x from 0."""
    return HornSystem.of(
        [
            # A(0, a, b)
            Clause(A(ZERO, a, b), (), z3.BoolVal(True)),
            # A(x, a, b) & x < bound => A(x + 1, store(a, index, value), b)
            Clause(A(x + 1, z3.Store(a, index, value), b), (A(x, a, b),), x < bound),
            # A(x, a, b) & x >= bound => B(0, a, b)
            Clause(B(ZERO, a, b), (A(x, a, b),), x >= bound),
            # B(x, a, b) & x < bound & ~query => B(x + 1, a, b)
            Clause(B(x + 1, a, b), (B(x, a, b),), z3.And(x < bound, z3.Not(query))),
            # B(x, a, b) & x < bound & query => false
            Clause(None, (B(x, a, b),), z3.And(x < bound, query)),
        ]
    )


@pytest.mark.parametrize(
    ("index", "value", "query"),
    [
        (x, 2 * x, z3.And(x == 99_999, a[x] == 2 * x)),
        (99_999 - x, x, z3.And(x == 99_999, a[x] == 0)),
        (3 * x + 1, 6 * x, z3.And(a[3 * x + 1] == 6 * x, x == 90_000)),
        (3 * x + 1, x, z3.And(a[3 * x + 1] == x, x == 90_000)),
        (z3.IntVal(7), x, z3.And(a[7] == 99_999, x == 99_000)),
        (x, b[x], z3.And(a[x] == b[x], x == 99_999)),
        (x, z3.If(x == 70_000, z3.IntVal(1), z3.IntVal(0)), a[x] == 1),
    ],
    ids=["up", "down", "step", "step and quotient", "one cell", "copy", "one that is unlike"],
)
def test_arrays_are_filled(index: z3.ArithRef, value: z3.ArithRef, query: z3.BoolRef) -> None:
    assert len(cycles(filling(index, value, query))) >= 2


def test_several_writes_to_cells_of_each_other() -> None:
    stored = z3.Store(z3.Store(z3.Store(a, x + 1, 7), x, 1), x + 1, 2)
    system = HornSystem.of(
        [
            Clause(A(ZERO, a, b), (), z3.BoolVal(True)),
            # A(x, a, b) & x < 10^5 => A(x + 1, store(store(store(a, x + 1, 7), x, 1), x + 1, 2), b)
            Clause(A(x + 1, stored, b), (A(x, a, b),), x < 10**5),
            Clause(None, (A(x, a, b),), z3.And(x == 10**5, a[x] == 2, a[x - 1] == 1, a[500] == 1)),
        ]
    )
    assert len(cycles(system)) == 1


def test_writes_from_both_ends() -> None:
    stored = z3.Store(z3.Store(a, x, 1), 10_000 - x, 2)
    system = HornSystem.of(
        [
            Clause(A(ZERO, a, b), (), z3.BoolVal(True)),
            # A(x, a, b) & x < 4000 => A(x + 1, store(store(a, x, 1), 10000 - x, 2), b)
            Clause(A(x + 1, stored, b), (A(x, a, b),), x < 4_000),
            Clause(None, (A(x, a, b),), z3.And(x == 4_000, a[3_999] == 1, a[6_001] == 2)),
        ]
    )
    assert len(cycles(system)) == 1


def test_a_cell_that_stays_among_cells_that_move() -> None:
    stored = z3.Store(z3.Store(a, x, 2), -1, 7)
    system = HornSystem.of(
        [
            Clause(A(ZERO, a, b), (), z3.BoolVal(True)),
            # A(x, a, b) & x < 10^5 => A(x + 1, store(store(a, x, 2), -1, 7), b)
            Clause(A(x + 1, stored, b), (A(x, a, b),), x < 10**5),
            Clause(None, (A(x, a, b),), z3.And(x == 10**5, a[-1] == 7, a[99_999] == 2)),
        ]
    )
    assert len(cycles(system)) == 1


def test_an_element_depends_on_the_one_before() -> None:
    system = HornSystem.of(
        [
            # A(1, store(a, 0, 4), b)
            Clause(A(ONE, z3.Store(a, 0, 4), b), (), z3.BoolVal(True)),
            # A(x, a, b) & x < 10^5 => A(x + 1, store(a, x, a[x - 1] + 2), b)
            Clause(A(x + 1, z3.Store(a, x, a[x - 1] + 2), b), (A(x, a, b),), x < 10**5),
            Clause(None, (A(x, a, b),), z3.And(x == 10**5, a[x - 1] == 200_002)),
        ]
    )
    assert len(cycles(system)) == 1


def test_equal_arrays_need_not_be_made_in_the_same_way() -> None:
    same = z3.Store(z3.Store(a, 1, 5), 2, 6) == z3.Store(z3.Store(b, 2, 6), 1, 5)
    start = Clause(A(ZERO, a, b), (), z3.And(a == z3.K(INT, ZERO), b == z3.Store(z3.K(INT, ZERO), 9, 0)))
    # A(x, a, b) & same => false;  A(x, a, b) & ~same => false
    assert not cycles(HornSystem.of([start, Clause(None, (A(x, a, b),), same)]))
    assert unknown(HornSystem.of([start, Clause(None, (A(x, a, b),), z3.Not(same))]))
    # with another a
    other = Clause(A(ZERO, a, b), (), z3.And(a == z3.K(INT, ONE), b == z3.K(INT, ZERO)))
    assert not cycles(HornSystem.of([other, Clause(None, (A(x, a, b),), a != b)]))


def test_reals_and_booleans() -> None:
    R = Predicate("R", (z3.RealSort(), BOOL))
    system = HornSystem.of(
        [
            # R(0, true);  R(r, p) & p & r < 1000 & r1 = r + 1/4 => R(r1, p)
            Clause(R(r, p), (), z3.And(r == 0, p)),
            Clause(R(r1, p), (R(r, p),), z3.And(p, r < 1000, r1 == r + z3.Q(1, 4))),
            Clause(None, (R(r, p),), z3.And(r == 1000, p)),
        ]
    )
    assert len(cycles(system)) == 1


def test_the_same_seed_gives_the_same_derivation() -> None:
    system = filling(x, b[x], z3.And(a[x] == b[x], x == 99_999))
    first, second = found(system), found(system)
    assert [type(step) for step in first.steps] == [type(step) for step in second.steps]
    assert [getattr(step, "count", 0) for step in first.steps] == [getattr(step, "count", 0) for step in second.steps]


def test_bit_vectors_are_left_to_others() -> None:
    word = z3.BitVec("word", 8)
    W = Predicate("W", (z3.BitVecSort(8),))
    system = HornSystem.of([Clause(W(word), (), word == 0), Clause(None, (W(word),), word == 0)])
    assert "sort" in unknown(system)


def test_a_loop_that_changes_nothing_ends_with_the_time() -> None:
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            Clause(P(x, y), (P(x, y),), y == 0),
            Clause(None, (P(x, y),), x > 0),
        ]
    )
    assert unknown(system, seconds=1)


def test_it_runs_on_the_clauses_as_given() -> None:
    assert [run.variant for run in named(["acceleration", "pdr"])] == ["original", "reduced"]
    assert "acceleration on original" in [run.label for run in choose(counter(10, y == 0))]
