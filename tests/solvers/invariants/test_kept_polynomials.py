"""Polynomials that clauses keep: of loops, of recursive functions with two calls, and none where nothing is kept."""

import time
from itertools import pairwise

import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from solvers.engine import Context
from solvers.invariants.congruences.engine import CongruenceEngine, moduli
from solvers.invariants.congruences.ideal_membership import polynomial_rules
from solvers.invariants.congruences.kept_polynomials import highest_degree, kept_polynomials

WORD = 1 << 32
INT = z3.IntSort()
n, m, r, s = z3.Ints("n m r s")
LOOP = Predicate("loop", (INT, INT))
CALL = Predicate("call", (INT, INT))


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    return term % WORD


def kept(system: HornSystem, predicate: Predicate, degree: int = 2) -> list[str]:
    found = kept_polynomials(system.predicates, polynomial_rules(system, WORD), degree)
    return [str(z3.simplify(term)) for term in found[predicate]]


def sums(step: z3.ArithRef) -> HornSystem:
    """loop(0, 0); loop(n, r) => loop(n + 1, step)."""
    start = Clause(Application(LOOP, (z3.IntVal(0), z3.IntVal(0))), (), z3.BoolVal(True))
    again = Clause(Application(LOOP, (m, s)), (Application(LOOP, (n, r)),), z3.And(m == wrapped(n + 1), s == step))
    return HornSystem((LOOP,), (start, again))


def test_sums_of_powers_have_closed_forms() -> None:
    # 2 r = n^2 - n; 6 r = 2 n^3 - 3 n^2 + n
    assert len(kept(sums(wrapped(r + n)), LOOP)) == 1
    assert kept(sums(wrapped(r + n * n)), LOOP) == []
    (cubic,) = kept_polynomials((LOOP,), polynomial_rules(sums(wrapped(r + n * n)), WORD), 3)[LOOP]
    x, y = LOOP.formals
    closed = 6 * y - 2 * x * x * x + 3 * x * x - x
    assert z3.simplify(cubic - closed, som=True).eq(z3.IntVal(0)) or z3.simplify(cubic + closed, som=True).eq(
        z3.IntVal(0)
    )


def test_values_that_inputs_change_are_not_kept() -> None:
    assert kept(sums(z3.Int("input")), LOOP) == []


def doubled(result: z3.ArithRef) -> HornSystem:
    """call(0, 0); call(n, r) & call(n, s) => call(n + 1, result); a query that asks whether r = n of a word."""
    start = Clause(Application(CALL, (z3.IntVal(0), z3.IntVal(0))), (), z3.BoolVal(True))
    body = (Application(CALL, (n, r)), Application(CALL, (n, s)))
    step = Clause(
        Application(CALL, (m, z3.Int("result"))), body, z3.And(m == wrapped(n + 1), z3.Int("result") == result)
    )
    inside = z3.And(n >= 0, n < WORD, r >= 0, r < WORD)
    query = Clause(None, (Application(CALL, (n, r)),), z3.And(inside, wrapped(2 * r) != wrapped(n * n + n)))
    return HornSystem((CALL,), (start, step, query))


def test_both_calls_of_a_clause_count() -> None:
    # 2 r = n^2 + n and 2 s = n^2 + n => 2 (2 r - s + n + 1) = (n + 1)^2 + (n + 1), which no query has to name first
    system = doubled(wrapped(2 * r - s + n + 1))
    assert len(kept(system, CALL)) == 1
    result = CongruenceEngine().solve(system, Context.within(600))
    assert isinstance(result, Safe) and check_model(system, result.model, time.monotonic() + 600).accepted
    assert isinstance(CongruenceEngine().solve(doubled(wrapped(r + s + n)), Context.within(600)), Unknown)


def test_the_degree_is_that_of_the_candidates() -> None:
    assert highest_degree({LOOP: [LOOP.formals[0]]}, WORD) == 2
    assert highest_degree({LOOP: [LOOP.formals[0] * LOOP.formals[1] * LOOP.formals[1]]}, WORD) == 3


def grid(expected: z3.ArithRef, *others: z3.ArithRef) -> HornSystem:
    """Two nested loops over `rows` and `columns` that count in a word; a query that asks for the count at the end.
    others: further arguments, which stay as they are and ascend."""
    rows, columns, count, i, j = z3.Ints("rows columns count i j")
    inside = z3.And(rows >= 1, rows <= 1000, columns >= 1, columns <= 1000)
    loops = Predicate("loops", (INT,) * (5 + len(others)))
    ascending = [one <= other for one, other in pairwise(others)]
    state = Application(loops, (rows, columns, count, i, j, *others))
    start = Clause(Application(loops, (rows, columns, *(z3.IntVal(0),) * 3, *others)), (), z3.And(inside, *ascending))
    wraps = z3.If(count <= WORD - 2, count + 1, count - (WORD - 1))  # as clauses are written after simplification
    following = z3.Int("following")
    counts = z3.And(j < columns, following == wraps)
    inner = Clause(Application(loops, (rows, columns, following, i, j + 1, *others)), (state,), counts)
    is_next = z3.And(j >= columns, i + 1 < rows)
    outer = Clause(Application(loops, (rows, columns, count, i + 1, z3.IntVal(0), *others)), (state,), is_next)
    bounds = z3.And(count >= 0, count < WORD, *(z3.And(v >= -WORD // 2, v < WORD // 2) for v in (i, j)))
    end = z3.And(j >= columns, i + 1 >= rows, bounds, count != expected)
    return HornSystem((loops,), (start, inner, outer, Clause(None, (state,), end)))


def test_nested_loops_count_a_product() -> None:
    """count = i * columns + j is kept by the outer loop since j = columns at the end of the inner one, which follows
    from j >= columns and the invariant j <= columns."""
    rows, columns = z3.Ints("rows columns")
    system = grid(rows * columns, *z3.Ints("a b c d e f g h"))  # they are compared, too
    assert moduli(system) == [WORD]
    result = CongruenceEngine().solve(system, Context.within(600))
    assert isinstance(result, Safe) and check_model(system, result.model, time.monotonic() + 600).accepted
    assert isinstance(CongruenceEngine().solve(grid(rows * columns + 1), Context.within(600)), Unknown)


def test_numbers_near_the_size_of_a_type_say_that_there_are_such() -> None:
    texts = {255: [256], 252: [], 2**32 + 2: [2**32], 2**64 - 1: [2**64], 1000: [], 2**40: []}
    for number, expected in texts.items():
        clause = Clause(Application(LOOP, (n, r)), (), n + r <= number)
        assert moduli(HornSystem((LOOP,), (clause,))) == expected
