"""Moves between a record and a member of it: `container_of(p, struct item, links)`, casts to or from a first member.

A pointer is cast to another type, perhaps after a constant number of bytes has been added to it, and one of both types
is a record that has a member of the other type, which is no array, at just this distance. In typed regions such a
pointer keeps its address: one that leads to the k-th member leads to the k-th record. Where the object is no such
record, what lies around the member is in no object, or the region is bytes (`Regions.leave_members`).
"""

from collections.abc import Iterator

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, children, postorder
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.types.c_types import CArray, CField, CInteger, CPointer, CRecord, CType, CVoid


@dataclass(frozen=True, eq=False)
class MemberMove:
    """A cast that leads from a member to the record around it (`is_outward`), or back.

    pointer: what is cast, before the bytes are added. path: the members from the record to the member. distance: the
    bytes before the member in the record. steps: the nodes between the cast and the pointer.
    """

    pointer: ir.Expression
    record: CRecord
    path: tuple[CField, ...]
    is_outward: bool
    distance: int
    steps: tuple[ir.Expression, ...]


class MemberMoves:
    """The moves of a program's casts."""

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes
        self._known: dict[int, tuple[Node, MemberMove | None]] = {}  # by the identity of the casts, kept alive

    def of(self, cast: Node) -> MemberMove | None:
        """The move that a cast is, None if it is none."""
        if not isinstance(cast, ir.Cast) or not isinstance(cast.type, CPointer) or _is_raw(cast.type.target):
            return None
        found = self._known.get(id(cast))
        if found is None:
            self._known[id(cast)] = found = cast, self._found(cast.operand, cast.type.target)
        return found[1]

    def steps_of(self, root: Node) -> set[int]:
        """The identities of the nodes below the root that are nothing but steps of moves."""
        moves = [move for node in postorder(root) if (move := self.of(node)) is not None]
        inside = {id(step) for move in moves for step in move.steps}
        if inside:
            inside.discard(id(root))
            for node in reversed(list(postorder(root))):  # what uses a part comes before it
                if id(node) not in inside and self.of(node) is None:
                    inside -= {id(child) for child in children(node)}
        return inside

    def _found(self, pointer: ir.Expression, target: CType) -> MemberMove | None:
        offset, steps = 0, list[ir.Expression]()
        while isinstance(pointer.type, CPointer) and _is_raw(pointer.type.target):
            steps.append(pointer)
            match pointer:
                case ir.Cast(operand=operand):
                    pointer = operand
                case ir.PointerAdd(pointer=inner, index=ir.Constant(value=int(index))):
                    pointer, offset = inner, offset + index
                case _:
                    return None
        if not isinstance(pointer.type, CPointer):
            return None
        source = pointer.type.target
        for record, member, is_outward in ((target, source, True), (source, target, False)):
            distance = -offset if is_outward else offset
            if isinstance(record, CRecord) and (distance or isinstance(member, CRecord)):
                path = self._path(record, member, distance)
                if path is not None:
                    return MemberMove(pointer, record, path, is_outward, distance, tuple(steps))
        return None

    def _path(self, record: CRecord, member: CType, distance: int) -> tuple[CField, ...] | None:
        """The members from a record to the one of a type at a distance in bytes.

        None where an array is on the way: addresses of its elements count these, not the records.
        """
        path: list[CField] = []
        while not record.is_union:
            step = next(self._around(record, distance), None)
            if step is None:
                return None
            path.append(step)
            distance -= step.offset
            if isinstance(step.type, CArray):
                return None
            if distance == 0 and step.type == member:
                return tuple(path)
            if not isinstance(step.type, CRecord):
                return None
            record = step.type
        return None

    def _around(self, record: CRecord, distance: int) -> Iterator[CField]:
        for member in self.sizes.records.get(record.tag, ()):
            if member.bit_offset is None and 0 <= distance - member.offset < self.sizes.of(member.type) // 8:
                yield member


def _is_raw(kind: CType) -> bool:
    """Is the type that of bytes, or of nothing?"""
    return isinstance(kind, CVoid) or (isinstance(kind, CInteger) and kind.width == 8)
