"""Instruments a program with a witness: the violations of the result are those that the witness describes.

Correctness: a violated invariant is a violation; behind it, the invariant is assumed. Violation: a ghost variable
counts the segments whose waypoint to follow has been passed; the run ends where it passes one to avoid, and a violation
counts only in the target statement, after all other segments. (Software Verification Witnesses 2.0, Ayaziová et al.,
SPIN 2024: executions that can be divided into parts that match the segments.)
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.types.c_types import INT, LLONG, CInteger, CType
from encoders.c.witnesses.source_marks import GHOST, GHOST_FILE

SEGMENT = ir.Variable("__chcverify_segment", "__chcverify_segment", INT)
_PLACE = ir.VariableLValue(SEGMENT, INT)
_NOW = ir.Load(_PLACE, INT)
Action = Literal["follow", "avoid", "cycle"]
"""What a run does with a waypoint; those of a cycle are to be unrolled before the program is instrumented."""


@dataclass(frozen=True)
class Passing:
    """A waypoint at a mark: passed if the mark's truth is `holds`. segment: the one that it belongs to, from 0."""

    segment: int
    action: Action
    holds: bool = True


@dataclass(frozen=True)
class CallPoint:
    """A waypoint at calls. The position is that of the called function's name (column None: anywhere in the line).

    result: (operator, value) that the result must satisfy when the function returns; None: it is entered.
    """

    file: str
    line: int
    column: int | None
    segment: int
    action: Action
    result: tuple[str, int] | None = None


@dataclass(frozen=True)
class Target:
    """The statement in which the violation is: from its first to its last token, as (line, column)."""

    file: str
    first: tuple[int, int]
    last: tuple[int, int]

    def contains(self, origin: Origin) -> bool:
        """True if a position is in the statement."""
        return origin.file == self.file and self.first <= (origin.line, origin.column) <= self.last


@dataclass(frozen=True)
class WitnessPath:
    """A violation witness."""

    segments: int
    """Their number, the final included."""
    target: Target | None
    """None for runs that do not end."""
    marks: Mapping[int, Sequence[Passing]]
    """What is passed at each mark in the tree."""
    branches: frozenset[int] = frozenset()
    """Those of them that are conditions of the program."""
    calls: Sequence[CallPoint] = ()


def with_invariants(program: ir.Program, texts: Sequence[str]) -> ir.Program:
    """The program with mark number n asserted; texts[n] is its text for people."""
    return _Claims(program, texts).instrumented()


def with_path(program: ir.Program, path: WitnessPath) -> ir.Program:
    """The program whose violations are the executions that the witness represents."""
    instrumented = _Following(program, path).instrumented()
    first = instrumented.functions[program.initialise]
    number = max(location.number for function in instrumented.functions.values() for location in function.locations) + 1
    origin = Origin(GHOST_FILE, 1)
    start = ir.Edge(number, first.entry, ir.Assign(_PLACE, ir.Constant(0, INT)), origin)
    locations = (ir.Location(number, first.name, origin), *first.locations)
    first = replace(first, entry=number, locations=locations, edges=(start, *first.edges))
    functions = {**instrumented.functions, program.initialise: first}
    return replace(instrumented, functions=functions, globals=(*instrumented.globals, SEGMENT))


class _Instrumenter:
    """Replaces each edge by a chain of edges, function by function."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        used = (location.number for function in program.functions.values() for location in function.locations)
        self.numbers = itertools.count(max(used, default=0) + 1)
        self.locations: list[ir.Location] = []
        self.edges: list[ir.Edge] = []
        self.temporaries: list[ir.Variable] = []
        self.function = ""

    def instrumented(self) -> ir.Program:
        functions = {}
        for name, function in self.program.functions.items():
            self.function, self.locations, self.edges, self.temporaries = name, [], [], []
            for edge in without_checks(function.edges):
                self.instrument_edges(edge)
            functions[name] = replace(
                function,
                locations=(*function.locations, *self.locations),
                edges=tuple(self.edges),
                locals=(*function.locals, *self.temporaries),
            )
        return replace(self.program, functions=functions)

    def instrument_edges(self, edge: ir.Edge) -> None:
        raise NotImplementedError

    def location(self, origin: Origin) -> int:
        self.locations.append(ir.Location(next(self.numbers), self.function, origin))
        return self.locations[-1].number

    def chain(self, edge: ir.Edge, operations: Sequence[ir.Operation]) -> None:
        """The operations, one after the other, where the edge was; the edge's own keeps its text."""
        here = edge.source
        for index, operation in enumerate(operations):
            there = edge.target if index == len(operations) - 1 else self.location(edge.origin)
            text = edge.text if operation is edge.operation else ""
            self.edges.append(ir.Edge(here, there, operation, edge.origin, text))
            here = there


class _Claims(_Instrumenter):
    def __init__(self, program: ir.Program, texts: Sequence[str]) -> None:
        super().__init__(program)
        self.texts = texts

    def instrument_edges(self, edge: ir.Edge) -> None:
        """Assigning to the ghost: on where the invariant holds, to a violation where it does not."""
        mark, operation = mark_of(edge), edge.operation
        if mark is None or not isinstance(operation, ir.Assign):
            self.edges.append(edge)
            return
        what = f"invariant {self.texts[mark]}"
        wrong = self.location(edge.origin)
        self.edges.append(replace(edge, operation=ir.Assume(operation.value, True), text=what))
        self.edges.append(replace(edge, target=wrong, operation=ir.Assume(operation.value, False), text=what))
        end = self.location(edge.origin)
        self.edges.append(ir.Edge(wrong, end, ir.ReachError(what), edge.origin, what))


class _Following(_Instrumenter):
    def __init__(self, program: ir.Program, path: WitnessPath) -> None:
        super().__init__(program)
        self.path = path

    def instrument_edges(self, edge: ir.Edge) -> None:
        mark, operation = mark_of(edge), edge.operation
        if isinstance(operation, ir.ReachError):
            if self.path.target is None:
                self.edges.append(edge)
            elif self.path.target.contains(edge.origin):
                self.chain(edge, [ir.Assume(_is_now([self.path.segments - 1]), True), operation])
        elif mark is not None and isinstance(operation, ir.Assign):
            passing = self.path.marks.get(mark, ())
            is_branch = mark in self.path.branches
            truth = ir.Load(operation.lvalue, INT) if is_branch else operation.value
            before = [operation] if is_branch else []
            self.chain(edge, [*before, *_passed([(truth, p) for p in passing])] or [ir.Skip()])
        elif isinstance(operation, ir.Call | ir.Nondet | ir.Skip) and edge.text:
            self.call(edge)
        else:
            self.edges.append(edge)

    def call(self, edge: ir.Edge) -> None:
        points = [point for point in self.path.calls if _is_at(edge.origin, point)]
        entered = [Passing(p.segment, p.action) for p in points if p.result is None]
        operation = edge.operation
        if isinstance(operation, ir.Call) and operation.lvalue is None and len(entered) < len(points):
            kind = self.program.functions[operation.function].type.result
            operation = replace(operation, lvalue=self.temporary(kind))
            edge = replace(edge, operation=operation)
        lvalue = getattr(operation, "lvalue", None)
        returned = [
            (_satisfies(lvalue, *point.result), Passing(point.segment, point.action))
            for point in points
            if point.result is not None and lvalue is not None
        ]
        always = ir.Constant(1, INT)
        self.chain(edge, [*_passed([(always, p) for p in entered]), operation, *_passed(returned)])

    def temporary(self, kind: CType) -> ir.VariableLValue:
        name = f"{self.function}::{SEGMENT.name}#{len(self.temporaries)}"
        self.temporaries.append(ir.Variable(name, ir.TEMPORARY, kind, self.function, temporary=True))
        return ir.VariableLValue(self.temporaries[-1], kind)


def mark_of(edge: ir.Edge) -> int | None:
    """The number of the mark that an edge assigns to the ghost."""
    lvalue = edge.operation.lvalue if isinstance(edge.operation, ir.Assign) else None
    is_ghost = isinstance(lvalue, ir.VariableLValue) and lvalue.variable.name == GHOST
    return edge.origin.line if is_ghost and edge.origin.file == GHOST_FILE else None


def without_checks(edges: Sequence[ir.Edge]) -> list[ir.Edge]:
    """Without the checks of signed overflow in witness expressions: these are evaluated, not executed."""
    checks = {e.source for e in edges if isinstance(e.operation, ir.ReachError) and e.origin.file == GHOST_FILE}
    asked = {e.source for e in edges if e.target in checks}
    out = []
    for edge in edges:
        if edge.source in checks or edge.target in checks:
            continue
        out.append(replace(edge, operation=ir.Skip(), text="") if edge.source in asked else edge)
    return out


def _is_at(origin: Origin, point: CallPoint) -> bool:
    return (origin.file, origin.line) == (point.file, point.line) and point.column in (None, origin.column)


def _passed(passing: Sequence[tuple[ir.Expression, Passing]]) -> list[ir.Operation]:
    """What waypoints at one place mean, each with what is to be true or false: the run ends where it passes one to
    avoid; the next segment begins where it passes the one to follow."""
    by_truth: dict[tuple[ir.Expression, bool, str], list[int]] = {}
    for truth, point in passing:
        by_truth.setdefault((truth, point.holds, point.action), []).append(point.segment)
    found: dict[str, ir.Expression] = {}
    for (truth, holds, action), segments in by_truth.items():
        passed = ir.Binary("&&", _is_now(segments), truth if holds else ir.Unary("!", truth, INT), INT)
        found[action] = ir.Binary("||", found[action], passed, INT) if action in found else passed
    out: list[ir.Operation] = [ir.Assume(found["avoid"], False)] if "avoid" in found else []
    return [*out, ir.Assign(_PLACE, ir.Binary("+", _NOW, found["follow"], INT))] if "follow" in found else out


def _is_now(segments: Sequence[int]) -> ir.Expression:
    """The condition that the current segment is one of these: a search tree over runs of consecutive numbers."""
    return _is_within(_runs(sorted(set(segments))))


def _is_within(runs: Sequence[tuple[int, int]]) -> ir.Expression:
    if len(runs) > 1:
        middle = len(runs) // 2
        below = ir.Binary("<", _NOW, ir.Constant(runs[middle][0], INT), INT)
        return ir.Conditional(below, _is_within(runs[:middle]), _is_within(runs[middle:]), INT)
    low, high = runs[0]
    if low == high:
        return ir.Binary("==", _NOW, ir.Constant(low, INT), INT)
    least = ir.Binary(">=", _NOW, ir.Constant(low, INT), INT)
    return ir.Binary("&&", least, ir.Binary("<=", _NOW, ir.Constant(high, INT), INT), INT)


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _satisfies(lvalue: ir.LValue, operator: str, value: int) -> ir.Expression:
    """The condition that an expression satisfies a comparison. operator: == != < <= > >=. value: mathematical."""
    kind, held = lvalue.type, ir.Load(lvalue, lvalue.type)
    if not isinstance(kind, CInteger):
        return ir.Binary(operator, held, ir.Constant(value, kind), INT)
    if not kind.minimum <= value <= kind.maximum:  # then it is on the same side of all values
        below = value < kind.minimum
        holds = operator == "!=" or (operator in (">", ">=") if below else operator in ("<", "<="))
        return ir.Constant(int(holds), INT)
    if kind.width >= LLONG.width:
        return ir.Binary(operator, held, ir.Constant(value, kind), INT)
    return ir.Binary(operator, ir.Cast(held, LLONG), ir.Constant(value, LLONG), INT)
