"""Nonlinear formulas made linear: nothing that holds is lost, and wrap-around becomes easy."""

import random

import pytest
import z3

from chcverify.certificate.search.integer_polynomials import PolynomialTooLarge
from chcverify.certificate.search.linearise import linearised

x, y, z, k = z3.Ints("x y z k")
WORD = 1 << 32


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    """As a signed word, any number."""
    return (term + (1 << 31)) % WORD - (1 << 31)


def wrapped_sum(term: z3.ArithRef) -> z3.ArithRef:
    """As a signed word, a number that leaves the range by one word at most."""
    return z3.If(term >= 1 << 31, term - WORD, z3.If(term < -(1 << 31), term + WORD, term))


def number(chooser: random.Random, depth: int) -> z3.ArithRef:
    if depth == 0:
        return chooser.choice([x, y, z, z3.IntVal(chooser.randint(-5, 5))])
    left, right = number(chooser, depth - 1), number(chooser, depth - 1)
    match chooser.randrange(7):
        case 0:
            return left + right
        case 1:
            return left - right
        case 2:
            return left * right
        case 3:
            return left % chooser.choice([2, 3, 8])
        case 4:
            return left / chooser.choice([2, 5])  # the quotient of SMT-LIB
        case 5:
            return z3.If(truth(chooser, depth - 1), left, left + chooser.choice([8, -8, 3]))
    return z3.If(truth(chooser, depth - 1), left, right)


def truth(chooser: random.Random, depth: int) -> z3.BoolRef:
    left, right = number(chooser, depth), number(chooser, depth)
    return chooser.choice([left <= right, left < right, left == right, left != right, left >= right])


@pytest.mark.parametrize("seed", range(60))
def test_what_satisfies_the_formula_satisfies_the_linear_one(seed: int) -> None:
    chooser = random.Random(seed)
    values = [(v, z3.IntVal(chooser.randint(-20, 20))) for v in (x, y, z)]
    bounds = [chooser.choice((1, -2, 3)) * v <= chooser.randint(-40, 40) for v in (x, y, z, x, y, z)]
    parts = [*(truth(chooser, 2) for _ in range(4)), *bounds]
    holding = [p if z3.is_true(z3.simplify(z3.substitute(p, values))) else z3.Not(p) for p in parts]
    here = [variable == value for variable, value in values]
    solver = z3.Solver()
    # formula(values) => linear formula(values), for some values of its new variables
    solver.add(linearised(z3.And(*holding)), *here)
    assert solver.check() == z3.sat


def refuted(formula: z3.BoolRef) -> bool:
    solver = z3.SimpleSolver()
    solver.set("timeout", 20_000)
    solver.add(linearised(formula))
    return bool(solver.check() == z3.unsat)


def test_a_congruence_is_kept_by_a_step() -> None:
    # x z - x - y + 1 = 0 modulo 2^w and x' = x z + 1, y' = y z as signed words => the same of x' and y'
    after = wrapped(wrapped(x * z) + 1), wrapped(y * z)
    before = (x * z - x - y + 1) % WORD == 0
    assert refuted(z3.And(before, (after[0] * z - after[0] - after[1] + 1) % WORD != 0))
    assert not refuted(z3.And(before, (after[0] * z - after[0] - after[1] + 2) % WORD != 0))


def test_choices_that_wrap_are_congruent() -> None:
    inside = [z3.And(v >= -(1 << 31), v < 1 << 31) for v in (x, y, z)]
    left = wrapped_sum(wrapped_sum(2 * x) + wrapped(y * z))
    assert refuted(z3.And(*inside, (2 * x + y * z - k) % WORD == 0, k >= -(1 << 31), k < 1 << 31, left != k))


def test_conditions_keep_their_meaning() -> None:
    assert refuted(z3.And(x * y >= 5, z == z3.If(x * y > 4, 1, x), z != 1))
    assert refuted(z3.And(x * y == 7, (x * y) / 2 != 3))
    assert refuted(z3.And(x * y == -7, (x * y) % 4 != 1))
    assert not refuted(z3.And(x * y == 7, z == z3.If(x > 4, 1, x), z != 1))


def test_bounds_that_meet_are_equations() -> None:
    # x <= k + 1 & x > k => y x - y k - y = 0
    assert refuted(z3.And(x <= k + 1, z3.Not(x <= k), (y * x - y * k - y) % WORD != 0))
    assert not refuted(z3.And(x <= k + 2, z3.Not(x <= k), (y * x - y * k - y) % WORD != 0))


def test_monomials_have_the_bounds_of_their_variables() -> None:
    inside = z3.And(x >= 3, x <= 10, y > -4, z3.Not(y > 2), z3.Not(z < 0))
    assert refuted(z3.And(inside, x * y < -30))
    assert refuted(z3.And(inside, x * y > 20))
    assert refuted(z3.And(inside, x * x * y > 200))
    assert refuted(z3.And(inside, z * z * x + y * y < 0))
    assert refuted(y * y * x * x < 0)
    for formula in (x * y == -30, x * y == 20, x * y * y == 90, z * x > 1000, z * y < -1000, y * y == 0):
        assert not refuted(z3.And(inside, formula))
    assert not refuted(z3.And(2 * x <= 7, -2 * x <= -7 + 1, y == 1, x * y == 3))
    assert refuted(z3.And(2 * x <= 7, y >= 1, y <= 2, x * y > 6))


def test_bounds_beyond_floating_point_numbers() -> None:
    # 2^1088 is too large for Python to multiply it with infinity.
    bounded = z3.And(x >= 0, x <= 1 << 64, y >= 0)
    assert refuted(z3.And(bounded, z3.Product([x] * 17) * y < 0))


def test_large_products_are_refused() -> None:
    total = z3.Sum(z3.Ints(" ".join(f"v{i}" for i in range(30))))
    with pytest.raises(PolynomialTooLarge):
        linearised(total * total * total > x)
