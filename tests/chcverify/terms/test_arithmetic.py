"""Linear forms, equations, cases, polynomials and conversions of terms, against z3 or brute force."""

import itertools
from fractions import Fraction

import pytest
import z3

from chcverify.terms.arithmetic.affine_hulls import LinearRow, affine_hull, eliminate
from chcverify.terms.arithmetic.equations import candidates, solve_equations
from chcverify.terms.arithmetic.linear_literals import Arithmetic
from chcverify.terms.arithmetic.modular_polynomials import ModularPolynomials
from chcverify.terms.array_reads import expanded_reads
from chcverify.terms.bounded_bits import bounded_bits
from chcverify.terms.core.ite_elimination import without_ites
from chcverify.terms.core.traversal import subterms
from chcverify.terms.evaluation.disjunctive_cases import bottom_up, disjunctive_cases
from chcverify.terms.native.arena import Arena
from chcverify.terms.native.farkas_proofs import farkas_lemmas
from chcverify.terms.native.raw import Raw, RawSolver
from tests.chcverify.terms.equivalence import equivalent

x, y, n = z3.Ints("x y n")
p, q = z3.Reals("p q")
b, c = z3.Bools("b c")
u = z3.BitVec("u", 8)
a = z3.Array("a", z3.IntSort(), z3.IntSort())


def test_affine_hulls():
    points = [tuple(map(Fraction, point)) for point in ((0, 0, 1), (1, 2, 1), (3, 6, 1))]
    origin, directions = affine_hull(points)
    assert origin == points[0] and len(directions) == 1
    first, second, third = directions[0]
    assert second == 2 * first != 0 and third == 0
    assert affine_hull(points[:1])[1] == []


def test_fourier_motzkin():
    # x <= z, z <= y, -z <= -3 without z: x <= y, -y <= -3
    rows = [
        LinearRow(tuple(map(Fraction, coefficients)), Fraction(bound))
        for coefficients, bound in (((1, 0, -1), 0), ((0, -1, 1), 0), ((0, 0, -1), -3))
    ]
    left = eliminate(rows, 2)
    for first, second in itertools.product(range(-5, 6), repeat=2):
        holds = all(row.coefficients[0] * first + row.coefficients[1] * second <= row.bound for row in left)
        assert holds == (first <= second and second >= 3)


@pytest.mark.parametrize(
    "parts",
    [
        [x == y + 1, x + n > 3], [y - x == 2 * n, b == (x > 3)], [x == y, y == n, n == x], [b, z3.Or(c, x > 1), x == 3],
        [x == 2 * x + 1], [u == 3, u + 1 == 4], [x > 1, x < 0],
    ],
    ids=str,
)  # fmt: skip
def test_solved_equations_are_equivalent(parts):
    arena = Arena()
    solved = solve_equations([arena.handle(part) for part in parts], lambda variable, term: 1, arena)
    definitions = [arena.wrap(variable) == arena.wrap(term) for variable, term in solved.definitions.items()]
    assert equivalent(z3.And(parts), z3.And([*definitions, *map(arena.wrap, solved.rest), z3.BoolVal(True)]))
    assert all(solved.definitions.keys().isdisjoint(arena.variables(term)) for term in solved.definitions.values())


def test_candidates_of_an_equation():
    arena = Arena()
    found = {arena.wrap(variable): arena.wrap(term) for variable, term in candidates(arena.handle(x + y == 7), arena)}
    assert set(found) == {x, y} and equivalent(found[x] + y == 7, z3.BoolVal(True))
    assert candidates(arena.handle(x == x * y), arena) == []


@pytest.mark.parametrize(
    "literal",
    [2 * x + 4 * y <= 7, z3.Not(x - y >= 3), x == y + 2, 3 * x > y, p + q / 2 < 3, z3.Not(2 * p <= q)],
    ids=str,
)
def test_linear_literals(literal):
    raw = Raw(z3.main_ctx())
    arithmetic = Arithmetic(raw)
    form = arithmetic.read(raw.handle(literal))
    assert form is not None and equivalent(raw.wrap(arithmetic.build(form)), literal)
    assert equivalent(z3.And([raw.wrap(part) for part in arithmetic.canonical(raw.handle(literal))]), literal)
    for other in (x * y > 3, b, z3.Not(x == 3), z3.IntVal(2) > 1):
        read = arithmetic.read(raw.handle(other))
        assert read is None or equivalent(raw.wrap(arithmetic.build(read)), other)


def test_modular_polynomials():
    polynomials = ModularPolynomials(16)
    for left, right, same in (
        ((x + 1) * (x - 1), x * x - 1, True), (17 * x, x, True), (x % 32 + y, y + x, True), (x * y, y * x, True),
        (x * x, x, False), (z3.If(b, x, x + 16), x, True),
    ):  # fmt: skip
        one, two = polynomials.of(left), polynomials.of(right)
        assert (one == two) == same
        assert equivalent((polynomials.term(one) - left) % 16 == 0, z3.BoolVal(True))


def test_without_ites():
    formula = z3.And(z3.If(x > 0, x, -x) + z3.If(b, y, 1) > n, z3.If(b, x > y, c))
    result, fresh = without_ites(formula)
    assert not any(z3.is_app_of(term, z3.Z3_OP_ITE) for term in subterms(result))
    assert equivalent(z3.Exists(fresh, result), formula)


def test_cases_cover_a_disjunction():
    arena = Arena()
    formula = z3.And(z3.Or(x == y + 1, z3.And(x == 3, y > 0)), z3.Or(n == x, n == 0), y < 9)
    known = frozenset({arena.handle(y)})
    cases = disjunctive_cases(arena, [arena.handle(formula)], lambda variable, term: variable not in known, known)
    assert len(cases) == 4
    texts = [
        z3.And([*(arena.wrap(v) == arena.wrap(t) for v, t in definitions.items()), *map(arena.wrap, rest)])
        for definitions, rest in cases
    ]
    assert equivalent(z3.Or(texts), formula)


def test_arguments_come_first():
    arena = Arena()
    order = bottom_up(arena, [arena.handle((x + y) * (x + y) > n)])
    assert len(order) == len(set(order)) == 6
    assert all(order.index(child) < order.index(term) for term in order for child in arena.children(term))


def test_reads_of_written_arrays():
    written = z3.Store(z3.Store(z3.Store(a, 1, x), 5, y), n, 7)
    formula = written[x] + z3.If(b, written, a)[5] > 3
    result = expanded_reads(formula)
    assert equivalent(result, formula)
    assert not any(z3.is_app_of(term, z3.Z3_OP_STORE) for term in subterms(result))
    assert expanded_reads(x > 1).eq(x > 1)


@pytest.mark.parametrize(
    ("formula", "satisfiable"),
    [
        (x * x == 49, True),
        (x * x == 50, False),
        (x + y == 3 * n + 1, True),
        (z3.And(x > 4, x % 3 == 2, 2 * x < 12), True),
    ],
    ids=str,
)
def test_integers_as_bits(formula, satisfiable):
    bounds = [part for variable in (x, y, n) for part in (variable >= -20, variable <= 20)]
    bits, names = bounded_bits(z3.And(formula, *bounds))
    assert not any(z3.is_int(term) for term in subterms(bits))
    solver = z3.Solver()
    # the formula over bits
    solver.add(bits)
    assert (solver.check() == z3.sat) == satisfiable
    if satisfiable:
        model = solver.model()
        values = [
            (variable, z3.IntVal(model.eval(z3.BitVec(name, term.size()), True).as_signed_long()))
            for name, variable in names.items()
            for term in subterms(bits)
            if z3.is_const(term) and str(term.decl().name()) == name
        ]
        assert z3.is_true(z3.simplify(z3.substitute(formula, values)))


def test_farkas_lemmas_are_contradictions():
    raw = Raw(z3.Context(proof=True))
    solver = RawSolver(raw, {"arith.solver": 2})
    facts = [raw.handle(fact) for fact in (x <= y, y <= n, x >= n + 1, x < 100)]
    for fact in facts:
        solver.add(fact)
    # x <= y <= n < x
    assert solver.check() is False
    lemmas = farkas_lemmas(solver)
    assert lemmas
    for lemma in lemmas:
        assert len(lemma.facts) == len(lemma.coefficients)
        check = z3.Solver()
        # the lemma's facts
        check.add(*(raw.wrap(fact, z3.main_ctx()) for fact in lemma.facts))
        assert check.check() == z3.unsat
    satisfiable = RawSolver(raw)
    assert satisfiable.check() is True and satisfiable.core() == []
