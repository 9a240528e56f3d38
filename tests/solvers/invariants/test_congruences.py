"""Polynomials modulo 2^w: their normal form, what queries ask of them, and what of that is inductive."""

import random
import time

import pytest
import z3
from invariant_loops import loop

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from chcverify.terms.arithmetic.modular_polynomials import ModularPolynomials
from solvers.engine import Context
from solvers.invariants.candidate_mining import Candidates
from solvers.invariants.congruences.congruence_candidates import congruences
from solvers.invariants.congruences.engine import CongruenceEngine, ModularSystem, as_formulas, modular_systems, moduli
from solvers.invariants.congruences.ideal_membership import PolynomialQuery

x, y, z, n = z3.Ints("x y z n")
WORD = 1 << 32


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    return (term + (1 << 31)) % WORD - (1 << 31)


def inside(*variables: z3.ArithRef) -> z3.BoolRef:
    return z3.And(*[z3.And(v >= -(1 << 31), v < 1 << 31) for v in variables])


def inductive(system: HornSystem) -> Candidates:
    suggested = modular_systems(system)
    return as_formulas(suggested, [one.inductive() for one in suggested])


def certified(system: HornSystem) -> bool:
    result = CongruenceEngine().solve(system, Context.within(600))
    return isinstance(result, Safe) and check_model(system, result.model, time.monotonic() + 600).accepted


def term(chooser: random.Random, depth: int) -> z3.ArithRef:
    if depth == 0:
        return chooser.choice([x, y, z3.IntVal(chooser.randint(-9, 9))])
    left, right = term(chooser, depth - 1), term(chooser, depth - 1)
    kinds = [left + right, left - right, left * right, -left, left % 64, z3.If(x > 0, left, left - 16)]
    return chooser.choice([*kinds, z3.If(x > y, left, right)])


@pytest.mark.parametrize("seed", range(40))
def test_a_residue_is_congruent(seed: int) -> None:
    chooser = random.Random(seed)
    whole = term(chooser, 4)
    residues = ModularPolynomials(16)
    same = residues.term(residues.of(whole))
    for _ in range(5):
        values = [(v, z3.IntVal(chooser.randint(-50, 50))) for v in (x, y)]
        assert z3.is_true(z3.simplify(z3.substitute((whole - same) % 16 == 0, values)))


def test_equal_polynomials_have_one_residue() -> None:
    residues = ModularPolynomials(WORD)
    assert residues.of(wrapped(wrapped(x * x) - y * wrapped(y))) == residues.of((x + y) * (x - y))
    assert residues.of(x * WORD + WORD) == {}
    assert residues.of(x / 2) != residues.of(y / 2)


def test_what_a_query_asks_is_inductive() -> None:
    # y = 1, z = x; z' = x z, y' = x y + 1 as words: x y - y - z + 1 = 0 modulo 2^32
    steps = [x, wrapped(wrapped(x * y) + 1), wrapped(x * z)]
    start = z3.And(inside(x), y == 1, z == x)
    system = loop([x, y, z], start, steps, z3.And(inside(x, y, z), wrapped(wrapped(x * y) - y) != wrapped(z - 1)))
    assert moduli(system) == [WORD]
    assert [len(formulas) for formulas in inductive(system).values()] == [1]
    assert certified(system)


def test_steps_back_find_what_is_missing() -> None:
    # y is the sum of the squares below x, which is asked only of its first difference
    steps = [wrapped(x + 1), wrapped(y + wrapped(x * x))]
    bad = z3.And(inside(x, y), wrapped(6 * y) != wrapped(wrapped(x * wrapped(x - 1)) * wrapped(2 * x - 1)))
    assert certified(loop([x, y], z3.And(x == 0, y == 0), steps, bad))


def test_conditions_count() -> None:
    # n = x y + z is kept by z = y - 1 => x' = x + 1, z' = 0, n' = n + 1
    steps = [wrapped(x + 1), y, z3.IntVal(0), wrapped(n + 1)]
    start = z3.And(inside(y), x == 0, z == y - 1, n == y - 1, y > 0)
    system = loop([x, y, z, n], start, steps, wrapped(wrapped(x * y) + z) != n, guard=z == y - 1)
    assert [len(formulas) for formulas in inductive(system).values()] == [1]


def test_what_is_not_kept_is_no_congruence() -> None:
    system = loop(
        [x, y], z3.And(x == 0, y == 0), [wrapped(x + 1), wrapped(y + x * x)], wrapped(3 * y) != wrapped(x * x)
    )
    assert any(congruences(system, WORD).values())
    assert not any(inductive(system).values())
    assert isinstance(CongruenceEngine().solve(system, Context.within(600)), Unknown)


SQUARE = Predicate("square", (z3.IntSort(),) * 3)  # n, last, r with r = n * n modulo a word
KEPT = {SQUARE: [SQUARE.formals[2] - SQUARE.formals[0] * SQUARE.formals[0]]}


def asks(*conditions: z3.BoolRef) -> Clause:
    return Clause(None, (SQUARE(x, y, z),), z3.And(inside(x, y, z), *conditions))


@pytest.mark.parametrize(
    ("conditions", "excluded"),
    [
        ([x > y, x - 1 <= y, z3.Not(wrapped(z - (y + 1) * (y + 1)) == 0)], True),
        ([x > y, x - 2 <= y, z3.Not(wrapped(z - (y + 1) * (y + 1)) == 0)], False),
        ([z3.Not(z == wrapped(x * x))], True),
        ([z3.Not(z == wrapped(x * y))], False),
        ([z3.Not(z == x * x)], False),  # they may be a word apart
        ([x > y, y > x], True),
        ([x > y], False),
    ],
)
def test_queries_that_algebra_excludes(conditions: list[z3.BoolRef], excluded: bool) -> None:
    assert PolynomialQuery(asks(*conditions), WORD).is_excluded(KEPT) is excluded


def test_queries_are_excluded_in_each_case() -> None:
    """n = last + 1, or nothing was added yet, modulo a word."""
    n, last, r = SQUARE.formals
    query = asks(x > y, z3.Not(wrapped(z * (x - y - 1)) == 0))
    one = ModularSystem(HornSystem.of([query]), WORD, KEPT, [])
    known = {SQUARE: z3.Or(z3.And(n == 0, r == 0), n - 1 <= last)}
    assert one.excludes(query, KEPT, known)
    assert not one.excludes(query, KEPT, {SQUARE: z3.Or(n == 0, n - 2 <= last)})
