"""Execution of a program's automata on given inputs, exactly as C defines it: own semantics on Python integers and
objects, independent of the encoding. A replay that reaches the error here confirms a trace."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from chcverify.source import TraceStep
from encoders.c import ir
from encoders.c.encoding import arithmetic
from encoders.c.encoding.inputs import Inputs, InputStep, ObjectValue, Oracle, Random, Recorded, Scalar
from encoders.c.encoding.objects import (
    NULL_POINTER,
    CValue,
    FunctionPointer,
    Object,
    Pointer,
    Sizes,
    Stuck,
    load,
    store,
)
from encoders.c.encoding.show import place_text, value_text
from encoders.c.encoding.walk import Node, children, postorder, roots
from encoders.c.types import CFloat, CInteger, CPointer, CRecord, CType, CVoid

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


@dataclass(frozen=True)
class Limits:
    """steps: executed edges. depth: nested calls. trace: steps of the trace that are kept (the last ones)."""

    steps: int = 1_000_000
    depth: int = 10_000
    trace: int = 10_000


@dataclass(frozen=True, eq=False)
class Execution:
    """outcome: "error", "end", "stuck" (reason says why) or "limit". path: the executed edges; inputs: its choices."""

    outcome: str
    trace: list[TraceStep]
    path: list[ir.Edge]
    inputs: Inputs
    reason: str = ""


def run(program: ir.Program, inputs: Inputs, limits: Limits | None = None) -> Execution:
    """Executes the program on recorded inputs."""
    return _Machine(program, Recorded(inputs), limits or Limits(), tracing=True).run()


def execute(program: ir.Program, oracle: Oracle, limits: Limits | None = None) -> Execution:
    """Executes the program on the choices of an oracle; the result's inputs repeat the run."""
    return _Machine(program, oracle, limits or Limits(), tracing=True).run()


def random_runs(
    program: ir.Program, seed: int, count: int, steps: int = 2_000, going_on: Callable[[], bool] = lambda: True
) -> Execution | None:
    """The first of `count` short random runs that reaches the error, or None. `going_on` is asked between runs."""
    constants = sorted(_constants(program))
    for number in range(count):
        if not going_on():
            return None
        oracle = Random(seed * 1_000_003 + number, constants, bound=1 << (number % 8))
        machine = _Machine(program, oracle, Limits(steps=steps), tracing=False)
        if machine.run().outcome == "error":
            return run(program, machine.inputs(), Limits(steps=steps))
    return None


def _constants(program: ir.Program) -> set[int]:
    return {
        int(node.value)
        for function in program.functions.values()
        for edge in function.edges
        for root in roots(edge.operation)
        for node in postorder(root)
        if isinstance(node, ir.Constant) and isinstance(node.type, CInteger)
    }


@dataclass(eq=False)
class _Activation:
    """A call in execution. after: location and place of the caller."""

    function: ir.FunctionCfa
    call: ir.Edge | None = None
    objects: dict[str, Object] = field(default_factory=dict)


@dataclass(eq=False)
class _Record:
    """A step whose object's contents are known only when the run is over."""

    edge: ir.Edge
    value: Scalar | None = None
    made: Object | None = None
    others: list[tuple[object, Scalar]] = field(default_factory=list)

    def step(self) -> InputStep:
        value: Scalar | ObjectValue | None = self.value
        if self.made is not None:
            value = ObjectValue({**self.made.contents, **self.made.reads}, self.made.default)
        return InputStep(self.edge, value, tuple(self.others))


Instruction = tuple[Node, tuple[int, ...]]


class _Machine:
    def __init__(self, program: ir.Program, oracle: Oracle, limits: Limits, tracing: bool) -> None:
        self.program, self.oracle, self.limits, self.tracing = program, oracle, limits, tracing
        self.sizes = Sizes(program.data_model, program.records)
        self.globals: dict[str, Object] = {}
        self.stack = [_Activation(program.functions[program.initialise])]
        self.trace: list[TraceStep] = []
        self.path: list[ir.Edge] = []
        self.records: list[_Record] = []
        self.record: _Record | None = None
        self._code: dict[int, list[Instruction]] = {}
        self._out: dict[str, dict[int, list[ir.Edge]]] = {}
        self._edge: ir.Edge | None = None

    def inputs(self) -> Inputs:
        return Inputs(tuple(record.step() for record in self.records))

    # --- control ----------------------------------------------------------------------------------------------------

    def run(self) -> Execution:
        try:
            outcome, reason = self._loop(), ""
        except Stuck as stuck:
            outcome, reason = "stuck", str(stuck)
        return Execution(outcome, self.trace, self.path, self.inputs(), reason)

    def _loop(self) -> str:
        location = self.stack[-1].function.entry
        for _ in range(self.limits.steps):
            top = self.stack[-1]
            if location == top.function.exit:
                if len(self.stack) == 1:
                    return "end"
                location = self._return()
                continue
            edge = self._choose(top.function, location)
            if edge is None:
                return "end"
            self.path.append(edge)
            self._begin(edge)
            if isinstance(edge.operation, ir.ReachError):
                self._note("violation", edge)
                return "error"
            if isinstance(edge.operation, ir.Call):
                if len(self.stack) >= self.limits.depth:
                    return "limit"
                location = self._call(edge, edge.operation)
                continue
            self._execute(edge, edge.operation)
            location = edge.target
        return "limit"

    def _choose(self, function: ir.FunctionCfa, location: int) -> ir.Edge | None:
        """The outgoing edge that can be taken: the first condition that holds."""
        if function.name not in self._out:
            table: dict[int, list[ir.Edge]] = {}
            for edge in function.edges:
                table.setdefault(edge.source, []).append(edge)
            self._out[function.name] = table
        for edge in self._out[function.name].get(location, ()):
            operation = edge.operation
            if not isinstance(operation, ir.Assume):
                return edge
            self._begin(edge)
            if self._truth(operation.condition) == operation.holds:
                return edge
            if self.record is not None and self.records and self.records[-1] is self.record:
                self.records.pop()
        return None

    def _begin(self, edge: ir.Edge) -> None:
        if edge is self._edge and isinstance(edge.operation, ir.Assume):
            return  # its condition has just been evaluated
        self._edge = edge
        self.record = None
        self.oracle.begin(edge)

    def _recorded(self) -> _Record:
        if self.record is None:
            assert self._edge is not None
            self.record = _Record(self._edge)
            self.records.append(self.record)
        return self.record

    def _call(self, edge: ir.Edge, call: ir.Call) -> int:
        callee = self.program.functions[call.function]
        arguments = [self._value(argument) for argument in call.arguments]
        activation = _Activation(callee, edge)
        changes = []
        for parameter, value in zip(callee.parameters, arguments, strict=True):
            activation.objects[parameter.unique] = made = Object(parameter.name)
            self._put(Pointer(made), parameter.type, value)
            changes.append((parameter.name, value_text(value)))
        self._note("call", edge, changes)
        self.stack.append(activation)
        return callee.entry

    def _return(self) -> int:
        activation = self.stack.pop()
        edge, result = activation.call, activation.function.result
        assert edge is not None and isinstance(edge.operation, ir.Call)
        self._edge, self.record = edge, None
        place = edge.operation.place
        if place is not None and result is not None:
            made = activation.objects.get(result.unique) or Object(result.name)
            value = self._get(Pointer(made), result.type)
            self._put(self._place(place), place.type, value)
            self._note("return", edge, self._changes(place, value))
        return edge.target

    # --- operations -------------------------------------------------------------------------------------------------

    def _execute(self, edge: ir.Edge, operation: ir.Operation) -> None:
        match operation:
            case ir.Assign(place=place, value=value):
                result = self._value(value)
                self._put(self._place(place), place.type, result)
                self._note("statement", edge, self._changes(place, result))
            case ir.Assume():
                self._note("condition", edge)
            case ir.Nondet(place=place):
                chosen = self._chosen(place.type)
                self._put(self._place(place), place.type, chosen)
                self._note("input", edge, self._changes(place, chosen))
            case ir.Declare(variable=variable):
                made = Object(variable.name)
                self._fill(made)
                objects = self.globals if variable.function is None else self.stack[-1].objects
                if variable.unique in objects:  # the same storage, with new contents
                    old = objects[variable.unique]
                    old.cells, old.contents, old.default = {}, made.contents, made.default
                    old.reads, old.cleared = {}, False
                    made = old
                objects[variable.unique] = made
                self._recorded().made = made
            case ir.Clear(place=place):
                self._clear(place)
            case ir.Allocate(place=place, cleared=cleared):
                made = Object("heap", cleared=cleared)
                if not cleared:
                    self._fill(made)
                    self._recorded().made = made
                self._put(self._place(place), place.type, Pointer(made))
                self._note("statement", edge, self._changes(place, Pointer(made)))
            case _:
                pass

    def _chosen(self, kind: CType) -> CValue:
        value = self.oracle.scalar(kind)
        self._recorded().value = value
        if isinstance(kind, CPointer):
            return NULL_POINTER if value == 0 else Pointer(None, int(value))
        return value

    def _fill(self, made: Object) -> None:
        contents = self.oracle.contents()
        made.contents, made.default = dict(contents.entries), contents.default

    def _clear(self, place: ir.Place) -> None:
        target = self._place(place)
        if target.target is None:
            return
        width = self.sizes.of(place.type)
        whole = isinstance(place, ir.VariablePlace)
        if whole:
            target.target.cells.clear()
            target.target.reads.clear()
            target.target.cleared = True
        else:
            for kind, offset in self._scalars(place.type, target.offset, width):
                self._put(Pointer(target.target, offset), kind, NULL_POINTER if isinstance(kind, CPointer) else 0)

    def _scalars(self, kind: CType, offset: int, width: int) -> Iterator[tuple[CType, int]]:
        """The scalar cells of an object of a type, with their bit offsets."""
        work = [(kind, offset)]
        while work:
            kind, offset = work.pop()
            element = getattr(kind, "element", None)
            if isinstance(kind, CRecord):
                for member in self.program.records.get(kind.tag, ())[: 1 if kind.is_union else None]:
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
            found = objects[variable.unique] = Object(variable.name)
        return found

    def _get(self, place: Pointer, kind: CType) -> CValue:
        if isinstance(kind, CRecord):
            return Pointer(place.target, place.offset)
        if place.target is None:
            return self._undefined(place, kind)
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
        source.reads[offset] = value
        if isinstance(kind, CPointer):
            value = NULL_POINTER if value == 0 else Pointer(None, int(value))
        store(source, offset, kind, value)
        return value

    def _put(self, place: Pointer, kind: CType, value: CValue) -> None:
        if place.target is None:
            return  # a write through an invalid pointer changes nothing that the program can rely on
        if not isinstance(kind, CRecord):
            store(place.target, place.offset, kind, value)
            return
        assert isinstance(value, Pointer)
        cells = list(self._scalars(kind, 0, 0))
        values = [self._get(Pointer(value.target, value.offset + offset), cell) for cell, offset in cells]
        for (cell, offset), item in zip(cells, values, strict=True):
            self._put(Pointer(place.target, place.offset + offset), cell, item)

    def _undefined(self, node: object, kind: CType) -> CValue:
        value = self.oracle.undefined(node, kind)
        self._recorded().others.append((node, value))
        if isinstance(kind, CPointer):
            return NULL_POINTER if value == 0 else Pointer(None, int(value))
        return kind.wrap(int(value)) if isinstance(kind, CInteger) else float(value)

    # --- expressions ------------------------------------------------------------------------------------------------

    def _value(self, expression: ir.Expression) -> CValue:
        return self._evaluate(expression)

    def _place(self, place: ir.Place) -> Pointer:
        return self._evaluate(place)  # type: ignore[return-value]

    def _truth(self, expression: ir.Expression) -> bool:
        return _is_true(self._evaluate(expression))

    def _evaluate(self, root: Node) -> CValue:
        code = self._code.get(id(root))
        if code is None:
            position = {id(node): i for i, node in enumerate(postorder(root))}
            code = [(node, tuple(position[id(c)] for c in children(node))) for node in postorder(root)]
            self._code[id(root)] = code
        values: list[CValue] = []
        for node, parts in code:
            values.append(self._node(node, [values[i] for i in parts]))
        return values[-1]

    def _node(self, node: Node, parts: list[CValue]) -> CValue:
        match node:
            case ir.Constant(value=value, type=kind):
                if isinstance(kind, CPointer):
                    return NULL_POINTER if value == 0 else Pointer(None, int(value))
                return arithmetic.rounded(float(value), kind) if isinstance(kind, CFloat) else int(value)
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
                return int(not _is_true(parts[0]))
            case ir.Unary(operator=operator, type=kind):
                return self._unary(operator, parts[0], kind)
            case ir.Conditional():
                return parts[1] if _is_true(parts[0]) else parts[2]
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
        return self._get(place, kind)

    def _unary(self, operator: str, value: CValue, kind: CType) -> CValue:
        if isinstance(kind, CInteger) and isinstance(value, int):
            return kind.wrap(-value if operator == "-" else ~value)
        if isinstance(value, float | int):
            return -float(value)
        raise Stuck(f"{operator} of a pointer")

    def _binary(self, node: ir.Binary, a: CValue, b: CValue) -> CValue:
        operator, kind = node.operator, node.type
        if operator in ("&&", "||"):
            both = _is_true(a), _is_true(b)
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
                return int(_is_true(value))
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

    # --- the trace --------------------------------------------------------------------------------------------------

    def _changes(self, place: ir.Place, value: CValue) -> list[tuple[str, str]]:
        if not self.tracing or (isinstance(place, ir.VariablePlace) and place.variable.temporary):
            return []
        return [(place_text(place, lambda index: self._value(index)), value_text(value))]

    def _note(self, kind: str, edge: ir.Edge, changes: list[tuple[str, str]] | None = None) -> None:
        if not self.tracing or not (edge.text or changes or kind == "violation"):
            return
        what = edge.operation.what if isinstance(edge.operation, ir.ReachError) else ""
        function = self.stack[-1].function.name
        self.trace.append(TraceStep(edge.origin, function, kind, edge.text or what, tuple(changes or ())))
        if len(self.trace) > 2 * self.limits.trace:
            del self.trace[: self.limits.trace]


def _is_true(value: CValue) -> bool:
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
