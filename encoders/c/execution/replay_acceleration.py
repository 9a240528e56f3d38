"""Replays very long runs by skipping iterations.

Where a run repeats a path and each repetition changes every integer by the same amount, the state after k repetitions
is computed instead of executed. Within a cycle of the derivation, the greatest k whose repetition still keeps to path
and changes is determined by executing that repetition at k = 1, 2, 4, ... and then by bisection; repetitions at random
positions below it are executed, too. Most of the skipped ones are not executed, but the derivation, which was checked
before, contains each of them: this replay confirms that the automata agree. Repetitions that choose are executed.
"""

import math
import operator
import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from chcverify.effort import MAX_BUILT, MAX_COMPARED, MAX_FORMULAS
from chcverify.quick_dataclass import dataclass
from encoders.c.execution.inputs import Recorded
from encoders.c.execution.interpreter import Machine
from encoders.c.execution.objects import Cells, CValue, ExecutionStuck, Object, ObjectSnapshot, Pointer
from encoders.c.execution.run_state import Activation
from encoders.c.types.c_types import CInteger

_WINDOW_STEPS = 1_200
"""Steps that are searched for a repetition. Chosen by hand."""
_MIN_REPETITIONS = 1_000
"""Repetitions that are skipped at once; skipping fewer costs more than executing them. Chosen by hand."""

Changes = Sequence[dict[int, int]]
"""For each object, the amounts by which one repetition changes its cells, by bit offset."""


@dataclass(frozen=True, eq=False)
class _State:
    """A copy of a machine's memory, in an order that depends on its calls and variables only."""

    location: int
    stack: tuple[Activation, ...]
    variables: tuple[dict[str, Object], ...]
    """Of the globals and of each call."""
    objects: tuple[Object, ...]
    contents: tuple[ObjectSnapshot, ...]
    """All objects of variables, and what they hold."""

    @classmethod
    def of(cls, machine: Machine) -> "_State | None":
        """The state of a machine; None if it is too large, has objects that only pointers lead to, or lifetimes."""
        if machine.memory is not None:
            return None
        variables = (machine.globals, *(call.objects for call in machine.stack))
        objects = tuple(made for group in variables for made in group.values())
        if sum(len(made.cells) for made in objects) > MAX_BUILT or not _is_closed(objects):
            return None
        contents = tuple(made.snapshot() for made in objects)
        return cls(machine.location, tuple(machine.stack), tuple(map(dict, variables)), objects, contents)

    def restore(self, machine: Machine, changes: Changes = (), times: int = 0) -> bool:
        """Sets the machine to this state, or to the one after `times` repetitions with these changes.

        Returns False, without an effect, if a value leaves its type.
        """
        contents = self.contents
        if times:
            moved = [_moved(old, change, times) for old, change in zip(contents, changes, strict=True)]
            if any(each is None for each in moved):
                return False
            contents = tuple(each for each in moved if each is not None)
        machine.location, machine.stack[:] = self.location, self.stack
        machine.locals = machine.stack[-1].objects
        for group, saved in zip((machine.globals, *(call.objects for call in self.stack)), self.variables, strict=True):
            group.clear()
            group.update(saved)
        for made, snapshot in zip(self.objects, contents, strict=True):
            made.restore(snapshot)
        return True

    def changes_to(self, later: "_State") -> Changes | None:
        """The changes from this state to a later one; None if anything else than integers differs."""
        if (self.location, self.stack) != (later.location, later.stack):
            return None
        if len(self.objects) != len(later.objects) or any(map(operator.is_not, self.objects, later.objects)):
            return None
        pairs = zip(self.contents, later.contents, strict=True)
        changes = [_change(before.cells, after.cells) for before, after in pairs]
        return None if any(change is None for change in changes) else [change or {} for change in changes]


@dataclass(frozen=True, eq=False)
class ReplayAcceleration:
    """Skips iterations of a run. recording: the run's oracle.

    stops: the numbers of steps after which the derivation enters or leaves a cycle, in increasing order.
    """

    recording: Recorded
    stops: Sequence[int]

    def skip(self, machine: Machine) -> str | None:
        """Skips the iterations that the run repeats now, if any. Returns the run's outcome if it ends meanwhile."""
        return skip_iterations(machine, self)


def skip_iterations(machine: Machine, acceleration: ReplayAcceleration) -> str | None:
    """Skips the iterations that the run repeats now, if any. Returns the run's outcome if it ends meanwhile."""
    outcome, path = _repeated_path(machine)
    if outcome is not None or path is None:
        return outcome
    stop = bisect_right(acceleration.stops, machine.steps)
    start = _State.of(machine) if stop < len(acceleration.stops) else None
    if start is None:
        return None
    period, steps = len(path), machine.steps
    resume_recording = machine.suspend_recording()
    acceleration.recording.held = True
    repetition = _Repetition(machine, start, path)
    count = 0
    try:
        count = repetition.longest((acceleration.stops[stop] - steps) // period)
    finally:
        start.restore(machine, repetition.changes, count)
        resume_recording()
        machine.steps, acceleration.recording.held = steps + count * period, False
    machine.skipped_steps += count * period
    if count and machine.recorder is not None:
        heads = [machine.code.compiled(location).head for location in (*path[1:], machine.location)]
        machine.recorder.skip_iterations(count, heads)
    return None


def _repeated_path(machine: Machine) -> tuple[str | None, list[int] | None]:
    """Executes steps until the locations of the last ones repeat a path.

    Returns the outcome, if the run ends meanwhile, and the locations of one repetition, from the machine's on; None if
    no path is repeated.
    """
    seen, depths = [machine.location], [len(machine.stack)]
    period = None
    while period is None or depths[-1] > min(depths[-period:]):  # within a call it would be another one each time
        outcome = machine.advance(1)
        if outcome is not None:
            return outcome, None
        seen.append(machine.location)
        depths.append(len(machine.stack))
        if len(seen) == _WINDOW_STEPS:
            period = _period(seen)
            if period is None:
                return None, None
        if len(seen) > _WINDOW_STEPS + MAX_FORMULAS:
            return None, None
    return None, seen[-period - 1 : -1]


def _period(seen: Sequence[int]) -> int | None:
    """The smallest number of locations after which the sequence repeats itself; None if there is none."""
    for period in range(1, MAX_FORMULAS + 1):
        if seen[period:] == seen[:-period]:
            return period
    return None


class _Repetition:
    """A path that a machine repeats from a state on. changes: of one repetition, once `longest` has determined them."""

    def __init__(self, machine: Machine, start: _State, path: Sequence[int]) -> None:
        self.machine, self.start, self.path = machine, start, path
        self.changes: Changes = ()

    def longest(self, most: int) -> int:
        """The number of repetitions to skip, at most `most`; 0 if none. Sets the changes that they make."""
        first = self._executed()
        changes = None if first is None else self.start.changes_to(first)
        if changes is None or not any(changes):
            return 0
        self.changes = changes
        good, bad = 0, 1
        while bad < most and self._holds(bad):
            good, bad = bad, 2 * bad
        bad = min(bad, most)
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if self._holds(middle) else (good, middle)
        draw = random.Random(good)
        samples = sorted({draw.randrange(good) for _ in range(MAX_COMPARED)}) if good else []
        good = next((times for times in samples if not self._holds(times)), good)
        return good if good >= _MIN_REPETITIONS else 0

    def _holds(self, times: int) -> bool:
        """True if, after `times` repetitions, the next one keeps to path and changes; False if time is up."""
        if not self.machine.limits.is_time_left() or not self.start.restore(self.machine, self.changes, times):
            return False
        before = _State.of(self.machine)
        after = self._executed()
        return before is not None and after is not None and before.changes_to(after) == self.changes

    def _executed(self) -> _State | None:
        """Executes one repetition. Returns the state after it, None if the run leaves the path."""
        try:
            for location in self.path:
                if self.machine.location != location or self.machine.advance(1) is not None:
                    return None
        except ExecutionStuck:
            return None
        return _State.of(self.machine)


def _is_closed(objects: Sequence[Object]) -> bool:
    """True if all pointers in the objects lead to one of them, or to none."""
    identities = {id(made) for made in objects}
    values = (value for made in objects for _, value in made.cells.values())
    return all(not isinstance(v, Pointer) or v.target is None or id(v.target) in identities for v in values)


def _change(before: Cells, after: Cells) -> dict[int, int] | None:
    """The amounts by which integers differ, by bit offset; None if anything else differs."""
    if before.keys() != after.keys():
        return None
    amounts = {}
    for offset, (kind, old) in before.items():
        other, new = after[offset]
        if other != kind:
            return None
        if isinstance(kind, CInteger) and isinstance(old, int) and isinstance(new, int):
            if new != old:
                amounts[offset] = new - old
        elif not _is_same(old, new):
            return None
    return amounts


def _is_same(old: CValue, new: CValue) -> bool:
    """True if two values are equal, the signs of zeros included."""
    if isinstance(old, float) and isinstance(new, int | float):
        return old == new and math.copysign(1, old) == math.copysign(1, new)
    return old == new


def _moved(snapshot: ObjectSnapshot, change: dict[int, int], times: int) -> ObjectSnapshot | None:
    """The snapshot after so many changes; None if a value leaves its type."""
    cells = dict(snapshot.cells)
    for offset, amount in change.items():
        kind, old = cells[offset]
        assert isinstance(kind, CInteger) and isinstance(old, int)
        new = old + times * amount
        if not kind.minimum <= new <= kind.maximum:
            return None
        cells[offset] = (kind, new)
    return replace(snapshot, cells=cells)
