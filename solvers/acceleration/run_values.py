"""Values of runs: numbers, Booleans and arrays; in a family of states also those that depend on the iteration.

Numbers are ints (Fractions of reals), Booleans bools. Arrays are immutable nodes, shared from state to state, so that
what an iteration has written is what lies above the array that it began with.
"""

from fractions import Fraction
from typing import NamedTuple

from chcverify.quick_dataclass import dataclass

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Affine:
    """start + slope * n, n the number of the iteration; slope is not 0."""

    start: Number
    slope: Number


@dataclass(frozen=True, eq=False, slots=True)
class ConstantArray:
    """The array with this value everywhere."""

    value: "Value"


@dataclass(frozen=True, eq=False, slots=True)
class Stored:
    """The array below with one cell replaced."""

    below: "Array"
    index: "Value"
    value: "Value"


@dataclass(frozen=True, eq=False, slots=True)
class Filled:
    """The array below with value + slope * m in the cells start + step * m, 0 <= m < count; step is not 0.

    Only `count` may depend on the iteration.
    """

    below: "Array"
    start: int
    step: int
    count: "int | Affine"
    value: "Value"
    slope: Number


Array = ConstantArray | Stored | Filled
Value = int | Fraction | bool | Affine | Array
State = tuple[Value, ...]


class Write(NamedTuple):
    """A cell that was stored to."""

    cell: Value
    value: Value


def affine(start: Number, slope: Number) -> int | Fraction | Affine:
    """start + slope * n, as a plain number if the slope is 0."""
    return Affine(start, slope) if slope else start


def parts(value: Value) -> tuple[Number, Number] | None:
    """start and slope of a number; None for other values."""
    if isinstance(value, Affine):
        return value.start, value.slope
    return (value, 0) if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


def at(value: Value, n: int) -> Value:
    """The value in iteration n."""
    if isinstance(value, Affine):
        return value.start + value.slope * n
    if isinstance(value, ConstantArray | Stored | Filled):
        return _array_at(value, n)
    return value


def _array_at(array: Array, n: int) -> Array:
    """The array in iteration n; shares all nodes below the last one that depends on the iteration."""
    above: list[Stored | Filled] = []
    deepest = 0
    node = array
    while isinstance(node, Stored | Filled):
        above.append(node)
        deepest = len(above) if _depends(node) else deepest
        node = node.below
    if not deepest:
        return array
    node = above[deepest - 1].below
    for part in reversed(above[:deepest]):
        if isinstance(part, Stored):
            node = Stored(node, at(part.index, n), at(part.value, n))
        else:
            count = at(part.count, n)
            assert isinstance(count, int)
            node = Filled(node, part.start, part.step, count, part.value, part.slope)
    return node


def _depends(node: Stored | Filled) -> bool:
    own = (node.index, node.value) if isinstance(node, Stored) else (node.count,)
    return any(isinstance(part, Affine) for part in own)


def read(array: Value, index: Value) -> Value:
    """array[index], of values that do not depend on an iteration."""
    node = array
    while True:
        if isinstance(node, Stored):
            if node.index == index:
                return node.value
        elif isinstance(node, Filled):
            assert isinstance(index, int) and isinstance(node.count, int)
            m, rest = divmod(index - node.start, node.step)
            if not rest and 0 <= m < node.count:
                return node.value + node.slope * m if node.slope else node.value  # type: ignore[operator]
        else:
            assert isinstance(node, ConstantArray)
            return node.value
        node = node.below


class UndecidedEquality(Exception):
    """Raised if the equality of two arrays cannot be decided."""


def equal(left: Value, right: Value) -> bool:
    """Equality of values that do not depend on an iteration."""
    if left is right or not isinstance(left, ConstantArray | Stored | Filled):
        return left == right
    cells: dict[Value, None] = {}
    bases: list[Value] = []
    filled = False
    for array in (left, right):
        node = array
        while not isinstance(node, ConstantArray):
            assert isinstance(node, Stored | Filled)
            if isinstance(node, Stored):
                cells[node.index] = None
            else:
                filled = True
                assert isinstance(node.count, int)
                cells.update(dict.fromkeys((node.start, node.start + node.step * (node.count - 1))))
            node = node.below
        bases.append(node.value)
    if any(isinstance(cell, ConstantArray | Stored | Filled) for cell in cells):
        raise UndecidedEquality
    if not all(equal(read(left, cell), read(right, cell)) for cell in cells) or not equal(*bases):
        return False
    if filled:
        raise UndecidedEquality
    return True


def writes(array: Array, base: Array, most: int) -> list[Write] | None:
    """The writes to `array` above `base`, first to last; None if `base` is not below it within `most` writes."""
    found: list[Write] = []
    node = array
    while node is not base:
        if not isinstance(node, Stored) or len(found) == most:
            return None
        found.append(Write(node.index, node.value))
        node = node.below
    return found[::-1]
