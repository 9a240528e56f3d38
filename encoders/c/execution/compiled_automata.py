"""Compiles a program's automata for the interpreter: the edges of each location, with functions for their effects.

Each location is compiled once, when a run first reaches it, and shared by all runs of a program.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import replace

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import copied, without_casts
from encoders.c.cfa.expression_walk import base_of, postorder
from encoders.c.cfa.model_origins import is_model
from encoders.c.cfa.program_checks import is_condition
from encoders.c.execution.closures import Code
from encoders.c.execution.memory.memory_checks import MemoryChecks
from encoders.c.execution.memory.temporaries import dying_temporaries
from encoders.c.execution.objects import UNKNOWN_POINTER, CValue, Pointer
from encoders.c.execution.state_access import Access, Action, Chosen, MachineAccess, Test, Value, Written
from encoders.c.types.c_types import CFloat, CInteger, CPointer, CRecord, CType

_CONTROL = ir.ReachError | ir.ThreadOperation
LOOK_STEPS = 100
"""Steps of a run after which it is looked whether it does anything at all. Of 600 guided runs of
xQueueTakeMutexRecursive of FreeRTOS, 260 ended in `for (;;);`, where its failed assertions end, each after 2,000 steps.
"""


@dataclass(eq=False, slots=True)
class EdgeInstruction:
    """A compiled edge."""

    edge: ir.Edge
    target: int
    action: Action | None = None
    """Changes the state of a run, and returns the value written; None for control and conditions."""
    test: Test | None = None
    """Of an assumption: is its condition true in a state?"""
    kind: str = ""
    """The kind of the step in a trace; "" if the trace has none."""
    indices: tuple[tuple[ir.Expression, Value], ...] = ()
    """The expressions in the written lvalue that its text shows by value."""
    is_control: bool = False
    """It is a call, an error or an operation on threads."""
    dying: tuple[str, ...] = ()
    """The temporaries that end with it, where lost blocks are looked for."""


@dataclass(eq=False, slots=True)
class CompiledLocation:
    """A compiled location."""

    head: ir.Location | None
    """The location itself if it is a loop head."""
    is_exit: bool
    only: EdgeInstruction | None = None
    """Its one edge, if no assumption."""
    branch: tuple[Test, EdgeInstruction, EdgeInstruction] | None = None
    """Of two edges with one condition whose value C determines, that condition, the edge if it is true, the edge if it
    is false."""
    options: tuple[EdgeInstruction, ...] = ()
    """All edges in other cases, in order; () at a function's exit and where paths end."""


class Automata(Code):
    """The compiled locations of a program, by number."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.compiled_locations: dict[int, CompiledLocation] = {}
        self._out: dict[int, list[ir.Edge]] = {}
        self._heads: dict[int, ir.Location] = {}
        self._exits = {function.exit for function in program.functions.values()}
        self.tracks_blocks = CheckKind.LEAK in program.checks
        self.models = frozenset(name for name, function in program.functions.items() if is_model(function))
        self._dying: dict[int, tuple[str, ...]] = {}
        for function in program.functions.values():
            self._heads.update((head.number, head) for head in function.locations if head.is_loop_head)
            for edge in function.edges:
                self._out.setdefault(edge.source, []).append(edge)
            if self.tracks_blocks:
                self._dying.update(dying_temporaries(function))

    def assuming(self, program: ir.Program) -> "Automata | None":
        """The compiled locations for a program that differs in the checks that are assumed, which only runs ask for;
        None for another one."""
        own = self.program
        if program is own:
            return self
        if program.functions is not own.functions or replace(own, assumed=program.assumed) != program:
            return None
        found = copy(self)
        found.program = program
        return found

    def idles(self, location: int) -> bool:
        """True if a run at a location only goes round in circles, as in `for (;;);`: by edges that do nothing."""
        now = location
        for _ in range(MAX_ALTERNATIVES):
            only = (self.compiled_locations.get(now) or self.compiled(now)).only
            if only is None or only.action is not None or only.is_control:
                return False
            now = only.target
            if now == location:
                return True
        return False

    def compiled(self, location: int) -> CompiledLocation:
        """Compiles a location."""
        is_exit = location in self._exits
        made = self.compiled_locations[location] = CompiledLocation(self._heads.get(location), is_exit)
        edges = () if is_exit else self._out.get(location, ())
        if not edges:
            return made
        first = edges[0].operation
        if not isinstance(first, ir.Assume):
            made.only = self.instruction(edges[0])
            return made
        made.options = tuple(map(self.instruction, edges))
        second = edges[1].operation if len(edges) == 2 else None
        if not isinstance(second, ir.Assume) or second.condition is not first.condition:
            return made
        if self.direct and first.holds != second.holds and _is_determined(first.condition):
            yes, no = made.options if first.holds else made.options[::-1]
            made.branch = self.test(first.condition), yes, no
        return made

    def instruction(self, edge: ir.Edge) -> EdgeInstruction:
        """Compiles an edge."""
        made = self._compiled_edge(edge)
        if self.tracks_blocks:
            made.dying = self._dying.get(id(edge), ())
            may_drop = not isinstance(edge.operation, ir.Assume | ir.CheckAccess | ir.CheckWritten | ir.Skip)
            if not made.is_control and (made.dying or may_drop):
                made.action = _settled(made.action, made.dying)
        return made

    def _compiled_edge(self, edge: ir.Edge) -> EdgeInstruction:
        """Complexity over 15: one case for each kind of operation."""
        operation, target = edge.operation, edge.target
        match operation:
            case ir.Assign(lvalue=lvalue, value=value):
                does: Action = self._assign(lvalue, self.function(value))
                if operation.copies and self.tracks_written and (source := copied(value)) is not None:
                    does = _copying(does, self.function(lvalue), self.function(source), self.sizes.of(lvalue.type))
                return self._traced(EdgeInstruction(edge, target, does), lvalue)
            case ir.Assume(condition=condition):
                kind = "condition" if is_condition(edge) else ""
                return EdgeInstruction(edge, target, test=self.test(condition), kind=kind)
            case ir.Nondet(source=what, is_estimate=True):
                return EdgeInstruction(edge, target, lambda s: s.trap(edge, what))
            case ir.Nondet(lvalue=lvalue):
                chosen = self._assign(lvalue, (_chosen_unknown if operation.is_unknown else _chosen)(lvalue.type))
                return self._traced(EdgeInstruction(edge, target, chosen), lvalue, "input")
            case ir.Declare():
                return EdgeInstruction(edge, target, lambda s: s.declare(operation))
            case ir.Clear(is_fresh=True):
                return EdgeInstruction(edge, target)
            case ir.Clear(lvalue=lvalue):
                return EdgeInstruction(edge, target, lambda s: s.clear(lvalue))
            case ir.Allocate(lvalue=lvalue):
                return self._traced(EdgeInstruction(edge, target, lambda s: s.allocate(operation)), lvalue)
            case ir.Havoc():
                return EdgeInstruction(edge, target, self._havoc(operation), kind="input" if edge.text else "")
            case ir.Forget(pointer=pointer) | ir.EndStream(pointer=pointer):
                ended = self.function(pointer)
                ends = _end_stream if isinstance(operation, ir.EndStream) else _forget
                return EdgeInstruction(edge, target, lambda s: ends(s, ended(s)))
            case ir.Call():
                return self._traced(EdgeInstruction(edge, target, is_control=True), operation.lvalue)
            case ir.CheckAccess() | ir.CheckWritten() | ir.Release() | ir.EndLifetimes() | ir.CheckBlocks():
                return EdgeInstruction(edge, target, self._check(operation))
            case ir.Trap(what=what) | ir.OpenCheck(what=what):
                return EdgeInstruction(edge, target, lambda s: s.trap(edge, what))
            case _:
                return EdgeInstruction(edge, target, is_control=isinstance(operation, _CONTROL))

    def _check(self, operation: ir.MemoryCheck) -> Action:
        """The action of a check of memory."""
        match operation:
            case ir.CheckAccess():
                return self._access(operation)
            case ir.CheckWritten(lvalue=lvalue):
                read, width = self.function(lvalue), self.sizes.of(lvalue.type)
                return lambda s: _checks(s).written(*read(s), width)
            case ir.Release(pointer=pointer):
                released = self.function(pointer)
                return lambda s: _checks(s).release(released(s))
            case ir.EndLifetimes():
                return lambda s: s.end_lifetimes(operation)
            case ir.CheckBlocks(leaves_main=leaves_main):
                return lambda s: _checks(s).check_blocks(leaves_main)

    def _havoc(self, operation: ir.Havoc) -> Action:
        arguments = [self.function(argument) for argument in operation.arguments]
        return lambda s: s.havoc([argument(s) for argument in arguments])

    def _access(self, operation: ir.CheckAccess) -> Callable[[MachineAccess], None]:
        """The check of an access."""
        lvalue, size, counts_none = operation.lvalue, operation.size, operation.counts_none
        spot, base = self.function(lvalue), base_of(lvalue)
        through = self.function(base.pointer) if isinstance(base, ir.Dereference) else None
        length, width = None if size is None else self.integer(size), self.sizes.of(lvalue.type)

        def check(s: MachineAccess) -> None:
            memory = s.memory
            assert memory is not None
            target, offset = spot(s)
            value = Pointer(target, offset) if target is not None or through is None else through(s)
            bits = width if length is None else 8 * length(s)
            if operation.is_claim:
                memory.claim(value, bits, operation.claim is ir.AccessClaim.HOLDS)
            else:
                memory.access(value, bits, counts_none)

        return check

    def _traced(
        self, instruction: EdgeInstruction, lvalue: ir.LValue | None, kind: str = "statement"
    ) -> EdgeInstruction:
        """The instruction, which writes an lvalue, with its kind and its indices for the trace."""
        edge, is_visible = instruction.edge, lvalue is not None and not is_hidden(lvalue)
        if is_visible or (edge.text and (kind == "input" or not is_intermediate(edge.operation))):
            instruction.kind = kind
        if is_visible:
            instruction.indices = self._indices(lvalue)
        return instruction

    def _indices(self, lvalue: ir.LValue | None) -> tuple[tuple[ir.Expression, Value], ...]:
        found = []
        while isinstance(lvalue, ir.ElementLValue | ir.FieldLValue):
            if isinstance(lvalue, ir.ElementLValue):
                found.append((lvalue.index, self.function(lvalue.index)))
            lvalue = lvalue.base
        if isinstance(lvalue, ir.Dereference):
            pointer = without_casts(lvalue.pointer)
            if isinstance(pointer, ir.PointerAdd):
                found.append((pointer.index, self.function(pointer.index)))
        return tuple(found)

    def _assign(self, lvalue: ir.LValue, value: Chosen) -> Chosen:
        spot, kind = self.function(lvalue), lvalue.type
        direct = self.direct and not isinstance(kind, CRecord)
        direct = direct and not (self.tracks_blocks and isinstance(kind, CPointer)) and not self.tracks_written
        if isinstance(lvalue, ir.VariableLValue) and direct:
            return _assign_variable(lvalue.variable, kind, value)

        def assign(s: MachineAccess) -> CValue:
            result = value(s)
            target, offset = spot(s)
            s.put(target, offset, kind, result)
            return result

        width = kind.width if isinstance(kind, CInteger | CFloat) else self.sizes.of(kind)

        def assign_cell(s: MachineAccess) -> CValue:
            result = value(s)
            target, offset = spot(s)
            if target is not None:
                cells = target.cells
                old = cells.get(offset)
                if (old is not None and old[0] is kind) or (
                    old is None and target.grain == width and offset % width == 0
                ):
                    cells[offset] = (kind, result)
                else:
                    s.put(target, offset, kind, result)
            else:
                s.require_address(offset)
            return result

        return assign_cell if direct else assign


def _checks(s: MachineAccess) -> MemoryChecks:
    """The checks of a program's memory, which it has where actions ask for them."""
    assert s.memory is not None
    return s.memory


def _forget(state: MachineAccess, pointer: CValue) -> None:
    state.forget(pointer)


def _end_stream(_: MachineAccess, stream: CValue) -> None:
    """Another object may get the stream's address from now on."""
    if isinstance(stream, Pointer) and stream.target is not None:
        stream.target.has_ended = True


def _settled(action: Action | None, dying: tuple[str, ...]) -> Action:
    """The action, after which temporaries end and lost blocks are a violation."""

    def settled(s: MachineAccess) -> Written:
        value = None if action is None else action(s)
        s.settle(dying)
        return value

    return settled


def _copying(assign: Action, into: Access, source: Access, width: int) -> Action:
    """The assignment, after which what was not written at the source is not written here."""

    def copying(s: MachineAccess) -> Written:
        spot, origin = into(s), source(s)
        bits = s.written_bits(*origin, width)
        result = assign(s)
        s.put_written(*spot, bits)
        return result

    return copying


def is_intermediate(operation: ir.Operation) -> bool:
    """True if the operation stores a part of an expression in a temporary, so that it is no step for people."""
    if not isinstance(operation, ir.Assign) or not isinstance(operation.lvalue, ir.VariableLValue):
        return False
    variable = operation.lvalue.variable
    return variable.temporary and variable.name != ir.RESULT


def is_hidden(lvalue: ir.LValue) -> bool:
    """True if the lvalue is a variable that the lowering made, and not the user."""
    return isinstance(lvalue, ir.VariableLValue) and lvalue.variable.temporary


def _chosen_unknown(kind: CType) -> Chosen:
    """A pointer that a function without a body has made: no run reads it."""

    def chosen(machine: MachineAccess) -> CValue:
        machine.chosen(kind)
        return UNKNOWN_POINTER

    return chosen


def _chosen(kind: CType) -> Chosen:
    return lambda s: s.chosen(kind)


def _assign_variable(variable: ir.Variable, kind: CType, value: Chosen) -> Chosen:
    unique, is_global = variable.unique, variable.function is None

    def assign(s: MachineAccess) -> CValue:
        result = value(s)
        found = (s.globals if is_global else s.locals).get(unique)
        if found is not None:
            cells = found.cells
            old = cells.get(0)
            if old is not None and old[0] is kind:
                cells[0] = (kind, result)
                return result
        s.put(s.object(variable), 0, kind, result)
        return result

    return assign


def _is_determined(condition: ir.Expression) -> bool:
    """True if C determines the value in all states; unwritten cells aside, whose values the objects determine."""
    return not any(map(_may_be_undefined, postorder(condition)))


def _may_be_undefined(node: object) -> bool:
    match node:
        case ir.Load(lvalue=lvalue):
            return any(isinstance(part, ir.Dereference) for part in postorder(lvalue))
        case ir.Binary(operator="/" | "%", right=right, type=CInteger()):
            return not isinstance(right, ir.Constant) or right.value == 0
        case ir.Binary(operator="<<" | ">>", right=right, type=CInteger(width=width)):
            return not isinstance(right, ir.Constant) or not 0 <= right.value < width
        case ir.Cast(operand=operand, type=CInteger()):
            return isinstance(operand.type, CFloat)
        case ir.Binary(operator="<" | "<=" | ">" | ">=", left=left):
            return isinstance(left.type, CPointer)
        case _:
            return isinstance(node, ir.PointerDifference)
