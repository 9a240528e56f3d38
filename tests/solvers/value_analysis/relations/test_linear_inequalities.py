"""Linear inequalities of arguments hold of all states that clauses derive, for integers and for bit-vectors."""

import itertools
import random
import time

import pytest
import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.value_analysis import value_sets
from solvers.value_analysis.analysis import ValueAnalysis
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.evaluation import solve
from solvers.value_analysis.node_values import NodeValues
from solvers.value_analysis.relations import linear_inequalities
from solvers.value_analysis.relations.linear_inequalities import Form, inequality
from solvers.value_analysis.relations.linear_terms import LinearTerms
from tests.solvers.value_analysis.test_value_analysis import accepted

ARITY = 3
WIDTH = 5
State = tuple[int, ...]


def total(form: Form, state: State) -> int:
    return sum(factor * state[variable] for variable, factor in form)


@pytest.mark.parametrize("seed", range(60))
def test_joined_inequalities_hold_of_both(seed: int) -> None:
    source = random.Random(seed)
    sides = [[tuple(source.randint(-5, 5) for _ in range(ARITY)) for _ in range(3)] for _ in range(2)]
    forms = [inequality({v: source.randint(-2, 2) for v in range(ARITY)}, 0).form for _ in range(6)]
    known = [{f: min(total(f, s) for s in side) for f in source.sample(forms, 4) if f} for side in sides]
    values = [tuple(value_sets.united((s[i], s[i]) for s in side) for i in range(ARITY)) for side in sides]
    found = linear_inequalities.joined(known[0], values[0], known[1], values[1])
    assert set(known[0]) & set(known[1]) <= set(found)
    assert all(total(form, state) >= number for form, number in found.items() for state in itertools.chain(*sides))
    assert linear_inequalities.common(*known).items() <= found.items()


def test_widening_drops_what_gets_weaker_and_then_what_is_new() -> None:
    one, two, three = (((0, 1), (1, factor)) for factor in (-1, -2, -3))
    new = {one: 4, two: 1, three: 0}
    assert linear_inequalities.widened({one: 4, two: 2}, new, are_more_allowed=True) == {one: 4, three: 0}
    assert linear_inequalities.widened({one: 4, two: 2}, new, are_more_allowed=False) == {one: 4}


def test_inequalities_count_where_a_comparison_leaves_one_value_of_each() -> None:
    """p <= k, p in [0, 1], k in [0, 5]: where p > k, intervals leave p = 1 and k = 0, which p <= k excludes."""
    p, k = z3.Ints("p k")
    state = Predicate("state", (z3.IntSort(), z3.IntSort()))
    fact = Clause(state(p, k), (), z3.And(p >= 0, p <= 1, k >= 0, k <= 5, p <= k))
    system = HornSystem.of([fact, Clause(None, (state(p, k),), p > k), Clause(None, (state(p, k),), p >= k)])
    analysis = ValueAnalysis(system, {}, time.monotonic() + 60)
    assert analysis.refuted() == {1}
    assert accepted(system, analysis)


def random_sum(source: random.Random, variables: list[z3.BitVecRef], depth: int) -> z3.BitVecRef:
    """A term of additions, subtractions, products, shifts, extensions and extractions."""
    if depth == 0:
        return source.choice(variables)
    one, other = (random_sum(source, variables, depth - 1) for _ in range(2))
    return source.choice([
        lambda: one + other,
        lambda: one - other,
        lambda: one * source.randint(0, 4),
        lambda: -one,
        lambda: one << source.randint(0, WIDTH),
        lambda: z3.Extract(WIDTH - 1, 0, z3.ZeroExt(3, one) + z3.ZeroExt(3, other)),
        lambda: z3.Extract(WIDTH - 1, 0, z3.SignExt(2, one)),
        lambda: z3.If(z3.ULE(one, other), one, other + 1),
    ])()  # fmt: skip


@pytest.mark.parametrize("seed", range(150))
def test_a_sum_of_bit_vectors_is_one_of_integers_where_it_says_so(seed: int) -> None:
    source = random.Random(seed)
    variables = [z3.BitVec(name, WIDTH) for name in "xyz"]
    p = Predicate("p", (z3.BitVecSort(WIDTH),) * 3)
    term = random_sum(source, variables, 2)
    ranges = [sorted(source.sample(range(12), 2)) for _ in variables]
    bounds = [z3.And(z3.ULE(a, v), z3.ULE(v, b)) for v, (a, b) in zip(variables, ranges, strict=True)]
    code = ClauseCode(Clause(p(term, *variables[:2]), (p(*variables),), z3.And(bounds)), TermTable())
    run = NodeValues(code)
    assert solve(run)
    linear = LinearTerms(code).resolved({code.head[0]: 1}, run)
    nodes = dict(zip(code.body[0], range(3), strict=True))
    if not set(linear.terms) <= set(nodes):
        return  # a sum of nodes that are no variables
    for state in itertools.product(*(range(a, b + 1) for a, b in ranges)):
        places = [(v, z3.BitVecVal(n, WIDTH)) for v, n in zip(variables, state, strict=True)]
        exact = z3.simplify(z3.substitute(term, places)).as_long()
        assert exact == linear.number + sum(factor * state[nodes[node]] for node, factor in linear.terms.items())


@pytest.mark.parametrize("sort", [z3.IntSort(), z3.BitVecSort(16)])
def test_what_a_loop_compares_bounds_what_comes_after_it(sort: z3.SortRef) -> None:
    """for i from 0 to 9: 4 * i + 3 < n; so n >= 40 after the loop, and 4 * (i - 1) + 2 < n behind each turn."""
    loop, turn, after = (Predicate(name, (sort, sort)) for name in ("loop", "turn", "after"))
    i, n = z3.Const("i", sort), z3.Const("n", sort)
    less = z3.ULT if z3.is_bv_sort(sort) else lambda a, b: a < b
    known = z3.ULE(n, 1000) if z3.is_bv_sort(sort) else z3.And(n >= 0, n <= 1000)
    zero = z3.simplify(i - i)
    clauses = (
        Clause(loop(zero, n), (), known),
        Clause(turn(i, n), (loop(i, n),), z3.And(less(i, 10), less(4 * i + 3, n))),
        Clause(loop(i + 1, n), (turn(i, n),), z3.BoolVal(True)),
        Clause(after(i, n), (loop(i, n),), z3.Not(less(i, 10))),
        Clause(None, (after(i, n),), less(n, zero + 40)),
        Clause(None, (after(i, n),), less(n, zero + 41)),
        Clause(None, (loop(i, n),), z3.And(less(zero, i), z3.Not(less(4 * (i - 1) + 2, n)))),
        Clause(None, (loop(i, n),), z3.And(less(zero, i), z3.Not(less(4 * (i - 1) + 4, n)))),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {4, 6}
    assert accepted(system, analysis)


def test_a_variable_between_two_others_is_eliminated() -> None:
    """a <= b, b <= c, then b is forgotten: a <= c."""
    integer = z3.IntSort()
    three, two = Predicate("three", (integer,) * 3), Predicate("two", (integer,) * 2)
    a, b, c = z3.Ints("a b c")
    clauses = (
        Clause(three(a, b, c), (), z3.And(a <= b, b + 2 <= c)),
        Clause(two(a, c), (three(a, b, c),), z3.BoolVal(True)),
        Clause(None, (two(a, c),), a > c - 2),
        Clause(None, (two(a, c),), a == c - 2),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {2}
    assert accepted(system, analysis)


@pytest.mark.parametrize("sort", [z3.IntSort(), z3.BitVecSort(16)])
def test_what_is_known_of_a_variable_is_known_of_its_copy(sort: z3.SortRef) -> None:
    """i < n, then j = i is moved down while it is at least 1, as in insertion sort: j < n stays."""
    outer, inner = Predicate("outer", (sort, sort)), Predicate("inner", (sort, sort, sort))
    i, j, n = (z3.Const(name, sort) for name in "ijn")
    less = z3.ULT if z3.is_bv_sort(sort) else lambda a, b: a < b
    one = z3.simplify(i - i + 1)
    known = z3.ULE(n, 1000) if z3.is_bv_sort(sort) else z3.And(n >= 0, n <= 1000)
    clauses = (
        Clause(outer(one, n), (), known),
        Clause(inner(i, i, n), (outer(i, n),), less(i, n)),
        Clause(inner(i, j - 1, n), (inner(i, j, n),), less(one - 1, j)),
        Clause(outer(i + 1, n), (inner(i, j, n),), z3.BoolVal(True)),
        Clause(None, (inner(i, j, n),), z3.Not(less(j, n))),
        Clause(None, (inner(i, j, n),), z3.Not(less(j + 1, n))),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {4}
    assert accepted(system, analysis)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_order_of_two_variables_that_a_loop_moves_is_kept(is_reversed: bool) -> None:
    """r and w from 0; w is moved at times, then r always: w <= r, whichever way comes first in the clauses."""
    integer = z3.IntSort()
    loop, longer, ways = (Predicate(name, (integer,) * 3) for name in ("loop", "longer", "ways"))
    r, w, n = z3.Ints("r w n")
    body = [
        Clause(ways(r, w, n), (loop(r, w, n),), r < n),
        Clause(longer(r, w, n), (loop(r, w, n),), r < n),
        Clause(ways(r, w + 1, n), (longer(r, w, n),), z3.BoolVal(True)),
        Clause(loop(r + 1, w, n), (ways(r, w, n),), z3.BoolVal(True)),
    ]
    clauses = (
        Clause(loop(z3.IntVal(0), z3.IntVal(0), n), (), z3.And(n >= 0, n <= 1000)),
        *(reversed(body) if is_reversed else body),
        Clause(None, (loop(r, w, n),), w > r),
        Clause(None, (longer(r, w, n),), w >= n),
        Clause(None, (loop(r, w, n),), w >= r),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {5, 6}
    assert accepted(system, analysis)


def test_distances_near_the_address_of_an_object_are_of_use() -> None:
    """p = start + i, where start is the address of an object: p < start + n as long as i < n."""
    integer, start = z3.IntSort(), value_sets.STRIDE
    indexed, led = Predicate("indexed", (integer,) * 3), Predicate("led", (integer, integer))
    i, n, p = z3.Ints("i n p")
    clauses = (
        Clause(indexed(i, n, z3.IntVal(start)), (), z3.And(i >= 0, i < n, n <= 1000)),
        Clause(led(p + i, n), (indexed(i, n, p),), z3.BoolVal(True)),
        Clause(None, (led(p, n),), p >= start + n),
        Clause(None, (led(p, n),), p >= start + n - 1),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {2}
    assert accepted(system, analysis)


def test_loops_that_nothing_leads_to_are_no_matter() -> None:
    """A loop without a beginning: nothing is derived, and its query is refuted."""
    begun, never = (Predicate(name, (z3.IntSort(),)) for name in ("begun", "never"))
    i = z3.Int("i")
    system = HornSystem.of(
        [
            Clause(begun(z3.IntVal(0)), (), z3.BoolVal(True)),
            Clause(never(i + 1), (never(i),), i < 10),
            Clause(begun(i), (never(i),), z3.BoolVal(True)),
            Clause(None, (never(i),), z3.BoolVal(True)),
            Clause(None, (begun(i),), i != 0),
        ]
    )
    assert ValueAnalysis(system, {}, time.monotonic() + 600).refuted() == {3, 4}
