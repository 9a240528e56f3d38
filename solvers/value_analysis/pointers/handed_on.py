"""Which places of a clause's head may lead to an object, where it is known which of the body may."""

from collections.abc import Collection, Iterable, Sequence

from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.node_values import NodeValues, Value
from solvers.value_analysis.pointers.pointing_arguments import Place, PointingArguments, is_around
from solvers.value_analysis.pointers.value_sources import ValueSources, Window


class HandedOn:
    """How the arguments of an atom in a clause's body go on to its head. Most are handed on as they are; only the
    others are looked at.

    run: the values of the clause's nodes. nodes, values: those of the atom's arguments. reserved, stride: as of
    PointingArguments, of the head.
    """

    def __init__(
        self, run: NodeValues, nodes: Sequence[int], values: Sequence[Value], reserved: Collection[int], stride: int
    ) -> None:
        self._run, self._stride = run, stride
        self._place = {node: position for position, node in enumerate(nodes)}
        self._same: dict[int, list[int]] = {}  # by positions of the atom, those of the head
        head = run.code.head
        changed: list[Value] = [None] * len(head)
        for position, node in enumerate(head):
            place = self._place.get(node)
            if place is None or run.values[node] is not values[place]:
                changed[position] = run.values[node]
            elif position not in reserved:
                self._same.setdefault(place, []).append(position)
        self._unmoved = frozenset(place for place, positions in self._same.items() if positions == [place])
        self._changed = PointingArguments(changed, reserved, stride)

    def leaves(self, addresses: Iterable[int], places: frozenset[Place]) -> bool:
        """True if the same places of the head may lead to the objects at these addresses as of the atom, and no value
        that is computed may. places: those of the atom."""
        if not all(position in self._unmoved for position, _ in places):
            return False
        return self._changed.is_empty or not any(self._changed.to(address) for address in addresses)

    def present(self, address: int, before: frozenset[Place]) -> frozenset[Place] | None:
        """The places of the head that may lead to the object at an address; None if a value that is computed may.
        before: those of the atom.

        A computed value whose interval goes beyond the object on both sides, as that of most numbers, is counted as
        leading there: to find out that it does not would take a case for each object.
        """
        new = []
        places = self._changed.to(address)
        if places:
            sources = ValueSources(self._run, self._place, before)
            window = (address - self._stride // 2 + 1, address + self._stride // 2 - 1)
            for position, cell in places:
                leads = sources.may_be(self._run.code.head[position], cell, window)
                if leads is None and not self._is_around(position, cell, window):
                    return None
                if leads is not False:
                    new.append((position, cell))
        if not new and all(place in self._unmoved for place, _ in before):
            return before
        kept = [(position, cell) for place, cell in before for position in self._same.get(place, ())]
        found = frozenset([*kept, *new])
        return before if found == before else found

    def _is_around(self, position: int, cell: int | None, window: Window) -> bool:
        """True if the interval of an argument of the head, or of a cell of it, goes beyond a window on both sides."""
        value = self._run.values[self._run.code.head[position]]
        held = value.known.get(cell) if isinstance(value, CellValues) and cell is not None else value
        return not isinstance(held, tuple) or is_around(held, *window)
