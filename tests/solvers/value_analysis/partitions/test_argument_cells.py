"""Cells of arrays as arguments: which, the law of models and derivations, and what the value analysis gains."""

import math
import time
from dataclasses import replace

import pytest
import z3
from exhaustive_systems import systems
from hypothesis import HealthCheck, given, settings

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.terms.core.traversal import conjunction
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator
from solvers.engine import Context
from solvers.spacer.engine import Spacer
from solvers.value_analysis.partitions.argument_cells import CellArguments, with_cell_arguments
from tests.chcverify.transforms.law import assert_derivation, assert_law, assert_model

INT, ARRAY = z3.IntSort(), z3.ArraySort(z3.IntSort(), z3.IntSort())
LOOP = Predicate("loop", (ARRAY, INT, INT), names=("length", "p", "i"))
DONE = Predicate("done", (ARRAY, INT, INT), names=("length", "q", "i"))
a, p, i, k = z3.Const("a", ARRAY), z3.Int("p"), z3.Int("i"), z3.Int("k")


def counting(bound: int) -> HornSystem:
    """`i` runs up to the cell of p, which is 0 to 9; behind the loop it is not above `bound`."""
    return HornSystem.of(
        (
            Clause(LOOP(z3.Store(a, p, k), p, z3.IntVal(0)), (), z3.And(k >= 0, k <= 9)),
            Clause(LOOP(a, p, i + 1), (LOOP(a, p, i),), i < a[p]),
            Clause(DONE(a, p, i), (LOOP(a, p, i),), i >= a[p]),
            Clause(None, (DONE(a, p, i),), i > bound),
        ),
        (LOOP, DONE),
    )


class _Back:
    """Carries certificates back to the system without cells."""

    def __init__(self, cells: CellArguments) -> None:
        self.cells = cells

    def model(self, model: Model) -> Model:
        facts = {after: [model[after]] for after in self.cells.system.predicates}
        before = self.cells.facts_before(facts)
        return Model({predicate: conjunction(before[predicate]) for predicate in self.cells.after})

    def derivation(self, derivation: Derivation) -> Derivation:
        arity = {after.name: before.arity for before, after in self.cells.after.items()}
        steps = []
        for step in derivation.ground_steps:
            head = self.cells.system.clauses[step.clause].head
            kept = 0 if head is None else arity[head.predicate.name]
            steps.append(replace(step, arguments=step.arguments[:kept]))
        return Derivation(tuple(steps))


class WithCells:
    """The change as a transform."""

    name = "cells as arguments"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        cells = with_cell_arguments(system, math.inf)
        return cells.system, _Back(cells)


def test_cells_are_those_that_clauses_read_behind_a_predicate() -> None:
    cells = with_cell_arguments(counting(9), math.inf)
    assert [str(cell) for cell in cells.cells[LOOP]] == ["$0[$1]"] and not cells.cells[DONE]
    assert cells.after[LOOP].names == ("length", "p", "i", "length[p]")
    first, step = cells.system.clauses[:2]
    assert first.head is not None and first.head.arguments[-1].eq(k)  # what was just written
    assert step.head is not None and step.head.arguments[-1].eq(a[p])


@pytest.mark.parametrize("bound", [8, 9])
def test_certificates_come_back(bound: int) -> None:
    system = counting(bound)
    changed, back = WithCells().apply(system)
    result = Spacer().solve(changed, Context.within(60))
    if bound == 9:
        assert isinstance(result, Safe)
        assert_model(system, back.model(result.model))
    else:
        assert isinstance(result, Unsafe)
        assert_derivation(system, back.derivation(result.derivation))


@given(system=systems())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
def test_law(system: HornSystem) -> None:
    assert_law(WithCells(), system)


def test_a_cell_at_a_cell() -> None:
    """`p->next->length` is the cell at the cell of p."""
    chain = Predicate("chain", (ARRAY, ARRAY, INT), names=("next", "length", "p"))
    b = z3.Const("b", ARRAY)
    system = HornSystem.of(
        (Clause(chain(a, b, p), (), p == 1), Clause(None, (chain(a, b, p),), b[a[p]] > b[a[a[p]]])), (chain,)
    )
    cells = with_cell_arguments(system, math.inf)
    assert set(cells.after[chain].names[3:]) == {"next[p]", "next[next[p]]", "length[next[p]]"}


def test_many_cells_and_no_time() -> None:
    wide = Predicate("wide", (ARRAY, *[INT] * 40))
    places = [z3.Int(f"x{n}") for n in range(40)]
    clause = Clause(None, (wide(a, *places),), z3.Sum([a[place] for place in places]) > 0)
    system = HornSystem.of((Clause(wide(a, *places), (), z3.BoolVal(True)), clause), (wide,))
    cells = with_cell_arguments(system, math.inf)
    assert len(cells.cells[wide]) == MAX_ALTERNATIVES
    with pytest.raises(TimeoutError):
        with_cell_arguments(system, time.monotonic() - 1)
    plain = HornSystem.of((Clause(None, (wide(a, *places),), places[0] > 0),), (wide,))
    assert str(with_cell_arguments(plain, math.inf).system) == str(plain)
