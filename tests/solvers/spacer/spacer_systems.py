"""Horn systems with known answers for the tests of Spacer and of the portfolio."""

from collections.abc import Iterator

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate

INT, REAL, BOOL, BV = z3.IntSort(), z3.RealSort(), z3.BoolSort(), z3.BitVecSort(8)
ARRAY = z3.ArraySort(INT, INT)
TRUE = z3.BoolVal(True)


def clause(head: Application | None, *tail: Application | z3.BoolRef) -> Clause:
    """body and constraint => head."""
    body = tuple(part for part in tail if isinstance(part, Application))
    return Clause(head, body, z3.And([part for part in tail if not isinstance(part, Application)] or [TRUE]))


def counter(bound: int, unsafe: bool) -> HornSystem:
    """One loop: x counts up to the bound."""
    x, y = z3.Ints("x y")
    p = Predicate("P", (INT,))
    return HornSystem.of(
        [
            clause(p(x), x == 0),  # x = 0 => P(x)
            clause(p(y), p(x), x < bound, y == x + 1),  # P(x) & x < bound & y = x + 1 => P(y)
            clause(None, p(x), x == bound if unsafe else x > bound),  # P(x) & x > bound => false
        ]
    )


def fibonacci(unsafe: bool) -> HornSystem:
    """Nonlinear, with shared sub-derivations."""
    n, a, b = z3.Ints("n a b")
    f = Predicate("fib", (INT, INT))
    return HornSystem.of(
        [
            clause(f(n, a), n >= 0, n <= 1, a == 1),  # 0 <= n <= 1 => fib(n, 1)
            clause(f(n, a + b), n > 1, f(n - 1, a), f(n - 2, b)),  # n > 1 & fib(n-1, a) & fib(n-2, b) => fib(n, a+b)
            clause(None, f(n, a), z3.And(n == 4, a == 5) if unsafe else a < 1),  # fib(4, 5) => false
        ]
    )


def sum_of_two(unsafe: bool) -> HornSystem:
    """A query with two atoms of one predicate, and facts with nondeterministic values."""
    x, y = z3.Ints("x y")
    p = Predicate("P", (INT,))
    return HornSystem.of(
        [
            clause(p(x), x > 3, x < 100),  # 3 < x < 100 => P(x)
            clause(p(2 * x), p(x)),  # P(x) => P(2x)
            clause(None, p(x), p(y), x + y == 57 if unsafe else x + y == 7),  # P(x) & P(y) & x + y = 57 => false
        ]
    )


def chain(length: int, unsafe: bool) -> HornSystem:
    """Locations that z3 eliminates; their values must be found again."""
    x, y = z3.Ints("x y")
    at = [Predicate(f"at{i}", (INT, INT)) for i in range(length)]
    steps = []
    for i in range(length - 1):
        steps.append(clause(at[i + 1](x, y + 1), at[i](x, y), x > i))  # at_i(x, y) & x > i => at_i+1(x, y + 1)
        steps.append(clause(at[i + 1](x, y), at[i](x, y), x <= i))  # at_i(x, y) & x <= i => at_i+1(x, y)
    end = clause(None, at[-1](x, y), y == length - 2 if unsafe else y > length)
    return HornSystem.of([clause(at[0](x, y), y == 0), *steps, end])


def array(unsafe: bool) -> HornSystem:
    a, i, n = z3.Const("a", ARRAY), z3.Int("i"), z3.Int("n")
    p = Predicate("P", (ARRAY, INT, INT))
    return HornSystem.of(
        [
            clause(p(a, i, n), i == 0, n > 0, n < 5, z3.Select(a, 0) == 7),  # a[0] = 7 => P(a, 0, n)
            clause(p(z3.Store(a, i + 1, 3), i + 1, n), p(a, i, n), i < n),  # P(a, i, n) & i < n => P(a[i+1:=3], i+1, n)
            clause(None, p(a, i, n), z3.Select(a, i) == 3 if unsafe else z3.Select(a, 0) != 7),
        ]
    )


def bitvectors(unsafe: bool) -> HornSystem:
    x = z3.BitVec("x", 8)
    p = Predicate("P", (BV,))
    return HornSystem.of(
        [
            clause(p(x), x == 250),  # x = 250 => P(x)
            clause(p(x + 2), p(x)),  # P(x) => P(x + 2), which wraps round
            clause(None, p(x), x == 4 if unsafe else x == 5),  # P(x) & x = 4 => false
        ]
    )


def reals(unsafe: bool) -> HornSystem:
    x = z3.Real("x")
    p = Predicate("P", (REAL,))
    return HornSystem.of(
        [
            clause(p(x), x == 1),  # x = 1 => P(x)
            clause(p(x / 2), p(x), x > z3.Q(1, 5)),  # P(x) & x > 1/5 => P(x / 2)
            clause(None, p(x), x == z3.Q(1, 8) if unsafe else x <= 0),  # P(1/8) => false
        ]
    )


def booleans(unsafe: bool) -> HornSystem:
    b, c, x = z3.Bool("b"), z3.Bool("c"), z3.Int("x")
    p = Predicate("P", (BOOL, BOOL, INT))
    q = Predicate("Q", ())
    return HornSystem.of(
        [
            clause(p(b, z3.Not(b), x), b, x == 0),  # b & x = 0 => P(b, not b, x)
            clause(p(z3.Not(b), z3.Not(c), x + 1), p(b, c, x)),  # P(b, c, x) => P(not b, not c, x + 1)
            clause(q(), p(b, c, x), z3.And(c, x > 2) if unsafe else b == c),
            clause(None, q()),
        ]
    )


def datatypes(unsafe: bool) -> HornSystem:
    pair = z3.Datatype("pair")
    pair.declare("mk", ("first", INT), ("second", INT))
    sort = pair.create()
    p, x = z3.Const("p", sort), z3.Int("x")
    pred = Predicate("P", (sort,))
    step = sort.mk(sort.first(p) + 1, sort.second(p) + 1)
    differ = sort.first(p) != sort.second(p)
    return HornSystem.of(
        [
            clause(pred(sort.mk(x, x)), x >= 0),  # x >= 0 => P((x, x))
            clause(pred(step), pred(p)),  # P((a, b)) => P((a + 1, b + 1))
            clause(None, pred(p), sort.first(p) == 3 if unsafe else differ),
        ]
    )


def several_queries() -> HornSystem:
    """Only the second query is derivable; a predicate without clauses and one without use are there, too."""
    x = z3.Int("x")
    p, empty, unused = Predicate("P", (INT,)), Predicate("empty", (INT,)), Predicate("unused", (INT,))
    return HornSystem.of(
        [
            clause(p(x), x == 0),
            clause(unused(x), p(x)),
            clause(p(x), empty(x)),
            clause(None, p(x), x == 1),
            clause(None, p(x), x == 0),
        ]
    )


def safe_with_loose_ends() -> HornSystem:
    """Safe; predicates that no fact reaches, that reach no query, and that nothing mentions."""
    x = z3.Int("x")
    p, empty, unused = Predicate("P", (INT,)), Predicate("empty", (INT,)), Predicate("unused", (INT,))
    alone = Predicate("alone", (INT, BOOL))
    clauses = [clause(p(x), x == 0), clause(unused(x), p(x)), clause(p(x), empty(x)), clause(None, p(x), x == 1)]
    return HornSystem.of(clauses, (alone,))


FAMILIES = (fibonacci, sum_of_two, array, bitvectors, reals, booleans, datatypes)


def both() -> Iterator[tuple[str, HornSystem, bool]]:
    """(name, system, is it unsafe?)"""
    for unsafe in (False, True):
        word = "unsafe" if unsafe else "safe"
        yield f"counter-{word}", counter(4, unsafe), unsafe
        yield f"chain-{word}", chain(12, unsafe), unsafe
        for family in FAMILIES:
            yield f"{family.__name__}-{word}", family(unsafe), unsafe
    yield "several-queries", several_queries(), True
    yield "loose-ends", safe_with_loose_ends(), False
