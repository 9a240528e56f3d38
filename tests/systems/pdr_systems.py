"""Small Horn systems for engine tests. Each clause stands in a comment; `safe` says what the answer has to be."""

from dataclasses import dataclass

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.engine import Lemma

INT, REAL, BOOL, BYTE = z3.IntSort(), z3.RealSort(), z3.BoolSort(), z3.BitVecSort(8)
x, y, z, u, v, w = z3.Ints("x y z u v w")
a, b = z3.BitVecs("a b", 8)
p, q = z3.Reals("p q")


@dataclass(frozen=True)
class Case:
    """A system and whether it has a model."""

    name: str
    safe: bool
    system: HornSystem


def counter(limit: int) -> HornSystem:
    inv = Predicate("Inv", (INT,))
    return HornSystem.of(
        [
            Clause(inv(x), (), x == 0),  # x = 0 => Inv(x)
            Clause(inv(y), (inv(x),), z3.And(y == x + 1, x < 10)),  # Inv(x) & x < 10 & y = x + 1 => Inv(y)
            Clause(None, (inv(x),), x > limit),  # Inv(x) & x > limit => false
        ]
    )


def sum_of_two(wrong: bool) -> HornSystem:
    inv = Predicate("Inv", (INT, INT))
    return HornSystem.of(
        [
            Clause(inv(x, y), (), z3.And(x == 0, y == 0)),  # x = 0 & y = 0 => Inv(x, y)
            # Inv(x, y) & u = x + 1 & v = y + x => Inv(u, v)
            Clause(inv(u, v), (inv(x, y),), z3.And(u == x + 1, v == y + x)),
            Clause(None, (inv(x, y),), y < (1 if wrong else 0)),  # Inv(x, y) & y < 0 => false
        ]
    )


def equal_counters() -> HornSystem:
    inv = Predicate("Inv", (INT, INT, INT))
    return HornSystem.of(
        [
            Clause(inv(x, y, z), (), z3.And(x == 0, y == 0)),  # x = 0 & y = 0 => Inv(x, y, z)
            # Inv(x, y, z) & x < z & u = x + 1 & v = y + 1 & w = z => Inv(u, v, w)
            Clause(inv(u, v, w), (inv(x, y, z),), z3.And(x < z, u == x + 1, v == y + 1, w == z)),
            Clause(
                None, (inv(x, y, z),), z3.And(x >= z, z >= 0, y != z)
            ),  # Inv(x, y, z) & x >= z >= 0 & y != z => false
        ]
    )


def fibonacci(bound: int) -> HornSystem:
    fib = Predicate("Fib", (INT, INT))
    return HornSystem.of(
        [
            Clause(fib(x, y), (), z3.And(x >= 0, x <= 1, y == x)),  # 0 <= x <= 1 & y = x => Fib(x, y)
            # Fib(x, y) & Fib(z, u) & v = x + 1 & z = x - 1 & x >= 1 & w = y + u => Fib(v, w)
            Clause(fib(v, w), (fib(x, y), fib(z, u)), z3.And(v == x + 1, z == x - 1, x >= 1, w == y + u)),
            Clause(None, (fib(x, y),), z3.And(x == 6, y > bound)),  # Fib(6, y) & y > bound => false
        ]
    )


def nonlinear_positive() -> HornSystem:
    tree = Predicate("Tree", (INT,))
    return HornSystem.of(
        [
            Clause(tree(x), (), x == 1),  # x = 1 => Tree(x)
            Clause(tree(z), (tree(x), tree(y)), z == x + y + 1),  # Tree(x) & Tree(y) & z = x + y + 1 => Tree(z)
            Clause(None, (tree(x),), x <= 0),  # Tree(x) & x <= 0 => false
        ]
    )


def flags(safe: bool) -> HornSystem:
    inv = Predicate("Inv", (BOOL, BOOL))
    c, d, e, f = z3.Bools("c d e f")
    return HornSystem.of(
        [
            Clause(inv(c, d), (), z3.And(c, z3.Not(d))),  # c & not d => Inv(c, d)
            Clause(inv(e, f), (inv(c, d),), z3.And(e == d, f == c)),  # Inv(c, d) & e = d & f = c => Inv(e, f)
            # Inv(c, d) & c & d => false, or Inv(c, d) & not c => false
            Clause(None, (inv(c, d),), z3.And(c, d) if safe else z3.Not(c)),
        ]
    )


def byte_counter(step: int, target: int) -> HornSystem:
    inv = Predicate("Inv", (BYTE,))
    return HornSystem.of(
        [
            Clause(inv(a), (), a == 0),  # a = 0 => Inv(a)
            Clause(inv(b), (inv(a),), b == a + step),  # Inv(a) & b = a + step => Inv(b)
            Clause(None, (inv(a),), a == target),  # Inv(a) & a = target => false
        ]
    )


def real_decay() -> HornSystem:
    inv = Predicate("Inv", (REAL,))
    return HornSystem.of(
        [
            Clause(inv(p), (), z3.And(p > 0, p <= 1)),  # 0 < p <= 1 => Inv(p)
            Clause(inv(q), (inv(p),), 2 * q == p),  # Inv(p) & 2 q = p => Inv(q)
            Clause(None, (inv(p),), z3.Or(p <= 0, p > 1)),  # Inv(p) & (p <= 0 or p > 1) => false
        ]
    )


def array_keeps_zero(cell: int) -> HornSystem:
    sort = z3.ArraySort(INT, INT)
    m, n = z3.Const("m", sort), z3.Const("n", sort)
    inv = Predicate("Inv", (sort, INT))
    return HornSystem.of(
        [
            Clause(inv(m, x), (), z3.And(m[0] == 0, x == 1)),  # m[0] = 0 & x = 1 => Inv(m, x)
            # Inv(m, x) & n = m[x := x] & y = x + 1 => Inv(n, y)
            Clause(inv(n, y), (inv(m, x),), z3.And(n == z3.Store(m, x, x), y == x + 1)),
            Clause(None, (inv(m, x),), z3.And(x >= 3, m[cell] != 0)),  # Inv(m, x) & x >= 3 & m[cell] != 0 => false
        ]
    )


def conditional() -> HornSystem:
    inv = Predicate("Inv", (INT, INT))
    return HornSystem.of(
        [
            Clause(inv(x, y), (), z3.And(x == 0, y == 1)),  # x = 0 & y = 1 => Inv(x, y)
            # Inv(x, y) & u = (x < 5 ? x + 1 : x) & v = (x < 5 ? y : y + 2) => Inv(u, v)
            Clause(inv(u, v), (inv(x, y),), z3.And(u == z3.If(x < 5, x + 1, x), v == z3.If(x < 5, y, y + 2))),
            Clause(None, (inv(x, y),), z3.Or(x > 5, z3.And(x < 5, y > 1))),  # Inv(x, y) & (x > 5 or x < 5 & y > 1) => F
        ]
    )


def parity() -> HornSystem:
    inv = Predicate("Inv", (INT,))
    return HornSystem.of(
        [
            Clause(inv(x), (), x == 0),  # x = 0 => Inv(x)
            Clause(inv(y), (inv(x),), y == x + 2),  # Inv(x) & y = x + 2 => Inv(y)
            Clause(None, (inv(x),), x % 2 == 1),  # Inv(x) & x mod 2 = 1 => false
        ]
    )


def two_phases() -> HornSystem:
    up, down = Predicate("Up", (INT, INT)), Predicate("Down", (INT, INT))
    return HornSystem.of(
        [
            Clause(up(x, y), (), z3.And(x == 0, y == 0)),  # x = 0 & y = 0 => Up(x, y)
            Clause(
                up(u, v), (up(x, y),), z3.And(u == x + 1, v == y + 2)
            ),  # Up(x, y) & u = x + 1 & v = y + 2 => Up(u, v)
            Clause(down(u, v), (up(x, y),), z3.And(u == x, v == y, x >= 3)),  # Up(x, y) & x >= 3 => Down(x, y)
            # Down(x, y) & x > 0 & u = x - 1 & v = y - 2 => Down(u, v)
            Clause(down(u, v), (down(x, y),), z3.And(x > 0, u == x - 1, v == y - 2)),
            Clause(None, (down(x, y),), z3.And(x == 0, y != 0)),  # Down(0, y) & y != 0 => false
        ]
    )


def unreachable() -> HornSystem:
    never, inv = Predicate("Never", (INT,)), Predicate("Inv", (INT,))
    return HornSystem.of(
        [
            Clause(inv(x), (never(x),), z3.BoolVal(True)),  # Never(x) => Inv(x)
            Clause(never(y), (never(x),), y == x),  # Never(x) & y = x => Never(y)
            Clause(None, (inv(x),), z3.BoolVal(True)),  # Inv(x) => false
        ]
    )


def plain_contradiction() -> HornSystem:
    return HornSystem.of([Clause(None, (), x > 3)])  # x > 3 => false


CASES = [
    Case("counter", True, counter(10)),
    Case("counter-too-far", False, counter(9)),
    Case("sum", True, sum_of_two(False)),
    Case("sum-zero", False, sum_of_two(True)),
    Case("equal-counters", True, equal_counters()),
    Case("fibonacci", True, fibonacci(8)),
    Case("fibonacci-too-small", False, fibonacci(7)),
    Case("nonlinear-positive", True, nonlinear_positive()),
    Case("flags", True, flags(True)),
    Case("flags-swapped", False, flags(False)),
    Case("byte-even", True, byte_counter(2, 7)),
    Case("byte-odd", False, byte_counter(3, 21)),
    Case("real-decay", True, real_decay()),
    Case("array", True, array_keeps_zero(0)),
    Case("array-written", False, array_keeps_zero(2)),
    Case("conditional", True, conditional()),
    Case("parity", True, parity()),
    Case("two-phases", True, two_phases()),
    Case("unreachable", True, unreachable()),
    Case("contradiction", False, plain_contradiction()),
]


class ListBus:
    """Gives one lemma and remembers what it gets."""

    def __init__(self, given: list[Lemma]) -> None:
        self.given, self.got = given, list[Lemma]()

    def publish(self, lemmas: list[Lemma]) -> None:
        self.got.extend(lemmas)

    def poll(self) -> list[Lemma]:
        out, self.given = self.given, []
        return out
