"""Where values come from: compared with all values of small arrays and numbers."""

from itertools import product

import pytest
import z3

from chcverify.horn.system import Clause, Predicate
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.evaluation import solve
from solvers.value_analysis.node_values import NodeValues
from solvers.value_analysis.pointers.value_sources import ValueSources

INT, ARRAY = z3.IntSort(), z3.ArraySort(z3.IntSort(), z3.IntSort())
P = Predicate("P", (ARRAY, INT, INT, INT))
CELLS, X, Y, AT = z3.Const("cells", ARRAY), *z3.Ints("x y at")
ANY = ((0, 9),)


def may_be(term: z3.ExprRef, cell: int | None, present: set[tuple[int, int | None]]) -> bool | None:
    """Whether the term, or its cell, may be 5 or 6, where of the body's arguments only some may."""
    head = Predicate("Q", (term.sort(),))(term)
    code = ClauseCode(Clause(head, (P(CELLS, X, Y, AT),), z3.BoolVal(True)), TermTable())
    run = NodeValues(code)
    for node, value in zip(code.body[0], (CellValues({0: ANY, 1: ANY}), ANY, ANY, ((0, 1),)), strict=True):
        run.narrow(node, value)
    assert solve(run)
    place = {node: position for position, node in enumerate(code.body[0])}
    return ValueSources(run, place, present).may_be(code.head[0], cell, (5, 6))


@pytest.mark.parametrize(
    "term, cell, sources",
    [
        (X, None, {(1, None)}),
        (CELLS, 1, {(0, 1)}),
        (z3.Store(CELLS, 0, X), 0, {(1, None)}),
        (z3.Store(CELLS, 0, X), 1, {(0, 1)}),
        (z3.Store(CELLS, AT, X), 1, {(0, 1), (1, None)}),
        (z3.Select(CELLS, AT), None, {(0, 0), (0, 1)}),
        (z3.If(Y > 3, X, Y), None, {(1, None), (2, None)}),
        (z3.If(Y > 3, z3.Store(CELLS, 1, Y), CELLS), 1, {(0, 1), (2, None)}),
        (z3.Store(z3.Store(CELLS, 1, Y), 1, X), 1, {(1, None)}),
    ],
)
def test_a_value_comes_from_these_arguments(
    term: z3.ExprRef, cell: int | None, sources: set[tuple[int, int | None]]
) -> None:
    everything: list[tuple[int, int | None]] = [(0, 0), (0, 1), (1, None), (2, None)]
    for chosen in product((False, True), repeat=len(everything)):
        present = {place for place, is_present in zip(everything, chosen, strict=True) if is_present}
        assert may_be(term, cell, present) == bool(present & sources)


def test_what_is_computed_is_not_known() -> None:
    assert may_be(X + 1, None, set()) is None
    assert may_be(X + 9, None, {(1, None)}) is False  # from 9 on
    assert may_be(z3.IntVal(5), None, set()) is True
