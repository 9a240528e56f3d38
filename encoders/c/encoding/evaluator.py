"""Evaluation of expressions and places by the interpreter: Python integers, objects and pointers."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from encoders.c import ir
from encoders.c.encoding import arithmetic
from encoders.c.encoding.inputs import InputStep, ObjectValue, Oracle, Scalar
from encoders.c.encoding.objects import (
    NULL_POINTER,
    CValue,
    FunctionPointer,
    Object,
    PartlyWritten,
    Pointer,
    Stuck,
    gaps,
    load,
    sizes_of,
    split,
    store,
)
from encoders.c.encoding.walk import Node, children, postorder
from encoders.c.types import UCHAR, CFloat, CInteger, CPointer, CRecord, CType, CVoid

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


@dataclass(eq=False)
class Activation:
    """A call in execution. after: location and place of the caller."""

    function: ir.FunctionCfa
    call: ir.Edge | None = None
    objects: dict[str, Object] = field(default_factory=dict)


@dataclass(eq=False)
class Record:
    """A step whose object's contents are known only when the run is over."""

    edge: ir.Edge
    value: Scalar | None = None
    made: Object | None = None
    others: list[tuple[object, Scalar]] = field(default_factory=list)

    def step(self) -> InputStep:
        value: Scalar | ObjectValue | None = self.value
        if self.made is not None:
            made = self.made
            value = ObjectValue({**made.contents, **made.reads}, made.default, made.octets, made.kinds)
        return InputStep(self.edge, value, tuple(self.others))


Instruction = tuple[Node, tuple[int, ...]]


class Evaluator:
    """The state of a run, and what expressions mean in it. Choices come from the oracle and are recorded."""

    def __init__(self, program: ir.Program, oracle: Oracle) -> None:
        self.program, self.oracle = program, oracle
        self.sizes = sizes_of(program)
        self.globals: dict[str, Object] = {}
        self.stack = [Activation(program.functions[program.initialise])]
        self.records: list[Record] = []
        self.record: Record | None = None
        self.edge: ir.Edge | None = None
        self._code: dict[int, list[Instruction]] = {}

    def recorded(self) -> Record:
        """The record of the edge that is executed now."""
        if self.record is None:
            assert self.edge is not None
            self.record = Record(self.edge)
            self.records.append(self.record)
        return self.record

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

    def _object(self, variable: ir.Variable) -> Object:
        objects = self.globals if variable.function is None else self.stack[-1].objects
        found = objects.get(variable.unique)
        if found is None:
            found = objects[variable.unique] = self.made(variable.name)
        return found

    def made(self, name: str) -> Object:
        """A new object."""
        return Object(name, 8 * self.program.data_model.pointer)

    def get(self, place: Pointer, kind: CType) -> CValue:
        if isinstance(kind, CRecord):
            return Pointer(place.target, place.offset)
        if place.target is None:
            return self._undefined(place, kind)
        try:
            value = load(place.target, place.offset, kind)
        except PartlyWritten:
            for offset in gaps(place.target, place.offset, self.sizes.of(kind)):
                self._unwritten(place.target, offset, UCHAR)
            value = load(place.target, place.offset, kind)
        return self._unwritten(place.target, place.offset, kind) if value is None else value

    def _unwritten(self, source: Object, offset: int, kind: CType) -> CValue:
        value: CValue
        if source.cleared:
            return NULL_POINTER if isinstance(kind, CPointer) else 0.0 if isinstance(kind, CFloat) else 0
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

    def put(self, place: Pointer, kind: CType, value: CValue) -> None:
        if place.target is None:
            return  # a write through an invalid pointer changes nothing that the program can rely on
        if not isinstance(kind, CRecord):
            store(place.target, place.offset, kind, value)
            return
        assert isinstance(value, Pointer)
        if kind.is_union:
            self._copy_bytes(place.target, place.offset, value, self.sizes.of(kind))
            return
        cells = list(self.scalars(kind, 0))
        values = [self.get(Pointer(value.target, value.offset + offset), cell) for cell, offset in cells]
        for (cell, offset), item in zip(cells, values, strict=True):
            self.put(Pointer(place.target, place.offset + offset), cell, item)

    def _copy_bytes(self, target: Object, offset: int, value: Pointer, width: int) -> None:
        """Copies a union, whatever it holds."""
        if value.target is None:
            raise Stuck("copy through an invalid pointer")
        source = value.target
        for gap in gaps(source, value.offset, width):
            self._unwritten(source, gap, UCHAR)
        cells = {start: cell for start, cell in source.cells.items() if 0 <= start - value.offset < width}
        split(target, offset, width)
        for start, cell in cells.items():
            target.cells[start - value.offset + offset] = cell

    def _undefined(self, node: object, kind: CType) -> CValue:
        value = self.oracle.undefined(node, kind)
        self.recorded().others.append((node, value))
        if isinstance(kind, CPointer):
            return NULL_POINTER if value == 0 else Pointer(None, int(value))
        return kind.wrap(int(value)) if isinstance(kind, CInteger) else float(value)

    # --- expressions ------------------------------------------------------------------------------------------------

    def value(self, expression: ir.Expression) -> CValue:
        return self._evaluate(expression)

    def place(self, place: ir.Place) -> Pointer:
        return self._evaluate(place)  # type: ignore[return-value]

    def truth(self, expression: ir.Expression) -> bool:
        return is_true(self._evaluate(expression))

    def _evaluate(self, root: Node) -> CValue:
        return self._values(self._instructions(root))[-1]

    def _values(self, code: list[Instruction]) -> list[CValue]:
        """The values of all instructions. Stuck if the last one needs a value that cannot be had."""
        values: list[CValue] = []
        stuck: dict[int, Stuck] = {}
        for node, parts in code:
            try:
                if stuck:
                    for i in _needed(node, parts, values, stuck):
                        if i in stuck:
                            raise stuck[i]
                values.append(self._node(node, [values[i] for i in parts]))
            except Stuck as found:
                stuck[len(values)] = found
                values.append(0)
        if len(values) - 1 in stuck:
            raise stuck[len(values) - 1]
        return values

    def _instructions(self, root: Node) -> list[Instruction]:
        """The nodes below the root, parts first, each with the positions of its parts."""
        code = self._code.get(id(root))
        if code is None:
            position = {id(node): i for i, node in enumerate(postorder(root))}
            code = [(node, tuple(position[id(c)] for c in children(node))) for node in postorder(root)]
            self._code[id(root)] = code
        return code

    def _node(self, node: Node, parts: list[CValue]) -> CValue:
        match node:
            case ir.Constant(value=value, type=kind):
                if isinstance(kind, CPointer):
                    return NULL_POINTER if value == 0 else Pointer(None, int(value))
                return arithmetic.rounded(_as_float(value), kind) if isinstance(kind, CFloat) else int(value)
            case ir.VariablePlace(variable=variable):
                return Pointer(self._object(variable))
            case ir.Load(type=kind):
                return self._load(node, parts[0], kind)
            case ir.Binary():
                return self._binary(node, parts[0], parts[1])
            case ir.Cast(operand=operand, type=kind):
                return self._cast(node, parts[0], operand.type, kind)
            case ir.ElementPlace(type=kind):
                return _moved(parts[0], int(parts[1]) * self.sizes.of(kind))  # type: ignore[arg-type]
            case ir.Dereference() | ir.AddressOf():
                return parts[0]
            case ir.FieldPlace(field=member):
                return _moved(parts[0], 8 * member.offset + (member.bit_offset or 0))
            case ir.PointerAdd(pointer=pointer):
                target = pointer.type.target if isinstance(pointer.type, CPointer) else CVoid()
                return _moved(parts[0], int(parts[1]) * self.sizes.of(target))  # type: ignore[arg-type]
            case ir.Unary(operator="!"):
                return int(not is_true(parts[0]))
            case ir.Unary(operator=operator, type=kind):
                return self._unary(operator, parts[0], kind)
            case ir.Conditional():
                return parts[1] if is_true(parts[0]) else parts[2]
            case ir.FunctionAddress(function=name):
                return FunctionPointer(name)
            case ir.PointerDifference(left=left):
                return self._difference(node, parts[0], parts[1], left.type)
            case _:
                raise Stuck(type(node).__name__)

    def _load(self, node: Node, place: CValue, kind: CType) -> CValue:
        assert isinstance(place, Pointer)
        if place.target is None and not isinstance(kind, CRecord):
            return self._undefined(node, kind)
        return self.get(place, kind)

    def _unary(self, operator: str, value: CValue, kind: CType) -> CValue:
        if isinstance(kind, CInteger) and isinstance(value, int):
            return kind.wrap(-value if operator == "-" else ~value)
        if isinstance(value, float | int) and isinstance(kind, CFloat):
            return arithmetic.square_root(float(value), kind) if operator == "sqrt" else -float(value)
        raise Stuck(f"{operator} of a pointer")

    def _binary(self, node: ir.Binary, a: CValue, b: CValue) -> CValue:
        operator, kind = node.operator, node.type
        if operator in ("&&", "||"):
            both = is_true(a), is_true(b)
            return int(all(both) if operator == "&&" else any(both))
        if isinstance(a, Pointer | FunctionPointer) or isinstance(b, Pointer | FunctionPointer):
            return _compare_pointers(operator, a, b)
        if operator in COMPARISONS:
            return arithmetic.compare(operator, a, b)
        if isinstance(kind, CFloat):
            return arithmetic.float_binary(operator, float(a), float(b), kind)
        if not isinstance(kind, CInteger):
            raise Stuck(f"{operator} of {kind}")
        return arithmetic.integer_binary(
            operator,
            int(a),
            int(b),
            kind,
            lambda: self._undefined(node, kind),  # type: ignore[arg-type,return-value]
        )

    def _cast(self, node: Node, value: CValue, source: CType, target: CType) -> CValue:
        if isinstance(value, Pointer | FunctionPointer):
            if isinstance(target, CInteger) and target.is_bool:
                return int(is_true(value))
            if isinstance(target, CInteger):
                raise Stuck("pointer converted to an integer")
            return value
        if isinstance(target, CInteger):
            if isinstance(source, CFloat):
                return arithmetic.to_integer(float(value), target, lambda: self._undefined(node, target))  # type: ignore[arg-type,return-value]
            return target.wrap(int(value))
        if isinstance(target, CFloat):
            if isinstance(source, CInteger):
                return arithmetic.from_integer(int(value), target)
            return arithmetic.rounded(float(value), target)
        if isinstance(target, CPointer):
            return NULL_POINTER if value == 0 else Pointer(None, int(value))
        return value

    def _difference(self, node: Node, left: CValue, right: CValue, kind: CType) -> CValue:
        assert isinstance(left, Pointer) and isinstance(right, Pointer) and isinstance(kind, CPointer)
        if left.target is not right.target:
            return self._undefined(node, node.type)
        return (left.offset - right.offset) // max(1, self.sizes.of(kind.target))


def _needed(node: Node, parts: tuple[int, ...], values: list[CValue], stuck: Mapping[int, Stuck]) -> tuple[int, ...]:
    """The parts that C evaluates."""
    if parts and parts[0] not in stuck:
        first = is_true(values[parts[0]])
        if isinstance(node, ir.Binary) and node.operator in ("&&", "||") and first == (node.operator == "||"):
            return parts[:1]
        if isinstance(node, ir.Conditional):
            return parts[0], parts[1] if first else parts[2]
    return parts


def is_true(value: CValue) -> bool:
    if isinstance(value, Pointer):
        return value != NULL_POINTER
    return isinstance(value, FunctionPointer) or value != 0


def _moved(place: CValue, bits: int) -> Pointer:
    assert isinstance(place, Pointer)
    return Pointer(place.target, place.offset + bits) if place.target is not None else place


def _compare_pointers(operator: str, a: CValue, b: CValue) -> int:
    if operator in ("==", "!="):
        return int((a == b) == (operator == "=="))
    if not isinstance(a, Pointer) or not isinstance(b, Pointer) or a.target is not b.target:
        raise Stuck("order of pointers to different objects")
    return arithmetic.compare(operator, a.offset, b.offset)


def _as_float(value: Fraction | float) -> float:
    """Stuck for constants (of long double) that no double holds."""
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf
    if isinstance(value, Fraction) and nearest != value:
        raise Stuck("a long double that no double holds")
    return nearest
