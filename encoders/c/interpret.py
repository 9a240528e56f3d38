"""Execution of a program's automata on given inputs, exactly as C defines it: own semantics on Python integers and
objects, independent of the encoding. A replay that reaches the error here confirms a trace."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chcverify.source import TraceStep
from encoders.c import ir
from encoders.c.encoding.evaluator import Activation, Evaluator
from encoders.c.encoding.inputs import Inputs, Oracle, Random, Recorded
from encoders.c.encoding.objects import (
    NULL_POINTER,
    CValue,
    Object,
    Pointer,
    Stuck,
    store,
)
from encoders.c.encoding.show import place_text, value_text
from encoders.c.encoding.walk import postorder, roots
from encoders.c.types import UCHAR, CInteger, CPointer, CRecord, CType


@dataclass(frozen=True)
class Limits:
    """steps: executed edges. depth: nested calls. trace: steps of the trace that are kept (the last ones)."""

    steps: int = 1_000_000
    depth: int = 10_000
    trace: int = 10_000


_LONGER = 10  # times the steps of a short random run; derivations of runs longer than that take too long to check
_MOST_LONGER = 10  # runs that are tried again with more steps


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
    return Machine(program, Recorded(inputs), limits or Limits(), tracing=True).run()


def execute(program: ir.Program, oracle: Oracle, limits: Limits | None = None) -> Execution:
    """Executes the program on the choices of an oracle; the result's inputs repeat the run."""
    return Machine(program, oracle, limits or Limits(), tracing=True).run()


def random_runs(
    program: ir.Program, seed: int, count: int, steps: int = 2_000, going_on: Callable[[], bool] = lambda: True
) -> Execution | None:
    """The first of `count` short random runs that reaches the error, or None. `going_on` is asked between runs.

    After a quarter of the runs, some of those that were cut off are tried again with more steps. A program without
    inputs has one run only.
    """
    constants = sorted(_constants(program))
    quarter, cut_off = max(1, count // 4), list[int]()
    same = False  # as every other run, for no value was drawn

    def attempts() -> Iterator[tuple[int, int]]:
        yield from itertools.takewhile(lambda _: not same, ((number, 1) for number in range(quarter)))
        yield from ((number, _LONGER) for number in cut_off[:_MOST_LONGER])
        yield from itertools.takewhile(lambda _: not same, ((number, 1) for number in range(quarter, count)))

    for number, factor in attempts():
        if not going_on():
            break
        limits = Limits(steps=factor * steps)
        oracle = Random(seed * 1_000_003 + number, constants, bound=1 << (number % 8))
        machine = Machine(program, oracle, limits, tracing=False)
        outcome = machine.run().outcome
        if outcome == "error":
            return run(program, machine.inputs(), limits)
        if outcome == "limit" and factor == 1:
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


class Machine(Evaluator):
    """Control flow and operations."""

    def __init__(self, program: ir.Program, oracle: Oracle, limits: Limits, tracing: bool) -> None:
        super().__init__(program, oracle)
        self.limits, self.tracing = limits, tracing
        self.trace: list[TraceStep] = []
        self.path: list[ir.Edge] = []
        self._out: dict[str, dict[int, list[ir.Edge]]] = {}

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
            if self.truth(operation.condition) == operation.holds:
                return edge
            if self.record is not None and self.records and self.records[-1] is self.record:
                self.records.pop()
        return None

    def _begin(self, edge: ir.Edge) -> None:
        if edge is self.edge and isinstance(edge.operation, ir.Assume):
            return  # its condition has just been evaluated
        self.edge = edge
        self.record = None
        self.oracle.begin(edge)

    def _call(self, edge: ir.Edge, call: ir.Call) -> int:
        callee = self.program.functions[call.function]
        arguments = [self.value(argument) for argument in call.arguments]
        activation = Activation(callee, edge)
        changes = []
        for parameter, value in zip(callee.parameters, arguments, strict=True):
            activation.objects[parameter.unique] = made = self.made(parameter.name)
            self.put(Pointer(made), parameter.type, value)
            changes.append((parameter.name, value_text(value)))
        self._note("call", edge, changes)
        self.stack.append(activation)
        return callee.entry

    def _return(self) -> int:
        activation = self.stack.pop()
        edge, result = activation.call, activation.function.result
        assert edge is not None and isinstance(edge.operation, ir.Call)
        self.edge, self.record = edge, None
        place = edge.operation.place
        if place is not None and result is not None:
            made = activation.objects.get(result.unique) or self.made(result.name)
            value = self.get(Pointer(made), result.type)
            self.put(self.place(place), place.type, value)
            self._note("return", edge, self._changes(place, value), value=value)
        return edge.target

    # --- operations -------------------------------------------------------------------------------------------------

    def _execute(self, edge: ir.Edge, operation: ir.Operation) -> None:
        match operation:
            case ir.Assign(place=place, value=value):
                result = self.value(value)
                self.put(self.place(place), place.type, result)
                self._note("statement", edge, self._changes(place, result))
            case ir.Assume(holds=holds):
                self._note("condition", edge, holds=holds)
            case ir.Nondet(place=place):
                chosen = self._chosen(place.type)
                self.put(self.place(place), place.type, chosen)
                self._note("input", edge, self._changes(place, chosen), value=chosen)
            case ir.Declare(variable=variable):
                made = self.made(variable.name)
                self._fill(made)
                objects = self.globals if variable.function is None else self.stack[-1].objects
                if variable.unique in objects:  # the same storage, with new contents
                    old = objects[variable.unique]
                    old.cells, old.contents, old.default = made.cells, made.contents, made.default
                    old.reads, old.kinds, old.octets, old.cleared = {}, {}, made.octets, False
                    made = old
                objects[variable.unique] = made
                self.recorded().made = made
            case ir.Clear(place=place):
                self._clear(place)
            case ir.Allocate(place=place, cleared=cleared):
                made = self.made("heap")
                made.cleared = cleared
                if not cleared:
                    self._fill(made)
                    self.recorded().made = made
                self.put(self.place(place), place.type, Pointer(made))
                self._note("statement", edge, self._changes(place, Pointer(made)))
            case _:
                pass

    def _chosen(self, kind: CType) -> CValue:
        value = self.oracle.scalar(kind)
        self.recorded().value = value
        if isinstance(kind, CPointer):
            return NULL_POINTER if value == 0 else Pointer(None, int(value))
        return value

    def _fill(self, made: Object) -> None:
        contents = self.oracle.contents()
        made.contents, made.default, made.octets = dict(contents.entries), contents.default, contents.octets
        for offset in contents.octets:
            store(made, offset, UCHAR, contents.entries[offset])

    def _clear(self, place: ir.Place) -> None:
        target = self.place(place)
        if target.target is None:
            return
        if isinstance(place, ir.VariablePlace):
            target.target.cells.clear()
            target.target.reads.clear()
            target.target.cleared = True
        else:
            for kind, offset in self.scalars(place.type, target.offset):
                if isinstance(kind, CRecord):  # a union
                    for byte in range(0, self.sizes.of(kind), 8):
                        self.put(Pointer(target.target, offset + byte), UCHAR, 0)
                else:
                    self.put(Pointer(target.target, offset), kind, NULL_POINTER if isinstance(kind, CPointer) else 0)

    # --- the trace --------------------------------------------------------------------------------------------------

    def _changes(self, place: ir.Place, value: CValue) -> list[tuple[str, str]]:
        if not self.tracing or (isinstance(place, ir.VariablePlace) and place.variable.temporary):
            return []
        return [(place_text(place, lambda index: self.value(index)), value_text(value))]

    def _note(
        self,
        kind: str,
        edge: ir.Edge,
        changes: Sequence[tuple[str, str]] = (),
        holds: bool | None = None,
        value: CValue | None = None,
    ) -> None:
        if not self.tracing or not (edge.text or changes or kind == "violation"):
            return
        what = edge.operation.what if isinstance(edge.operation, ir.ReachError) else ""
        function, given = self.stack[-1].function.name, "" if value is None else value_text(value)
        self.trace.append(TraceStep(edge.origin, function, kind, edge.text or what, tuple(changes), holds, given))
        if len(self.trace) > 2 * self.limits.trace:
            del self.trace[: self.limits.trace]
