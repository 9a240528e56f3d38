"""Which arguments, and cells of arrays, may lead to an object that begins at an address."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.value_sets import Pieces

MAX_ADDRESSES = 8
"""Of objects in one interval that are listed; a longer interval is looked at for each address. Chosen by hand: the
intervals of pointers lie within one object, those of numbers span billions."""

Place = tuple[int, int | None]
"""An argument by its position; of an array, a cell by its index."""


def leads_to(value: Value, address: int, stride: int) -> Iterator[int | None]:
    """The cells of an array, or None for a number, that may be addresses within half a stride of one."""
    first, last = address - stride // 2 + 1, address + stride // 2 - 1
    for cell, held in _cells(value):
        if value_sets.touches(held, first, last):
            yield cell


def apart_from(value: Pieces, address: int, stride: int) -> Pieces:
    """The numbers that are no addresses within half a stride of one."""
    first, last = address - stride // 2, address + stride // 2
    if not value_sets.touches(value, first + 1, last - 1):
        return value
    return value_sets.meet(value, ((-value_sets.FAR, first), (last, value_sets.FAR)))


class PointingArguments:
    """The places that may lead to objects, listed once for all addresses.

    values: of the arguments. reserved: the positions of tracked objects, which are no pointers. stride: the distance of
    addresses where objects begin.
    """

    def __init__(self, values: Sequence[Value], reserved: Collection[int], stride: int) -> None:
        self.values, self.reserved, self.stride = values, reserved, stride
        self._near: dict[int, list[Place]] = {}  # by the number of strides to the address
        self._wide: list[tuple[Place, Pieces]] = []
        for position, value in enumerate(values):
            if position not in reserved:
                for cell, held in _cells(value):
                    self._add((position, cell), held)

    def _add(self, place: Place, held: Pieces) -> None:
        half, stride = self.stride // 2, self.stride
        numbers = [(-((half - 1 - a) // stride), (b + half - 1) // stride) for a, b in held]
        if sum(last - first + 1 for first, last in numbers) > MAX_ADDRESSES:
            self._wide.append((place, held))
            return
        for number in {number for first, last in numbers for number in range(first, last + 1)}:
            self._near.setdefault(number, []).append(place)

    def to(self, address: int) -> list[Place]:
        """Those that may lead to the object at an address, a multiple of the stride."""
        first, last = address - self.stride // 2 + 1, address + self.stride // 2 - 1
        wide = [place for place, held in self._wide if value_sets.touches(held, first, last)]
        return [*self._near.get(address // self.stride, ()), *wide]

    def to_with(self, address: int, values: Sequence[Value]) -> list[Place]:
        """As `to`, where the arguments have values most of which are the same objects."""
        pairs = enumerate(zip(self.values, values, strict=True))
        changed = {position for position, (old, new) in pairs if old is not new} - frozenset(self.reserved)
        found = [place for place in self.to(address) if place[0] not in changed]
        found += [(i, cell) for i in changed for cell in leads_to(values[i], address, self.stride)]
        return found

    def without(self, address: int, present: Collection[Place]) -> Mapping[int, Value]:
        """The values, by their positions, that change where no place leads to the object at an address, but those that
        may (present)."""
        found: dict[int, Value] = {}
        for position, cell in self.to(address):
            if (position, cell) in present:
                continue
            value = found.get(position, self.values[position])
            if isinstance(value, CellValues):
                assert cell is not None
                apart = apart_from(value.known[cell], address, self.stride)
                found[position] = CellValues({**value.known, cell: apart}, value.other)
            else:
                assert value is not None
                found[position] = apart_from(value, address, self.stride)
        return found


def _cells(value: Value) -> Iterator[tuple[int | None, Pieces]]:
    """What the known cells of an array hold, or the values of a number, for which the cell is None."""
    if isinstance(value, CellValues):
        yield from value.known.items()
    elif value is not None:
        yield None, value
