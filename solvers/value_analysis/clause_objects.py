"""The tracked objects of a clause: which the clause leaves as they are, and which it reads or changes."""

from collections.abc import Iterator, Sequence

import z3

from chcverify.quick_dataclass import dataclass
from solvers.value_analysis.clause_code import ClauseCode
from solvers.value_analysis.states import TrackedArguments

ObjectNodes = tuple[int | None, int | None, int | None]
"""The nodes of the size and the state of a tracked object, and of the next fresh address."""


def _object_nodes(item: TrackedArguments, nodes: Sequence[int]) -> ObjectNodes:
    """The nodes of a tracked object. nodes: of all arguments."""
    size, state, fresh = (
        None if position is None else nodes[position] for position in (item.size, item.state, item.fresh)
    )
    return size, state, fresh


@dataclass(frozen=True, eq=False)
class TrackedInClause:
    """A tracked object in a clause."""

    point: int
    """The node of its address."""
    stride: int
    body: tuple[tuple[int, int], ...]
    """Where the atoms in the body have it (atom, number of their tracked objects)."""
    head: tuple[int, ...]
    """Their numbers in the head."""
    equal: tuple[int, ...]
    """The nodes that its address is compared with."""
    is_same: bool
    """The head has what an atom of the body has, and the constraint does not read it."""


class ClauseObjects:
    """The tracked objects of a clause.

    of_body, of_head: those of each atom in the body, and of the head.
    """

    def __init__(
        self, code: ClauseCode, of_body: Sequence[Sequence[TrackedArguments]], of_head: Sequence[TrackedArguments]
    ) -> None:
        self._code = code
        self._body_nodes = [
            [_object_nodes(item, nodes) for item in items] for items, nodes in zip(of_body, code.body, strict=True)
        ]
        self.head_nodes = [_object_nodes(item, code.head) for item in of_head]
        self._at_entry = frozenset(
            (atom, number)
            for atom, items in enumerate(of_body)
            for number, item in enumerate(items)
            if item.is_at_entry
        )
        self.all = list(self._found(of_body, of_head))

    def of_body(self, atom: int, number: int) -> ObjectNodes:
        """The nodes of a tracked object of the body."""
        return self._body_nodes[atom][number]

    def _found(
        self, of_body: Sequence[Sequence[TrackedArguments]], of_head: Sequence[TrackedArguments]
    ) -> Iterator[TrackedInClause]:
        code = self._code
        points: dict[int, int] = {}
        body: dict[int, list[tuple[int, int]]] = {}
        head: dict[int, list[int]] = {}
        for atom, arguments in enumerate(of_body):
            for number, item in enumerate(arguments):
                point = code.body[atom][item.point]
                points[point] = item.stride
                body.setdefault(point, []).append((atom, number))
        for number, item in enumerate(of_head):
            points[code.head[item.point]] = item.stride
            head.setdefault(code.head[item.point], []).append(number)
        read = self._code.below([code.constraint])
        for point, stride in points.items():
            yield from self._of_point(point, stride, body.get(point, []), head.get(point, []), read)

    def _of_point(
        self, point: int, stride: int, suppliers: list[tuple[int, int]], consumers: list[int], read: set[int]
    ) -> Iterator[TrackedInClause]:
        """A tracked object: what of it the clause leaves as it is, as that before the call that goes on, and the rest.
        read: by the constraint."""
        of_body = [self.of_body(*supplier) for supplier in suppliers]
        new = [node for n in consumers if self.head_nodes[n] not in of_body for node in self.head_nodes[n]]
        read = read | self._code.below(node for node in new if node is not None)
        is_read = point in read or any(node in read for nodes in of_body for node in nodes)
        same = [s for s in suppliers if s in self._at_entry and self._is_alone(s, suppliers, read)]
        if not is_read and len({atom for atom, _ in suppliers}) <= 1:
            same = suppliers
        of_same = [self.of_body(*supplier) for supplier in same]
        kept = tuple(number for number in consumers if self.head_nodes[number] in of_same)
        if same:
            yield TrackedInClause(point, stride, tuple(same), kept, (), is_same=True)
        rest = tuple(supplier for supplier in suppliers if supplier not in same)
        if rest or len(kept) < len(consumers):
            others, equal = (number for number in consumers if number not in kept), self._equal(point)
            yield TrackedInClause(point, stride, rest, tuple(others), tuple(equal), is_same=False)

    def _is_alone(self, supplier: tuple[int, int], suppliers: Sequence[tuple[int, int]], read: set[int]) -> bool:
        """True if its state and the next address of its region are not read, nor are they those of another one."""
        _, *own = self.of_body(*supplier)
        others = [node for other in suppliers if other != supplier for node in self.of_body(*other)[1:]]
        return all(node is None or (node not in read and node not in others) for node in own)

    def _equal(self, point: int) -> Iterator[int]:
        """The nodes that a node is compared with."""
        for kind, parts in zip(self._code.kinds, self._code.arguments, strict=True):
            if kind == z3.Z3_OP_EQ and point in parts:
                left, right = parts
                yield right if left == point else left
