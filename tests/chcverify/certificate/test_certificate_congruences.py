"""Contradictions modulo a power of two: never of a formula that some integers satisfy, and found where words wrap."""

import random

import pytest
import z3

from chcverify.certificate.search.congruences import is_contradictory

x, y, z, k = z3.Ints("x y z k")
BYTE = 256
WORD = 1 << 64
HALF = 1 << 63


def wrapped(term: z3.ArithRef, modulus: int = WORD) -> z3.ArithRef:
    """As a signed word, any number."""
    return (term + modulus // 2) % modulus - modulus // 2


def wrapped_sum(term: z3.ArithRef, modulus: int = WORD) -> z3.ArithRef:
    """As a signed word, a number that leaves the range by one word at most."""
    half = modulus // 2
    return z3.If(term >= half, term - modulus, z3.If(term < -half, term + modulus, term))


def quotient(term: z3.ArithRef, number: int) -> z3.ArithRef:
    """As C divides."""
    return z3.If(term >= 0, term / number, -((-term) / number))


def remainder(term: z3.ArithRef, number: int) -> z3.ArithRef:
    """As C divides."""
    return z3.If(term >= 0, term % number, -((-term) % number))


def term_of(chooser: random.Random, depth: int) -> z3.ArithRef:
    if depth == 0:
        return chooser.choice([x, y, z, z3.IntVal(chooser.randint(-4, 4))])
    left, right = term_of(chooser, depth - 1), term_of(chooser, depth - 1)
    number = chooser.choice([2, 3, 8])
    match chooser.randrange(9):
        case 0:
            return left + right
        case 1:
            return left - right
        case 2:
            return left * right
        case 3:
            return wrapped(left * right, chooser.choice([8, BYTE]))
        case 4:
            return wrapped_sum(left + right, chooser.choice([8, BYTE]))
        case 5:
            return quotient(left, number)
        case 6:
            return remainder(left, number)
        case 7:
            return z3.If(left >= right, left, chooser.choice([left + 8, left - 256, -left]))
    return (left % number) + left / chooser.choice([2, 5, 8])


@pytest.mark.parametrize("seed", range(300))
def test_no_formula_with_a_solution_is_contradictory(seed: int) -> None:
    """Of a random conjunction that holds at random numbers, and of what these do not exclude."""
    chooser = random.Random(seed)
    values = [(v, z3.IntVal(chooser.randint(-9, 9))) for v in (x, y, z)]
    terms = [term_of(chooser, 2) for _ in range(4)]
    here = [z3.simplify(z3.substitute(term, values)).as_long() for term in terms]
    modulus = chooser.choice([4, 8, BYTE])
    parts = [(term - value) % modulus == 0 for term, value in zip(terms[:2], here, strict=False)]
    parts += [terms[2] == here[2], *(v <= chooser.randint(9, 300) for v in (x, y, z)), *(v >= -9 for v in (x, y, z))]
    denied = [terms[3] == here[3] + chooser.choice([1, -2, modulus, -modulus]), terms[0] - terms[1] == here[0]]
    parts += [z3.Not(d) for d in denied if not z3.is_true(z3.simplify(z3.substitute(d, values)))]
    equal = terms[0] == terms[3] + chooser.choice([0, modulus])
    truth = 1 if z3.is_true(z3.simplify(z3.substitute(equal, values))) else 0
    parts += [k == z3.If(equal, 1, 0), k != 1 - truth]
    chooser.shuffle(parts)
    formula = z3.And(*parts)
    assert z3.is_true(z3.simplify(z3.substitute(formula, [*values, (k, z3.IntVal(truth))])))
    assert not is_contradictory(formula)


def test_a_power_sum_is_kept_by_a_step() -> None:
    # 4 x = y^4 + 2 y^3 + y^2 modulo 2^64 is kept by y = y + 1, x = x + y^3, as words
    def invariant(a: z3.ArithRef, b: z3.ArithRef) -> z3.BoolRef:
        return (4 * a - b * b * b * b - 2 * b * b * b - b * b) % WORD == 0

    after = wrapped_sum(y + 1)
    cube = wrapped(wrapped(after * after) * after)
    inside = z3.And(*(z3.And(v >= -HALF, v < HALF) for v in (x, y)))
    step = z3.And(inside, invariant(x, y), z == wrapped_sum(x + cube), k == after)
    assert is_contradictory(z3.And(step, z3.Not(invariant(z, k))))
    assert not is_contradictory(z3.And(step, z3.Not(invariant(z + 1, k))))


def test_words_that_are_congruent_are_equal() -> None:
    inside = z3.And(*(z3.And(v >= -HALF, v < HALF) for v in (x, y, z)))
    known = z3.And(inside, (x * y - z) % WORD == 0)
    assert is_contradictory(z3.And(known, wrapped(x * y) != z))
    assert is_contradictory(z3.And(known, wrapped_sum(wrapped(x * y) - z) != 0))
    assert not is_contradictory(z3.And(known, x * y != z))  # that may be another multiple of 2^64
    assert not is_contradictory(z3.And((x * y - z) % WORD == 0, wrapped(x * y) != z))  # z has no bounds
    assert not is_contradictory(z3.And(inside, (x * y - z) % BYTE == 0, wrapped(x * y) != z))


def test_all_of_several_inequations_must_be_contradicted() -> None:
    inside = z3.And(*(z3.And(v >= -HALF, v < HALF) for v in (x, y, z)))
    known = z3.And(inside, (x * y - z) % WORD == 0)
    wrong = z3.Or(wrapped(x * y) != z, (2 * x * y - 2 * z) % WORD != 0)
    assert is_contradictory(z3.And(known, wrong))
    assert not is_contradictory(z3.And(known, z3.Or(wrong, x * z != y)))


@pytest.mark.parametrize("number", [2, 3, 16])
def test_division_as_in_c(number: int) -> None:
    known = z3.And((z - x * y) % WORD == 0, remainder(x, number) == 0)
    assert is_contradictory(z3.And(known, (number * y * quotient(x, number) - z) % WORD != 0))
    assert not is_contradictory(z3.And((z - x * y) % WORD == 0, (number * y * quotient(x, number) - z) % WORD != 0))
    assert not is_contradictory(z3.And(known, (number * y * (x / (number + 1)) - z) % WORD != 0))


def test_whatever_says_that_a_number_divides_another() -> None:
    product = z3.And((z - x * y) % WORD == 0, (3 * y * quotient(x, 3) - z) % WORD != 0)
    for divides in (x % 3 == 0, (-x) % 3 == 0, remainder(x, 3) == 0, z3.If(y > 2, x % 3, -(x % 3)) == 0):
        assert is_contradictory(z3.And(divides, product))
    for other in (x % 3 == 1, x % 2 == 0, y % 3 == 0, z3.If(y > 2, x % 3, y % 3) == 0, z3.If(y > 2, x % 3, x) == 0):
        assert not is_contradictory(z3.And(other, product))


def test_truth_values_of_equations() -> None:
    inside = z3.And(*(z3.And(v >= -HALF, v < HALF) for v in (x, y)))
    flag = k == z3.If(x == y, 1, 0)
    assert is_contradictory(z3.And((x - y) % WORD == 0, inside, flag, k == 0))
    assert is_contradictory(z3.And((x - y) % WORD == 0, inside, flag, k != 1))
    assert not is_contradictory(z3.And((x - y) % WORD == 0, inside, flag, k == 1))
    assert not is_contradictory(z3.And((x - y) % WORD == 0, flag, k != 1))  # k is small, but x and y may not be
    assert not is_contradictory(z3.And((x - y) % WORD == 0, flag, k >= 0, k <= 1, k != 1))


def test_nothing_to_contradict() -> None:
    assert not is_contradictory(z3.And(x * y == 3, x > 5))
    assert not is_contradictory(z3.And(x * y == 3, x * y != 3 + z))
    assert not is_contradictory(z3.BoolVal(True))
