"""Positions of sentinels: models of the system over positions are models of the system over arrays."""

import time
from dataclasses import replace

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.transforms.abstractions.sentinel_positions import SentinelPositions, has_sentinels
from chcverify.transforms.base import Identity, TranslationError
from chcverify.transforms.exact.normalisation import Normalise
from solvers.engine import Context
from solvers.registry import get

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
FILL = Predicate("fill", (INT, INT, ARRAY), names=("i", "n", "a"))
SCAN = Predicate("scan", (INT, INT, ARRAY), names=("p", "n", "a"))
i, n, p, v = z3.Ints("i n p v")
a = z3.Array("a", INT, INT)
ZERO = z3.IntVal(0)
SECONDS = 600.0  # a safety net

WRITES = {
    "any": lambda: z3.Store(a, i, v),
    "sentinel": lambda: z3.Store(a, i, 0),
    "one cell again": lambda: z3.Store(z3.Store(a, i, v), 0, 7),
    "two cells": lambda: z3.Store(z3.Store(a, i, v), i + 1, 0),
    "what was there": lambda: z3.Store(a, i, a[i + 1]),
    "either": lambda: z3.If(v > 0, z3.Store(a, i, v), a),
}
ENDS = {
    "at n": lambda: z3.Store(a, n, 0),
    "before n": lambda: z3.Store(a, n - 1, 0),
    "twice": lambda: z3.Store(z3.Store(a, n, 0), n - 2, 0),
    "not": lambda: a,
    "overwritten": lambda: z3.Store(z3.Store(a, n, 0), n, 5),
}
STEPS = {
    "by one": lambda: (p + 1, a),
    "by two": lambda: (p + 2, a),
    "with marks": lambda: (p + 1, z3.Store(a, p, 1)),
    "with sentinels behind": lambda: (p + 1, z3.Store(a, p, 0)),
    "with marks ahead": lambda: (p + 1, z3.Store(a, p + 1, 1)),
}
WANTED = {"within": lambda: p <= n, "before the end": lambda: p < n, "near the end": lambda: p <= n + 1}


def text(written, end, step, wanted, sentinel=0):
    """for (i = 0; i < n; i++) written; end; for (p = 0; a[p] != sentinel; step) assert(wanted); with n >= 2."""
    moved, after = step
    return HornSystem.of(
        (
            Clause(FILL(ZERO, n, a), (), n >= 2),
            Clause(FILL(i + 1, n, written), (FILL(i, n, a),), i < n),
            Clause(SCAN(ZERO, n, end), (FILL(i, n, a),), i >= n),
            Clause(SCAN(moved, n, after), (SCAN(p, n, a),), a[p] != sentinel),
            Clause(None, (SCAN(p, n, a),), z3.Not(wanted)),
        )
    )


PLAIN = {"written": WRITES["any"](), "end": ENDS["at n"](), "step": STEPS["by one"](), "wanted": WANTED["within"]()}


def solved(engine, system, seconds=SECONDS):
    normal, back = Normalise().apply(system)
    result = get(engine).solve(normal, Context.within(seconds))
    return replace(result, model=back.model(result.model)) if isinstance(result, Safe) else result


def proved(system, seconds=SECONDS):
    """The model of the system over positions, if `df-orders` has one, carried back."""
    changed, back = SentinelPositions().apply(system)
    result = solved("df-orders", changed, seconds)
    return back.model(result.model) if isinstance(result, Safe) else None


def test_a_loop_that_reads_up_to_the_end_stays_before_it():
    system = text(**PLAIN)
    model = proved(system)
    assert model is not None
    found = certify(system, model, time.monotonic() + SECONDS)
    assert found.accepted and all(verdict.accepted for verdict in found.verdicts), found.reason
    changed, _ = SentinelPositions().apply(system)
    assert [predicate.argument_names for predicate in changed.predicates] == [
        ("i", "n", "kept end of a", "last end of a"),
        ("p", "n", "kept end of a", "last end of a"),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"written": WRITES["two cells"]()},
        {"end": ENDS["before n"](), "wanted": WANTED["before the end"]()},
        {"end": ENDS["twice"]()},
        {"step": STEPS["with marks"]()},
        {"step": STEPS["with sentinels behind"]()},
    ],
    ids=["two cells", "before n", "twice", "marks", "sentinels behind"],
)
def test_variations_are_proved(changes):
    system = text(**PLAIN | changes)
    model = proved(system)
    assert model is not None
    assert certify(system, model, time.monotonic() + SECONDS).accepted


@pytest.mark.parametrize(
    "changes",
    [
        {"end": ENDS["not"]()},
        {"end": ENDS["overwritten"]()},
        {"wanted": WANTED["before the end"]()},
        {"step": STEPS["by two"]()},
        {"step": STEPS["with marks ahead"]()},
    ],
    ids=["no end", "overwritten", "at the end", "by two", "marks ahead"],
)
def test_what_can_go_wrong_is_not_proved(changes):
    system = text(**PLAIN | changes)
    assert isinstance(solved("bmc", system), Unsafe)
    assert proved(system) is None


@settings(deadline=None, max_examples=25)
@given(*(st.sampled_from(sorted(table)) for table in (WRITES, ENDS, STEPS, WANTED)))
def test_models_come_back(written, end, step, wanted):
    system = text(WRITES[written](), ENDS[end](), STEPS[step](), WANTED[wanted]())
    model = proved(system, 1.0)
    if model is not None:
        found = certify(system, model, time.monotonic() + 5, "off")
        assert found.accepted or "counterexample" not in found.reason, found.reason


@settings(deadline=None, max_examples=25)
@given(*(st.sampled_from(sorted(table)) for table in (WRITES, ENDS, STEPS, WANTED)))
def test_whatever_is_derived_is_derived_over_positions(written, end, step, wanted):
    system = text(WRITES[written](), ENDS[end](), STEPS[step](), WANTED[wanted]())
    small = HornSystem.of([*system.clauses[1:], Clause(FILL(ZERO, z3.IntVal(2), a), (), z3.BoolVal(True))])
    if isinstance(solved("bmc", small, 1.0), Unsafe):
        changed, _ = SentinelPositions().apply(small)
        assert isinstance(solved("bmc", changed), Unsafe)


def test_another_number_may_be_the_sentinel():
    system = text(**PLAIN | {"end": z3.Store(a, n, -1)}, sentinel=-1)
    model = proved(system)
    assert model is not None
    assert certify(system, model, time.monotonic() + SECONDS).accepted


def test_zero_is_the_sentinel_where_cells_are_compared_with_a_range():
    system = text(**PLAIN)
    digits = Clause(SCAN(p + 1, n, a), (SCAN(p, n, a),), z3.And(a[p] >= 48, a[p] <= 57))
    system = HornSystem.of([*system.clauses[:3], digits, system.clauses[4]])
    model = proved(system)
    assert model is not None
    assert certify(system, model, time.monotonic() + SECONDS).accepted


def test_where_a_sentinel_was_read_there_it_is():
    """n = strlen(a); for (i = 0; i <= n; i++) b[i] = a[i]; then b is read up to its end."""
    b = z3.Array("b", INT, INT)
    copy = Predicate("copy", (INT, INT, ARRAY, ARRAY), names=("i", "n", "a", "b"))
    begin, read_up = (Predicate(name, (INT, ARRAY), names=("p", "a")) for name in ("begin", "read"))
    check = Predicate("check", (INT, INT, ARRAY), names=("p", "n", "b"))
    system = HornSystem.of(
        (
            Clause(begin(ZERO, z3.Store(a, n, 0)), (), n >= 0),
            Clause(read_up(p, a), (begin(p, a),), z3.BoolVal(True)),
            Clause(read_up(p + 1, a), (read_up(p, a),), a[p] != 0),
            Clause(copy(ZERO, p, a, b), (read_up(p, a),), z3.And(a[p] == 0, p >= 0)),
            Clause(copy(i + 1, n, a, z3.Store(b, i, a[i])), (copy(i, n, a, b),), i <= n),
            Clause(check(ZERO, n, b), (copy(i, n, a, b),), i > n),
            Clause(check(p + 1, n, b), (check(p, n, b),), b[p] != 0),
            Clause(None, (check(p, n, b),), p > n),
        )
    )
    model = proved(system)
    assert model is not None
    assert certify(system, model, time.monotonic() + SECONDS).accepted


def test_a_choice_of_arrays_keeps_the_end():
    """Whether a mark is written or not, the end stays where it is."""
    marked = z3.If(v > 0, z3.Store(a, p, 1), a)
    system = text(**PLAIN | {"step": (p + 1, marked)})
    model = proved(system)
    assert model is not None
    assert certify(system, model, time.monotonic() + SECONDS).accepted


def test_long_chains_of_choices_are_gone_through_once():
    chain = a
    for number in range(60):
        chain = z3.If(v > number, z3.Store(chain, p + number, 1), chain)
    changed, _ = SentinelPositions().apply(text(**PLAIN | {"step": (p + 1, chain)}))
    assert changed.predicates[1].argument_names == ("p", "n", "kept end of a", "last end of a")


@pytest.mark.parametrize("sort", [INT, z3.RealSort(), z3.BoolSort(), z3.BitVecSort(8)], ids=str)
def test_places_of_other_arrays_within_values_are_no_places(sort):
    other = z3.Array("m", sort, INT)
    at, read_at = z3.Consts("x y", sort)
    value = z3.Select(z3.Store(other, at, v), read_at)
    system = text(**PLAIN | {"written": z3.Store(a, i, value)})
    model = proved(system)
    assert model is not None
    assert certify(system, model, time.monotonic() + SECONDS).accepted


def test_systems_with_binders_stay():
    k = z3.Int("k")
    given = text(**PLAIN)
    begin = Clause(FILL(ZERO, n, a), (), z3.And(n >= 2, z3.Exists([k], z3.And(k >= 0, k <= 9, a[k] == 0))))
    system = HornSystem.of([begin, *given.clauses[1:]])
    same, _ = SentinelPositions().apply(system)
    assert same is system


def test_arrays_that_are_compared_with_no_constant_stay():
    b = z3.Array("b", INT, INT)
    both = Predicate("both", (INT, ARRAY, ARRAY), names=("i", "a", "b"))
    system = HornSystem.of(
        (
            Clause(both(ZERO, a, b), (), z3.BoolVal(True)),
            Clause(both(i + 1, a, b), (both(i, a, b),), z3.And(a[i] != 0, b[i] > i)),
        )
    )
    changed, back = SentinelPositions().apply(system)
    (predicate,) = changed.predicates
    assert predicate.argument_names == ("i", "b", "kept end of a", "last end of a")
    model = back.model(Model({predicate: predicate.formals[0] >= 0}))
    assert str(model.interpretations[both]) == f"{both.formals[0]} >= 0"


def test_derivations_do_not_come_back():
    _, back = SentinelPositions().apply(text(**PLAIN))
    with pytest.raises(TranslationError):
        back.derivation(Derivation(()))


def test_a_system_without_sentinels_stays():
    point = Predicate("point", (INT, ARRAY))
    system = HornSystem.of((Clause(point(i, a), (), a[i] == i),))
    same, back = SentinelPositions().apply(system)
    assert same is system and isinstance(back, Identity) and not has_sentinels(system)
    assert has_sentinels(text(**PLAIN))
