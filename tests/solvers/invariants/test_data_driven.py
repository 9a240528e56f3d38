"""Sampled facts, equalities among points, and the engine that keeps the inductive ones."""

import random

import pytest
import z3
from invariant_loops import loop, proves

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from chcverify.terms.arithmetic.polynomial import Polynomial, monomial_value
from solvers.engine import Context
from solvers.invariants.data_driven.engine import DataDriven
from solvers.invariants.data_driven.polynomial_equalities import vanishing
from solvers.invariants.data_driven.sampling import reachable_facts
from solvers.registry import get

x, y, z, n = z3.Ints("x y z n")
r, s = z3.Reals("r s")
b, c = z3.BitVecs("b c", 32)


def evaluate(polynomial: Polynomial, point: tuple[int, ...]) -> int:
    return sum(c * monomial_value(monomial, point) for monomial, c in polynomial.items())


@pytest.mark.parametrize("seed", range(8))
def test_equalities_vanish_on_all_points(seed: int) -> None:
    chooser = random.Random(seed)
    points = [
        (a, b, a * b - 2, 3 * a) for a, b in ((chooser.randint(-9, 9), chooser.randint(-9, 9)) for _ in range(80))
    ]
    by_degree = list(vanishing(points, 3))
    assert all(evaluate(p, point) == 0 for polynomials in by_degree for p in polynomials for point in points)
    assert [len(polynomials) for polynomials in by_degree[:2]] == [1, 1]  # w = 3 a and z = a b - 2


def test_multiples_of_equalities_are_not_told_again() -> None:
    points = [(i, i * i) for i in range(40)]
    assert [len(polynomials) for polynomials in vanishing(points, 4)] == [0, 1, 0, 0]


def test_few_points_prove_nothing() -> None:
    assert list(vanishing([(1, 2), (2, 4)], 2)) == []
    assert list(vanishing([], 2)) == []


def test_facts_are_reachable() -> None:
    system = loop([x, y], z3.And(x >= 0, x <= 3, y == 0), [x, y + x], x < 0, guard=y < 20)
    facts = reachable_facts(system, Context.within(600))[system.predicates[0]]
    reached = {(i, i * steps) for i in range(4) for steps in range(21) if i * (steps - 1) < 20}
    found = {(a.as_long(), b.as_long()) for a, b in facts}
    assert found <= reached
    assert len(found) > 20


def test_facts_of_nonlinear_clauses() -> None:
    # x = 3 => Q(x); Q(x) & Q(y) & x + y < 50 => Q(x + y)
    Q = Predicate("Q", (z3.IntSort(),))
    clauses = [Clause(Q(x), (), x == 3), Clause(Q(z), (Q(x), Q(y)), z3.And(z == x + y, z < 50))]
    found = {fact[0].as_long() for fact in reachable_facts(HornSystem.of(clauses), Context.within(600))[Q]}
    assert found == set(range(3, 50, 3))


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    """A 16-bit integer's value."""
    return (term + (1 << 15)) % (1 << 16) - (1 << 15)


SAFE = {
    "square": loop([x, y], z3.And(x == 0, y == 0), [x + 1, y + 2 * x + 1], y != x * x),
    "quotient": loop([x, y, z, n], z3.And(x == n, y == 0, z == 3), [x - z, y + 1, z, n], y * z + x != n, guard=x >= z),
    "geometric": loop([x, y, z], z3.And(x == 1, y == 1), [x * z + 1, y * z, z], x * z - x - y * z != -1),
    "wrapped": loop(
        [x, y, z], z3.And(x == 1, y == 1), [wrapped(x * z + 1), wrapped(y * z), z], (x * z - x - y * z + 1) % 65536 != 0
    ),
    "reals": loop([r, s], z3.And(r == 0, s == 1), [r + 1, s + 2], s != 2 * r + 1),
    "bits": loop([b, c], z3.And(b == 0, c == 5), [b + 1, c + 3], c != 3 * b + 5),
}


@pytest.mark.parametrize("name", SAFE)
def test_proves(name: str) -> None:
    assert proves(SAFE[name], DataDriven().solve(SAFE[name], Context.within(600)))


def test_an_equality_of_integers_where_no_sum_wraps_around() -> None:
    a, b = z3.Ints("a b")
    start = z3.And(a >= 0, a <= 1000, b >= 0, b <= 1000, x == 0, y == 0)
    total = z3.If(x + b >= 1 << 31, x + b - (1 << 32), x + b)
    # 0 <= a, b <= 1000 & x = y = 0 => P(a, b, x, y); P(a, b, x, y) & y < a => P(a, b, total, y + 1); the query compares
    # with the product itself, not modulo 2^32: P(a, b, x, y) & y >= a & x != a * b => false
    system = loop([a, b, x, y], start, [a, b, total, y + 1], z3.And(y >= a, x != a * b), guard=y < a)
    assert proves(system, DataDriven().solve(system, Context.within(600)))


def test_what_holds_in_the_samples_only_is_dropped() -> None:
    # y = x up to 500, which the samples do not reach
    system = loop([x, y], z3.And(x == 0, y == 0), [x + 1, z3.If(x < 500, y + 1, y)], x != y)
    assert isinstance(DataDriven().solve(system, Context.within(600)), Unknown)


def test_systems_without_numbers_and_without_time() -> None:
    f = z3.Bool("f")
    assert isinstance(DataDriven().solve(loop([f], f, [z3.Not(f)], f), Context.within(600)), Unknown)
    assert not isinstance(DataDriven().solve(SAFE["square"], Context.within(0)), Safe)


def test_the_name_of_the_engine() -> None:
    assert isinstance(get("data-driven"), DataDriven)
