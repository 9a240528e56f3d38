"""Which arguments, and cells of arrays, may lead to an object that begins at an address."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from chcverify.effort import MAX_ALTERNATIVES
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.value_sets import Pieces

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
        numbers: dict[int, Pieces] = {}
        self._arrays: list[tuple[int, _HeldAddresses]] = []
        for position, value in enumerate(values):
            if position in reserved or value is None:
                continue
            if isinstance(value, CellValues):
                if value.known:
                    self._arrays.append((position, _held_addresses(value, stride)))
            else:
                numbers[position] = value
        self._numbers = _HeldAddresses(numbers, stride)
        self.is_empty = not numbers and not self._arrays
        """There is no such place, whatever the address is."""

    def to(self, address: int) -> list[Place]:
        """Those that may lead to the object at an address, a multiple of the stride."""
        found: list[Place] = [(position, None) for position in self._numbers.of(address)]
        for position, held in self._arrays:
            found += [(position, cell) for cell in held.of(address)]
        return found

    def to_with(self, address: int, values: Sequence[Value]) -> list[Place]:
        """As `to`, where most values of the arguments are the same objects."""
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


def is_around(value: Pieces, first: int, last: int) -> bool:
    """True if some of the numbers are an interval that goes beyond first and last."""
    return any(a < first and last < b for a, b in value)


class _HeldAddresses:
    """Which of some values, by their keys, may be addresses within half a stride of one."""

    def __init__(self, values: Mapping[int, Pieces], stride: int) -> None:
        self._stride = stride
        self._near: dict[int, list[int]] = {}  # by the number of strides to the address
        self._wide: list[tuple[int, Pieces]] = []
        half = stride // 2
        for key, held in values.items():
            numbers = [(-((half - 1 - a) // stride), (b + half - 1) // stride) for a, b in held]
            if len(numbers) == 1 and numbers[0][0] == numbers[0][1]:
                self._near.setdefault(numbers[0][0], []).append(key)
            elif sum(last - first + 1 for first, last in numbers) > MAX_ALTERNATIVES:
                self._wide.append((key, held))
            else:
                for number in {number for first, last in numbers for number in range(first, last + 1)}:
                    self._near.setdefault(number, []).append(key)

    def of(self, address: int) -> list[int]:
        """Those that may be near the address, a multiple of the stride."""
        first, last = address - self._stride // 2 + 1, address + self._stride // 2 - 1
        wide = [key for key, held in self._wide if value_sets.touches(held, first, last)]
        return [*self._near.get(address // self._stride, ()), *wide]


def _held_addresses(array: CellValues, stride: int) -> _HeldAddresses:
    """Those of an array's cells, which are listed once for all states that have the array."""
    found = array.notes.get(stride)
    if not isinstance(found, _HeldAddresses):
        found = array.notes[stride] = _HeldAddresses(array.known, stride)
    return found


def _cells(value: Value) -> Iterator[tuple[int | None, Pieces]]:
    """What the known cells of an array hold, or the values of a number, for which the cell is None."""
    if isinstance(value, CellValues):
        yield from value.known.items()
    elif value is not None:
        yield None, value
