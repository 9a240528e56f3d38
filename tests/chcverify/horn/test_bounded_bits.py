"""Formulas over bounded integers as bit-vectors: satisfiable iff they were, and their models are models."""

import random

import pytest
import z3

from chcverify.terms.bitvectors.integers_to_bits import NoBits
from chcverify.terms.bounded_bits import bounded_bits

x, y, w = z3.Ints("x y w")


def both(formula: z3.BoolRef) -> tuple[str, str]:
    """Is it satisfiable, as it is and over bits? A model over bits is one of the formula."""
    bits, names = bounded_bits(formula)
    one, other = z3.Solver(), z3.Solver()
    one.add(formula)
    other.add(bits)
    answer = other.check()
    if answer == z3.sat:
        model = other.model()
        constants = [(names[d.name()], model[d].as_signed_long()) for d in model.decls() if d.name() in names]
        one.add([integer == value for integer, value in constants])
    return str(one.check()), str(answer)


def wrapped(term: z3.ArithRef, size: int) -> z3.ArithRef:
    """The signed number of so many bits."""
    half, whole = 1 << size - 1, 1 << size
    return z3.If(term >= half, term - whole, z3.If(term < -half, term + whole, term))


def _term(generator: random.Random, depth: int) -> z3.ArithRef:
    if depth == 0:
        return generator.choice((x, y, w, z3.IntVal(generator.randint(-9, 9))))
    a, b = _term(generator, depth - 1), _term(generator, depth - 1)
    kind = generator.randrange(8)
    if kind == 0:
        return a + b
    if kind == 1:
        return a - b
    if kind == 2:
        return a * generator.randint(-3, 3)
    if kind == 3:
        return z3.If(a <= b, a, b + 1)
    if kind == 4:
        return wrapped(a + b, generator.choice((3, 4, 5)))
    if kind == 5:
        return (a + b) % generator.choice((2, 3, 8))
    if kind == 6:
        return a / generator.choice((1, 2, 5))
    return wrapped(wrapped(a + y, 4) + b, 4)


def test_random_formulas() -> None:
    generator = random.Random(7)
    bounds = [z3.And(v >= -8, v <= 7) for v in (x, y)] + [w >= 0, w <= 20]
    found = set()
    for _ in range(150):
        left, right = _term(generator, 2), _term(generator, 2)
        compared = generator.choice((left == right, left < right, left != right))
        goal = z3.And(*bounds, compared, generator.choice((x > y, w == 3, z3.Or(x == w, y < -3), w > 15)))
        one, other = both(goal)
        assert one == other
        found.add(one)
    assert found == {"sat", "unsat"}


def test_sums_that_wrap_around_have_the_bits_of_their_words() -> None:
    """Permuted sums of many words: plain additions of words, which solvers bring into one order."""
    terms = z3.Ints(" ".join(f"t{i}" for i in range(30)))
    one, other = z3.IntVal(0), z3.IntVal(0)
    for a, b in zip(terms, reversed(terms), strict=True):
        one, other = wrapped(one + a, 32), wrapped(other + b, 32)
    bounds = [z3.And(t >= -(2**31), t < 2**31) for t in terms]
    bits, _ = bounded_bits(z3.And(*bounds, one != other))
    sizes = {t.size() for t in _subterms(bits) if z3.is_app_of(t, z3.Z3_OP_BADD)}
    assert sizes == {32}


def _subterms(term: z3.ExprRef) -> list[z3.ExprRef]:
    seen: dict[int, z3.ExprRef] = {}
    stack = [term]
    while stack:
        part = stack.pop()
        if part.get_id() not in seen:
            seen[part.get_id()] = part
            stack += part.children()
    return list(seen.values())


@pytest.mark.parametrize(
    "formula", [x > 0, z3.And(x > 0, x < 5, x * y > 2), z3.And(x >= 0, x <= 5, z3.ToReal(x) > 1.5)]
)
def test_what_has_no_bounds_or_no_bits(formula: z3.BoolRef) -> None:
    with pytest.raises(NoBits):
        bounded_bits(formula)


def test_tables_of_numbers() -> None:
    """A table that is read at integers, within and beyond its cells, also at what it gives itself."""
    chance = random.Random(5)
    table = z3.K(z3.IntSort(), z3.IntVal(chance.randrange(-3, 3)))
    for cell in chance.sample(range(-2, 12), 9):
        table = z3.Store(table, cell, chance.randrange(-5, 20))
    first, second = z3.Select(table, x), z3.Select(table, z3.Select(table, y + 1))
    bounds = [x >= -20, x <= 30, y >= 3, y <= 5]
    found = set()
    for value in range(-6, 21):
        one, other = both(z3.And(*bounds, first == value, second < first))
        assert one == other
        found.add(one)
    assert found == {"sat", "unsat"}


def test_a_table_that_is_not_only_numbers() -> None:
    table = z3.Store(z3.Store(z3.K(z3.IntSort(), z3.IntVal(0)), 1, w), 2, 7)
    bounds = [x >= 0, x <= 3, w >= -4, w <= 4]
    assert both(z3.And(*bounds, z3.Select(table, x) > 7)) == ("unsat", "unsat")
    assert both(z3.And(*bounds, z3.Select(table, x) < 0)) == ("sat", "sat")


@pytest.mark.parametrize("divisors", [(3, 9), (-5, -1), (1, 2)])
def test_quotients_by_variables(divisors: tuple[int, int]) -> None:
    """All remainders and quotients, and no others; a divisor that may be zero has no bits."""
    low, high = divisors
    bounds = [x >= -9, x <= 8, y >= low, y <= high]
    for number in range(-9, 9):
        for divisor in range(low, high + 1):
            rest = number % abs(divisor)
            quotient = (number - rest) // divisor
            here = [*bounds, x == number, y == divisor]
            assert both(z3.And(*here, x / y == quotient, x % y == rest)) == ("sat", "sat")
            assert both(z3.And(*here, z3.Or(x / y != quotient, x % y != rest))) == ("unsat", "unsat")
    # x = y * (x div y) + x mod y
    assert both(z3.And(*bounds, x != y * (x / y) + x % y)) == ("unsat", "unsat")
    with pytest.raises(NoBits):
        bounded_bits(z3.And(x >= 0, x <= 9, y >= 0, y <= 3, x / y == 2))
