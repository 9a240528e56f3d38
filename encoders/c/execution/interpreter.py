"""Executes a program's automata on given inputs, exactly as C defines it, on Python integers and objects.

The semantics is independent of the encoding: a replay that reaches the error here confirms a trace.
"""

import math
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from chcverify.effort import MAX_VISITED
from chcverify.processor_time import ProcessorLimit
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check
from chcverify.results.source_facts import TraceStep
from chcverify.results.violation import Violation
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import begins_unwritten
from encoders.c.cfa.program_checks import error_check
from encoders.c.execution.compiled_automata import LOOK_STEPS, Automata, EdgeInstruction
from encoders.c.execution.inputs import Inputs, ObjectValue, Oracle, Recorded
from encoders.c.execution.memory.memory_checks import ViolationReached
from encoders.c.execution.objects import (
    ANY_BITS,
    BLOCK,
    NULL_POINTER,
    CValue,
    ExecutionStuck,
    NumberPointer,
    Object,
    Pointer,
    reachable_from,
)
from encoders.c.execution.run_state import Activation, RunState, set_contents
from encoders.c.execution.state_access import deep_expressions
from encoders.c.execution.trace_recorder import Traced, TraceRecorder
from encoders.c.library.model_files import GIVEN_OBJECTS
from encoders.c.types.c_types import UCHAR, CInteger, CPointer, CRecord, CType


@dataclass(frozen=True)
class ExecutionLimits:
    """Limits of a run."""

    steps: int = 1_000_000
    """Executed edges."""
    until: float = math.inf
    """time.monotonic() at which it stops."""
    processor_until: float = math.inf
    """time.process_time() at which it stops."""
    depth: int = 10_000
    """Nested calls."""
    trace: int = 10_000
    """Steps of the trace that are kept, at its beginning and again at its end; 0 for no trace."""

    @classmethod
    def of(cls, steps: int, limit: ProcessorLimit | None) -> "ExecutionLimits":
        """The limits of a run with a limit of its time; None: it has none."""
        return cls(steps) if limit is None else cls(steps, limit.clock_end, limit.processor_end)

    def is_time_left(self) -> bool:
        """May a run go on, by the clock and by the processor?"""
        return time.monotonic() < self.until and time.process_time() < self.processor_until


@dataclass(frozen=True, eq=False)
class Execution:
    """The result of a run."""

    outcome: str
    """One of "error", "end", "stuck" (with a reason), and "limit"."""
    trace: list[TraceStep]
    path: list[ir.Edge]
    """The executed edges; empty for a run that records nothing."""
    inputs: Inputs
    """The choices of undetermined values; empty for a run that records nothing."""
    reason: str = ""
    steps: int = 0
    """The number of executed edges."""
    skipped_steps: int = 0
    """The number of executed edges that were skipped at once."""
    is_unfinished: bool = False
    """It is a replay that ran out of time."""
    violation: Violation | None = None
    """With the outcome "error", what is violated."""
    last: ir.Edge | None = None
    """The edge at which the run ended, or that violates the check."""


def run(program: ir.Program, inputs: Inputs, limits: ExecutionLimits | None = None) -> Execution:
    """Executes the program on recorded inputs."""
    return execute(program, Recorded(inputs), limits)


def execute(program: ir.Program, oracle: Oracle, limits: ExecutionLimits | None = None) -> Execution:
    """Executes the program on the choices of an oracle; the result's inputs repeat the run."""
    limits = limits or ExecutionLimits()
    return Machine(Automata(program), oracle, limits, TraceRecorder(limits.trace) if limits.trace else None).run()


def orders(execution: Execution) -> tuple[Assumption, ...]:
    """The assumption of a run on the order of different objects' addresses, at their first comparison; or none."""
    for step in execution.inputs:
        if any(isinstance(key, ir.Binary) and key.operator in ir.ORDERS for key, _ in step.others):
            where, effect = step.edge.origin, "of different objects may be any"
            return (Assumption("order", "the order of addresses", effect, where.file, where.line, where.column),)
    return ()


class IterationSkipper(Protocol):
    """Skips repeated iterations of a run; implemented by `replay_acceleration.ReplayAcceleration`."""

    def skip(self, machine: "Machine") -> str | None:
        """Changes the machine to a later state of its run, if it can. Returns the outcome of the run, if it ends."""


class Machine(RunState):
    """Executes control flow and operations.

    recorder: of the trace, None for no trace. keeps: record path and choices. acceleration: skips iterations; requires
    keeps=False.
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
        """The choices of the run so far."""
        return Inputs(tuple(record.step() for record in self.records))

    def suspend_recording(self) -> Callable[[], None]:
        """Stops recording, to execute something that is no part of the run.

        Returns a function that goes on with the records as they were.
        """
        recorder, self.recorder = self.recorder, None

        def resume() -> None:
            self.recorder = recorder

        return resume

    # --- control ----------------------------------------------------------------------------------------------------

    def run(self) -> Execution:
        """Executes the program from its start to its end, the error or a limit."""
        violation: Violation | None = None
        try:
            with deep_expressions():
                outcome, reason = self._loop(), ""
            violation = self._violation() if outcome == "error" else None
        except ViolationReached as reached:
            is_assumed = reached.violation.check in self.program.assumed
            outcome, reason = ("end" if is_assumed else "error"), ""
            violation = None if is_assumed else reached.violation
            if not is_assumed:
                self._note_violation(reached.violation)
        except ExecutionStuck as stuck:
            outcome, reason = "stuck", str(stuck)
        except RecursionError:
            outcome, reason = "stuck", "an expression is nested too deeply"
        trace = [] if self.recorder is None else self.recorder.steps()
        return Execution(
            outcome,
            trace,
            self.path,
            self.inputs(),
            reason,
            self.steps,
            self.skipped_steps,
            violation=violation,
            last=self.edge,
        )

    def _violation(self) -> Violation:
        """The violation of the ReachError edge that was executed last."""
        assert self.edge is not None and isinstance(self.edge.operation, ir.ReachError)
        operation = self.edge.operation
        return Violation(Check(self.edge.origin, operation.kind, self.edge.text or operation.what), operation.what)

    def _note_violation(self, violation: Violation) -> None:
        """Ends the trace with a violation of a check of memory."""
        if self.recorder is not None and self.edge is not None:
            instruction = EdgeInstruction(self.edge, self.edge.target)
            self.recorder.add("violation", instruction, self.stack[-1].function.name, violation.description)

    def _loop(self) -> str:
        patience = waited = 1
        while self.steps < self.limits.steps and self.limits.is_time_left():
            steps = LOOK_STEPS if self.acceleration is None else MAX_VISITED
            outcome = self.advance(min(steps, self.limits.steps - self.steps))
            if outcome is None and self.code.idles(self.location):
                return "limit"
            if outcome is None and self.acceleration is not None and waited >= patience:
                before = self.skipped_steps
                outcome = self.acceleration.skip(self)
                patience, waited = 1 if self.skipped_steps > before else 2 * patience, 0
            waited += 1
            if outcome is not None:
                return outcome
        return "limit"

    def advance(self, count: int) -> str | None:
        """Executes `count` steps. Returns the outcome if the run ends before, else None.

        Complexity over 15 since this is the innermost loop of all runs, in which a call costs a tenth of a step.
        """
        compiled, begin, keep = self.code.compiled_locations, self.oracle.begin, self.path.append
        folding = self.recorder if self.recorder is not None and self.recorder.fold else None
        recorder, passed = self._recording(folding)
        location = self.location
        for self.steps in range(self.steps + 1, self.steps + count + 1):  # noqa: B020
            at = compiled.get(location) or self.code.compiled(location)
            if folding is not None and at.head is not None:
                folding.arrive(at.head, len(self.stack), self.steps)
                recorder, passed = self._recording(folding)
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
                recorder, passed = self._recording(folding)
                continue
            else:
                chosen = self._choose(at.options)
                if chosen is None:
                    return "end"
                instruction = chosen
            if self.keeps:
                keep(instruction.edge)
            location = instruction.target
            if folding is not None and passed is not None and location not in passed:
                folding.pass_new(location)
                recorder, passed = self._recording(folding)
            value = None
            if instruction.action is not None:
                value = instruction.action(self)
            elif instruction.is_control:
                if isinstance(instruction.edge.operation, ir.ReachError):
                    if self.program.assumed and error_check(instruction.edge) in self.program.assumed:
                        return "end"
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

    def _recording(self, folding: TraceRecorder | None) -> tuple[TraceRecorder | None, set[int] | None]:
        """The recorder of the next steps, and the locations after which to ask for it again; folding: the recorder, if
        it leaves out iterations."""
        if folding is None:
            return self.recorder, None
        return None if folding.is_resting else folding, folding.passed

    def _choose(self, options: tuple[EdgeInstruction, ...]) -> EdgeInstruction | None:
        """The first edge whose condition holds; None if there is none."""
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
        if not isinstance(call, ir.Call):
            raise ExecutionStuck(f"{self.position()}: this run has one thread only")
        callee = self.program.functions[call.function]
        arguments = [self.code.function(argument)(self) for argument in call.arguments]
        activation = Activation(callee, instruction)
        changes = []
        for parameter, value in zip(callee.parameters, arguments, strict=True):
            if isinstance(parameter.type, CInteger) and not isinstance(value, int):
                raise ExecutionStuck(f"{parameter.name} is given what is no integer")
            activation.objects[parameter.unique] = made = self.made(parameter.name)
            self.begin_written(made, False)
            if self.memory is not None:
                self.memory.begin_variable(made, parameter)
            self.put(made, 0, parameter.type, value)
            changes.append((parameter.name, value))
        if instruction.edge.text or changes:
            self._note("call", instruction, changes)
        if instruction.dying:
            self.settle(instruction.dying)
        self.stack.append(activation)
        self.locals = activation.objects
        return callee.entry

    def _return(self) -> int:
        leaving = self.user_edge() if self.memory is not None else None
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
            bits = self.written_bits(made, 0, self.sizes.of(result.type))
            self.put(target, offset, lvalue.type, value)
            self.put_written(target, offset, bits)
            if instruction.kind:
                self._note("return", instruction, value)
        if self.memory is not None:
            self.edge = leaving  # the variables end there, and not at the call
            for made in activation.objects.values():
                self.memory.end(made)
            self.settle(instruction.dying)
        return instruction.target

    # --- operations, called by the functions of compiled automata ---------------------------------------------------

    def chosen(self, kind: CType) -> CValue:
        """The value of a Nondet's lvalue."""
        value = self.oracle.scalar(kind)
        if self.keeps:
            self.recorded().value = value
        if isinstance(kind, CPointer):
            return NULL_POINTER if value == 0 else NumberPointer(None, int(value))
        return value

    def declare(self, operation: ir.Declare) -> None:
        variable = operation.variable
        made = self.made(variable.name, variable.constant)
        self._fill(made)
        objects = self.globals if variable.function is None else self.locals
        old = objects.get(variable.unique)
        if self.memory is not None:
            length = None if operation.length is None else self.code.integer(operation.length)(self)
            old = self.memory.redeclared(old, made, variable, length)
        if old is not None:  # the same storage, with new contents
            self.complete_record(old)
            old.restore(made.snapshot())
            made = old
        made.has_ended = operation.ends
        self.begin_written(made, not begins_unwritten(variable))
        objects[variable.unique] = made
        self.record_contents(made)

    def allocate(self, operation: ir.Allocate) -> CValue:
        made, lvalue = self.made(BLOCK), operation.lvalue
        made.cleared, made.allocated = operation.cleared, None if self.edge is None else self.edge.origin
        self.begin_written(made, operation.cleared or self.stack[-1].function.name in GIVEN_OBJECTS)
        size = self.code.integer(operation.size)(self) if operation.cleared or self.memory is not None else 0
        if operation.cleared:
            made.cleared_end = 8 * size
            if made.written is not None:
                made.written.end = 8 * size
        if self.memory is not None:
            function = self.stack[-1].function.name
            self.memory.begin_block(made, size, operation.on_stack, function)
            if operation.on_stack:
                self.locals[f"<block of step {self.steps}>"] = made
        if not operation.cleared:
            self._fill(made)
            self.record_contents(made)
        target, offset = self.code.function(lvalue)(self)
        self.put(target, offset, lvalue.type, Pointer(made))
        return Pointer(made)

    def end_lifetimes(self, operation: ir.EndLifetimes) -> None:
        """Ends the variables of a block; the next time that the block is entered they are other objects."""
        self._end(variable.unique for variable in operation.variables)

    def settle(self, dying: tuple[str, ...]) -> None:
        """Ends temporaries; then no block may be lost. The states inside library models are none of the program's."""
        self._end(dying)
        if self.memory is not None and self.stack[-1].function.name not in self.code.models:
            self.memory.check_lost()

    def _end(self, names: Iterable[str]) -> None:
        for name in names:
            made = self.locals.pop(name, None)
            if made is None:
                continue
            made.has_ended = True
            if self.memory is not None:
                self.memory.end(made)

    def _fill(self, made: Object) -> None:
        set_contents(made, self.oracle.contents())

    def havoc(self, arguments: list[CValue]) -> list[tuple[str, CValue]]:
        """Executes a function without a body: all objects that it reaches get new contents, pointers unknown values.

        Constants keep theirs.

        arguments: of the call. Returns the integer variables that it changes to chosen values, with these.
        """
        self.escaped += [pointer.target for pointer in arguments if isinstance(pointer, Pointer) and pointer.target]
        reached = reachable_from([*self.escaped, *map(self.object, self.program.external_globals())])
        chosen = self.oracle.changed() if reached else {}
        if self.memory is not None:
            self.memory.escape(reached)
        reached = {made: None for made in reached if not made.constant}
        changed = {variable: value for variable, value in chosen.items() if self._named(variable) in reached}
        if self.keeps:
            self.recorded().objects = tuple(changed.items())
        contents = {self._named(variable): value for variable, value in changed.items()}
        for made in reached:
            self._forget(made, contents.get(made, ObjectValue()))
        numbers = ((variable.name, value) for variable, value in changed.items() if isinstance(variable.type, CInteger))
        return [(name, value.entries[0]) for name, value in numbers if 0 in value.entries]

    def _named(self, variable: ir.Variable) -> Object | None:
        """The object of a variable in the innermost call that has it, None if there is none."""
        if variable.function is None:
            return self.globals.get(variable.unique)
        objects = (activation.objects.get(variable.unique) for activation in reversed(self.stack))
        return next((made for made in objects if made is not None), None)

    def _forget(self, made: Object, contents: ObjectValue) -> None:
        if self.memory is not None:
            self.memory.forget(made)
        made.cells, made.reads, made.kinds = {}, {}, {}
        made.cleared, made.grain = False, ANY_BITS
        self.begin_written(made, True)
        set_contents(made, contents)
        made.has_unknown_pointers = True

    def forget(self, pointer: CValue) -> None:
        """Ends the lifetime of a block where nobody checks that: it gets new contents."""
        if not isinstance(pointer, Pointer) or pointer.target is None:
            return
        made = pointer.target
        made.has_ended = True
        self.complete_record(made)
        made.cells, made.reads, made.kinds = {}, {}, {}
        made.cleared, made.grain = False, 0
        self.begin_written(made, True)
        self._fill(made)
        self.record_contents(made)

    def trap(self, edge: ir.Edge, what: str) -> None:
        """Raises ExecutionStuck: the run goes beyond what is modelled."""
        raise ExecutionStuck(f"{edge.origin}: unsupported: {what}")

    def clear(self, lvalue: ir.LValue) -> None:
        target, offset = self.code.function(lvalue)(self)
        if target is None:
            return
        if isinstance(lvalue, ir.VariableLValue):
            if self.memory is not None:
                self.memory.forget(target)
            target.cells.clear()
            target.reads.clear()
            target.cleared = True
            self.begin_written(target, True)
        else:
            self.put_written(target, offset, [True] * self.sizes.of(lvalue.type))
            for kind, start in self.scalars(lvalue.type, offset):
                if isinstance(kind, CRecord):  # a union
                    for byte in range(0, self.sizes.of(kind), 8):
                        self.put(target, start + byte, UCHAR, 0)
                else:
                    self.put(target, start, kind, NULL_POINTER if isinstance(kind, CPointer) else 0)
            for start, width in self.padding(lvalue.type) if isinstance(lvalue.type, CRecord) else ():
                self.put(target, offset + start, CInteger("byte", width, False, 1), 0)

    def _note(self, kind: str, instruction: EdgeInstruction, value: Traced = None) -> None:
        if self.recorder is not None:
            named = instruction.indices
            indices = [index(self) for _, index in named] if named and kind != "call" else ()
            self.recorder.add(kind, instruction, self.stack[-1].function.name, value, indices)
