"""Nonlinear systems: derivation trees by depth, the base and step case on them; every witness is validated."""

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from unrolling_systems import validate

from chcverify.certificate.derivation import Derivation
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown, Unsafe
from chcverify.transforms.exact.normalisation import Normalise
from solvers.bmc.engine import Bmc
from solvers.engine import Context
from solvers.kinduction.engine import KInduction
from solvers.kinduction.invariant_seeding import SeededKInduction, kind_df, kind_df_kipdr
from solvers.unrolling.derivation_trees import Trees
from solvers.unrolling.tree_cases import TreeBase

INT = z3.IntSort()
n, r, m, s, t, u = z3.Ints("n r m s t u")
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT,))


def normal(clauses: list[Clause]) -> HornSystem:
    return Normalise().apply(HornSystem.of(clauses))[0]


def fibonacci(argument: int, wrong: int) -> HornSystem:
    return normal(
        [
            # n <= 1 & r = n => P(n, r)
            Clause(P(n, r), (), z3.And(n <= 1, r == n)),
            # P(m, s) & P(t, u) & n > 1 & m = n - 1 & t = n - 2 & r = s + u => P(n, r)
            Clause(P(n, r), (P(m, s), P(t, u)), z3.And(n > 1, m == n - 1, t == n - 2, r == s + u)),
            # P(n, r) & n = argument & r = wrong => false
            Clause(None, (P(n, r),), z3.And(n == argument, r == wrong)),
        ]
    )


def sums(query: z3.BoolRef) -> HornSystem:
    """Q holds for the multiples of 3 from 3 on."""
    return normal(
        [
            # n = 3 => Q(n)
            Clause(Q(n), (), n == 3),
            # Q(m) & Q(s) & n = m + s => Q(n)
            Clause(Q(n), (Q(m), Q(s)), n == m + s),
            # Q(n) & query => false
            Clause(None, (Q(n),), query),
        ]
    )


def identity() -> HornSystem:
    """A recursive call with an entry: P(n, r) is the summary of a function that returns n."""
    return normal(
        [
            # n >= 0 => Q(n)
            Clause(Q(n), (), n >= 0),
            # Q(n) & n > 0 & m = n - 1 => Q(m)
            Clause(Q(m), (Q(n),), z3.And(n > 0, m == n - 1)),
            # Q(n) & n = 0 & r = 0 => P(n, r)
            Clause(P(n, r), (Q(n),), z3.And(n == 0, r == 0)),
            # Q(n) & P(m, s) & n > 0 & m = n - 1 & r = s + 1 => P(n, r)
            Clause(P(n, r), (Q(n), P(m, s)), z3.And(n > 0, m == n - 1, r == s + 1)),
            # P(n, r) & r != n => false
            Clause(None, (P(n, r),), r != n),
        ]
    )


def test_violations_are_derivations() -> None:
    for system in (fibonacci(5, 5), sums(n == 21)):
        for engine in (Bmc(), KInduction()):
            result = engine.solve(system, Context.within(600))
            assert isinstance(result, Unsafe)
            validate(system, result)


def test_the_derivation_is_the_lowest_one_and_derives_equal_facts_once() -> None:
    result = Bmc().solve(sums(n == 24), Context.within(600))
    assert isinstance(result, Unsafe)
    assert len(result.derivation.steps) == 5  # 3, 6, 12, 24, false


def test_bounded_model_checking_proves_what_has_finitely_many_trees() -> None:
    for system in (fibonacci(5, 6), fibonacci(1, 3)):
        for engine in (Bmc(), KInduction()):
            result = engine.solve(system, Context.within(600))
            assert isinstance(result, Safe)
            validate(system, result)


def test_step_case_of_a_recursive_function() -> None:
    result = KInduction().solve(identity(), Context.within(600))
    assert isinstance(result, Safe)
    validate(identity(), result)


def test_k_2_is_needed_and_interpolated() -> None:
    """Swapping two values on the way: x < 5 is preserved by two clauses, not by one."""
    a, b, a1, b1, c, d = z3.Ints("a b a1 b1 c d")
    system = normal(
        [
            # a = 0 & b = 1 => P(a, b)
            Clause(P(a, b), (), z3.And(a == 0, b == 1)),
            # P(a, b) & P(c, d) & a1 = b & (b1 = a | b1 = c) => P(a1, b1)
            Clause(P(a1, b1), (P(a, b), P(c, d)), z3.And(a1 == b, z3.Or(b1 == a, b1 == c))),
            # P(a, b) & a >= 5 => false
            Clause(None, (P(a, b),), a >= 5),
        ]
    )
    context = Context.within(600)
    result = KInduction().solve(system, context)
    assert isinstance(result, Safe)
    validate(system, result)
    assert context.statistics["k"] == 2


def test_a_query_of_two_atoms() -> None:
    system = normal(
        [*sums(n < 0).clauses[:2], Clause(None, (Q(n), Q(m)), n + m == 4)]  # Q(n) & Q(m) & n + m = 4 => false
    )
    result = kind_df().solve(system, Context.within(600))
    assert isinstance(result, Safe)
    validate(system, result)
    unsafe = normal([*sums(n < 0).clauses[:2], Clause(None, (Q(n), Q(m)), n - m == 6)])
    found = KInduction().solve(unsafe, Context.within(600))
    assert isinstance(found, Unsafe)
    validate(unsafe, found)


@pytest.mark.parametrize("engine", [kind_df(), kind_df_kipdr()])
def test_invariants_of_a_generator_help(engine: SeededKInduction) -> None:
    system = sums(n % 3 == 1)
    result = engine.solve(system, Context.within(600))
    assert isinstance(result, Safe)
    validate(system, result)


def test_linear_systems_have_one_node_per_predicate_and_depth() -> None:
    system = normal([identity().clauses[0], identity().clauses[1], Clause(None, (Q(n),), n < 0)])
    trees = Trees(system, name="test")
    for depth in range(1, 40):
        answer, needed = trees.check(10, closed=True)
        assert answer == z3.unsat
        for node in needed:
            trees.expand(node)
        assert len(trees.nodes) <= depth + 1


def test_the_deadline_is_honoured() -> None:
    for engine in (Bmc(), KInduction(), kind_df()):
        assert isinstance(engine.solve(fibonacci(60, 3), Context.within(0.3)), Unknown)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 3), st.lists(st.tuples(*[st.integers(-1, 2)] * 3), min_size=1, max_size=2), st.integers(0, 7))
def test_each_depth_derives_what_so_many_rounds_derive(start: int, rows: list[tuple[int, int, int]], bad: int) -> None:
    """Q over the numbers below 8, closed under random sums; the lowest derivation is as high as the rounds say."""
    clauses = [Clause(Q(n), (), n == start)]
    for i, j, k in rows:
        clauses.append(Clause(Q(n), (Q(m), Q(s)), z3.And(n == i * m + j * s + k, n >= 0, n < 8)))
    system = normal([*clauses, Clause(None, (Q(n),), n == bad)])
    found, height = {start}, 1
    while bad not in found:
        sums = {i * a + j * b + k for a in found for b in found for i, j, k in rows}
        if (more := found | {value for value in sums if 0 <= value < 8}) == found:
            break
        found, height = more, height + 1
    base = TreeBase(system, Context.within(600))
    for _ in range(height):
        assert base.check_next() is None
    answer = base.check_next()
    assert isinstance(answer, Derivation) == (bad in found)
    if isinstance(answer, Derivation):
        validate(system, Unsafe(answer))
