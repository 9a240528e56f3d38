"""Estimates of operations on bits: each exact result is one of the values that the term may have."""

import random

import pytest
import z3

from encoders.c.encoding.estimated_integers import EstimatedIntegers
from encoders.c.encoding.integer_theory import BoundedTerm
from encoders.c.types.c_types import INT, UINT, CInteger

EXACT = {
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
}


def operand(draw: random.Random, kind: CInteger, is_count: bool) -> tuple[int, tuple[int, int]]:
    """A value and an interval around it."""
    low, high = (0, 31) if is_count else (kind.minimum, kind.maximum)
    bits = draw.randint(0, 31)
    numbers = [max(low, min(high, draw.randint(-(1 << bits), 1 << bits))) for _ in range(3)]
    return sorted(numbers)[1], (min(numbers), max(numbers))


@pytest.mark.parametrize("kind", [INT, UINT])
@pytest.mark.parametrize("operator", EXACT)
def test_an_exact_result_is_possible(operator: str, kind: CInteger) -> None:
    draw, theory = random.Random(1), EstimatedIntegers()
    any_value = z3.Int("any")
    for _ in range(200):
        (a, range_a), (b, range_b) = operand(draw, kind, False), operand(draw, kind, operator in ("<<", ">>"))
        x, y = z3.Int("x"), z3.Int("y")
        left, right = BoundedTerm(x, range_a), BoundedTerm(y, range_b)
        fresh = BoundedTerm(any_value, (kind.minimum, kind.maximum))
        if operator in ("<<", ">>"):
            found = theory.shift(operator, left, right, kind, kind, lambda _, fresh=fresh: fresh)
        else:
            found = theory.binary(operator, left, right, kind, lambda _, fresh=fresh: fresh)
        exact = kind.wrap(EXACT[operator](a, b))
        assert found.range is not None and found.range[0] <= exact <= found.range[1]
        solver = z3.Solver()
        solver.add(x == a, y == b, any_value >= kind.minimum, any_value <= kind.maximum)
        # the operands & the exact result
        assert solver.check(found.term == exact) == z3.sat
        # the operands & a value that the interval of the term does not have
        assert solver.check(z3.Or(found.term < found.range[0], found.term > found.range[1])) == z3.unsat


def test_a_bit_is_taken_away() -> None:
    x, any_value = z3.Int("x"), z3.Int("any")
    left, right = BoundedTerm(x, (1, UINT.maximum)), BoundedTerm(x - 1, (0, UINT.maximum - 1))
    fresh = BoundedTerm(any_value, (0, UINT.maximum))
    found = EstimatedIntegers().binary("&", left, right, UINT, lambda _, fresh=fresh: fresh)
    solver = z3.Solver()
    # x > 0 & the estimate of x & (x - 1) is not smaller than x
    assert solver.check(x > 0, found.term >= x) == z3.unsat
