"""Accesses and addresses beyond an array that is a member of a record.

C leaves them undefined (C11 6.5.6p8). Where members keep their types, the cells behind such an array are those of the
same member of the next record, and not what lies there: so an access beyond the array is an open check, and behind an
address that is computed beyond it, runs are not modelled.

Example: `p++` for a pointer into the member `char name[8]` of a block whose region is `HELD_INSIDE`. With the tracked
block at `point`, eight cells of the array for each address, a pointer p leads into the block if it is nearer than half
of OBJECT_STRIDE to 8 * point. It leaves the array if p + 1 < 8 * point or p + 1 > 8 * point + 8.
"""

from collections.abc import Iterator

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind
from chcverify.terms.core.traversal import disjunction
from encoders.c.analysis.member_arrays import ComputedAddress, computed_addresses, is_held_inside
from encoders.c.analysis.regions import Region, RegionFlag, find
from encoders.c.analysis.storage import OBJECT_STRIDE, Memory
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.encoding.integer_theory import BoundedTerm
from encoders.c.encoding.memory.memory_failure import MemoryFailure
from encoders.c.encoding.memory.memory_failures import AccessedBytes, MemoryFailures, Offset, Part, path_of
from encoders.c.encoding.memory.object_extents import divided
from encoders.c.types.c_types import CArray, CRecord


@dataclass(frozen=True, eq=False)
class _IndexedMember:
    """A part of an lvalue: an array that is a member, and the elements of it that the lvalue goes on with."""

    array: ir.FieldLValue
    elements: tuple[ir.ElementLValue, ...]


def failures_of_access(found: MemoryFailures, check: ir.CheckAccess, frame: InlineFrame) -> Iterator[MemoryFailure]:
    """All failures of an access, those of the object and those of the arrays that are members."""
    access = found.accessed(check)
    if access is not None:
        yield from found.of_access(access, frame)
        yield from MemberBounds(found, frame).of_access(check, access)


def trap_addresses(found: MemoryFailures, frame: InlineFrame) -> None:
    """Traps for the addresses that the translated expressions of an edge compute beyond arrays that are members."""
    points_to, reader = found.memory.points_to, found.reader
    are_checked = bool(found.memory.flat.program.checks & DEREFERENCES)
    if not are_checked and not points_to.regions.has_ambiguous_ends:
        return
    bounds = MemberBounds(found, frame)
    for node in list(computed_addresses(*reader.roots)):
        if not are_checked and not points_to.regions.are_ends_ambiguous(points_to.target(node, frame)):
            continue
        if (outside := bounds.of_address(node)) is not None:
            reader.trap(node, outside)


class MemberBounds:
    """What leaves an array that is a member. found: the failures of the same edge. frame: of the edge's expressions."""

    def __init__(self, found: MemoryFailures, frame: InlineFrame) -> None:
        self.found, self.frame = found, frame
        self.memory, self.points_to = found.memory, found.memory.points_to

    def of_access(self, check: ir.CheckAccess, access: AccessedBytes) -> Iterator[MemoryFailure]:
        """The failures of an access that is inside of its object, perhaps."""
        root, path, offset, width = access.root, access.path, access.offset, access.width
        outside = [] if self._is_bytes(check.lvalue) else list(self._of_indices(path, is_access=True))
        if isinstance(root, ir.Dereference) and is_held_inside(self.points_to, root.pointer, self.frame):
            outside.append(self._beyond(root.pointer, offset, width))
        elif isinstance(root, ir.Dereference):
            outside += self._beyond_whole(root, path, offset, width)
        for condition in outside:
            if z3.is_false(condition):
                continue
            if check.claim is ir.AccessClaim.HOLDS:  # that it is inside of the object says nothing of the array
                yield MemoryFailure(None, condition)
            else:
                yield MemoryFailure(CheckKind.BOUNDS, condition, is_open=True, ends=True)

    def of_address(self, node: ComputedAddress) -> z3.BoolRef | None:
        """The condition under which a computed address is not modelled; None where there is none."""
        if isinstance(node, ir.AddressOf):
            if self._is_bytes(node.lvalue):
                return None
            root, path = path_of(node.lvalue)
            outside = list(self._of_indices(path, is_access=False))
            if isinstance(root, ir.Dereference):
                offset, width = self.found.along(path)[0], self.found.number(self.found.sizes.of(node.lvalue.type) // 8)
                outside += self._beyond_whole(root, path, offset, width)
        elif is_held_inside(self.points_to, node.pointer, self.frame):
            outside = [self._left_by(node)]
        else:
            return None
        condition = disjunction(outside)
        return None if z3.is_false(condition) else condition

    def _is_bytes(self, lvalue: ir.LValue) -> bool:
        return self.points_to.region_of(lvalue, self.frame).bytes

    # --- indices ----------------------------------------------------------------------------------------------------

    def _of_indices(self, path: list[Part], is_access: bool) -> Iterator[z3.BoolRef]:
        """The indices of an lvalue leave an array that is a member, unless behind it lie nothing but more elements.

        The address behind the last element is that of the next record's first one, `&s[0].a[4]` of four elements that
        of `s[1].a[0]`, unless the region is HELD_INSIDE.
        """
        for member in _indexed_members(path):
            offset, _ = self.found.along(list(member.elements))
            unit = self.found.sizes.of(member.elements[-1].type) // 8
            region = self.points_to.region_of(member.array, self.frame)
            has_end = not is_access and RegionFlag.HELD_INSIDE in region.flags
            size = self.found.number(self.found.sizes.of(member.array.type) // 8)
            if not self._is_followed() and _is_trailing(self.memory, member.array, self.frame):
                outside = self.found.less(offset.term, self.found.number(0))
            else:
                outside = self._outside(offset.term, self.found.number(0 if has_end else unit), size)
            yield disjunction([outside, *offset.wild])

    def _outside(self, offset: BoundedTerm, width: BoundedTerm, size: BoundedTerm) -> z3.BoolRef:
        """offset < 0 or offset + width > size; not simplified by z3, which would order sums by when they were made."""
        below = self.found.less(offset, self.found.number(0))
        return disjunction([below, self.found.less(size, self.found.plus(offset, width))])

    def _is_followed(self) -> bool:
        return self.found.objects.follows_blocks or self.found.objects.written.asked

    def _beyond_whole(
        self, root: ir.Dereference, path: list[Part], offset: Offset, width: BoundedTerm
    ) -> list[z3.BoolRef]:
        """The element of an array that a pointer leads to as a whole, `(*p)[i]`, is none of the member that this is.

        Not 0 <= unit * (p mod count) + offset <= unit * count - width, for a member of `count` elements.
        """
        region = self.points_to.region_of(root, self.frame)
        is_member = region.parent is not None and not region.bytes and RegionFlag.HELD_INSIDE not in region.flags
        if not is_member or region.factor in (None, 1) or not path or not isinstance(path[0], ir.ElementLValue):
            return []
        assert region.factor is not None
        unit = self.found.element_bytes(region)
        _, place = divided(self.found.theory, self.found.reader.value(root.pointer), region.factor)
        first = self.found.plus(self.found.times(place, unit), offset.term)
        return [disjunction([self._outside(first, width, self.found.number(unit * region.factor)), *offset.wild])]

    # --- pointers ---------------------------------------------------------------------------------------------------

    def _beyond(self, pointer: ir.Expression, offset: Offset, width: BoundedTerm) -> z3.BoolRef:
        """An access through a pointer into an array goes beyond that.

        Of some object: the pointer leads into it, and not 0 <= 8 * place + offset <= size - width, for elements of 8
        bytes that the pointer is `place` of behind the first.
        """
        start, offset = self.found.peeled(pointer, offset)
        region, value = find(self.points_to.target(start, self.frame)), self.found.reader.value(start)
        unit = self.found.element_bytes(region)
        size = self.found.number(unit * (region.factor or 0))
        cases = []
        for first, is_here in self._objects(region, value):
            place = self.found.times(self.found.minus(value, first), unit)
            outside = disjunction([self._outside(self.found.plus(place, offset.term), width, size), *offset.wild])
            cases += [] if z3.is_false(outside) else [z3.And(is_here, outside)]
        return disjunction(cases)

    def _left_by(self, node: ir.PointerAdd) -> z3.BoolRef:
        """A pointer into an array is moved to an element that there is not, and not to the end either.

        Of some object: the pointer leads into it, and not 0 <= place <= count.
        """
        region = find(self.points_to.target(node.pointer, self.frame))
        before, after = self.found.reader.value(node.pointer), self.found.reader.value(node)
        count = self.found.number(region.factor or 0)
        cases = []
        for first, is_here in self._objects(region, before):
            outside = self._outside(self.found.minus(after, first), self.found.number(0), count)
            cases += [] if z3.is_false(outside) else [z3.And(is_here, outside)]
        return disjunction(cases)

    def _objects(self, region: Region, value: BoundedTerm) -> Iterator[tuple[BoundedTerm, z3.BoolRef]]:
        """The first cells of the objects that are followed, and the conditions that a pointer leads into them."""
        scale = self.memory.scale(region)
        tracked = self.found.objects.of(region)
        if tracked is not None:
            first = self.found.theory.scaled(self.found.at(tracked.point), scale)
            yield first, self.found.window(tracked, region, value)
            return
        half = OBJECT_STRIDE // 2 * scale
        for slot in self.memory.living(region):
            own = self.memory.scale(self.points_to.regions.of_slot(slot)) or 1
            start = self.memory.base(slot) // own * scale
            first, low, high = map(self.found.number, (start, start - half, start + half))
            yield first, z3.And(self.found.less(low, value), self.found.less(value, high))


def _indexed_members(path: list[Part]) -> Iterator[_IndexedMember]:
    """The arrays among the members on a path, with their elements there."""
    for number, part in enumerate(path):
        if not isinstance(part, ir.FieldLValue) or not isinstance(part.type, CArray):
            continue
        elements: list[ir.ElementLValue] = []
        for follower in path[number + 1 :]:
            if not isinstance(follower, ir.ElementLValue):
                break
            elements.append(follower)
        if elements:
            yield _IndexedMember(part, tuple(elements))


def _is_trailing(memory: Memory, part: ir.FieldLValue, frame: InlineFrame) -> bool:
    """Is an array the end of single objects, so that behind it lie more of its elements, and nothing else?"""
    region, kind = memory.points_to.region_of(part.base, frame), part.base.type
    if not isinstance(kind, CRecord) or kind.is_union or region.parent is not None:
        return False
    if region.flags & (RegionFlag.POINTER_ARITHMETIC | RegionFlag.GROWN):
        return False
    sizes, members = memory.points_to.regions.sizes, memory.flat.program.records.get(kind.tag, ())
    if not members or members[-1].name != part.field.name or any(count != 1 for _, count in region.objects):
        return False
    return 8 * part.field.offset + sizes.of(part.type) == sizes.of(kind)
