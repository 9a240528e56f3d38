"""Repeated visits of a clause give what a first one would."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import z3

from chcverify.horn.system import Clause, Predicate
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.clause_step import ClauseStep
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.relations.linear_inequalities import Inequalities
from solvers.value_analysis.repeated_step import RepeatedStep
from solvers.value_analysis.states import AbstractState

X, Y, Z = z3.Ints("x y z")
P, Q = Predicate("p", (z3.IntSort(),) * 3), Predicate("q", (z3.IntSort(),) * 3)
INCREMENT = Clause(Q(Z, X + 1, Y), (P(X, Y, Z),), X < 10)


def state(*values: Value, inequalities: Inequalities | None = None) -> AbstractState:
    return AbstractState(tuple(values), (), {}, inequalities or {}, frozenset({0, 1, 2}))


Y_GROWS = [state(value_sets.of(0, 3), value_sets.of(low, 5), value_sets.of(7, 8)) for low in (5, 4, 3)]
X_GROWS = [state(value_sets.of(0, high), value_sets.of(1, 1), value_sets.of(7, 8)) for high in (3, 20)]
RELATED = [
    state(value_sets.of(0, 3), value_sets.of(low, 5), value_sets.ANY, inequalities={((0, 1), (1, -1)): 0})
    for low in (2, 3)
]
NOTHING = [state(value_sets.of(low, 30), value_sets.ANY, value_sets.ANY) for low in (20, 10, 9)]


@pytest.mark.parametrize(("bodies", "whole"), [(Y_GROWS, 1), (X_GROWS, 2), (RELATED, 2), (NOTHING, 3)])
def test_changes(bodies: Sequence[AbstractState], whole: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """whole: how often all of the clause is looked at."""
    step = ClauseStep(ClauseCode(INCREMENT, TermTable()), {})
    expected = [visit and visit.state for visit in (step.after([body]) for body in bodies)]
    counted, after = [], ClauseStep.after
    monkeypatch.setattr(ClauseStep, "after", lambda self, given: counted.append(given) or after(self, given))
    repeated = RepeatedStep(step)
    assert [repeated.after([body]) for body in bodies] == expected
    assert len(counted) == whole


def test_arrays_are_handed_on() -> None:
    cells = z3.Array("a", z3.IntSort(), z3.IntSort())
    p = Predicate("p", (cells.sort(), z3.IntSort()))
    step = RepeatedStep(ClauseStep(ClauseCode(Clause(p(cells, X + 1), (p(cells, X),), X < 10), TermTable()), {}))
    one, other = (CellValues({3: value_sets.of(0, i)}) for i in (1, 2))
    first = AbstractState((one, value_sets.of(0, 0)), (), {}, {}, frozenset({1}))
    assert step.after([first]) == replace(first, values=(one, value_sets.of(1, 1)))
    assert step.after([replace(first, values=(other, value_sets.of(0, 0)))]) == replace(
        first, values=(other, value_sets.of(1, 1))
    )
