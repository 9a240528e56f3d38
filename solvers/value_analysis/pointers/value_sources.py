"""Where the values of a clause's head come from: arguments of the body, through reads, writes and choices."""

from collections.abc import Collection, Mapping

import z3

from chcverify.effort import MAX_CASES
from solvers.value_analysis import value_sets
from solvers.value_analysis.node_values import NodeValues
from solvers.value_analysis.pointers.pointing_arguments import Place

Window = tuple[int, int]
"""The first and the last one of some numbers."""


class ValueSources:
    """Values of a clause's nodes, where of the body's arguments only some places may hold numbers of a window.

    run: the values. place: the positions of the nodes that are arguments of the body. present: the places that may.
    """

    def __init__(self, run: NodeValues, place: Mapping[int, int], present: Collection[Place]) -> None:
        self.run, self.place, self.present = run, place, present

    def may_be(self, node: int, cell: int | None, window: Window) -> bool | None:
        """Whether a node, or a cell of an array, may be a number of the window; None if that is computed."""
        is_computed = False
        work = [(node, cell)]
        while work:
            node, cell = work.pop()
            if not self._touches(node, cell, window):
                continue
            if node in self.place:
                if (self.place[node], cell) in self.present:
                    return True
                continue
            if node in self.run.code.constants:
                return True
            sources = self._sources(node, cell)
            is_computed |= sources is None
            work += sources or ()
        return None if is_computed else False

    def _touches(self, node: int, cell: int | None, window: Window) -> bool:
        if cell is None:
            return value_sets.touches(self.run.pieces(node), *window)
        cells = self.run.cells(node)
        held = cells.known.get(cell, cells.other)
        return held is None or value_sets.touches(held, *window)

    def _sources(self, node: int, cell: int | None) -> list[Place] | None:
        """The nodes, or their cells, such that a node or cell equals one of them; None if it may be another one."""
        kind, arguments = self.run.code.kinds[node], self.run.code.arguments[node]
        if kind == z3.Z3_OP_ITE:
            return [(branch, cell) for branch in arguments[1:]]
        if kind == z3.Z3_OP_STORE and cell is not None:
            array, index, value = arguments
            at = self.run.pieces(index)
            written: list[Place] = [(value, None)] if value_sets.touches(at, cell, cell) else []
            return written if at == ((cell, cell),) else [*written, (array, cell)]
        if kind == z3.Z3_OP_SELECT and cell is None:
            array, index = arguments
            indices = value_sets.numbers(self.run.pieces(index), MAX_CASES)
            return None if indices is None else [(array, each) for each in indices]
        return None
