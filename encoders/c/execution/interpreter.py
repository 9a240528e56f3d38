"""Execution of a program's automata on given inputs, exactly as C defines it: own semantics on Python integers and
objects, independent of the encoding. A replay that reaches the error here confirms a trace."""

import itertools
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from chcverify.results.assumption import Assumption
from chcverify.results.source_facts import TraceStep
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.execution.compiled_automata import Automata, EdgeInstruction
from encoders.c.execution.inputs import Inputs, ObjectValue, Oracle, Random, Recorded
from encoders.c.execution.objects import NULL_POINTER, UNKNOWN_POINTER, CValue, ExecutionStuck, Object, Pointer, store
from encoders.c.execution.run_state import Activation, RunState
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.types.c_types import UCHAR, CInteger, CPointer, CRecord, CType, CVoid


@dataclass(frozen=True)
class ExecutionLimits:
    """steps: executed edges. until: time.monotonic(). depth: nested calls. trace: steps of the trace that are kept, at
    its beginning and again at its end; 0 for no trace."""

    steps: int = 1_000_000
    until: float = math.inf
    depth: int = 10_000
    trace: int = 10_000


# times the steps of a short random run; derivations of runs longer than that take too long to check
LONGER_RUN_FACTOR = 10
_MAX_LONGER_RUNS = 10  # runs that are tried again with more steps
_RECURSION_LIMIT = 100_000  # calls inside an expression
_CLOCK_STEPS = 20_000  # steps between looks at the clock


@dataclass(frozen=True, eq=False)
class Execution:
    """outcome: "error", "end", "stuck" (reason says why) or "limit". path: the executed edges; inputs: its choices.

    steps: how many edges were executed, of which `skipped` were skipped at once; of a run that keeps nothing, path and
    inputs are empty. is_unfinished: did a replay run out of time on its way?
    """

    outcome: str
    trace: list[TraceStep]
    path: list[ir.Edge]
    inputs: Inputs
    reason: str = ""
    steps: int = 0
    skipped_steps: int = 0
    is_unfinished: bool = False


def run(program: ir.Program, inputs: Inputs, limits: ExecutionLimits | None = None) -> Execution:
    """Executes the program on recorded inputs."""
    return execute(program, Recorded(inputs), limits)


def execute(program: ir.Program, oracle: Oracle, limits: ExecutionLimits | None = None) -> Execution:
    """Executes the program on the choices of an oracle; the result's inputs repeat the run."""
    limits = limits or ExecutionLimits()
    return Machine(Automata(program), oracle, limits, TraceRecorder(limits.trace) if limits.trace else None).run()


def random_runs(
    program: ir.Program,
    seed: int,
    count: int,
    steps: int = 2_000,
    until: float = math.inf,
    longer: int = LONGER_RUN_FACTOR,
) -> Execution | None:
    """The first of `count` short random runs that reaches the error, without trace, or None. until: time.monotonic()
    to stop at.

    After a quarter of the runs, some of those that were cut off are tried again with `longer` times the steps. A
    program without inputs has one run only.
    """
    constants, automata = sorted(_constants(program)), Automata(program)
    quarter, cut_off = max(1, count // 4), list[int]()
    same = False  # as every other run, for no value was drawn

    def attempts() -> Iterator[tuple[int, int]]:
        yield from itertools.takewhile(lambda _: not same, ((number, 1) for number in range(quarter)))
        yield from ((number, longer) for number in cut_off[:_MAX_LONGER_RUNS])
        yield from itertools.takewhile(lambda _: not same, ((number, 1) for number in range(quarter, count)))

    for number, factor in attempts():
        if time.monotonic() >= until:
            break
        limits = ExecutionLimits(steps=factor * steps, until=until)
        oracle = Random(seed * 1_000_003 + number, constants, bound=1 << (number % 8))
        machine = Machine(automata, oracle, limits)
        execution = machine.run()
        if execution.outcome == "error":
            return execution
        if execution.outcome == "limit" and factor == 1:
            cut_off.append(number)
        same = not oracle.was_asked
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


def orders(execution: Execution) -> tuple[Assumption, ...]:
    """What a run assumes of the order of different objects' addresses, where it first asks for it."""
    for step in execution.inputs:
        if any(isinstance(key, ir.Binary) and key.operator in ir.ORDERS for key, _ in step.others):
            where, effect = step.edge.origin, "of different objects may be any"
            return (Assumption("order", "the order of addresses", effect, where.file, where.line, where.column),)
    return ()


class IterationSkipper(Protocol):
    """Skips repeated iterations of a run (`leap.Leaps`)."""

    def skip(self, machine: "Machine") -> str | None:
        """Changes the machine to a later state of its run, if it can. Returns the outcome of the run, if it ends."""


class Machine(RunState):
    """Control flow and operations. journal: of whom the trace is. keeps: are path and choices kept?

    leaps: may repetitions be skipped? Then nothing must be kept.
    """

    code: Automata

    def __init__(
        self,
        automata: Automata,
        oracle: Oracle,
        limits: ExecutionLimits,
        recorder: TraceRecorder | None = None,
        keeps: bool = True,
        acceleration: IterationSkipper | None = None,
    ) -> None:
        super().__init__(automata, oracle, keeps)
        self.limits, self.recorder = limits, recorder
        self.acceleration = acceleration
        self.path: list[ir.Edge] = []
        self.steps = self.skipped_steps = 0
        self.location = self.stack[-1].function.entry

    def inputs(self) -> Inputs:
        return Inputs(tuple(record.step() for record in self.records))

    def suspend_recording(self) -> Any:
        """What is told of a run, before something is tried that is no part of it; for `resume_recording`."""
        recorder, self.recorder = self.recorder, None
        return recorder

    def resume_recording(self, kept: Any) -> None:
        """What is told of the run is again what was put aside."""
        self.recorder = kept

    # --- control ----------------------------------------------------------------------------------------------------

    def run(self) -> Execution:
        recursion = sys.getrecursionlimit()
        # of functions that call functions: no frames of C's stack
        sys.setrecursionlimit(max(recursion, _RECURSION_LIMIT))
        try:
            outcome, reason = self._loop(), ""
        except ExecutionStuck as stuck:
            outcome, reason = "stuck", str(stuck)
        except RecursionError:
            outcome, reason = "stuck", "an expression is nested too deeply"
        finally:
            sys.setrecursionlimit(recursion)
        trace = [] if self.recorder is None else self.recorder.steps()
        return Execution(outcome, trace, self.path, self.inputs(), reason, self.steps, self.skipped_steps)

    def _loop(self) -> str:
        patience = waited = 1
        while self.steps < self.limits.steps and time.monotonic() < self.limits.until:
            outcome = self.advance(min(_CLOCK_STEPS, self.limits.steps - self.steps))
            if outcome is None and self.acceleration is not None and waited >= patience:
                before = self.skipped_steps
                outcome = self.acceleration.skip(self)
                patience, waited = 1 if self.skipped_steps > before else 2 * patience, 0
            waited += 1
            if outcome is not None:
                return outcome
        return "limit"

    def advance(self, count: int) -> str | None:
        """Executes so many steps; the outcome if the run comes to its end before."""
        compiled, recorder, begin, keep = (
            self.code.compiled_locations,
            self.recorder,
            self.oracle.begin,
            self.path.append,
        )
        location = self.location
        for self.steps in range(self.steps + 1, self.steps + count + 1):  # noqa: B020
            at = compiled.get(location) or self.code.compiled(location)
            if recorder is not None and recorder.fold and at.head is not None:
                recorder.arrive(at.head, len(self.stack))
            if at.branch is not None:
                test, yes, no = at.branch
                instruction = yes if test(self) else no
                self.edge, self.record = instruction.edge, None
                begin(self.edge)
            elif at.only is not None:
                instruction = at.only
                self.edge, self.record = instruction.edge, None
                begin(self.edge)
            elif at.is_exit and len(self.stack) > 1:
                location = self._return()
                continue
            else:
                chosen = self._choose(at.options)
                if chosen is None:
                    return "end"
                instruction = chosen
            if self.keeps:
                keep(instruction.edge)
            location = instruction.target
            value = None
            if instruction.action is not None:
                value = instruction.action(self)
            elif instruction.is_control:
                if isinstance(instruction.edge.operation, ir.ReachError):
                    self._note("violation", instruction)
                    return "error"
                if len(self.stack) >= self.limits.depth:
                    return "limit"
                location = self._call(instruction)
                continue
            if recorder is not None and instruction.kind:
                self._note(instruction.kind, instruction, value)
        self.location = location
        return None

    def _choose(self, options: tuple[EdgeInstruction, ...]) -> EdgeInstruction | None:
        """The edge that can be taken: the first condition that holds."""
        for instruction in options:
            self.edge, self.record = instruction.edge, None
            self.oracle.begin(self.edge)
            operation = instruction.edge.operation
            if not isinstance(operation, ir.Assume) or instruction.test is None:
                return instruction
            if instruction.test(self) == operation.holds:
                return instruction
            if self.record is not None and self.records and self.records[-1] is self.record:
                self.records.pop()
        return None

    def _call(self, instruction: EdgeInstruction) -> int:
        call = instruction.edge.operation
        assert isinstance(call, ir.Call)
        callee = self.program.functions[call.function]
        arguments = [self.code.function(argument)(self) for argument in call.arguments]
        activation = Activation(callee, instruction)
        changes = []
        for parameter, value in zip(callee.parameters, arguments, strict=True):
            if isinstance(parameter.type, CInteger) and not isinstance(value, int):
                raise ExecutionStuck(f"{parameter.name} is given what is no integer")
            activation.objects[parameter.unique] = made = self.made(parameter.name)
            self.put(made, 0, parameter.type, value)
            changes.append((parameter.name, value))
        if instruction.edge.text or changes:
            self._note("call", instruction, changes)
        self.stack.append(activation)
        self.locals = activation.objects
        return callee.entry

    def _return(self) -> int:
        activation = self.stack.pop()
        self.locals = self.stack[-1].objects
        instruction, result = activation.call, activation.function.result
        assert instruction is not None and isinstance(instruction.edge.operation, ir.Call)
        if self.recorder is not None and self.recorder.fold:
            self.recorder.leave(len(self.stack) + 1)
        self.edge, self.record = instruction.edge, None
        lvalue = instruction.edge.operation.lvalue
        if lvalue is not None and result is not None:
            made = activation.objects.get(result.unique) or self.made(result.name)
            value = self.get(made, 0, result.type)
            target, offset = self.code.function(lvalue)(self)
            self.put(target, offset, lvalue.type, value)
            if instruction.kind:
                self._note("return", instruction, value)
        return instruction.target

    # --- operations: what automata have functions call --------------------------------------------------------------

    def chosen(self, kind: CType) -> CValue:
        """The value of a Nondet place."""
        value = self.oracle.scalar(kind)
        if self.keeps:
            self.recorded().value = value
        if isinstance(kind, CPointer):
            return NULL_POINTER if value == 0 else Pointer(None, int(value))
        return value

    def declare(self, operation: ir.Declare) -> None:
        variable = operation.variable
        made = self.made(variable.name, variable.constant)
        self._fill(made)
        objects = self.globals if variable.function is None else self.locals
        if variable.unique in objects:  # the same storage, with new contents
            old = objects[variable.unique]
            old.cells, old.contents, old.default, old.grain = made.cells, made.contents, made.default, made.grain
            old.reads, old.kinds, old.byte_offsets, old.cleared = {}, {}, made.byte_offsets, False
            made = old
        objects[variable.unique] = made
        if self.keeps:
            self.recorded().made = made

    def allocate(self, operation: ir.Allocate) -> CValue:
        made, lvalue = self.made("heap"), operation.lvalue
        made.cleared = operation.cleared
        if not operation.cleared:
            self._fill(made)
            if self.keeps:
                self.recorded().made = made
        target, offset = self.code.function(lvalue)(self)
        self.put(target, offset, lvalue.type, Pointer(made))
        return Pointer(made)

    def _fill(self, made: Object) -> None:
        contents = self.oracle.contents()
        made.contents, made.default, made.byte_offsets = contents.entries, contents.default, contents.byte_offsets
        for offset in contents.byte_offsets:
            store(made, offset, UCHAR, contents.entries[offset])

    def havoc(self, arguments: list[CValue]) -> list[tuple[str, CValue]]:
        """A function without a body: what it reaches has new contents, and of pointers there nothing is known.

        Returns what variables of integer types hold afterwards, as far as that is chosen.
        """
        self.escaped += [pointer.target for pointer in arguments if isinstance(pointer, Pointer) and pointer.target]
        names = self.program.external
        work = [
            *self.escaped,
            *(self.object(variable) for variable in self.program.globals if variable.unique in names),
        ]
        reached: dict[Object, None] = {}
        while work:
            made = work.pop()
            if made not in reached:
                reached[made] = None
                values = (value for _, value in made.cells.values())
                work += [value.target for value in values if isinstance(value, Pointer) and value.target is not None]
        changed = self.oracle.changed() if reached else {}
        named = [(self._named(variable), variable, value) for variable, value in changed.items()]
        reached = {made: None for made in reached if not made.constant}
        found = [(variable, value, made) for made, variable, value in named if made in reached]
        if self.keeps:
            self.recorded().objects = tuple((variable, value) for variable, value, _ in found)
        contents = {made: value for _, value, made in found}
        for made in reached:
            self._forget(made, contents.get(made, ObjectValue()))
        numbers = ((variable, value) for variable, value, _ in found if isinstance(variable.type, CInteger))
        return [(variable.name, value.entries[0]) for variable, value in numbers if 0 in value.entries]

    def _named(self, variable: ir.Variable) -> Object | None:
        """The object of a variable, of the innermost call that has it."""
        if variable.function is None:
            return self.globals.get(variable.unique)
        objects = (activation.objects.get(variable.unique) for activation in reversed(self.stack))
        return next((made for made in objects if made is not None), None)

    def _forget(self, made: Object, contents: ObjectValue) -> None:
        pointers = [offset for offset, (kind, _) in made.cells.items() if isinstance(kind, CPointer)]
        made.cells, made.reads, made.kinds = {}, {}, {}
        made.cleared, made.grain = False, -1
        made.contents, made.default, made.byte_offsets = contents.entries, contents.default, contents.byte_offsets
        for offset in contents.byte_offsets:
            store(made, offset, UCHAR, contents.entries[offset])
        for offset in pointers:
            made.cells[offset] = (CPointer(CVoid()), UNKNOWN_POINTER)

    def trap(self, edge: ir.Edge, what: str) -> None:
        """The run goes beyond what is modelled."""
        raise ExecutionStuck(f"{edge.origin}: unsupported: {what}")

    def clear(self, lvalue: ir.LValue) -> None:
        target, offset = self.code.function(lvalue)(self)
        if target is None:
            return
        if isinstance(lvalue, ir.VariableLValue):
            target.cells.clear()
            target.reads.clear()
            target.cleared = True
        else:
            for kind, start in self.scalars(lvalue.type, offset):
                if isinstance(kind, CRecord):  # a union
                    for byte in range(0, self.sizes.of(kind), 8):
                        self.put(target, start + byte, UCHAR, 0)
                else:
                    self.put(target, start, kind, NULL_POINTER if isinstance(kind, CPointer) else 0)

    def _note(self, kind: str, instruction: EdgeInstruction, value: object = None) -> None:
        if self.recorder is not None:
            named = instruction.indices
            indices = [index(self) for _, index in named] if named and kind != "call" else ()
            self.recorder.add(kind, instruction, self.stack[-1].function.name, value, indices)
