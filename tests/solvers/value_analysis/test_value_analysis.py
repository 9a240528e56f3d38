"""The states that the value analysis computes are inductive: the kernel accepts them, and runs satisfy them."""

import itertools
import math
import time

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction
from solvers.value_analysis.analysis import NOTHING_AFTER, WIDEN_AFTER, ValueAnalysis
from solvers.value_analysis.formulas import FactFormulas
from solvers.value_analysis.states import AbstractState, TrackedArguments, with_reserved

STRIDE = 1 << 48


def model_of(system: HornSystem, analysis: ValueAnalysis) -> Model:
    false = z3.BoolVal(False)
    return Model(
        {
            p: conjunction(FactFormulas().of(p, analysis.states[p], analysis.tracked.get(p, ())))
            if p in analysis.states
            else false
            for p in system.predicates
        }
    )


def accepted(system: HornSystem, analysis: ValueAnalysis) -> bool:
    """The kernel accepts the model for the clauses without the queries that are not refuted."""
    refuted = analysis.refuted()
    kept = [c for i, c in enumerate(system.clauses) if not c.is_query or i in refuted]
    return certify(HornSystem(system.predicates, tuple(kept)), model_of(system, analysis), math.inf, "off").accepted


@pytest.mark.parametrize("sort", [z3.IntSort(), z3.BitVecSort(32)])
def test_a_counter_and_a_cell(sort: z3.SortRef) -> None:
    """i from 0 to 9; a[5] is 3, then 4, and a[i] for other i is anything."""
    loop = Predicate("loop", (sort, z3.ArraySort(sort, sort)))
    i, a = z3.Const("i", sort), z3.Array("a", sort, sort)
    less = i < 10 if sort == z3.IntSort() else z3.ULT(i, 10)
    clauses = (
        Clause(loop(z3.simplify(i - i), z3.Store(a, 5, 3)), (), z3.BoolVal(True)),
        Clause(loop(i + 1, z3.Store(a, 5, 4)), (loop(i, a),), less),
        Clause(None, (loop(i, a),), i == 11),
        Clause(None, (loop(i, a),), a[5] == 2),
        Clause(None, (loop(i, a),), i == 10),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {2, 3}
    assert accepted(system, analysis)


def test_a_member_that_is_null_or_leads_to_a_new_object() -> None:
    """Where the paths meet, the object exists if the pointer leads there: state = 3 and size = 64."""
    integer = z3.IntSort()
    start, join = Predicate("start", (integer,) * 4), Predicate("join", (integer,) * 4)
    point, size, state, p, fresh = z3.Ints("point size state p fresh")
    here = point == fresh
    born = join(point, z3.If(here, 64, size), z3.If(here, 3, state), fresh)
    clauses = (
        Clause(
            start(point, size, state, fresh),
            (),
            z3.And(point >= STRIDE, point % STRIDE == 0, size == 0, state == 0, fresh == STRIDE),
        ),
        Clause(born, (start(point, size, state, fresh),), z3.BoolVal(True)),
        Clause(join(point, size, state, z3.IntVal(-STRIDE)), (start(point, size, state, fresh),), z3.BoolVal(True)),
        Clause(None, (join(point, size, state, p),), z3.And(p == point, state == 0)),
        Clause(None, (join(point, size, state, p),), z3.And(p == point, size != 64)),
        Clause(None, (join(point, size, state, p),), p <= -STRIDE),
    )
    system = HornSystem.of(clauses)
    tracked = {q: with_reserved([TrackedArguments(0, 1, 2, STRIDE, 0, (4, 5))]) for q in system.predicates}
    analysis = ValueAnalysis(system, tracked, time.monotonic() + 600)
    assert analysis.refuted() == {3, 4}
    assert accepted(system, analysis)


def test_no_time() -> None:
    predicate = Predicate("p", ())
    system = HornSystem.of([Clause(predicate(), (), z3.BoolVal(True)), Clause(None, (predicate(),), z3.BoolVal(False))])
    analysis = ValueAnalysis(system, {}, 0.0)
    assert analysis.unknown == {predicate}
    assert not analysis.states
    assert not analysis.refuted()


def test_what_is_known_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """x = 0; while (x < 9) x++; where time is up in the loop: what holds before it is known."""
    x, sort = z3.Int("x"), z3.IntSort()
    before, loop, after = (Predicate(name, (sort,)) for name in ("before", "loop", "after"))
    clauses = (
        Clause(before(z3.IntVal(0)), (), z3.BoolVal(True)),
        Clause(loop(x), (before(x),), z3.BoolVal(True)),
        Clause(loop(x + 1), (loop(x),), x < 9),
        Clause(after(x), (loop(x),), x >= 9),
        Clause(None, (before(x),), x != 0),
        Clause(None, (after(x),), x > 9),
    )
    system, clock = HornSystem.of(clauses), itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    analysis = ValueAnalysis(system, {}, 3.5)
    assert analysis.unknown == {loop, after}
    assert analysis.refuted() == {4}
    hasty = ValueAnalysis(system, {}, next(clock) + 9.0)
    assert not hasty.unknown
    assert hasty.refuted() == {4}
    assert accepted(system, hasty)
    whole = ValueAnalysis(system, {}, 1e9)
    assert not whole.unknown
    assert whole.refuted() == {4, 5}


def test_what_an_outer_loop_counts_is_not_given_away_in_the_inner_one() -> None:
    """i from 0 to 3, and for each of them j from 0 to 3: i <= 3 in the inner loop."""
    integer = z3.IntSort()
    outer, inner = Predicate("outer", (integer,)), Predicate("inner", (integer, integer))
    i, j = z3.Ints("i j")
    true = z3.BoolVal(True)
    clauses = (
        Clause(outer(z3.IntVal(0)), (), true),
        Clause(inner(i, z3.IntVal(0)), (outer(i),), i < 4),
        Clause(inner(i, j + 1), (inner(i, j),), j < 4),
        Clause(outer(i + 1), (inner(i, j),), j >= 4),
        Clause(None, (inner(i, j),), z3.Or(i > 3, j > 4)),
        Clause(None, (outer(i),), i > 4),
        Clause(None, (outer(i),), i == 4),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {4, 5}
    assert accepted(system, analysis)


def test_steps_of_two_become_an_interval() -> None:
    """i = 0, 2, 4, ... while i < 18, a loop that a list of single numbers would not end."""
    loop = Predicate("loop", (z3.IntSort(),))
    i = z3.Int("i")
    clauses = (
        Clause(loop(z3.IntVal(0)), (), z3.BoolVal(True)),
        Clause(loop(i + 2), (loop(i),), i < 18),
        Clause(None, (loop(i),), z3.Or(i < 0, i > 19)),
        Clause(None, (loop(i),), i == 8),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {2}
    assert accepted(system, analysis)


def test_the_middle_of_two_indices_is_between_them() -> None:
    """Binary search in 25 places: low <= middle <= high <= 24."""
    search, middle = Predicate("search", (z3.IntSort(),) * 2), Predicate("middle", (z3.IntSort(),) * 3)
    low, high, i = z3.Ints("low high i")
    true = z3.BoolVal(True)
    clauses = (
        Clause(search(z3.IntVal(0), z3.IntVal(24)), (), true),
        Clause(middle(low, high, low + (high - low) / 2), (search(low, high),), high >= low),
        Clause(search(i + 1, high), (middle(low, high, i),), true),
        Clause(search(low, i - 1), (middle(low, high, i),), true),
        Clause(None, (middle(low, high, i),), z3.Or(i < low, i > high, i > 24)),
        Clause(None, (middle(low, high, i),), i == high),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {4}
    assert accepted(system, analysis)


def test_an_index_that_leaves_an_object_by_one_step() -> None:
    """Of 64 bits, moved while it is within the largest object: it does not wrap around."""
    loop = Predicate("loop", (z3.IntSort(),))
    i = z3.Int("i")
    largest = 1 << 46
    signed = z3.If(i < 1 << 63, i, i - (1 << 64))
    clauses = (
        Clause(loop(z3.IntVal(0)), (), z3.BoolVal(True)),
        Clause(loop(z3.If(i == (1 << 64) - 1, 0, i + 1)), (loop(i),), z3.And(signed <= largest, signed >= -largest)),
        Clause(None, (loop(i),), i > largest + 1),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {2}
    assert accepted(system, analysis)


def test_a_loop_is_not_run_again_for_what_widening_does_not_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    """i counts without end, and j is one below it: an inequality that each round gives again."""
    loop = Predicate("loop", (z3.IntSort(),) * 2)
    i, j = z3.Ints("i j")
    system = HornSystem.of(
        [
            Clause(loop(z3.IntVal(1), z3.IntVal(0)), (), z3.BoolVal(True)),
            Clause(loop(i + 1, j + 1), (loop(i, j),), z3.And(j < i, i < 2 * j + 7)),
        ]
    )
    joins = []
    joined = AbstractState.joined
    monkeypatch.setattr(AbstractState, "joined", lambda self, other: joins.append(1) or joined(self, other))
    ValueAnalysis(system, {}, time.monotonic() + 600)
    assert len(joins) < NOTHING_AFTER


@pytest.mark.parametrize("sort", [z3.IntSort(), z3.BitVecSort(32)])
@pytest.mark.parametrize("length", [0, 3, 20])
def test_the_length_of_a_string(sort: z3.SortRef, length: int) -> None:
    """The cells are all known: the loop is not widened before it comes to the end."""
    loop, end = (Predicate(name, (sort, z3.ArraySort(sort, sort))) for name in ("loop", "end"))
    i, text = z3.Const("i", sort), z3.Array("text", sort, sort)
    string = z3.K(sort, z3.simplify(i - i))
    for index in range(length):
        string = z3.Store(string, index, 65 + index)
    system, analysis = analysed(loop, end, i, text, string)
    assert analysis.states[end].values[0] == ((length, length),) and accepted(system, analysis)


@pytest.mark.parametrize("sort", [z3.IntSort(), z3.BitVecSort(32)])
def test_the_end_of_a_string_of_which_only_that_is_known(sort: z3.SortRef) -> None:
    loop, end = (Predicate(name, (sort, z3.ArraySort(sort, sort))) for name in ("loop", "end"))
    i, text = z3.Const("i", sort), z3.Array("text", sort, sort)
    system, analysis = analysed(loop, end, i, text, z3.Store(text, 99, 0))
    states = {p: state.values[0] for p, state in analysis.states.items()}
    assert states[loop] == states[end] == ((0, 99),) and accepted(system, analysis)


def analysed(
    loop: Predicate, end: Predicate, i: z3.ExprRef, text: z3.ArrayRef, string: z3.ArrayRef
) -> tuple[HornSystem, ValueAnalysis]:
    """for (i = 0; text[i] != 0; i++) {}"""
    zero, last = z3.simplify(i - i), 100
    beyond = i > last if isinstance(zero, z3.IntNumRef) else z3.UGT(i, last)
    clauses = (
        Clause(loop(zero, string), (), z3.BoolVal(True)),
        Clause(loop(i + 1, text), (loop(i, text),), text[i] != 0),
        Clause(end(i, text), (loop(i, text),), text[i] == 0),
        Clause(None, (end(i, text),), beyond),
    )
    system = HornSystem.of(clauses)
    return system, ValueAnalysis(system, {}, time.monotonic() + 600)


@pytest.mark.parametrize("order", ["bxy", "xby", "xyb"])
@pytest.mark.parametrize("sort", [z3.BitVecSort(32), z3.BoolSort()])
def test_constants_of_other_sorts_are_not_at_a_distance_from_integers(sort: z3.SortRef, order: str) -> None:
    """x = y = b = 0, and all are 1; b is a bit-vector or a truth value. Then x = y, and no sum with b has a meaning."""
    numbers = [z3.BoolVal(False), z3.BoolVal(True)] if sort == z3.BoolSort() else [z3.BitVecVal(i, 32) for i in (0, 1)]
    terms = {"x": z3.Int("x"), "y": z3.Int("y"), "b": z3.Const("b", sort)}
    p = Predicate("p", tuple(terms[name].sort() for name in order))
    facts = [
        Clause(p(*(numbers[i] if name == "b" else z3.IntVal(i) for name in order)), (), z3.BoolVal(True))
        for i in (0, 1)
    ]
    body = (p(*(terms[name] for name in order)),)
    system = HornSystem.of((*facts, Clause(None, body, z3.And(terms["x"] >= 1, terms["y"] <= 0))))
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {2}
    assert accepted(system, analysis)


@pytest.mark.parametrize("sort", [z3.IntSort(), z3.BitVecSort(32)])
def test_comparisons_of_sums_with_a_common_part(sort: z3.SortRef) -> None:
    """b + i <= b + n where i <= 3 and n >= 5, beside an inequality of other variables."""
    b, i, n, u, w = (z3.Const(name, sort) for name in "binuw")
    less = (lambda x, y: x <= y) if sort == z3.IntSort() else z3.ULE
    p, zero = Predicate("p", (sort,) * 5), z3.simplify(b - b)
    limits = (less(zero, i), less(i, 3), less(5, n), less(n, 9), less(zero, b), less(b, 1000000), less(u, w))
    facts = Clause(p(b, i, n, u, w), (), z3.And(*limits))
    system = HornSystem.of((facts, Clause(None, (p(b, i, n, u, w),), z3.Not(less(b + i, b + n)))))
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {1}
    assert accepted(system, analysis)


def test_addresses_of_objects_that_a_loop_makes_go_on_for_ever() -> None:
    """After the second one, whatever thresholds there are."""
    point, size, state, fresh = z3.Ints("point size state fresh")
    loop = Predicate("loop", (z3.IntSort(),) * 4)
    here = point == fresh
    clauses = (
        Clause(loop(point, *map(z3.IntVal, (0, 0, STRIDE))), (), z3.And(point >= STRIDE, point % STRIDE == 0)),
        Clause(
            loop(point, z3.If(here, 8, size), z3.If(here, 3, state), fresh + STRIDE),
            (loop(point, size, state, fresh),),
            z3.BoolVal(True),
        ),
        Clause(None, (loop(point, size, state, fresh),), fresh < STRIDE),
        Clause(None, (loop(point, size, state, fresh),), z3.And(point == STRIDE, fresh > STRIDE, state != 3)),
    )
    system = HornSystem.of(clauses)
    tracked = {loop: with_reserved([TrackedArguments(0, 1, 2, STRIDE, 0, (4, 5), fresh=3)])}
    analysis = ValueAnalysis(system, tracked, time.monotonic() + 600)
    assert 2 in analysis.refuted()
    assert accepted(system, analysis)
    assert len(analysis.states[loop].objects[0].known) <= WIDEN_AFTER + 1
