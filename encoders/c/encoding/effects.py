"""What operations read and write, as sets of state variables (bit sets: variable.index is the bit)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from encoders.c import ir
from encoders.c.encoding.abstract import AbstractEvaluator
from encoders.c.encoding.points_to import slot_of
from encoders.c.encoding.walk import Node, postorder
from encoders.c.inline import Enter, FlatEdge, Frame, Leave
from encoders.c.memory import Leaf, Memory, StateVariable
from encoders.c.types import CArray, CRecord


@dataclass(frozen=True)
class Effect:
    """One part of a parallel assignment: `targets` change (all of them certainly if `kills`), depending on `reads`."""

    targets: int
    kills: bool
    reads: int


@dataclass(frozen=True)
class Effects:
    """reads: what the edge needs in any case (conditions)."""

    reads: int
    writes: tuple[Effect, ...]

    def before(self, live: int) -> int:
        """Strong liveness: what matters before the edge if `live` matters after it."""
        killed, needed = 0, self.reads
        for effect in self.writes:
            if effect.targets & live:
                needed |= effect.reads
            if effect.kills:
                killed |= effect.targets
        return (live & ~killed) | needed

    @property
    def targets(self) -> int:
        return bits_of(effect.targets for effect in self.writes)

    @property
    def all_reads(self) -> int:
        return self.reads | bits_of(effect.reads for effect in self.writes)


def bits_of(masks: Iterable[int]) -> int:
    out = 0
    for mask in masks:
        out |= mask
    return out


def mask_of(variables: Iterable[StateVariable]) -> int:
    return bits_of(1 << variable.index for variable in variables)


class EffectsOf:
    """Effects of the edges of a flat program, calls of summarised functions excepted."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def __call__(self, edge: FlatEdge) -> Effects:
        frame = edge.frame
        match edge.operation:
            case ir.Assume(condition=condition):
                return Effects(self.reads(frame, condition), ())
            case ir.Assign(place=place, value=value):
                return Effects(0, tuple(self._assign(frame, place, frame, value)))
            case ir.Nondet(place=place):
                return Effects(0, (self._write(frame, place, 0),))
            case ir.Clear(place=place):
                return Effects(0, tuple(self._whole(frame, place)))
            case ir.Declare(variable=variable, length=length):
                slot = slot_of(variable, frame)
                own = self.memory.activation(slot)
                if own is not None:
                    fresh = 1 << self.memory.next_address(self.memory.points_to.regions.of_slot(slot)).index
                    return Effects(0, (Effect(1 << own.index, True, fresh), Effect(fresh, True, fresh)))
                place = ir.VariablePlace(variable, variable.type)
                extra = 0 if length is None else self.reads(frame, length)
                return Effects(0, tuple(Effect(e.targets, e.kills, e.reads | extra) for e in self._whole(frame, place)))
            case ir.Allocate(place=place, cleared=cleared):
                return Effects(0, tuple(self._allocate(frame, place, cleared)))
            case ir.Havoc():
                leaves = self.memory.known_elsewhere()
                return Effects(0, tuple(Effect(mask_of(leaf.variables), False, 0) for leaf in leaves))
            case Enter(callee=callee, arguments=arguments):
                pairs = zip(callee.function.parameters, arguments, strict=True)
                return Effects(0, tuple(e for p, a in pairs for e in self.parameter(callee, p, frame, a)))
            case Leave(callee=callee, place=place) if place is not None and callee.function.result is not None:
                result = callee.function.result
                value = ir.Load(ir.VariablePlace(result, result.type), result.type)
                return Effects(0, tuple(self._assign(frame, place, callee, value)))
            case _:
                return Effects(0, ())

    def parameter(self, callee: Frame, parameter: ir.Variable, frame: Frame, value: ir.Expression) -> Iterator[Effect]:
        """A parameter of `callee` gets a value of the frame."""
        yield from self._assign(callee, ir.VariablePlace(parameter, parameter.type), frame, value)

    def reads(self, frame: Frame, *roots: Node) -> int:
        """All state variables on which the values of expressions, or the addresses of places, depend."""
        evaluator = AbstractEvaluator(self.memory, frame, {})
        mask = 0
        for node in postorder(*roots):
            if isinstance(node, ir.VariablePlace):
                own = self.memory.activation(slot_of(node.variable, frame))
                mask |= 0 if own is None else 1 << own.index
            if isinstance(node, ir.Load):
                if isinstance(node.type, CRecord | CArray):
                    region = self.memory.points_to.place(node.place, frame)
                    mask |= bits_of(mask_of(leaf.variables) for leaf, _, _ in self.memory.parts(region, node.type))
                    continue
                cells = evaluator.cells(node.place)
                leaf = self.memory.leaf(evaluator.address(node.place)[0])
                mask |= mask_of(cells or leaf.variables)
        return mask

    def _write(self, frame: Frame, place: ir.Place, reads: int) -> Effect:
        evaluator = AbstractEvaluator(self.memory, frame, {})
        cells = evaluator.cells(place)
        if cells:
            partly = isinstance(place, ir.FieldPlace) and place.field.bit_offset is not None
            around = mask_of(cells) if partly and evaluator.address(place)[0].bytes else 0
            return Effect(mask_of(cells), True, reads | around)
        leaf = self.memory.leaf(evaluator.address(place)[0])
        return Effect(mask_of(leaf.variables), False, reads | self.reads(frame, place))

    def _assign(self, frame: Frame, place: ir.Place, source: Frame, value: ir.Expression) -> Iterator[Effect]:
        reads = self.reads(source, value)
        if not isinstance(place.type, CRecord):
            yield self._write(frame, place, reads)
            return
        region = self.memory.points_to.place(place, frame)
        for leaf, _, _ in self.memory.parts(region, place.type):
            yield Effect(mask_of(leaf.variables), False, reads | self.reads(frame, place))

    def _whole(self, frame: Frame, place: ir.Place) -> Iterator[Effect]:
        """All cells of an object."""
        evaluator = AbstractEvaluator(self.memory, frame, {})
        region, (low, high) = evaluator.address(place)
        reads = self.reads(frame, place)
        for leaf, factor, count in self.memory.parts(region, place.type):
            cells = cells_of(leaf, low * factor, count) if low == high else None
            if cells is not None:
                yield Effect(mask_of(cells), True, reads)
            else:
                kills = low == high and is_alone(self.memory, leaf, frame, place)
                yield Effect(mask_of(leaf.variables), kills, reads)

    def _allocate(self, frame: Frame, place: ir.Place, cleared: bool) -> Iterator[Effect]:
        node = self.memory.points_to.regions.pointee(self.memory.points_to.place(place, frame))
        fresh = 1 << self.memory.next_address(node).index
        yield self._write(frame, place, fresh)
        yield Effect(fresh, True, fresh)
        if cleared and self.memory.has_unclear(node) and node.type is not None:
            for leaf, _, _ in self.memory.parts(node, node.type):
                yield Effect(mask_of(leaf.variables), False, fresh)


def cells_of(leaf: Leaf, start: int, count: int | None) -> list[StateVariable] | None:
    """The cells of an object, if they are all state variables of their own."""
    if leaf.array is not None or count is None:
        return None
    return [leaf.cells[start + i] for i in range(count) if start + i in leaf.cells]


def is_alone(memory: Memory, leaf: Leaf, frame: Frame, place: ir.Place) -> bool:
    """Does the place cover everything that lives in the leaf's array?"""
    if not isinstance(place, ir.VariablePlace):
        return False
    region = memory.points_to.regions.of_slot(slot_of(place.variable, frame))
    return len(memory.living(region)) == 1 and not region.dynamic and leaf.array is not None
