"""Abstract arrays: values of cells at single indices, and of all others."""

from collections.abc import Mapping
from functools import cached_property, reduce

from chcverify.effort import MAX_CASES
from chcverify.quick_dataclass import dataclass
from solvers.value_analysis import value_sets
from solvers.value_analysis.value_sets import Pieces

MAX_CELLS = 64
"""Cells of an array whose values are kept apart. Chosen by hand."""


@dataclass(frozen=True)
class CellValues:
    """What the cells of an array may hold."""

    known: Mapping[int, Pieces]
    """Of some indices."""
    other: Pieces | None = None
    """Of all other cells; None: anything."""

    @cached_property
    def notes(self) -> dict[int, object]:
        """What was computed of the array for distances between objects, which is kept with it."""
        return {}

    def read(self, at: Pieces, anything: Pieces) -> Pieces:
        """The values of the cells at these indices."""
        indices = value_sets.numbers(at, MAX_CASES)
        if indices is None:
            read = [value for index, value in self.known.items() if value_sets.meet(at, ((index, index),))]
            found = value_sets.NONE if len(read) == value_sets.size(at) else self.other  # all of a table, or more
            return anything if found is None else reduce(value_sets.join, read, found)
        found = value_sets.NONE
        for index in indices:
            held = self.known.get(index, self.other)
            if held is None:
                return anything
            found = value_sets.join(found, held)
        return found

    def indices_of(self, value: Pieces, at: Pieces) -> Pieces:
        """Some of the indices `at`, with all of those whose cells may hold one of the values: the ends are left out as
        long as they are of cells that hold others."""
        found = []
        for low, high in at:
            while low <= high and self._never_holds(low, value):
                low += 1
            while low < high and self._never_holds(high, value):
                high -= 1
            if low <= high:
                found.append((low, high))
        return tuple(found)

    def is_in_string(self, index: int) -> bool:
        """Are the cells from one before an index on known, up to the first that holds zero and nothing else?"""
        if self.known.get(index - 1, value_sets.FALSE) == value_sets.FALSE:
            return False
        while index in self.known:
            if self.known[index] == value_sets.FALSE:
                return True
            index += 1
        return False

    def _never_holds(self, index: int, value: Pieces) -> bool:
        return index in self.known and not value_sets.meet(self.known[index], value)

    def written(self, at: Pieces, value: Pieces | None) -> "CellValues":
        """The array with a value in one of these cells. value: None is anything."""
        index = value_sets.constant(at)
        if index is not None:
            known = {**self.known}
            known.pop(index, None)
            if value is not None and len(known) < MAX_CELLS:
                known[index] = value
                return CellValues(known, self.other)
            return CellValues(
                known, None if value is None or self.other is None else value_sets.join(self.other, value)
            )
        known = {}
        for cell, old in self.known.items():
            if not value_sets.meet(at, ((cell, cell),)):
                known[cell] = old
            elif value is not None:
                known[cell] = value_sets.join(old, value)
        return CellValues(known, None if value is None or self.other is None else value_sets.join(self.other, value))

    def without_others(self) -> "CellValues":
        """The array as its known cells only, with the cell behind the last one, which ends a string."""
        if self.other is None or len(self.known) >= MAX_CELLS:
            return CellValues(self.known)
        return CellValues({**self.known, max(self.known, default=-1) + 1: self.other})

    def joined(self, other: "CellValues") -> "CellValues":
        """The cells of either."""
        if self is other:
            return self
        known = {}
        for index in {**self.known, **other.known}:
            one, two = self.known.get(index, self.other), other.known.get(index, other.other)
            if one is not None and two is not None:
                known[index] = value_sets.join(one, two)
        rest = None if self.other is None or other.other is None else value_sets.join(self.other, other.other)
        return CellValues(known, rest)

    def met(self, other: "CellValues") -> "CellValues":
        """The cells of both."""
        known: dict[int, Pieces] | None = None
        for index, value in other.known.items():
            mine = self.known.get(index, self.other)
            both = value if mine is None else value_sets.meet(mine, value)
            if both != mine:
                known = {**self.known} if known is None else known
                known[index] = both
        if known is None and other.other in (None, self.other):
            return self
        return CellValues(self.known if known is None else known, self.other if other.other is None else other.other)

    def narrowed(self, index: int, value: Pieces) -> "CellValues":
        """The array where only these values are possible in one cell."""
        old = self.known.get(index, self.other)
        if old is None:
            return CellValues({**self.known, index: value}, self.other) if len(self.known) < MAX_CELLS else self
        return CellValues({**self.known, index: value_sets.meet(old, value)}, self.other)


UNKNOWN = CellValues({})
