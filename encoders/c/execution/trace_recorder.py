"""Records the steps of a run for people; of iterations repeated many times only the first and the last."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple

from chcverify.display_limits import IN_A_LIST, IN_A_PICTURE
from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from chcverify.results.repeated_steps import FOLD_FROM
from chcverify.results.source_facts import SAME_INPUTS, WITH_INPUTS, TraceStep
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import EdgeInstruction, is_hidden
from encoders.c.execution.objects import CValue
from encoders.c.execution.state_access import Written
from encoders.c.execution.value_text import lvalue_text, value_text

SKIPPED_AT_ONCE = ", skipped at once"
Traced = Written | str
"""What a step of a trace shows: what it writes; of a violation, its description."""
TraceEntry = tuple[str, EdgeInstruction, str, Traced, Sequence[CValue]]
"""Kind, instruction, function, what is shown, values of indices."""


class _Input(NamedTuple):
    instruction: EdgeInstruction
    value: object


@dataclass(eq=False, slots=True)
class _SkippedSteps:
    """Steps that are left out: `count` iterations of the loop at `origin`, or `count` steps if that is None.

    inputs: a remark on their inputs.
    """

    count: int
    inputs: str
    origin: Origin | None = None
    function: str = ""

    def step(self, origin: Origin) -> TraceStep:
        what = f"more iteration{'s' * (self.count > 1)} of the loop at line {self.origin.line}" if self.origin else ""
        text = f"{self.count:,} {what or 'more steps'}{self.inputs}"
        return TraceStep(self.origin or origin, self.function, "repeated", text)


@dataclass(eq=False, slots=True)
class _LoopVisit:
    """A loop in execution."""

    head: ir.Location
    depth: int
    start: int
    """The entry of the trace at which the present iteration begins."""
    previous: list[object] | None = None
    """The shape of the iteration before."""
    same: int = 0
    """The number of iterations in a row with that shape."""
    shapes: int = 0
    """The number of times that the shape changed."""
    known: set[tuple[object, ...]] = field(default_factory=set)
    """After many changes, the shapes that count as equal."""
    skipped: _SkippedSteps | None = None
    """The entry of the trace for the iterations between the second and the last of the row."""
    passed: set[int] = field(default_factory=set)
    """The locations that iterations pass, as far as they were collected."""
    inputs: str = ""
    """The remark on the inputs of the iterations that were only counted."""

    def repeats(self, shape: list[object]) -> bool:
        """True if an iteration of this shape repeats the one before."""
        if self.shapes <= IN_A_LIST:
            return shape == self.previous
        key = tuple(shape)
        found = key in self.known
        self.known.add(key)
        return found


class TraceRecorder:
    """The steps of a run in order. limit: steps that are kept, at the beginning and again at the end.

    fold: leave out iterations with the same path and inputs as others as they come. After many of them the recorder
    rests: iterations are counted, and not recorded, until the run comes to a location that none of them has passed, or
    to step `awake_from`. So a new path is shown once, from its first new step on. Recording all took up to two thirds
    of the time of a run: 7.2 s in place of 2.6 s for 2.7 million steps of loops that fill arrays.

    Entries become text at the end only.
    """

    def __init__(self, limit: int, fold: bool = False, awake_from: float = math.inf) -> None:
        self.limit, self.fold, self.awake_from = limit, fold, awake_from
        self.is_resting = False
        self.passed: set[int] | None = None
        """The locations that the iterations pass which are only counted, or are about to be; None if there are none."""
        self._counted: _LoopVisit | None = None  # the loop of these iterations
        self._entries: list[TraceEntry | _SkippedSteps] = []
        self._shape: list[object] = []  # of each entry what makes paths different
        self._visits: list[_LoopVisit] = []
        self._cut: _SkippedSteps | None = None

    def add(
        self,
        kind: str,
        instruction: EdgeInstruction,
        function: str,
        value: Traced = None,
        indices: Sequence[CValue] = (),
    ) -> None:
        """Adds an entry. value: that was assigned or chosen; for a call, the parameters with their values."""
        if self.is_resting:
            if kind != "violation":
                return
            self.wake()
        self._entries.append((kind, instruction, function, value, indices))
        self._shape.append(
            _Input(instruction, value) if kind == "input" else instruction if kind != "return" else instruction.edge
        )
        if len(self._entries) > 3 * self.limit + 1:  # many at once: each time costs as much
            self._shorten()

    def arrive(self, head: ir.Location, depth: int, step: int = 0) -> None:
        """Enters the next iteration of a loop. depth: of the call; step: the number of the run's next step."""
        if self.is_resting:
            self._count_iteration(head, depth, step)
            return
        visits = self._visits
        for index in range(len(visits) - 1, -1, -1):
            if visits[index].depth < depth:
                break
            if visits[index].depth == depth and visits[index].head is head:
                del visits[index + 1 :]
                self._iterated(visits[index])
                if step < self.awake_from:
                    self._rest_after(visits[index])
                return
        visits.append(_LoopVisit(head, depth, len(self._entries)))

    def pass_new(self, location: int) -> None:
        """The run is at a location that is not among those passed, which ends a rest for this iteration."""
        assert self.passed is not None
        self.passed.add(location)
        if self.is_resting:
            self._end_rest()

    def wake(self) -> None:
        """Records what comes from now on, until iterations are equal often again."""
        if self.is_resting:
            self._end_rest()
        self._counted = self.passed = None

    def _rest_after(self, visit: _LoopVisit) -> None:
        """Rests if the loop has been repeated often, after one more iteration whose locations are collected."""
        if self._counted is visit:
            self._begin_rest(visit)
        elif visit.same >= IN_A_PICTURE:
            self._counted, self.passed = visit, visit.passed
            visit.passed.add(visit.head.number)

    def _begin_rest(self, visit: _LoopVisit) -> None:
        """Counts iterations from now on. The last one is left out, too, as others follow it, unless its path is new."""
        self.is_resting = True
        if visit.skipped is None:
            visit.skipped = _SkippedSteps(0, visit.inputs, visit.head.origin, visit.head.function)
            self._entries.append(visit.skipped)
            self._shape.append((visit.head.number, visit.depth))
        else:
            first = visit.start - len(visit.previous or ())
            del self._entries[first:], self._shape[first:]
            visit.skipped.count += 1
        visit.start = len(self._entries)

    def _end_rest(self) -> None:
        visit = self._counted
        assert visit is not None and visit.skipped is not None
        self.is_resting = False
        if visit.skipped.inputs:
            visit.skipped.inputs = visit.inputs = WITH_INPUTS
        visit.previous = visit.skipped = None
        visit.same, visit.start = 0, len(self._entries)

    def _count_iteration(self, head: ir.Location, depth: int, step: int) -> None:
        """Counts an iteration of the loop whose iterations are not recorded; goes on recording at `awake_from`."""
        visit = self._counted
        assert visit is not None and visit.skipped is not None
        if visit.head is not head or visit.depth != depth:
            return
        visit.skipped.count += 1
        if step >= self.awake_from:
            previous, skipped = visit.previous, visit.skipped
            self.wake()
            visit.previous, visit.skipped = previous, skipped
            visit.same = FOLD_FROM - 2  # the second iteration from now on takes the place of the first

    def leave(self, depth: int) -> None:
        """A call at the depth is over."""
        if self._counted is not None and self._counted.depth >= depth:
            self.wake()
        while self._visits and self._visits[-1].depth >= depth:
            self._visits.pop()

    def skip_iterations(self, count: int, heads: Sequence[ir.Location | None]) -> None:
        """Adds an entry for skipped iterations. heads: the loop heads that one passes; the rarest one is that of their
        loop.
        """
        self.wake()
        passed = Counter(head for head in heads if head is not None)
        head = min(passed, key=lambda head: passed[head], default=None)
        origin, function = (None, "") if head is None else (head.origin, head.function)
        self._entries.append(_SkippedSteps(count, SKIPPED_AT_ONCE, origin, function))
        self._shape.append(None)
        self._visits.clear()

    def _iterated(self, visit: _LoopVisit) -> None:
        """Ends an iteration: from the fourth equal one in a row on, the one before the last is left out."""
        entries = self._entries
        this = self._shape[visit.start :]
        if visit.shapes > IN_A_LIST:
            this = [item.instruction if isinstance(item, _Input) else item for item in this]
        if not this or not visit.repeats(this):
            visit.same, visit.skipped = 1, None
            visit.shapes += 1
        else:
            visit.same += 1
            if visit.same >= FOLD_FROM:
                self._fold(visit)
        visit.previous, visit.start = this, len(entries)

    def _fold(self, visit: _LoopVisit) -> None:
        """Leaves out the iteration before the last."""
        entries, shape, length = self._entries, self._shape, len(visit.previous or ())
        before, alike = visit.start - length, visit.shapes <= IN_A_LIST
        inputs = visit.skipped.inputs if visit.skipped is not None else ""
        if visit.skipped is None or not (alike or inputs):
            inputs = _inputs(entries[before : visit.start], SAME_INPUTS if alike else WITH_INPUTS)
        if visit.skipped is None:
            visit.skipped = _SkippedSteps(0, inputs, visit.head.origin, visit.head.function)
            entries.insert(before, visit.skipped)
            shape.insert(before, (visit.head.number, visit.depth))
            before += 1
        del entries[before : before + length], shape[before : before + length]
        visit.skipped.count += 1
        visit.skipped.inputs = inputs

    def _shorten(self) -> None:
        """Leaves out what lies between the beginning and the end."""
        if self._cut is None:
            self._cut = _SkippedSteps(0, "")
            self._entries[self.limit : self.limit] = [self._cut]
            self._shape[self.limit : self.limit] = [None]
        first, last = self.limit + 1, len(self._entries) - self.limit
        self._cut.count += last - first
        self._cut.inputs = self._cut.inputs or _inputs(self._entries[first:last], WITH_INPUTS)
        del self._entries[first:last], self._shape[first:last]
        self._visits.clear()

    def steps(self) -> list[TraceStep]:
        self.wake()
        if len(self._entries) > 2 * self.limit + 1:
            self._shorten()
        out: list[TraceStep] = []
        for entry in self._entries:
            if not isinstance(entry, _SkippedSteps):
                out.append(trace_step(*entry))
            elif entry.origin is not None or out:
                out.append(entry.step(out[-1].origin if out else Origin("", 0, 0)))
        return out


def _inputs(entries: Sequence[TraceEntry | _SkippedSteps], if_any: str) -> str:
    """The remark on the inputs of entries: `if_any` if they have some, or a weaker remark of those left out before."""
    left_out = {entry.inputs for entry in entries if isinstance(entry, _SkippedSteps)}
    if WITH_INPUTS in left_out:
        return WITH_INPUTS
    chosen = any(not isinstance(entry, _SkippedSteps) and entry[0] == "input" for entry in entries)
    return if_any if chosen or SAME_INPUTS in left_out else ""


def trace_step(
    kind: str, instruction: EdgeInstruction, function: str, value: Traced, indices: Sequence[CValue]
) -> TraceStep:
    """The step for people; the arguments are those of `TraceRecorder.add`."""
    edge, given = instruction.edge, ""
    operation = edge.operation
    changes: list[tuple[str, str]] = []
    if isinstance(value, list):  # of a call, or of a function without a body
        changes = [(name, value_text(item)) for name, item in value]
    elif value is not None and not isinstance(value, str):
        lvalue = operation.lvalue  # type: ignore[union-attr]
        if lvalue is not None and not is_hidden(lvalue):
            known = {id(index): item for (index, _), item in zip(instruction.indices, indices, strict=True)}
            changes = [(lvalue_text(lvalue, lambda index: known[id(index)]), value_text(value))]
        given = value_text(value) if kind in ("input", "return") else ""
    holds = operation.holds if isinstance(operation, ir.Assume) else None
    what = operation.what if isinstance(operation, ir.ReachError) else ""
    if kind == "violation" and not value and isinstance(operation, ir.ReachError):
        value = what if operation.kind is CheckKind.BOUNDS else value  # else the text says it
    text = f"{edge.text}: {value}" if kind == "violation" and value else edge.text or what
    return TraceStep(edge.origin, function, kind, text, tuple(changes), holds, given)
