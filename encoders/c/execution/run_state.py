"""The state of a run: objects, calls, choices, and the semantics of reads and writes."""

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import begins_unwritten
from encoders.c.cfa.expression_walk import Node
from encoders.c.cfa.type_sizes import uncovered
from encoders.c.execution.closures import Code
from encoders.c.execution.inputs import InputStep, ObjectValue, Oracle, Scalar
from encoders.c.execution.memory.memory_checks import MemoryChecks
from encoders.c.execution.objects import (
    ANY_BITS,
    NULL_POINTER,
    UNKNOWN_POINTER,
    CValue,
    ExecutionStuck,
    NumberPointer,
    Object,
    PartlyWritten,
    Pointer,
    Spot,
    WrittenBits,
    complete,
    gaps,
    load,
    overlapping_cells,
    split,
    store,
)
from encoders.c.library.model_files import MODELS
from encoders.c.types.c_types import BOOL, UCHAR, CFloat, CInteger, CPointer, CRecord, CType

if TYPE_CHECKING:
    from encoders.c.execution.compiled_automata import EdgeInstruction


@dataclass(eq=False)
class Activation:
    """A call in execution."""

    function: ir.FunctionCfa
    call: "EdgeInstruction | None" = None
    objects: dict[str, Object] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class InputRecord:
    """A step in progress: its object's contents are complete only when the run is over."""

    edge: ir.Edge
    value: Scalar | ObjectValue | None = None
    made: Object | None = None
    others: list[tuple[object, Scalar]] = field(default_factory=list)
    objects: tuple[tuple[ir.Variable, ObjectValue], ...] = ()

    def step(self) -> InputStep:
        return InputStep(self.edge, self._chosen(), tuple(self.others), self.objects)

    def complete(self) -> None:
        """The object is about to get other contents."""
        self.value, self.made = self._chosen(), None

    def _chosen(self) -> Scalar | ObjectValue | None:
        made = self.made
        if made is None:
            return self.value
        return ObjectValue({**made.contents, **made.reads}, made.default, made.byte_offsets, made.kinds)


class Order:
    """The order of objects' addresses as far as a run has assumed it: a partial order."""

    def __init__(self) -> None:
        self._after: dict[Object, set[Object]] = {}

    def is_before(self, one: Object, two: Object) -> bool | None:
        """True if the first object's address is lower, False if it is higher, None if that is not decided."""
        return True if self._leads(one, two) else False if self._leads(two, one) else None

    def add(self, first: Object, second: Object) -> None:
        """From now on the first object's address is lower."""
        self._after.setdefault(first, set()).add(second)

    def _leads(self, one: Object, two: Object) -> bool:
        work, seen = [one], {one}
        while work:
            found = self._after.get(work.pop(), set()) - seen
            if two in found:
                return True
            seen |= found
            work += found
        return False


class RunState:
    """The state of a run. keeps: record the oracle's choices. locals: of the innermost call.

    shared: the values of nodes that an expression contains several times. escaped: the objects that functions without a
    body were given pointers to. memory: decides the checks of memory, None where the program has none.
    """

    def __init__(self, code: Code, oracle: Oracle, keeps: bool = True) -> None:
        self.code, self.program, self.oracle, self.keeps = code, code.program, oracle, keeps
        self.sizes = code.sizes
        self.globals: dict[str, Object] = {}
        self.stack = [Activation(self.program.functions[self.program.initialise])]
        self.locals = self.stack[-1].objects
        self.shared: dict[int, CValue | Spot] = {}
        self.records: list[InputRecord] = []
        self.record: InputRecord | None = None
        self.chosen_contents: dict[Object, InputRecord] = {}  # the record of what each object holds now
        self.edge: ir.Edge | None = None
        self.order = Order()
        self._padding: dict[str, tuple[tuple[int, int], ...]] = {}  # by the record's tag
        self.escaped: list[Object] = []  # what functions without a body were given
        self.memory = MemoryChecks(self.program.checks, self.sizes, self.user_edge) if code.checks_memory else None

    def user_edge(self) -> ir.Edge | None:
        """The executed edge, or the call of the user's code in whose callees it is: what library models do counts for
        their call.
        """
        if self.edge is None or not self.edge.origin.file.startswith(MODELS):
            return self.edge
        calls = [activation.call.edge for activation in reversed(self.stack) if activation.call is not None]
        return next((edge for edge in calls if not edge.origin.file.startswith(MODELS)), self.edge)

    def recorded(self) -> InputRecord:
        """The record of the edge that is executed now."""
        if self.record is None:
            assert self.edge is not None
            self.record = InputRecord(self.edge)
            self.records.append(self.record)
        return self.record

    def record_contents(self, made: Object) -> None:
        """The edge that is executed now has chosen the contents of an object."""
        if self.keeps:
            self.chosen_contents[made] = record = self.recorded()
            record.made = made

    def complete_record(self, made: Object) -> None:
        """An object is about to get other contents than were chosen for it."""
        old = self.chosen_contents.pop(made, None)
        if old is not None:
            old.complete()

    def scalars(self, kind: CType, offset: int) -> Iterator[tuple[CType, int]]:
        """The scalar cells, and unions, of an object of a type, with their bit offsets."""
        work = [(kind, offset)]
        while work:
            kind, offset = work.pop()
            element = getattr(kind, "element", None)
            if isinstance(kind, CRecord):
                if kind.is_union:
                    yield kind, offset
                    continue
                for member in self.program.records.get(kind.tag, ()):
                    work.append((member.type, offset + 8 * member.offset + (member.bit_offset or 0)))
            elif element is not None:
                step = self.sizes.of(element)
                work.extend((element, offset + i * step) for i in range(getattr(kind, "length", 0) or 0))
            else:
                yield kind, offset

    # --- memory -----------------------------------------------------------------------------------------------------

    def object(self, variable: ir.Variable) -> Object:
        objects = self.globals if variable.function is None else self.locals
        found = objects.get(variable.unique)
        if found is None:
            found = objects[variable.unique] = self.made(variable.name, variable.constant)
            self.begin_written(found, not begins_unwritten(variable))
            if self.memory is not None:
                self.memory.begin_variable(found, variable)
        return found

    def global_value(self, variable: ir.Variable) -> CValue | None:
        """The value of a global scalar; None before it has one."""
        found = self.globals.get(variable.unique)
        cell = None if found is None else found.cells.get(0)
        return None if cell is None else cell[1]

    def begin_written(self, made: Object, is_written: bool) -> None:
        """All of a new object was written, or nothing, where that matters."""
        if self.code.tracks_written:
            made.written = WrittenBits(is_written)

    def made(self, name: str, constant: bool = False) -> Object:
        """A new object; constant: nobody but its declaration changes it."""
        return Object(name, 8 * self.program.data_model.pointer, constant=constant)

    def get(self, target: Object | None, offset: int, kind: CType) -> CValue:
        if isinstance(kind, CRecord):
            return Pointer(target, offset)
        if target is None:
            self.require_address(offset)
            return self.undefined(Pointer(target, offset), kind)
        try:
            value = load(target, offset, kind)
        except PartlyWritten:
            for gap in gaps(target, offset, self.sizes.of(kind)):
                self.unwritten(target, gap, UCHAR)
            value = load(target, offset, kind)
        if value is UNKNOWN_POINTER:
            raise ExecutionStuck(
                "what functions without a body do to pointers is not modelled; see --undefined-functions"
            )
        return self.unwritten(target, offset, kind) if value is None else value

    def unwritten(self, source: Object, offset: int, kind: CType) -> CValue:
        value: CValue
        if source.is_cleared(offset):
            return NULL_POINTER if isinstance(kind, CPointer) else 0.0 if isinstance(kind, CFloat) else 0
        if source.has_unknown_pointers and isinstance(kind, CPointer):
            store(source, offset, kind, UNKNOWN_POINTER)
            return UNKNOWN_POINTER
        chosen = source.contents.get(offset)
        value = self.oracle.unwritten(kind, source.default) if chosen is None else chosen
        if isinstance(kind, CInteger):
            value = kind.wrap(int(value))
        elif isinstance(kind, CFloat):
            value = float(value)
        source.reads[offset], source.kinds[offset] = value, kind
        if isinstance(kind, CPointer):
            value = NULL_POINTER if value == 0 else Pointer(None, int(value))
        store(source, offset, kind, value)
        return value

    def put(self, target: Object | None, offset: int, kind: CType, value: CValue) -> None:
        if target is None:
            self.require_address(offset)
            return  # a write through an invalid pointer changes nothing that the program can rely on
        if not isinstance(kind, CRecord):
            if self.memory is not None and self.memory.references is not None:
                self.memory.references.before_write(target, offset, kind)
                self.memory.references.written(target, value)
            if target.written is not None:
                target.written.add(offset, self.sizes.of(kind))
            store(target, offset, kind, value)
            return
        assert isinstance(value, Pointer)
        width = self.sizes.of(kind)
        bits = self.written_bits(value.target, value.offset, width)
        self._copy_record(target, offset, kind, value)
        self.put_written(target, offset, bits or [True] * width)

    def written_bits(self, source: Object | None, offset: int, width: int) -> list[bool]:
        """The bits of an object that were written; [] if that is not looked for."""
        return [] if source is None or source.written is None else source.written.of(offset, width)

    def put_written(self, target: Object | None, offset: int, bits: list[bool]) -> None:
        """Makes these bits of an object as written as others were."""
        if target is not None and target.written is not None:
            target.written.put(offset, bits)

    def _copy_record(self, target: Object, offset: int, kind: CRecord, value: Pointer) -> None:
        if kind.is_union:
            self._copy_bytes(target, offset, value, self.sizes.of(kind))
            return
        cells = list(self.scalars(kind, 0))
        values = [self.get(value.target, value.offset + start, cell) for cell, start in cells]
        for (cell, start), item in zip(cells, values, strict=True):
            self.put(target, offset + start, cell, item)
        self._copy_padding(target, offset, kind, value)

    def _copy_padding(self, target: Object, offset: int, kind: CRecord, value: Pointer) -> None:
        """Copies the bits of a record that belong to no member, as compilers do: C leaves them open (6.2.6.1)."""
        source = value.target
        if source is None:
            return
        for start, width in self.padding(kind):
            into, out_of = offset + start, value.offset + start
            is_held = bool(overlapping_cells(target, into, width))
            if not (is_held or source.cleared != target.cleared or overlapping_cells(source, out_of, width)):
                continue
            piece = UCHAR if width == 8 else CInteger("byte", width, False, 1)
            found = self._padding_at(source, out_of, piece, is_held)
            self._before_overwriting(target, into, width)
            split(target, into, width)
            if found is not None:
                target.cells[into] = piece, found

    def _padding_at(self, source: Object, offset: int, piece: CInteger, is_chosen: bool) -> CValue | None:
        """The bits of padding at an offset, None if nobody wrote them. is_chosen: then they are any byte."""
        try:
            found = load(source, offset, piece)
        except ExecutionStuck:  # a part of a pointer, or bits that were not all written
            return None
        if found is None and (source.cleared or (is_chosen and piece == UCHAR)):
            return self.unwritten(source, offset, piece)
        return found

    def padding(self, kind: CRecord) -> tuple[tuple[int, int], ...]:
        """The bits of a record that belong to no member: first bit and number of those of each byte."""
        found = self._padding.get(kind.tag)
        if found is None:
            members = [(start, self.sizes.of(cell)) for cell, start in self.scalars(kind, 0)]
            found = self._padding[kind.tag] = uncovered(self.sizes.of(kind), members)
        return found

    def _copy_bytes(self, target: Object, offset: int, value: Pointer, width: int) -> None:
        """Copies a union, whatever it holds."""
        if value.target is None:
            raise ExecutionStuck("copy through an invalid pointer")
        source = value.target
        for gap in gaps(source, value.offset, width):
            self.unwritten(source, gap, UCHAR)
        if source.cleared:
            complete(source, value.offset, width)
        cells = {start: cell for start, cell in source.cells.items() if 0 <= start - value.offset < width}
        self._before_overwriting(target, offset, width)
        if self.memory is not None and self.memory.references is not None:
            for _, copied in cells.values():
                self.memory.references.written(target, copied)
        split(target, offset, width)
        for start, cell in cells.items():
            target.cells[start - value.offset + offset] = cell
        target.grain = ANY_BITS

    def _before_overwriting(self, target: Object, offset: int, width: int) -> None:
        """Notes the pointers that lie in bits that are overwritten."""
        if self.memory is not None and self.memory.references is not None:
            self.memory.references.before_overwriting(target, offset, width)

    def position(self) -> str:
        """The position of the executed edge, as FILE:LINE:COLUMN."""
        return "" if self.edge is None else str(self.edge.origin)

    def require_address(self, offset: int) -> None:
        """Raises ExecutionStuck for accesses through a null pointer; through other invalid pointers they give any
        value.
        """
        if offset == 0:
            raise ExecutionStuck(f"{self.position()}: access through a null pointer")

    def is_gone(self, target: Object) -> bool:
        """Is the lifetime of an object over, so that another one may have its address?"""
        if target.has_ended or target.allocated is not None:
            return target.has_ended
        places = (self.globals, *(activation.objects for activation in self.stack))
        return all(made is not target for objects in places for made in objects.values())

    def ordered(self, node: Node, operator: str, one: Object, two: Object) -> bool:
        """The truth of a comparison of pointers into different objects: any that fits the earlier ones of the run."""
        less = self.order.is_before(one, two)
        truth = bool(self.undefined(node, BOOL))
        if less is None:
            first, second = (one, two) if truth == (operator[0] == "<") else (two, one)
            self.order.add(first, second)
            return truth
        truth = less == (operator[0] == "<")
        if self.keeps:
            self.recorded().others[-1] = (node, int(truth))
        return truth

    def undefined(self, node: Node | Pointer, kind: CType) -> CValue:
        value = self.oracle.undefined(node, kind)
        if self.keeps:
            self.recorded().others.append((node, value))
        if isinstance(kind, CPointer):
            return NULL_POINTER if value == 0 else NumberPointer(None, int(value))
        return kind.wrap(int(value)) if isinstance(kind, CInteger) else float(value)

    def undefined_number(self, node: Node, value: int) -> int:
        """The value that processors give an operation that C leaves undefined: no run has another one."""
        if self.keeps:
            self.recorded().others.append((node, value))
        return value


def set_contents(made: Object, contents: ObjectValue) -> None:
    """Gives the cells of an object that nobody wrote their values."""
    made.contents, made.default, made.byte_offsets = contents.entries, contents.default, contents.byte_offsets
    for offset in contents.byte_offsets:
        store(made, offset, UCHAR, contents.entries[offset])
