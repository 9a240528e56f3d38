"""Elimination of variables: what comes out implies, or is, the formula with the variables quantified."""

import random

import pytest
import z3

from chcverify.effort import MAX_FORMULAS
from chcverify.terms.arithmetic.equations import solve_equations
from chcverify.terms.core.traversal import free_variables, has_quantifier
from chcverify.terms.native.arena import Arena
from chcverify.terms.native.raw import Raw, RawSolver
from chcverify.terms.quantifiers import existentials
from chcverify.terms.quantifiers.elimination import eliminate
from chcverify.terms.quantifiers.existentials import eliminate_existentials
from chcverify.terms.quantifiers.implicants import implicant
from chcverify.terms.quantifiers.model_based_projection import Projector, is_recursive
from chcverify.terms.quantifiers.virtual_substitution import VirtualSubstitution

x, y, n = z3.Ints("x y n")
p, q = z3.Reals("p q")
b, c = z3.Bools("b c")
u, v = z3.BitVecs("u v", 4)
a, e = z3.Array("a", z3.IntSort(), z3.IntSort()), z3.Array("e", z3.IntSort(), z3.IntSort())


def implies(left: z3.BoolRef, right: z3.BoolRef) -> bool:
    solver = z3.Solver()
    # left & not right
    solver.add(left, z3.Not(right))
    return solver.check() == z3.unsat


def test_exact_elimination():
    for formula, variables, expected in (
        (z3.And(x == y + 1, x > n), [x], y + 1 > n),
        (z3.And(n < 2 * x, 2 * x < n + 3, n % 2 == 0), [x], n % 2 == 0),
        (z3.And(u == v + 1, u != 0), [u], v != 15),
    ):
        result = eliminate(variables, formula)
        assert result is not None and not has_quantifier(result)
        assert implies(result, expected) and implies(expected, result)
    assert eliminate([], x > 0).eq(x > 0)
    assert has_quantifier(z3.ForAll([x], x > y)) and not has_quantifier(x > y)


def test_variables_that_are_hardly_constrained_are_dropped():
    arena = Arena()
    parts = [arena.handle(part) for part in (x > 3, x < 9, y > n, z3.Store(z3.Store(a, 1, y), 2, n) == e)]
    left = [arena.wrap(part) for part in eliminate_existentials(parts, {arena.handle(z) for z in (y, n, e)}, arena)]
    assert implies(z3.And(left), z3.And(y > n, e[1] == y, e[2] == n))
    assert implies(z3.And(y > n, e[1] == y, e[2] == n), z3.And(left))
    empty = [arena.handle(part) for part in (x > 3, x < 2)]
    assert eliminate_existentials(empty, set(), arena) == [arena.false]


@pytest.mark.parametrize(
    "formula",
    [
        z3.Or(z3.And(x > 0, b), z3.And(x < y, z3.Not(b))), z3.Not(z3.And(b, z3.Implies(c, x > 3))),
        z3.If(b, x > 0, y > 0), b == (x > y), z3.Xor(b, c), z3.And(x == z3.If(b, y, n), z3.Or(c, x > 1)),
    ],
)  # fmt: skip
def test_implicants(formula):
    solver = z3.Solver()
    # the formula, in each of several models
    solver.add(formula)
    for _ in range(4):
        if solver.check() != z3.sat:
            break
        model = solver.model()
        literals = implicant(formula, model)
        assert literals is not None and implies(z3.And(literals), formula)
        assert all(z3.is_true(model.eval(literal, model_completion=True)) for literal in literals)
        solver.add(z3.Not(z3.And(literals)))
    assert implicant(z3.And(b, z3.Not(b)), model) is None


CASES = [
    ([x > y, x < n, x != 7], [x]), ([p > q, 2 * p < q + 3], [p]), ([p > 5], [p]), ([3 * x == y + n, x >= 2], [x]),
    ([z3.ULT(u, v), u != 3], [u]), ([z3.Or(x > 3, x < -3), y == x * 2], [x]), ([a[x] == y, x > 2], [a, x]),
    ([b == c, z3.Or(b, x > 0)], [b]),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "bound"), CASES, ids=str)
def test_projections_imply_the_quantified_formula(parts, bound):
    raw = Raw(z3.Context())
    solver, handles = RawSolver(raw), [raw.handle(part) for part in parts]
    for handle in handles:
        solver.add(handle)
    # the parts
    assert solver.check() is True
    model = solver.model()
    gone = {raw.handle(variable) for variable in bound}
    kept = {variable for handle in handles for variable in raw.variables(handle)} - gone
    results = [Projector(raw).project(model, handles, kept)]
    if all(not z3.is_or(part) for part in parts):
        results.append(VirtualSubstitution(raw).eliminate(model, handles, gone))
    for result in results:
        assert all(model.holds(part) and gone.isdisjoint(raw.variables(part)) for part in result)
        formula = raw.wrap(raw.conjunction(result), z3.main_ctx())
        assert implies(formula, z3.Exists(bound, z3.And(parts)))


def test_recursive_sorts():
    tree = z3.Datatype("Tree")
    tree.declare("leaf")
    tree.declare("node", ("left", tree), ("value", z3.IntSort()))
    pair = z3.Datatype("Pair")
    pair.declare("pair", ("first", z3.IntSort()), ("second", z3.BoolSort()))
    made = tree.create()
    assert is_recursive(made) and is_recursive(z3.ArraySort(z3.IntSort(), made))
    assert not is_recursive(pair.create()) and not is_recursive(z3.IntSort())


def test_a_read_at_a_variable_is_no_bound_of_the_variable():
    arena = Arena()
    parts = [arena.handle(a[x] <= 5)]  # exists x. a[x] <= 5 does not hold for every array
    assert eliminate_existentials(parts, {arena.handle(a)}, arena) == parts


def test_integers_that_differ_from_fewer_numbers_than_they_can_be_are_dropped():
    arena = Arena()
    within = [arena.handle(part) for part in (x >= 1, x <= 3, z3.Not(x == 2), z3.Not(x == 3))]
    assert eliminate_existentials(within, set(), arena) == []
    none = [arena.handle(part) for part in (x >= 1, x <= 2, z3.Not(x == 1), z3.Not(x == 2))]
    assert eliminate_existentials(none, set(), arena) == none


@pytest.mark.parametrize("seed", range(20))
def test_existentials_in_disjunctions(seed):
    chosen = random.Random(seed)
    kept, local = z3.Ints("k m"), z3.Ints("u v")

    def atom():
        one, other, number = chosen.choice(local), chosen.choice(kept), chosen.randint(-2, 3)
        return chosen.choice([one == number, one != number, one <= number, one == other + number, other >= number])

    def formula(depth):
        if not depth:
            return atom()
        operator = chosen.choice([z3.And, z3.Or, lambda *parts: z3.Not(z3.And(*parts))])
        return operator(*(formula(depth - 1) for _ in range(chosen.randint(2, 3))))

    eliminated = 0
    for _ in range(10):
        whole = z3.And([formula(chosen.randint(0, 2)) for _ in range(3)])
        arena = Arena()
        found = eliminate_existentials(
            arena.conjuncts(arena.handle(whole)), {arena.handle(variable) for variable in kept}, arena
        )
        rest = z3.And([arena.wrap(part) for part in found])
        assert equivalent(z3.Exists(local, whole), z3.Exists(local, rest))
        eliminated += len(free_variables(rest)) < len(free_variables(whole))
    assert eliminated


def equivalent(one, other):
    solver = z3.Solver()
    solver.set("timeout", 10_000)
    solver.add(one != other)
    return solver.check() == z3.unsat


def test_a_choice_that_each_case_fixes_is_dropped():
    arena = Arena()
    # exists x. x != 0 & (x = 1 & y > 2  or  x = 2 & y < 0  or  x = 0)
    parts = [x != 0, z3.Or(z3.And(x == 1, y > 2), z3.And(x == 2, y < 0), x == 0)]
    left = eliminate_existentials([arena.handle(part) for part in parts], {arena.handle(y)}, arena)
    assert all(arena.variables(part) <= {arena.handle(y)} for part in left)
    assert equivalent(z3.And([arena.wrap(part) for part in left]), z3.Or(y > 2, y < 0))


def test_a_case_that_cannot_hold_is_none():
    arena = Arena()
    parts = [arena.handle(z3.Or(x < 1, x > 5)), arena.handle(z3.Or(z3.And(x < 0, y > 2), z3.And(x > 7, y > 3)))]
    left = eliminate_existentials(parts, {arena.handle(y)}, arena)
    assert all(arena.variables(part) <= {arena.handle(y)} for part in left)
    assert equivalent(z3.And([arena.wrap(part) for part in left]), y > 2)


@pytest.mark.parametrize("local", [x, u], ids=["integer", "word"])
def test_disjunctions_about_one_variable_are_given_up_in_time(local, monkeypatch):
    """Twelve of them have 4,096 cases; to try them in each order would take for ever."""
    looked_at = []
    monkeypatch.setattr(
        existentials, "solve_equations", lambda *given: looked_at.append(None) or solve_equations(*given)
    )
    arena = Arena()
    if z3.is_bv(local):
        parts = [z3.Or(z3.ULT(local, i), z3.UGT(local, i + 1), y > i) for i in range(12)]
    else:
        parts = [z3.Or(local * local < 10 * i, local > 10 * i + 7, y > i) for i in range(12)]
    found = eliminate_existentials([arena.handle(part) for part in parts], {arena.handle(y)}, arena)
    assert found and len(looked_at) <= MAX_FORMULAS
