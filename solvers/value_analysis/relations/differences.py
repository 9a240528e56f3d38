"""Arguments whose difference is constant: what `x = y + 1` leaves behind, and variables that loops move together.

Karr: Affine relationships among variables of a program (Acta Informatica 1976), whose simplest case these are:
each class of arguments is described by the distances from one of them. They carry what is known of a copy, as of the
pointer that `*p++` reads through, over to the variable that was moved.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TypeVar

import z3

from solvers.value_analysis import value_sets
from solvers.value_analysis.clause_code import INTEGER, ClauseCode
from solvers.value_analysis.node_values import NodeValues, Value

Key = TypeVar("Key")

Differences = Mapping[int, tuple[int, int]]
"""For arguments in a class of at least two, by their positions: the position of the first in the class, and the
distance from that."""


def joined(
    one: Differences,
    ones: Sequence[Value],
    other: Differences,
    others: Sequence[Value],
    integers: Container[int] | None = None,
) -> Differences:
    """The differences of both states. ones, others: the values of their arguments; the difference of two arguments that
    are constant is known, too. integers: the positions of those that are integers; None: all are."""
    if one == other and (one or ones is others):
        return one
    classes: dict[tuple[int | None, int | None, int], list[tuple[int, int]]] = {}
    for position, (value, second) in enumerate(zip(ones, others, strict=True)):
        if integers is not None and position not in integers:
            continue
        first = one.get(position) or _from_zero(value)
        last = other.get(position) or _from_zero(second)
        if first is None or last is None or (first[0] is None and first == last):
            continue
        classes.setdefault((first[0], last[0], first[1] - last[1]), []).append((position, first[1]))
    return _of_classes(classes.values())


def _from_zero(value: Value) -> tuple[None, int] | None:
    """A constant as a distance from zero."""
    if not isinstance(value, tuple) or len(value) != 1 or value[0][0] != value[0][1]:
        return None
    return None, value[0][0]


def _of_classes(classes: Iterable[Sequence[tuple[int, int]]]) -> Differences:
    """classes: positions with distances from anything, in increasing order."""
    found: dict[int, tuple[int, int]] = {}
    for members in classes:
        if len(members) > 1:
            first, start = members[0]
            found.update({position: (first, distance - start) for position, distance in members})
    return found


class ClauseDifferences:
    """Differences from the body of a clause to its head."""

    def __init__(self, code: ClauseCode) -> None:
        self.code = code
        self._head = [
            (position, *_linear(code, node))
            for position, node in enumerate(code.head)
            if code.widths[node] == INTEGER and node not in code.constants
        ]
        self._alone = self._of_head({})

    def after(self, bodies: Sequence[Differences]) -> Differences:
        """The differences of the head's arguments. bodies: those of the atoms in the body."""
        known = self._in_body(bodies)
        return self._of_head(known) if known else self._alone

    def _of_head(self, known: Mapping[int, tuple[int, int]]) -> Differences:
        classes: dict[int, list[tuple[int, int]]] = {}
        for position, node, distance in self._head:
            first, further = known.get(node, (node, 0))
            classes.setdefault(first, []).append((position, distance + further))
        return _of_classes(classes.values())

    def _in_body(self, bodies: Sequence[Differences]) -> dict[int, tuple[int, int]]:
        """Nodes with their distances from others."""
        found: dict[int, tuple[int, int]] = {}
        for nodes, differences in zip(self.code.body, bodies, strict=True):
            for position, (first, distance) in differences.items():
                if position == first:
                    continue
                start, shift = found.get(nodes[first], (nodes[first], 0))
                node = nodes[position]
                if node not in found and node != start:
                    found[node] = start, shift + distance
        return found

    def narrowed(self, run: NodeValues, bodies: Sequence[Differences]) -> bool:
        """Narrows nodes by those at a constant distance; True if one changes. Raises Empty."""
        changed = False
        for nodes, differences in zip(self.code.body, bodies, strict=True):
            for position, (first, distance) in differences.items():
                one, other = nodes[position], nodes[first]
                if position == first or run.pieces(one) == value_sets.moved(run.pieces(other), distance):
                    continue
                changed |= run.narrow(other, value_sets.moved(run.pieces(one), -distance))
                changed |= run.narrow(one, value_sets.moved(run.pieces(other), distance))
        return changed


def _linear(code: ClauseCode, node: int) -> tuple[int, int]:
    """A node as another one and a constant that is added to it."""
    total = 0
    while True:
        parts = code.arguments[node]
        if len(parts) != 2 or code.kinds[node] not in (z3.Z3_OP_ADD, z3.Z3_OP_SUB):
            return node, total
        numbers = [code.constants.get(part) for part in parts]
        if numbers[1] is not None:
            distance = numbers[1][0][0]
            node, total = parts[0], total + (distance if code.kinds[node] == z3.Z3_OP_ADD else -distance)
        elif numbers[0] is not None and code.kinds[node] == z3.Z3_OP_ADD:
            node, total = parts[1], total + numbers[0][0][0]
        else:
            return node, total
