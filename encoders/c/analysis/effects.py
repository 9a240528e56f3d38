"""Effects of operations: the sets of state variables that they read and write (bit sets: variable.index is the bit)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.abstract_evaluation import AbstractEvaluator
from encoders.c.analysis.member_arrays import computed_addresses, is_held_inside
from encoders.c.analysis.memory.object_effects import ObjectEffects
from encoders.c.analysis.memory.tracked_objects import BlockLinks, BlockRanks, TrackedObjects
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import BYTE_CELL, RegionFlag
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import copied, is_copy
from encoders.c.cfa.expression_walk import Node, postorder
from encoders.c.cfa.inlining import Enter, FlatEdge, InlineFrame, Leave
from encoders.c.types.c_types import UCHAR, CArray, CPointer, CRecord, CType


@dataclass(frozen=True)
class Effect:
    """One part of a parallel assignment: `targets` change (all of them certainly if `kills`), depending on `reads`."""

    targets: int
    kills: bool
    reads: int


@dataclass(frozen=True)
class Effects:
    """The effects of an edge. reads: the variables that matter in any case (conditions). writes: in parallel."""

    reads: int
    writes: tuple[Effect, ...]

    def before(self, live: int) -> int:
        """The variables that are live before the edge if `live` are live after it (strong liveness)."""
        killed, needed = 0, self.reads
        for effect in self.writes:
            if effect.targets & live:
                needed |= effect.reads
            if effect.kills:
                killed |= effect.targets
        return (live & ~killed) | needed

    @property
    def targets(self) -> int:
        """The variables that may change."""
        return bits_of(effect.targets for effect in self.writes)

    @property
    def all_reads(self) -> int:
        """The variables that conditions and new values depend on."""
        return self.reads | bits_of(effect.reads for effect in self.writes)


def bits_of(masks: Iterable[int]) -> int:
    """The union of bit sets."""
    out = 0
    for mask in masks:
        out |= mask
    return out


def mask_of(variables: Iterable[StateVariable]) -> int:
    """The bit set of state variables."""
    return bits_of(1 << variable.index for variable in variables)


class EffectsOf:
    """Effects of the edges of a flat program, calls of summarised functions excepted."""

    def __init__(self, memory: Memory, objects: TrackedObjects) -> None:
        self.memory = memory
        self.objects, self.written = ObjectEffects(memory, objects), objects.written

    def __call__(self, edge: FlatEdge) -> Effects:
        """The effects of an edge."""
        effects, reads = self._of_operation(edge), self.objects.reads(edge)
        if reads and isinstance(edge.operation, ir.Assign):
            reads |= self.reads(edge.frame, edge.operation.value)
        changes = [
            Effect(targets, True, needed | self._address(edge)) for targets, needed in self.objects.changes(edge)
        ]
        if self.written.asked:
            reads |= self._unwritten(edge)
            changes += self._marks(edge, effects)
        if self.objects.objects.links:
            reads |= self._loads(edge)
            changes += self._referrers(edge, effects)
        if (doubtful := self.memory.unknown_target(edge, RegionFlag.CONVERTED | RegionFlag.FROM_BYTES)) is not None:
            reads |= self.reads(edge.frame, doubtful)  # so that no run goes beyond where it got a number
        reads |= self._held_inside(edge)
        if (unknown := self._through_unknown(edge)) is not None:
            changes.append(unknown)
        visits = self.objects.objects.visits
        if visits is not None and edge.source in visits.locations:
            changes.append(Effect(visits.mask, True, visits.mask))
        if not reads and not changes:
            return effects
        return Effects(effects.reads | reads, (*effects.writes, *changes))

    def _held_inside(self, edge: FlatEdge) -> int:
        """What it depends on if pointers leave the arrays, members of records, that they are held inside."""
        points_to, mask = self.memory.points_to, 0
        if not points_to.regions.are_held_inside:
            return mask
        for node in computed_addresses(*edge.roots):
            if isinstance(node, ir.PointerAdd) and is_held_inside(points_to, node, edge.frame):
                tracked = self.objects.objects.of(points_to.target(node, edge.frame))
                mask |= self.reads(edge.frame, node) | (0 if tracked is None else 1 << tracked.point.index)
        return mask

    def _through_unknown(self, edge: FlatEdge) -> Effect | None:
        """The effect of a write through a pointer that functions without a body may have made; None if it is none."""
        pointer = self.memory.unknown_target(edge)
        if pointer is None:
            return None
        targets = mask_of(v for leaf in self.memory.changed_by_unknown() for v in leaf.variables)
        return Effect(targets, False, self.reads(edge.frame, pointer))

    # --- what was written -------------------------------------------------------------------------------------------

    def beside(self, mask: int) -> int:
        """The variables that say which of some were written."""
        return mask_of(self.written.beside(self.memory.variables_of(mask)))

    def _unwritten(self, edge: FlatEdge) -> int:
        """What the check that something was written depends on."""
        if not isinstance(edge.operation, ir.CheckWritten):
            return 0
        lvalue = edge.operation.lvalue
        beside = self.beside(self.reads(edge.frame, ir.Load(lvalue, lvalue.type)))
        return beside | self.reads(edge.frame, lvalue) if beside else 0

    def _marks(self, edge: FlatEdge, effects: Effects) -> Iterator[Effect]:
        """The effects on what was written."""
        frame = edge.frame
        match edge.operation:
            case ir.Assign(lvalue=lvalue, value=value):
                yield from self._marked(frame, lvalue, frame, value if is_copy(edge.operation) else None)
            case ir.Allocate(lvalue=lvalue):
                yield from self._marked(frame, lvalue, frame, None)
                yield from (replace(effect, targets=self.beside(effect.targets)) for effect in effects.writes[2:])
            case ir.Havoc(arguments=arguments):
                reads = self.reads(frame, *arguments)
                yield from (Effect(self.beside(effect.targets), False, reads) for effect in effects.writes)
            case Enter(callee=callee, arguments=arguments):
                for parameter, value in zip(callee.function.parameters, arguments, strict=True):
                    copies = value if isinstance(parameter.type, CRecord) else None
                    yield from self._marked(callee, ir.VariableLValue.of(parameter), frame, copies)
            case Leave(callee=callee, lvalue=lvalue) if lvalue is not None and callee.function.result is not None:
                result = callee.function.result
                value = ir.Load(ir.VariableLValue.of(result), result.type)
                yield from self._marked(frame, lvalue, callee, value)
            case _:
                yield from (self._mark(effect) for effect in effects.writes)

    def _mark(self, effect: Effect, reads: int | None = None) -> Effect:
        """The effect on what was written of what an effect changes. reads: what it depends on, if not on the same.

        Of a byte around a bit-field the rest stays as it was.
        """
        around = self.beside(effect.targets & effect.reads)
        return Effect(self.beside(effect.targets), effect.kills, around | (effect.reads if reads is None else reads))

    def _marked(
        self, frame: InlineFrame, lvalue: ir.LValue, source: InlineFrame, value: ir.Expression | None
    ) -> Iterator[Effect]:
        """The effects of an assignment on what was written. value: what is copied; None: it is no copy."""
        if value is None:
            yield self._mark(self._write(frame, lvalue, 0))
            return
        where = copied(value)
        reads = self.beside(self.reads(source, value)) | (0 if where is None else self.reads(source, where))
        for effect in self._assign(frame, lvalue, source, value):
            yield self._mark(effect, reads | self.reads(frame, lvalue))

    def _referrers(self, edge: FlatEdge, effects: Effects) -> Iterator[Effect]:
        """The effects on what leads to tracked blocks: of stores to their links, allocations and releases."""
        for links in self.objects.objects.links.values():
            if links.order is not None:
                yield from self._ranks(links, links.order, effects)
            for array, referrer in links.cells:
                own = 1 << referrer.index
                around = own | 1 << links.tracked.point.index
                for write in effects.writes:
                    if write.targets >> array.index & 1:
                        yield Effect(own, True, around | write.reads)
                if isinstance(edge.operation, ir.Allocate | ir.Release):
                    fresh = self.memory.next_address(self.objects.objects.region_of(links.tracked)).index
                    yield Effect(own, True, around | 1 << fresh | self._address(edge))
                    yield Effect(1 << links.alive.index, False, 1 << fresh | self._address(edge))

    def _loads(self, edge: FlatEdge) -> int:
        """What it depends on if links that are read were stored."""
        return bits_of(
            1 << links.alive.index | 1 << links.tracked.point.index | self.reads(edge.frame, load.lvalue)
            for links, load in self.objects.objects.loads(edge)
        )

    def _ranks(self, links: BlockLinks, order: BlockRanks, effects: Effects) -> Iterator[Effect]:
        """The effects on the order of blocks: of stores to links."""
        own = order.mask | 1 << order.gap.index
        for write in effects.writes:
            if write.targets >> order.links.index & 1:
                alive = 1 << links.alive.index
                around = links.tracked.mask | alive | 1 << order.links.index
                yield Effect(alive, False, alive | write.reads)
                yield Effect(own, False, own | around | write.reads)

    def _address(self, edge: FlatEdge) -> int:
        """The state that decides which object an operation is about, or how large it is."""
        match edge.operation:
            case ir.Release(pointer=expression) | ir.Allocate(size=expression):
                return self.reads(edge.frame, expression)
            case ir.Declare(length=length) if length is not None:
                return self.reads(edge.frame, length)
            case _:
                return 0

    def _of_operation(self, edge: FlatEdge) -> Effects:
        """The effects on the program's own state."""
        frame = edge.frame
        match edge.operation:
            case ir.Assume(condition=condition):
                return Effects(self.reads(frame, condition), ())
            case ir.Assign(lvalue=lvalue, value=value):
                return Effects(0, tuple(self._assign(frame, lvalue, frame, value)))
            case ir.Nondet(lvalue=lvalue):
                return Effects(0, (self._write(frame, lvalue, 0),))
            case ir.Clear(lvalue=lvalue):
                return Effects(0, tuple(self._whole(frame, lvalue)))
            case ir.Declare(variable=variable, length=length):
                return Effects(0, tuple(self._declare(frame, variable, length)))
            case ir.Allocate(lvalue=lvalue, cleared=cleared):
                return Effects(0, tuple(self._allocate(frame, lvalue, cleared)))
            case ir.Havoc():
                leaves = self.memory.known_elsewhere()
                return Effects(0, tuple(Effect(mask_of(leaf.variables), False, 0) for leaf in leaves))
            case ir.Forget():
                return Effects(0, tuple(self._forget(edge.operation, frame)))
            case ir.CheckAccess(lvalue=lvalue, size=size):
                return Effects(self.reads(frame, *_deciding(lvalue), *(() if size is None else (size,))), ())
            case ir.Release(pointer=pointer):
                return Effects(self.reads(frame, pointer), ())
            case Enter(callee=callee, arguments=arguments):
                pairs = zip(callee.function.parameters, arguments, strict=True)
                return Effects(0, tuple(e for p, a in pairs for e in self.parameter(callee, p, frame, a)))
            case Leave(callee=callee, lvalue=lvalue) if lvalue is not None and callee.function.result is not None:
                result = callee.function.result
                value = ir.Load(ir.VariableLValue.of(result), result.type)
                return Effects(0, tuple(self._assign(frame, lvalue, callee, value)))
            case _:
                return Effects(0, ())

    def _forget(self, operation: ir.Forget, frame: InlineFrame) -> Iterator[Effect]:
        """The effects of the end of a block that nobody checks."""
        block = self.objects.objects.forgotten.of(operation, frame)
        for leaf, _, _ in () if block is None else block.parts:
            yield Effect(mask_of(leaf.variables), False, self.reads(frame, operation.pointer))

    def _declare(self, frame: InlineFrame, variable: ir.Variable, length: ir.Expression | None) -> Iterator[Effect]:
        """The effects of the beginning of a variable's lifetime. length: of a variable length array."""
        slot = slot_of(variable, frame)
        own = self.memory.activation(slot)
        if own is not None:
            fresh = 1 << self.memory.next_address(self.memory.points_to.regions.of_slot(slot)).index
            yield Effect(1 << own.index, True, fresh)
            yield Effect(fresh, True, fresh)
            return
        extra = 0 if length is None else self.reads(frame, length)
        for effect in self._whole(frame, ir.VariableLValue.of(variable)):
            yield Effect(effect.targets, effect.kills, effect.reads | extra)

    def parameter(
        self, callee: InlineFrame, parameter: ir.Variable, frame: InlineFrame, value: ir.Expression
    ) -> Iterator[Effect]:
        """The effects of giving a parameter of `callee` a value of the frame."""
        yield from self._assign(callee, ir.VariableLValue.of(parameter), frame, value)

    def reads(self, frame: InlineFrame, *roots: Node) -> int:
        """The state variables on which the values of expressions, or the addresses of lvalues, depend."""
        evaluator = AbstractEvaluator(self.memory, frame, {})
        mask = 0
        for node in postorder(*roots):
            if isinstance(node, ir.VariableLValue):
                own = self.memory.activation(slot_of(node.variable, frame))
                mask |= 0 if own is None else 1 << own.index
            if isinstance(node, ir.Load):
                if isinstance(node.type, CRecord | CArray):
                    region = self.memory.points_to.region_of(node.lvalue, frame)
                    mask |= bits_of(mask_of(leaf.variables) for leaf, _, _ in self.memory.parts(region, node.type))
                    continue
                cells = evaluator.cells(node.lvalue)
                leaf = self.memory.leaf(evaluator.address(node.lvalue)[0])
                mask |= mask_of(cells or leaf.variables) | self._pointer_bytes(leaf, node.type)
        return mask

    def _pointer_bytes(self, leaf: ScalarStorage, kind: CType) -> int:
        """What the value of a scalar depends on where bytes are read that may be parts of pointers."""
        if leaf.type != BYTE_CELL or isinstance(kind, CPointer):
            return 0
        return 1 << self.memory.pointer_bytes(leaf.region).index

    def _write(self, frame: InlineFrame, lvalue: ir.LValue, reads: int) -> Effect:
        evaluator = AbstractEvaluator(self.memory, frame, {})
        cells, leaf = evaluator.cells(lvalue), self.memory.leaf(evaluator.address(lvalue)[0])
        if partly := isinstance(lvalue, ir.FieldLValue) and lvalue.field.bit_offset is not None:
            reads |= self._pointer_bytes(leaf, lvalue.type)
        if cells:
            around = mask_of(cells) if partly and leaf.region.bytes else 0
            return Effect(mask_of(cells), True, reads | around)
        return Effect(mask_of(leaf.variables), False, reads | self.reads(frame, lvalue))

    def _assign(
        self, frame: InlineFrame, lvalue: ir.LValue, source: InlineFrame, value: ir.Expression
    ) -> Iterator[Effect]:
        reads = self.reads(source, value)
        if not isinstance(lvalue.type, CRecord):
            yield self._write(frame, lvalue, reads)
            return
        reads |= self.reads(frame, lvalue)
        region = self.memory.points_to.region_of(lvalue, frame)
        targets = [leaf for leaf, _, _ in self.memory.parts(region, lvalue.type)]
        if isinstance(value, ir.Load) and any(leaf.type != BYTE_CELL for leaf in targets):  # else cells are copied
            origin = self.memory.points_to.region_of(value.lvalue, source)
            reads |= bits_of(self._pointer_bytes(leaf, UCHAR) for leaf, _, _ in self.memory.parts(origin, value.type))
        for leaf in targets:
            yield Effect(mask_of(leaf.variables), False, reads)

    def _whole(self, frame: InlineFrame, lvalue: ir.LValue) -> Iterator[Effect]:
        """The effects of writing all cells of an object."""
        evaluator = AbstractEvaluator(self.memory, frame, {})
        region, (low, high) = evaluator.address(lvalue)
        reads = self.reads(frame, lvalue)
        for leaf, factor, count in self.memory.parts(region, lvalue.type):
            cells = cells_of(leaf, low * factor, count) if low == high else None
            if cells is not None:
                yield Effect(mask_of(cells), True, reads)
            else:
                kills = low == high and is_alone(self.memory, leaf, frame, lvalue)
                yield Effect(mask_of(leaf.variables), kills, reads)

    def _allocate(self, frame: InlineFrame, lvalue: ir.LValue, cleared: bool) -> Iterator[Effect]:
        node = self.memory.points_to.regions.pointee(self.memory.points_to.region_of(lvalue, frame))
        fresh = 1 << self.memory.next_address(node).index
        yield self._write(frame, lvalue, fresh)
        yield Effect(fresh, True, fresh)
        if cleared and self.memory.has_unclear(node) and node.type is not None:
            for leaf, _, _ in self.memory.parts(node, node.type):
                yield Effect(mask_of(leaf.variables), False, fresh)


def _deciding(lvalue: ir.LValue) -> Iterator[Node]:
    """The expressions on which it depends if an access to an lvalue is inside of an object."""
    while isinstance(lvalue, ir.FieldLValue | ir.ElementLValue):
        if isinstance(lvalue, ir.ElementLValue):
            yield lvalue.index
        lvalue = lvalue.base
    if isinstance(lvalue, ir.Dereference):
        yield lvalue.pointer


def cells_of(leaf: ScalarStorage, start: int, count: int | None) -> list[StateVariable] | None:
    """The cells of an object, if they are all state variables of their own; else None.

    start: the object's first address in the leaf. count: of its cells, None if not known.
    """
    if leaf.array is not None or count is None:
        return None
    return [leaf.cells[start + i] for i in range(count) if start + i in leaf.cells]


def is_alone(memory: Memory, leaf: ScalarStorage, frame: InlineFrame, lvalue: ir.LValue) -> bool:
    """True if the lvalue is the only object in the leaf's array."""
    if not isinstance(lvalue, ir.VariableLValue):
        return False
    region = memory.points_to.regions.of_slot(slot_of(lvalue.variable, frame))
    return len(memory.living(region)) == 1 and not memory.has_allocations(region) and leaf.array is not None
