"""Detection of undefined behaviour in a run (C11, annex J.2): the run is executed again, each evaluation is checked.

A division without a result or an access through a null pointer ends a run and is not reported here. Only what C
evaluates is checked: not the right side of `&&` if the left one is false, not the branch of `?:` that is not taken. The
lifetimes of objects are not modelled: a use after free is not reported.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import cast

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, children
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, ObjectValue, Oracle, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.objects import CValue, Object, Pointer, Spot
from encoders.c.execution.replay_acceleration import ReplayAcceleration
from encoders.c.execution.state_access import Access, Function, StateAccess, Value
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.library.model_files import HARNESS
from encoders.c.types.c_types import CArray, CInteger, CRecord, CType

LVALUES = ir.VariableLValue | ir.Dereference | ir.FieldLValue | ir.ElementLValue


@dataclass(frozen=True)
class UndefinedBehaviour:
    """An occurrence of undefined behaviour. what: its description.

    undetermined: the run goes on with a value that neither the standard nor gcc's options determine.
    """

    origin: Origin
    what: str
    undetermined: bool = False

    def __str__(self) -> str:
        return f"{self.origin}: {self.what}"


def detect_undefined_behaviour(
    program: ir.Program, inputs: Inputs, limits: ExecutionLimits | None = None, stops: Sequence[int] | None = None
) -> tuple[Execution, tuple[UndefinedBehaviour, ...]]:
    """The run on recorded inputs, and the undefined behaviour in it, in order, each line and kind once.

    stops: of ReplayAcceleration, by which iterations are skipped; None to execute all.
    """
    oracle = Recorded(inputs)
    acceleration = None if stops is None else ReplayAcceleration(oracle, stops)
    machine = CheckingMachine(RecordingAutomata(program), oracle, limits or ExecutionLimits(), acceleration)
    execution = machine.run()
    return execution, tuple(machine.events)


class RecordingAutomata(Automata):
    """Automata whose functions record the value of each node that is evaluated."""

    direct = False

    def seen(self, node: Node, function: Function) -> Function:
        key, value, access = id(node), cast(Value, function), cast(Access, function)

        def recorded_value(s: StateAccess) -> CValue:
            assert isinstance(s, CheckingMachine)
            s.values[key] = found = value(s)
            return found

        def recorded_access(s: StateAccess) -> Spot:
            assert isinstance(s, CheckingMachine)
            spot = access(s)
            s.values[key] = Pointer(*spot)
            return spot

        return recorded_access if isinstance(node, LVALUES) else recorded_value

    def whole(self, root: Node, function: Function) -> Function:
        def checked(s: StateAccess) -> CValue | Spot:
            assert isinstance(s, CheckingMachine)
            s.values.clear()
            value = function(s)
            s.check(root)
            return value

        return checked


class CheckingMachine(Machine):
    """Checks each expression after its evaluation.

    recorder: of the trace. events: the undefined behaviour so far, in order.
    values: of the nodes of the expression in evaluation, by the identity of the node. _unset: for each object the bit
    offsets of cells that were read but never written. _extent: the sizes of objects in bits, None if not known.
    """

    def __init__(
        self,
        automata: RecordingAutomata,
        oracle: Oracle,
        limits: ExecutionLimits,
        acceleration: ReplayAcceleration | None = None,
        recorder: TraceRecorder | None = None,
    ) -> None:
        super().__init__(automata, oracle, limits, recorder, keeps=False, acceleration=acceleration)
        self.values: dict[int, CValue] = {}
        self.events: dict[UndefinedBehaviour, None] = {}
        self._unset: dict[Object, set[int]] = {}
        self._set_elsewhere: set[Object] = set()  # functions without a body may have set them
        self._extent: dict[Object, int | None] = {}

    def suspend_recording(self) -> Callable[[], None]:
        resume_trace = super().suspend_recording()
        events, extent = dict(self.events), dict(self._extent)
        unset = {made: set(offsets) for made, offsets in self._unset.items()}

        def resume() -> None:
            self.events, self._unset, self._extent = events, unset, extent
            resume_trace()

        return resume

    # --- checks -----------------------------------------------------------------------------------------------------

    def check(self, root: Node) -> None:
        """Checks all nodes that were evaluated for an expression or lvalue."""
        pending = [(root, isinstance(root, LVALUES))]
        seen = {(id(root), pending[0][1])}
        while pending:
            node, accessed = pending.pop()
            below = children(node)
            parts = [self.values.get(id(part), 0) for part in below]
            for what, undetermined in self._check(node, parts, self.values[id(node)], accessed):
                self._report(what, undetermined)
            for number, part in enumerate(below):
                item = (part, _accesses(node, number, accessed))
                if id(part) in self.values and (id(part), item[1]) not in seen:
                    seen.add((id(part), item[1]))
                    pending.append(item)

    def _check(self, node: Node, parts: list[CValue], value: CValue, accessed: bool) -> list[tuple[str, bool]]:
        """The undefined behaviour of one evaluated node: (text, True if its value is undetermined).

        parts, value: the values of its parts and its own. accessed: it is an lvalue that is read or written. Complexity
        over 15: one case for each kind of node.
        """
        match node:
            case ir.Binary(type=CInteger() as kind):
                if isinstance(parts[0], int) and isinstance(parts[1], int):
                    return _arithmetic(node.operator, parts[0], parts[1], kind)
            case ir.Unary(operator="-", type=CInteger(signed=True) as kind) if parts[0] == kind.minimum:
                return [(f"signed overflow: -({parts[0]}) does not fit {kind}", False)]
            case ir.Cast(type=CInteger() as kind) if isinstance(parts[0], float | Fraction) and not kind.is_bool:
                if not kind.minimum - 1 < parts[0] < kind.maximum + 1:
                    return [(f"conversion of {parts[0]} to {kind}, which it does not fit", True)]
            case ir.Load(lvalue=lvalue, type=kind):
                return self._uninitialised(lvalue, parts[0], kind)
            case ir.PointerDifference() if _targets_differ(parts):
                return [("difference of pointers to different objects", True)]
            case ir.ElementLValue(base=base):
                length = base.type.length if isinstance(base.type, CArray) else None
                index = int(parts[1])  # type: ignore[arg-type]
                if length and not 0 <= index < length + (not accessed):
                    return [(f"out-of-bounds access: index {index} of {length} elements", False)]
            case _:
                pass
        return self._outside(value, node.type) if accessed and isinstance(value, Pointer) else []

    def _uninitialised(self, lvalue: ir.LValue, pointer: CValue, kind: CType) -> list[tuple[str, bool]]:
        """The undefined behaviour of reading a cell that was never written."""
        if not isinstance(pointer, Pointer) or isinstance(kind, CRecord):
            return []
        if pointer.target is None:
            return [("access through an invalid pointer", True)]
        if pointer.offset not in self._unset.get(pointer.target, ()):
            return []
        if isinstance(lvalue, ir.VariableLValue) and pointer.target in self.globals.values():
            return [(f"value of {lvalue.variable.name}, which is defined elsewhere", True)]
        name = f" of {lvalue.variable.name}" if isinstance(lvalue, ir.VariableLValue) else ""
        return [(f"use of an uninitialised value{name}", True)]

    def _outside(self, pointer: Pointer, kind: CType) -> list[tuple[str, bool]]:
        """The undefined behaviour of an access outside of its object."""
        if pointer.target is None:
            return [("access through an invalid pointer", False)]
        extent = self._extent.get(pointer.target)
        if extent is None or 0 <= pointer.offset <= extent - self.sizes.of(kind):
            return []
        where = f"at byte {pointer.offset // 8} of {extent // 8} bytes ({pointer.target.name})"
        return [(f"out-of-bounds access: {where}", False)]

    def _report(self, what: str, undetermined: bool) -> None:
        """Records an event at the user's line: what happens in a library function's model counts for its call."""
        edge = self.user_edge()
        assert edge is not None
        self.events.setdefault(UndefinedBehaviour(edge.origin, what, undetermined))

    # --- which cells were written, and how large objects are ----------------------------------------------------------

    def unwritten(self, source: Object, offset: int, kind: CType) -> CValue:
        if not source.cleared and source not in self._set_elsewhere:
            self._unset.setdefault(source, set()).add(offset)
        return super().unwritten(source, offset, kind)

    def _forget(self, made: Object, contents: ObjectValue) -> None:
        super()._forget(made, contents)
        self._set_elsewhere.add(made)

    def put(self, target: Object | None, offset: int, kind: CType, value: CValue) -> None:
        super().put(target, offset, kind, value)
        if target is None:
            return
        if not isinstance(kind, CRecord):
            self._unset.get(target, set()).discard(offset)
        elif isinstance(value, Pointer) and value.target is not None:  # copies of unset members are unset
            for _, start in self.scalars(kind, 0):
                if value.offset + start in self._unset.get(value.target, ()):
                    self._unset.setdefault(target, set()).add(offset + start)

    def _return(self) -> int:
        """Returns from a call. The result of a function that ends without a value is unset, which is no use of it."""
        activation = self.stack[-1]
        following = super()._return()
        call, result = activation.call, activation.function.result
        operation = None if call is None else call.edge.operation
        if isinstance(operation, ir.Call) and operation.lvalue and result is not None:
            made = activation.objects.get(result.unique)
            target, offset = self.code.function(operation.lvalue)(self)
            unset = made is None or 0 in self._unset.get(made, ())
            if unset and target is not None and not isinstance(result.type, CRecord):
                self._unset.setdefault(target, set()).add(offset)
        return following

    def object(self, variable: ir.Variable) -> Object:
        found = super().object(variable)
        if found not in self._extent:
            self._extent[found] = self.sizes.extent(variable.type)
        return found

    def declare(self, operation: ir.Declare) -> None:
        super().declare(operation)
        variable, length = operation.variable, operation.length
        made = self.object(variable)
        self._unset.pop(made, None)
        if length is not None and isinstance(variable.type, CArray):
            self._extent[made] = self.code.integer(length)(self) * self.sizes.of(variable.type.element)

    def clear(self, lvalue: ir.LValue) -> None:
        super().clear(lvalue)
        if isinstance(lvalue, ir.VariableLValue):
            self._unset.pop(self.object(lvalue.variable), None)

    def allocate(self, operation: ir.Allocate) -> CValue:
        pointer = super().allocate(operation)
        assert isinstance(pointer, Pointer) and pointer.target is not None
        self._extent[pointer.target] = 8 * self.code.integer(operation.size)(self)
        if self.edge is not None and self.edge.origin.file.startswith(HARNESS):  # any contents, none of them unset
            self._set_elsewhere.add(pointer.target)
        return pointer


def _accesses(node: Node, part: int, accessed: bool) -> bool:
    """True if the part is an lvalue that is read or written, not just pointed to."""
    if isinstance(node, ir.Load):
        return True
    return accessed and part == 0 and isinstance(node, ir.FieldLValue | ir.ElementLValue)


def _targets_differ(parts: list[CValue]) -> bool:
    left, right = parts
    return isinstance(left, Pointer) and isinstance(right, Pointer) and left.target is not right.target


def _arithmetic(operator: str, a: int, b: int, kind: CInteger) -> list[tuple[str, bool]]:
    """The undefined behaviour of an integer operation (C11 6.5 paragraph 5, 6.5.5 and 6.5.7)."""
    match operator:
        case "<<" | ">>" if not 0 <= b < kind.width:
            return [(f"shift out of range: {a} {operator} {b} in {kind}", True)]
        case "<<" if kind.signed and (a < 0 or a << b > kind.maximum):
            return [(f"signed overflow: {a} << {b} does not fit {kind}", False)]
        case "+" | "-" | "*" if kind.signed:
            exact = {"+": a + b, "-": a - b, "*": a * b}[operator]
            if not kind.minimum <= exact <= kind.maximum:
                return [(f"signed overflow: {a} {operator} {b} does not fit {kind}", False)]
    return []
