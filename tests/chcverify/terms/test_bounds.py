"""Intervals under bounds, against all values of small integers."""

import itertools

import z3

from chcverify.terms.arithmetic.bounds import Intervals, decided
from chcverify.terms.native.arena import Arena

x, y = z3.Ints("x y")
CHOICES = [
    z3.If(x > 2, 2 * x - 9, 7 - 3 * x),
    z3.If(x + y > 2, x + y - 4, z3.If(x + y < 0, -2 * (x + y), x + y + 4)),
    z3.If(2 * x <= 3, 2 * x + x, x - 2 * x + 1),
]


def test_intervals_contain_every_value():
    arena = Arena()
    bounds = [arena.handle(part) for part in (x <= 4, x > -2, z3.Not(y < 0))]
    intervals = Intervals(arena, bounds, {arena.handle(y): (None, 3)})
    for term in (x, y, x + y, x - 2 * y, z3.If(x > 2, x, y), x * y, z3.IntVal(7), *CHOICES):
        low, high = intervals.of(arena.handle(term))
        for a, b in itertools.product(range(-1, 5), range(4)):
            value = z3.simplify(z3.substitute(term, (x, z3.IntVal(a)), (y, z3.IntVal(b)))).as_long()
            assert low is not None and high is not None and low <= value <= high


def test_intervals_of_variables_decide_comparisons():
    arena = Arena()
    parts, more = decided([arena.handle(x < 9)], arena, [arena.handle(z3.If(x > 3, x, y))], {arena.handle(x): (5, 7)})
    assert [arena.wrap(part) for part in parts] == [x < 9]
    assert [arena.wrap(term) for term in more] == [x]


def test_bounds_justify_the_rest_and_stay():
    arena = Arena()
    parts, _ = decided([arena.handle(part) for part in (x >= 5, x >= 3, x < 2)], arena, ())
    solver = z3.Solver()
    # the conjunction of the parts is satisfiable
    solver.add(*(arena.wrap(part) for part in parts))
    assert solver.check() == z3.unsat


def test_branches_that_are_multiples_of_what_is_compared():
    """2 x as a word of a byte, which leaves the range by one byte at most."""
    arena = Arena()
    intervals = Intervals(arena, [arena.handle(x >= -128), arena.handle(x <= 127)])
    doubled = z3.If(x <= 63, z3.If(x >= -64, 2 * x, 2 * x + 256), 2 * x - 256)
    assert intervals.of(arena.handle(doubled)) == (-128, 126)
