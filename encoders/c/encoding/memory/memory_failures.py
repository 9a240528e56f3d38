"""When a check of memory fails, as formulas over the state before the edge.

For each check of an edge there are several ways to fail: the pointer is null, the object is released, the access goes
beyond its end. Each is a `MemoryFailure`: a condition, and the kind of check that it violates. The encoder makes a
query of each, and the negations of all are the guard of the edge, so runs go on only where no check fails.

All numbers are bytes from the beginning of an object. If all objects of a region are variables that live as long as the
program, as far as pointers show, there is one case for each of them. In any other region only the tracked object can
be the one whose access fails; why no failure is missed is explained in analysis/memory/tracked_objects.py.

Example: `*p = 1`, four bytes, with the tracked object of p's region at `point`, of `size` bytes, in a state `state`.
One failure is p = null. With d = p - point, another is 0 <= d < size where the state is freed or gone: the object is
not alive any more. A third is 0 <= d < OBJECT_STRIDE and d + 4 > size where it is alive: the access goes beyond its
end.
"""

from collections.abc import Iterator
from dataclasses import replace

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.memory.lost_blocks import Holders
from encoders.c.analysis.memory.tracked_objects import BlockLinks, ObjectState, TrackedObject, TrackedObjects
from encoders.c.analysis.regions import Region, RegionFlag, find
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import pointer_moves
from encoders.c.cfa.inlining import InlineFrame, Slot
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.encoding.expression_terms import ExpressionTranslator, State
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.memory.link_terms import LinkTerms
from encoders.c.encoding.memory.memory_failure import MemoryFailure
from encoders.c.encoding.memory.object_extents import bytes_before, divided, member_offset
from encoders.c.encoding.memory.object_limits import is_behind_object, is_counted_in_cells, is_in_one_object
from encoders.c.encoding.memory.unknown_pointers import is_unknown
from encoders.c.types.c_types import CArray, CInteger, CPointer, CType, CVoid
from encoders.c.types.record_layout import LARGEST_OBJECT


@dataclass(frozen=True, eq=False)
class Offset:
    """A number of bytes, and the conditions under which one of its parts is too large to be computed with."""

    term: BoundedTerm
    wild: tuple[z3.BoolRef, ...] = ()


Part = ir.FieldLValue | ir.ElementLValue


@dataclass(frozen=True, eq=False)
class AccessedBytes:
    """The bytes of an access: `width` of them, at an offset in bytes from what the lvalue is a part of."""

    root: ir.VariableLValue | ir.Dereference
    path: list[Part]
    """The members and elements from there, outermost first."""
    offset: Offset
    width: BoundedTerm


def path_of(lvalue: ir.LValue) -> tuple[ir.VariableLValue | ir.Dereference, list[Part]]:
    """The object that an lvalue is a part of, and the members and elements that lead to the part, outermost first."""
    path: list[Part] = []
    while isinstance(lvalue, Part):
        path.append(lvalue)
        lvalue = lvalue.base
    return lvalue, path[::-1]


class MemoryFailures:
    """The failures of the checks of one edge."""

    def __init__(
        self,
        memory: Memory,
        objects: TrackedObjects,
        theory: IntegerEncoding,
        reader: ExpressionTranslator,
        state: State,
    ) -> None:
        self.memory, self.objects, self.theory, self.reader, self.state = memory, objects, theory, reader, state
        self.regions = memory.points_to.regions
        self.sizes = self.regions.sizes

    # --- terms ------------------------------------------------------------------------------------------------------

    def number(self, value: int) -> BoundedTerm:
        """A constant address or number of bytes."""
        return self.theory.address(value)

    def plus(self, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        return self.theory.advance(left, right, None, 1)

    def minus(self, left: BoundedTerm, right: BoundedTerm) -> BoundedTerm:
        return self.theory.advance(left, right, None, -1)

    def less(self, left: BoundedTerm, right: BoundedTerm, strict: bool = True) -> z3.BoolRef:
        assert left.range is not None and right.range is not None
        if left.range[1] < right.range[0] or (not strict and left.range[1] <= right.range[0]):
            return z3.BoolVal(True)
        if left.range[0] > right.range[1] or (strict and left.range[0] >= right.range[1]):
            return z3.BoolVal(False)
        return self.theory.address_less(left, right, strict)

    def at(self, variable: object) -> BoundedTerm:
        """The value of a variable of a tracked object."""
        return BoundedTerm(self.state(variable), (0, OBJECT_STRIDE << 60))  # type: ignore[arg-type]

    # --- accesses ---------------------------------------------------------------------------------------------------

    def accessed(self, check: ir.CheckAccess) -> AccessedBytes | None:
        """The bytes that a check names; None where they are certainly none, which need not lie anywhere."""
        root, path = path_of(check.lvalue)
        offset, first_bit = self.along(path)
        width = self._width(check.lvalue.type, check.size, first_bit)
        return None if width.constant == 0 and not check.counts_none else AccessedBytes(root, path, offset, width)

    def of_access(self, access: AccessedBytes, frame: InlineFrame) -> Iterator[MemoryFailure]:
        """The failures of an access."""
        if isinstance(access.root, ir.VariableLValue):
            yield from self._of_variable(access.root, access.offset, access.width, frame)
        else:
            yield from self._of_pointer(access.root.pointer, access.offset, access.width, frame)

    def _width(self, kind: CType, size: ir.Expression | None, first_bit: int) -> BoundedTerm:
        """The bytes of an access."""
        if size is not None:
            assert isinstance(size.type, CInteger)
            return self.theory.advance(self.number(0), self.reader.value(size), size.type, 1)
        return self.number(-(-(first_bit + self.sizes.of(kind)) // 8))

    def along(self, path: list[Part]) -> tuple[Offset, int]:
        """The bytes from the path's root to its end, and the first bit there (of a bit-field)."""
        total, wild, bit = self.number(0), list[z3.BoolRef](), 0
        for part in path:
            if isinstance(part, ir.FieldLValue):
                bit = part.field.bit_offset or 0
                total, bit = self.plus(total, self.number(part.field.offset + bit // 8)), bit % 8
            else:
                moved = self._moved(part.index, self.sizes.of(part.type) // 8)
                total = self.plus(total, moved.term)
                wild += moved.wild
        return Offset(total, tuple(wild)), bit

    def _moved(self, index: ir.Expression, unit: int) -> Offset:
        """index * unit bytes."""
        assert isinstance(index.type, CInteger)
        value = self.reader.value(index)
        assert value.range is not None
        limit = LARGEST_OBJECT // max(unit, 1)
        wild: tuple[z3.BoolRef, ...] = ()
        if value.range[0] < -limit or value.range[1] > limit:
            low, high = (self.theory.literal(bound, index.type) for bound in (-limit, limit))
            beyond = [self.theory.compare(">", value, high, index.type)]
            if index.type.signed:
                beyond.append(self.theory.compare("<", value, low, index.type))
            wild = (z3.Or(beyond),)
            value = BoundedTerm(value.term, (max(value.range[0], -limit), min(value.range[1], limit)))
        return Offset(self.theory.advance(self.number(0), value, index.type, unit), wild)

    def _of_variable(
        self, root: ir.VariableLValue, offset: Offset, width: BoundedTerm, frame: InlineFrame
    ) -> Iterator[MemoryFailure]:
        tracked = self.objects.of_variable(root.variable, frame)
        if not (isinstance(root.type, CArray) and root.type.length is None):
            inside = self._inside(offset.term, width, self.number(self.sizes.of(root.type) // 8))
            yield from self._out_of_bounds(offset, z3.Not(inside))
            return
        assert tracked is not None  # an array of variable length
        start = self.reader.located(root)
        here = self.theory.scaled(self.at(tracked.point), self.memory.scale(start.region))
        inside = self._inside(offset.term, width, self.at(tracked.size))
        yield from self._out_of_bounds(offset, z3.And(start.address.term == here.term, z3.Not(inside)), tracked, start)

    def _inside(self, offset: BoundedTerm, width: BoundedTerm, size: BoundedTerm) -> z3.BoolRef:
        """0 <= offset and offset + width <= size"""
        parts = [
            self.less(self.number(0), offset, strict=False),
            self.less(self.plus(offset, width), size, strict=False),
        ]
        return z3.simplify(z3.And(parts))

    def _out_of_bounds(
        self,
        offset: Offset,
        outside: z3.BoolRef,
        tracked: TrackedObject | None = None,
        pointer: LocatedCell | None = None,
    ) -> Iterator[MemoryFailure]:
        """The failure where an offset is outside; one alone that is wild is, too. Of several the sum may be inside, but
        that C leaves undefined (C11 6.5.6p8)."""
        address = None if pointer is None else pointer.address.term
        if not offset.wild:
            yield MemoryFailure(CheckKind.BOUNDS, outside, tracked, address)
            return
        calm = z3.Not(z3.Or(offset.wild))
        yield MemoryFailure(CheckKind.BOUNDS, z3.And(calm, outside), tracked, address)
        if len(offset.wild) == 1 and tracked is None:
            yield MemoryFailure(CheckKind.BOUNDS, offset.wild[0])
        else:
            yield MemoryFailure(CheckKind.BOUNDS, z3.Or(offset.wild), is_open=True, ends=True)

    # --- through pointers -------------------------------------------------------------------------------------------

    def _of_pointer(
        self, pointer: ir.Expression, offset: Offset, width: BoundedTerm, frame: InlineFrame
    ) -> Iterator[MemoryFailure]:
        pointer, offset = self.peeled(pointer, offset)
        region = find(self.memory.points_to.target(pointer, frame))
        value = self.reader.value(pointer)
        if value.constant == NULL:
            yield MemoryFailure(CheckKind.NULL, z3.BoolVal(True))
            return
        scale = self.memory.scale(region)
        if scale == 0:
            yield MemoryFailure(None, z3.BoolVal(True))
            return
        if self._is_certainly_inside(region, value, offset, width):
            return
        null = self.less(value, self.number(NULL // 2), strict=False)  # null is the same number at each scale
        unknown = is_unknown(self.memory, self.theory, region, value)
        if unknown is not None:
            yield from (MemoryFailure(kind, unknown, is_open=True) for kind in sorted(DEREFERENCES))
            null = z3.And(null, z3.Not(unknown))
        yield MemoryFailure(CheckKind.NULL, null)
        tracked = self.objects.of(region)
        if tracked is not None:
            yield from self._of_tracked(tracked, region, value, offset, width)
            yield from self._in_no_object(region, value, offset, width, unknown)
            return
        valid = [z3.BoolVal(False)]
        for slot in self.memory.living(region):
            within = self.plus(self._in_variable(slot, region, value), offset.term)
            valid.append(self._inside(within, width, self.number(self.sizes.of(slot.variable.type) // 8)))
        outside = z3.And(z3.Not(null), z3.Not(z3.Or(valid)))
        if unknown is not None:
            outside = z3.And(outside, z3.Not(unknown))
        yield from self._out_of_bounds(offset, z3.simplify(outside))

    def _in_variable(self, slot: Slot, region: Region, value: BoundedTerm) -> BoundedTerm:
        """The bytes from the beginning of a variable with a fixed address to a pointer."""
        own = self.memory.scale(self.regions.of_slot(slot)) or 1
        start = self.number(self.memory.base(slot) // own * self.memory.scale(region))
        begin = self.number(bytes_before(self.memory, slot))
        return self.minus(self._position(region, self.minus(value, start)), begin)

    def _begin(self, tracked: TrackedObject, region: Region) -> BoundedTerm:
        """The bytes before the tracked object in the record that would be around it (see bytes_before)."""
        begin = self.number(0)
        for slot in self.memory.living(region):
            if self.memory.activation(slot) is None and (before := bytes_before(self.memory, slot)):
                own = self.memory.scale(self.regions.of_slot(slot)) or 1
                is_here = self.state(tracked.point) == self.number(self.memory.base(slot) // own).term
                begin = BoundedTerm(z3.If(is_here, self.number(before).term, begin.term), (0, LARGEST_OBJECT))
        return begin

    def _is_certainly_inside(self, region: Region, value: BoundedTerm, offset: Offset, width: BoundedTerm) -> bool:
        """True if intervals show that an access is to a variable that lives for ever, as far as pointers show."""
        if offset.wild or value.range is None:
            return False
        for slot in self.memory.living(region):
            if self.memory.activation(slot) is None and not self.objects.is_measured(slot.variable):
                within = self.plus(self._in_variable(slot, region, value), offset.term)
                size = self.number(self.sizes.of(slot.variable.type) // 8)
                if z3.is_true(self._inside(within, width, size)):
                    return True
        return False

    def peeled(self, pointer: ir.Expression, offset: Offset) -> tuple[ir.Expression, Offset]:
        """The pointer that an access goes out from, and the bytes from there on."""
        pointer, moves = pointer_moves(pointer)
        for move in moves:
            assert isinstance(move.type, CPointer)
            target = move.type.target
            moved = self._moved(move.index, 1 if isinstance(target, CVoid) else self.sizes.of(target) // 8)
            offset = Offset(self.plus(offset.term, moved.term), (*offset.wild, *moved.wild))
        return pointer, offset

    def origin_of(self, pointer: ir.Expression) -> ir.Expression:
        """The pointer from which a pointer is computed: both lead to one block, else that is a violation."""
        return pointer_moves(pointer)[0]

    def window(self, tracked: TrackedObject, region: Region, value: BoundedTerm) -> z3.BoolRef:
        """The pointer points into the tracked object, or is computed from a pointer that does."""
        scale = self.memory.scale(region)
        half = self.number(OBJECT_STRIDE // 2 * scale)
        start = self.theory.scaled(self.at(tracked.point), scale)
        return z3.And(self.less(self.minus(start, half), value), self.less(value, self.plus(start, half)))

    def _of_tracked(
        self, tracked: TrackedObject, region: Region, value: BoundedTerm, offset: Offset, width: BoundedTerm
    ) -> Iterator[MemoryFailure]:
        window, state = self.window(tracked, region, value), self.at(tracked.state)
        address = self.on_top(region, value)
        unborn = state.term == self.number(ObjectState.UNBORN).term
        outside = CheckKind.NULL if CheckKind.NULL in self.objects.checks else CheckKind.BOUNDS
        yield MemoryFailure(outside, z3.And(window, unborn), tracked, address)
        ended = self.is_ended(state)
        yield MemoryFailure(CheckKind.LIFETIME, z3.And(window, ended), tracked, address)
        start = self.theory.scaled(self.at(tracked.point), self.memory.scale(region))
        within = self.plus(self._position(region, self.minus(value, start)), offset.term)
        within = self.minus(within, self._begin(tracked, region))
        inside = self._inside(within, width, self.at(tracked.size))
        alive = z3.And(z3.Not(unborn), z3.Not(ended))
        for failure in self._out_of_bounds(offset, z3.And(window, alive, z3.Not(inside))):
            yield replace(failure, tracked=tracked, address=address)

    def _in_no_object(
        self, region: Region, value: BoundedTerm, offset: Offset, width: BoundedTerm, unknown: z3.BoolRef | None
    ) -> Iterator[MemoryFailure]:
        """The failure of an access that is in no object: it follows from those for all choices of the tracked one.

        The pointer itself may lead to no object: `(a - 1)[i]`.
        """
        if not self.objects.are_limited or not is_counted_in_cells(region):
            return
        distance = OBJECT_STRIDE * self.memory.scale(region)
        if not offset.wild and is_in_one_object(value, distance):
            return
        bytes_ = self.minus(self._position(region, self.number(distance)), self._position(region, self.number(0)))
        assert bytes_.constant is not None
        place, moved = self._position(region, value), offset.term
        if not offset.wild:  # in no object wherever in its range the distance is
            assert moved.range is not None
            low, high = moved.range
            moved, width = self.number(high), self.minus(width, self.number(high - low))
        place = self.plus(place, moved)
        if self.theory.name != "lia" and bytes_.constant & (bytes_.constant - 1):  # it does not divide 2 ^ 64
            return
        beyond = z3.And(is_behind_object(self.theory, place, bytes_.constant, width), *map(z3.Not, offset.wild))
        condition = beyond if unknown is None else z3.And(beyond, z3.Not(unknown))
        yield MemoryFailure(CheckKind.BOUNDS, condition, is_implied=True)

    def is_ended(self, state: BoundedTerm) -> z3.BoolRef:
        """The object was alive, and is no more."""
        first, last = self.number(ObjectState.FREED), self.number(ObjectState.FIRST_FRAME)
        return z3.And(self.less(first, state, strict=False), self.less(state, last))

    def on_top(self, region: Region, value: BoundedTerm) -> z3.ExprRef:
        """The address in the top region."""
        scale = self.memory.scale(region)
        return value.term if scale == 1 else value.term / scale

    def _position(self, region: Region, relative: BoundedTerm) -> BoundedTerm:
        """The bytes from the beginning of an object to a pointer into a region.

        relative: the cells from the object's first one to the pointer.
        """
        region, unit = find(region), self.element_bytes(region)
        if region.parent is None:
            return self.times(relative, unit)
        parent, factor = find(region.parent), region.factor or 1
        record, index = relative, self.number(0)
        if RegionFlag.HELD_INSIDE in region.flags:  # objects are single records
            record, index = index, record
        elif factor != 1:
            record, index = divided(self.theory, relative, factor)
        outer = self.plus(self._position(parent, record), self.number(member_offset(self.memory, region)))
        return self.plus(outer, self.times(index, unit))

    def element_bytes(self, region: Region) -> int:
        """The bytes of a cell of a region."""
        region = find(region)
        return 1 if region.bytes or region.type is None else max(1, self.sizes.of(region.type) // 8)

    def times(self, value: BoundedTerm, factor: int) -> BoundedTerm:
        return self.theory.scaled(value, factor)

    # --- blocks -----------------------------------------------------------------------------------------------------

    def of_release(self, pointer: ir.Expression, frame: InlineFrame) -> Iterator[MemoryFailure]:
        """The failures of a call of free."""
        value = self.reader.value(pointer)
        if value.constant == NULL:
            return
        region = find(self.memory.points_to.target(pointer, frame))
        not_null = value.term != self.number(NULL).term
        unknown = is_unknown(self.memory, self.theory, region, value)
        if unknown is not None and not self.objects.follows_blocks:
            yield MemoryFailure(CheckKind.FREE, unknown, is_open=True)
        elif unknown is not None:
            yield MemoryFailure(None, unknown)
        if unknown is not None:
            not_null = z3.And(not_null, z3.Not(unknown))
        tracked, scale = self.objects.of(region), self.memory.scale(region)
        if tracked is None or scale == 0:
            yield MemoryFailure(CheckKind.FREE if scale else None, not_null)
            return
        yield MemoryFailure(CheckKind.FREE, z3.And(not_null, self.less(value, self.number(NULL // 2), strict=False)))
        is_block = self.at(tracked.state).term == self.number(ObjectState.HEAP).term
        fits = z3.And(is_block, self.is_first_byte(tracked, region, value))
        bad = z3.And(not_null, self.window(tracked, region, value), z3.Not(fits))
        yield MemoryFailure(CheckKind.FREE, bad, tracked, self.on_top(region, value))

    def is_first_byte(self, tracked: TrackedObject, region: Region, value: BoundedTerm) -> z3.BoolRef:
        """The pointer points to the tracked object's first byte."""
        start = self.theory.scaled(self.at(tracked.point), self.memory.scale(region))
        if find(region).parent is None:
            return value.term == start.term
        position = self._position(region, self.minus(value, start))
        return position.term == self.number(0).term

    def of_moved(self, tracked: TrackedObject, pointer: ir.Expression, frame: InlineFrame) -> Iterator[MemoryFailure]:
        """A pointer that is stored leads out of a block: while no other leads to that, it is lost; not modelled."""
        start, offset = self.peeled(pointer, Offset(self.number(0)))
        region = find(self.memory.points_to.target(start, frame))
        value, scale = self.reader.value(start), self.memory.scale(region)
        if scale == 0 or value.constant == NULL:
            return
        first = self.theory.scaled(self.at(tracked.point), scale)
        position = self.plus(self._position(region, self.minus(value, first)), offset.term)
        inside = self._inside(position, self.number(0), self.at(tracked.size))
        lives = self.at(tracked.state).term == self.number(ObjectState.HEAP).term
        outside = z3.Or(z3.Not(inside), *offset.wild)
        yield MemoryFailure(None, z3.And(lives, self.window(tracked, region, value), outside))

    def of_lost(self, holders: Holders) -> Iterator[MemoryFailure]:
        """The failure that a block is lost. Where more than one step may lead to it, that is not modelled."""
        tracked, null = holders.tracked, self.number(NULL).term
        lives = self.at(tracked.state).term == self.number(ObjectState.HEAP).term
        free = [z3.Not(self._leads_to(tracked, cell, region)) for cell, region in holders.direct]
        lost = z3.And(lives, *free)
        unlinked = (
            lost if holders.links is None else z3.And(lost, z3.Not(self._is_linked(holders.links, holders.upward)))
        )
        if holders.visits is not None:  # a block that is lost stays lost
            enough = self.state(holders.visits.counter) == self.number(NULL + holders.visits.most).term
        else:
            enough = z3.BoolVal(True)
        if holders.is_open:
            yield MemoryFailure(None, z3.And(lost, enough))
        elif not holders.first:
            yield MemoryFailure(CheckKind.LEAK, unlinked, tracked)
        else:
            alone = z3.And([self.state(cell) == null for cell in holders.first])
            yield MemoryFailure(CheckKind.LEAK, z3.And(unlinked, alone), tracked)
            yield MemoryFailure(None, z3.And(unlinked, z3.Not(alone), enough))

    def _is_linked(self, links: BlockLinks, upward: bool) -> z3.BoolRef:
        """A living block leads to the tracked one, in the direction of the links.

        If that holds of each block to which no variable leads, all are reachable: following the blocks that lead to it,
        from any of them, comes to no block twice, so it ends, at one to which a variable leads, or a block of another
        region. To that these blocks do not lead, and that it is not lost is asked for itself.
        """
        point, null = self.at(links.tracked.point), self.number(NULL)
        cases = [self.state(link.referrer) != null.term for link in links.outer]
        if links.order is not None:
            (_, referrer), terms = links.referrers[0], LinkTerms(self.theory, self.state)
            return z3.Or(terms.leads_upwards(links, links.order, self.state(referrer)), *cases)
        for _, referrer in links.referrers:
            holder = BoundedTerm(self.state(referrer), (NULL, OBJECT_STRIDE << 60))
            if upward:
                cases.append(z3.And(holder.term != null.term, self.theory.address_less(holder, point, True)))
            else:  # the cell may be any of its block's, which is another one
                end = self.plus(point, self.number(OBJECT_STRIDE))
                cases.append(self.theory.address_less(end, holder, False))
        return z3.Or(cases)

    def _leads_to(self, tracked: TrackedObject, cell: StateVariable, region: Region) -> z3.BoolRef:
        """The pointer in a cell points into the tracked object, or to its end."""
        if self.memory.scale(region) == 0:
            return z3.BoolVal(False)
        start = self.theory.scaled(self.at(tracked.point), self.memory.scale(region))
        value = BoundedTerm(self.state(cell), UNBOUNDED)
        position = self._position(region, self.minus(value, start))
        return self._inside(position, self.number(0), self.at(tracked.size))

    def of_end(self, leaves_main: bool) -> Iterator[MemoryFailure]:
        """The failures at the end of the program: a block lives."""
        if CheckKind.CLEANUP not in self.objects.checks:
            return
        for top, tracked in self.objects.all():
            if self.objects.has_blocks(top):
                lives = self.at(tracked.state).term == self.number(ObjectState.HEAP).term
                yield MemoryFailure(CheckKind.CLEANUP if leaves_main else None, lives, tracked)
