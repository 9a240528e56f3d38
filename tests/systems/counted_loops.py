"""Random loops over numbers and an array that count to a fixed number."""

import random

import z3

from chcverify.horn.system import Clause, Predicate

ITERATIONS = 40
INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
x, y, z = z3.Ints("x y z")
a = z3.Const("a", ARRAY)
P = Predicate("P", (INT, INT, INT, ARRAY))


def loop(choose: random.Random) -> tuple[list[Clause], z3.BoolRef]:
    """A loop that counts x from 0 to ITERATIONS, and when it is over."""

    def number() -> z3.ArithRef:
        c = choose.randint(-3, 3)
        return choose.choice(
            [z3.IntVal(c), x, c * x + 1, y + c, y % choose.randint(2, 9), a[index()], z + c, x / choose.randint(2, 9)]
        )

    def index() -> z3.ArithRef:
        c = choose.randint(-5, 5)
        return choose.choice([x + c, x + c, 2 * x + c, ITERATIONS - x, z3.IntVal(c)])

    def condition() -> z3.BoolRef:
        bound = choose.randint(0, ITERATIONS)
        return choose.choice([x < bound, x == bound, x % 2 == 0, y > bound, z <= y, a[index()] > 0])

    def value() -> z3.ArithRef:
        return z3.If(condition(), number(), number()) if choose.random() < 0.5 else number()

    array = a
    for _ in range(choose.randint(0, 3)):
        array = z3.Store(array, index(), value())
    start = Clause(P(z3.IntVal(0), z3.IntVal(1), z3.IntVal(0), a), (), a == z3.K(INT, z3.IntVal(0)))
    step = Clause(P(x + 1, value(), y, array), (P(x, y, z, a),), x < ITERATIONS)
    return [start, step], x == ITERATIONS
