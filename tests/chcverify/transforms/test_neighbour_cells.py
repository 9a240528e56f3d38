"""Cells of neighbours: found where a clause reads what a block and the next one hold."""

import z3

from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.arithmetic.index_functions import INDEX
from chcverify.transforms.abstractions.cell_morphing import CellMorphing
from chcverify.transforms.abstractions.neighbour_cells import neighbour_cells

ARRAY = z3.ArraySort(z3.IntSort(), z3.IntSort())
LIST = Predicate("list", (z3.IntSort(), ARRAY, ARRAY), None, ("node", "next", "data"), (Role.SCALAR, *[Role.ARRAY] * 2))
node = z3.Int("node")
following, data = z3.Consts("following data", ARRAY)


def compared(left: z3.ArithRef, right: z3.ArithRef) -> HornSystem:
    return HornSystem.of((Clause(None, (LIST(node, following, data),), left > right),))


def test_data_of_neighbours_that_are_compared() -> None:
    system = compared(data[node], data[following[node]])
    (cell,) = neighbour_cells(system)
    assert (cell.array, cell.index_term) == ("data", z3.Const("next", ARRAY)[INDEX])
    cells, _ = CellMorphing(related=neighbour_cells).apply(system)
    (changed,) = cells.predicates
    assert changed.names == ("node", "k'0", "next[k'0]", "data[k'0]", "data[next[k'0]]")
    assert changed.role(4) is Role.NEIGHBOUR
    assert len(cells.clauses[0].body) == 1  # both cells are of one index


def test_links_and_blocks_apart_are_no_neighbours() -> None:
    assert neighbour_cells(compared(following[following[node]], following[node])) == ()
    assert neighbour_cells(compared(data[following[node]], node)) == ()
