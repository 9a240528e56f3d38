"""What a run did, for people: its steps, and of what it repeated many times only the first and the last."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from chcverify.horn.system import Origin
from chcverify.results.source_facts import SAME_INPUTS, WITH_INPUTS, TraceStep
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import EdgeInstruction, is_hidden
from encoders.c.execution.objects import CValue
from encoders.c.execution.value_text import lvalue_text, value_text

_FOLD_FROM = 4  # iterations in a row that take the same path; fewer are shown whole
GONE_OVER = ", gone over at once"
# paths and inputs of a loop's iterations that are told; after as many, inputs make no difference
_MAX_LISTED_PATHS = 20


class _Input(NamedTuple):
    instruction: EdgeInstruction
    value: CValue


@dataclass(eq=False, slots=True)
class _SkippedSteps:
    """`count` iterations of the loop at an origin, or steps (None), that are left out. inputs: what is said of them."""

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
    """A loop that control is in. start: where the present iteration begins; previous: the shape of the one before;
    same: how many in a row had that shape; shapes: how often it changed; known: where it changed often, the shapes that
    then count as the same; skipped: stands for those between the second and the last of the row."""

    head: ir.Location
    depth: int
    start: int
    previous: list[object] | None = None
    same: int = 0
    shapes: int = 0
    known: set[tuple[object, ...]] = field(default_factory=set)
    skipped: _SkippedSteps | None = None

    def repeats(self, shape: list[object]) -> bool:
        """Is an iteration of this shape as the one before?"""
        if self.shapes <= _MAX_LISTED_PATHS:
            return shape == self.previous
        key = tuple(shape)
        found = key in self.known
        self.known.add(key)
        return found


class TraceRecorder:
    """Steps in order. fold: are iterations with the same path and inputs as others left out as they come? limit: steps
    that are kept, at the beginning and again at the end. Entries become text at the end only."""

    def __init__(self, limit: int, fold: bool = False) -> None:
        self.limit, self.fold = limit, fold
        self._entries: list[Any] = []  # (kind, instruction, function, value, values of indices), or _Skipped
        self._shape: list[object] = []  # of each entry what makes paths different
        self._visits: list[_LoopVisit] = []
        self._cut: _SkippedSteps | None = None

    def add(
        self, kind: str, instruction: EdgeInstruction, function: str, value: Any = None, indices: Sequence[CValue] = ()
    ) -> None:
        """value: what was assigned or chosen; of a call, the parameters with their values."""
        self._entries.append((kind, instruction, function, value, indices))
        self._shape.append(
            _Input(instruction, value) if kind == "input" else instruction if kind != "return" else instruction.edge
        )
        if len(self._entries) > 3 * self.limit + 1:  # many at once: each time costs as much
            self._shorten()

    def arrive(self, head: ir.Location, depth: int) -> None:
        """Control is at the head of a loop, in a call at a depth."""
        visits = self._visits
        for index in range(len(visits) - 1, -1, -1):
            if visits[index].depth < depth:
                break
            if visits[index].depth == depth and visits[index].head is head:
                del visits[index + 1 :]
                self._iterated(visits[index])
                return
        visits.append(_LoopVisit(head, depth, len(self._entries)))

    def leave(self, depth: int) -> None:
        """A call at the depth is over."""
        while self._visits and self._visits[-1].depth >= depth:
            self._visits.pop()

    def skip_iterations(self, count: int, heads: Sequence[ir.Location | None]) -> None:
        """So many iterations were skipped. heads: that one passes; their loop is the one passed least often."""
        passed = Counter(head for head in heads if head is not None)
        head = min(passed, key=lambda head: passed[head], default=None)
        origin, function = (None, "") if head is None else (head.origin, head.function)
        self._entries.append(_SkippedSteps(count, GONE_OVER, origin, function))
        self._shape.append(None)
        self._visits.clear()

    def _iterated(self, visit: _LoopVisit) -> None:
        """Of equal iterations in a row the one before the last goes, from the fourth on."""
        entries = self._entries
        this = self._shape[visit.start :]
        if visit.shapes > _MAX_LISTED_PATHS:
            this = [item.instruction if isinstance(item, _Input) else item for item in this]
        if not this or not visit.repeats(this):
            visit.same, visit.skipped = 1, None
            visit.shapes += 1
        else:
            visit.same += 1
            if visit.same >= _FOLD_FROM:
                self._fold(visit)
        visit.previous, visit.start = this, len(entries)

    def _fold(self, visit: _LoopVisit) -> None:
        """Leaves out the iteration before the last."""
        entries, shape, length = self._entries, self._shape, len(visit.previous or ())
        before, alike = visit.start - length, visit.shapes <= _MAX_LISTED_PATHS
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
        if len(self._entries) > 2 * self.limit + 1:
            self._shorten()
        out: list[TraceStep] = []
        for entry in self._entries:
            if not isinstance(entry, _SkippedSteps):
                out.append(_step(*entry))
            elif entry.origin is not None or out:
                out.append(entry.step(out[-1].origin if out else Origin("", 0, 0)))
        return out


def _inputs(entries: Sequence[Any], if_any: str) -> str:
    """if_any if there are inputs, unless less is known of those that are left out."""
    left_out = {entry.inputs for entry in entries if isinstance(entry, _SkippedSteps)}
    if WITH_INPUTS in left_out:
        return WITH_INPUTS
    chosen = any(not isinstance(entry, _SkippedSteps) and entry[0] == "input" for entry in entries)
    return if_any if chosen or SAME_INPUTS in left_out else ""


def _step(kind: str, instruction: EdgeInstruction, function: str, value: Any, indices: Sequence[CValue]) -> TraceStep:
    edge, given = instruction.edge, ""
    operation = edge.operation
    changes: list[tuple[str, str]] = []
    if kind == "call" or isinstance(operation, ir.Havoc):
        changes = [(name, value_text(item)) for name, item in value]
    elif kind not in ("condition", "violation"):
        lvalue = operation.lvalue  # type: ignore[union-attr]
        if lvalue is not None and not is_hidden(lvalue):
            known = {id(index): item for (index, _), item in zip(instruction.indices, indices, strict=True)}
            changes = [(lvalue_text(lvalue, lambda index: known[id(index)]), value_text(value))]
        given = value_text(value) if kind in ("input", "return") else ""
    holds = operation.holds if isinstance(operation, ir.Assume) else None
    what = operation.what if isinstance(operation, ir.ReachError) else ""
    return TraceStep(edge.origin, function, kind, edge.text or what, tuple(changes), holds, given)
