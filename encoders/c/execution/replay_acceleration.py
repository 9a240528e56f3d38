"""Very long runs without executing every iteration: what follows a law for one iteration after another is skipped.

Where a run repeats a path and each repetition changes every integer by the same amount, the state after k repetitions
is known. Within a cycle of the derivation, the greatest k whose repetition still keeps to path and law is found by
executing that repetition at k = 1, 2, 4, ... and then between them; repetitions at random places below it are executed,
too. Most of those skipped are not executed, but the derivation, checked before, says of each that it can be taken:
what is confirmed here is that the automata agree. Choices are not skipped: a repetition that makes one is executed.
"""

import math
import random
import time
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from encoders.c.execution.inputs import Recorded
from encoders.c.execution.interpreter import Machine
from encoders.c.execution.objects import CValue, ExecutionStuck, Object, Pointer
from encoders.c.execution.run_state import Activation
from encoders.c.types.c_types import CInteger, CType

_WINDOW_STEPS = 1_200  # steps that are looked at for a repetition
_MAX_PERIOD_STEPS = 400  # steps of a repetition
_MAX_CELLS = 2_000  # of memory
_MIN_REPETITIONS = 1_000  # repetitions that are worth it
_SAMPLES = 32

Cells = dict[int, tuple[CType, CValue]]
Law = Sequence[dict[int, int]]
"""For each object, by how much one repetition changes its cells."""


@dataclass(frozen=True, eq=False)
class _State:
    """A copy of what a machine has in memory, in an order that depends on its calls and variables only."""

    location: int
    stack: tuple[Activation, ...]
    variables: tuple[dict[str, Object], ...]
    objects: tuple[Object, ...]
    cells: tuple[Cells, ...]
    others: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, machine: Machine) -> "_State | None":
        """None where there is too much of it, or some of it is reached through pointers alone."""
        variables = (machine.globals, *(call.objects for call in machine.stack))
        objects = tuple(made for group in variables for made in group.values())
        known = {id(made) for made in objects}
        size = sum(len(made.cells) for made in objects)
        if size > _MAX_CELLS or not all(_is_among(value, known) for o in objects for _, value in o.cells.values()):
            return None
        cells = tuple(dict(made.cells) for made in objects)
        others = tuple(
            (m.grain, m.contents, m.default, m.cleared, m.byte_offsets, dict(m.reads), dict(m.kinds)) for m in objects
        )
        stack, groups = tuple(machine.stack), tuple(map(dict, variables))
        return cls(machine.location, stack, groups, objects, cells, others)

    def restore(self, machine: Machine, law: Law = (), times: int = 0) -> bool:
        """Back to this state, or to what the law makes of it after some repetitions; False if C has no such values."""
        cells = self.cells
        if times:
            moved = [_moved(old, change, times) for old, change in zip(cells, law, strict=True)]
            if any(each is None for each in moved):
                return False
            cells = tuple(each for each in moved if each is not None)
        machine.location, machine.stack[:] = self.location, self.stack
        machine.locals = machine.stack[-1].objects
        for group, saved in zip((machine.globals, *(call.objects for call in self.stack)), self.variables, strict=True):
            group.clear()
            group.update(saved)
        for made, contents, others in zip(self.objects, cells, self.others, strict=True):
            made.cells = dict(contents)
            made.grain, made.contents, made.default, made.cleared, made.byte_offsets = others[:5]
            made.reads, made.kinds = map(dict, others[5:])
        return True

    def law(self, later: "_State") -> Law | None:
        """What changes on the way to the later state, if only integers do."""
        if (self.location, self.stack) != (later.location, later.stack):
            return None
        if len(self.objects) != len(later.objects) or any(
            a is not b for a, b in zip(self.objects, later.objects, strict=True)
        ):
            return None
        changes = [_change(a, b) for a, b in zip(self.cells, later.cells, strict=True)]
        return None if any(change is None for change in changes) else [change or {} for change in changes]


@dataclass(frozen=True, eq=False)
class ReplayAcceleration:
    """What may be skipped. recording: the run's oracle. stops: the numbers of steps after which the derivation enters
    or leaves a cycle, in order."""

    recording: Recorded
    stops: Sequence[int]

    def skip(self, machine: Machine) -> str | None:
        return skip_iterations(machine, self)


def skip_iterations(machine: Machine, acceleration: ReplayAcceleration) -> str | None:
    """Goes over what the run repeats now, if it does. The run's outcome, if it comes to its end meanwhile."""
    seen, depths = [machine.location], [len(machine.stack)]
    period = None
    while period is None or depths[-1] > min(depths[-period:]):  # within a call it would be another one each time
        outcome = machine.advance(1)
        if outcome is not None:
            return outcome
        seen.append(machine.location)
        depths.append(len(machine.stack))
        if (len(seen) == _WINDOW_STEPS and (period := _period(seen)) is None) or len(
            seen
        ) > _WINDOW_STEPS + _MAX_PERIOD_STEPS:
            return None
    stop = bisect_right(acceleration.stops, machine.steps)
    start = _State.of(machine) if stop < len(acceleration.stops) else None
    if start is None:
        return None
    steps, kept = machine.steps, machine.suspend_recording()
    acceleration.recording.held = True
    repetition = _Repetition(machine, start, seen[-period - 1 : -1])
    count = 0
    try:
        count = repetition.longest((acceleration.stops[stop] - steps) // period)
    finally:
        start.restore(machine, repetition.law, count)
        machine.resume_recording(kept)
        machine.steps, acceleration.recording.held = steps + count * period, False
    machine.skipped_steps += count * period
    if count and machine.recorder is not None:
        machine.recorder.skip_iterations(count, [machine.code.compiled(location).head for location in seen[-period:]])
    return None


def _period(seen: Sequence[int]) -> int | None:
    """The length of what is repeated in all that was seen."""
    for period in range(1, _MAX_PERIOD_STEPS + 1):
        if seen[period:] == seen[:-period]:
            return period
    return None


class _Repetition:
    """A path that a machine repeats from a state on."""

    def __init__(self, machine: Machine, start: _State, path: Sequence[int]) -> None:
        self.machine, self.start, self.path = machine, start, path
        self.law: Law = ()

    def longest(self, most: int) -> int:
        """How many repetitions to go over, 0 if none; sets the law that they follow. Not more than `most`."""
        first = self._executed()
        law = None if first is None else self.start.law(first)
        if law is None or not any(law):
            return 0
        self.law = law
        good, bad = 0, 1
        while bad < most and self._holds(bad):
            good, bad = bad, 2 * bad
        bad = min(bad, most)
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if self._holds(middle) else (good, middle)
        draw = random.Random(good)
        samples = sorted({draw.randrange(good) for _ in range(_SAMPLES)}) if good else []
        good = next((times for times in samples if not self._holds(times)), good)
        return good if good >= _MIN_REPETITIONS else 0

    def _holds(self, times: int) -> bool:
        """After so many repetitions, does the next one keep to path and law? False if there is no time to try."""
        if time.monotonic() > self.machine.limits.until or not self.start.restore(self.machine, self.law, times):
            return False
        before = _State.of(self.machine)
        after = self._executed()
        return before is not None and after is not None and before.law(after) == self.law

    def _executed(self) -> _State | None:
        """The state after a repetition from where the machine is, None if it leaves the path."""
        try:
            for location in self.path:
                if self.machine.location != location or self.machine.advance(1) is not None:
                    return None
        except ExecutionStuck:
            return None
        return _State.of(self.machine)


def _is_among(value: CValue, known: set[int]) -> bool:
    return not isinstance(value, Pointer) or value.target is None or id(value.target) in known


def _change(before: Cells, after: Cells) -> dict[int, int] | None:
    """By how much integers grow; None if something else changes."""
    if before.keys() != after.keys():
        return None
    out = {}
    for offset, (kind, old) in before.items():
        other, new = after[offset]
        if other != kind:
            return None
        if isinstance(kind, CInteger) and isinstance(old, int) and isinstance(new, int):
            if new != old:
                out[offset] = new - old
        elif old != new or (isinstance(old, float) and math.copysign(1, old) != math.copysign(1, float(new))):  # type: ignore[arg-type]
            return None
    return out


def _moved(cells: Cells, change: dict[int, int], times: int) -> Cells | None:
    """The cells after so many changes; None if a value leaves its type."""
    moved = dict(cells)
    for offset, amount in change.items():
        kind, old = cells[offset]
        assert isinstance(kind, CInteger) and isinstance(old, int)
        new = old + times * amount
        if not kind.minimum <= new <= kind.maximum:
            return None
        moved[offset] = (kind, new)
    return moved
