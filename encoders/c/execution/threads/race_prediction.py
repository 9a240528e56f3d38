"""Data races that a run of a program with threads implies, by the order that its synchronisation gives its turns.

Turns of one thread are ordered, creation before the first turn, the last turn before a join, and sections that access
the same memory (one of them writes) in the order of the run. Two conflicting accesses that this leaves unordered are a
race (Lamport 1978; Flanagan, Freund: FastTrack, PLDI 2009); the turns before both, in the order of the run, lead to a
state in which both are next. Only the execution of that schedule decides.
"""

from collections.abc import Iterator, Sequence

from chcverify.effort import MAX_COMBINED
from chcverify.quick_dataclass import dataclass
from encoders.c.execution.inputs import Inputs, InputStep, Repeated
from encoders.c.execution.objects import Object
from encoders.c.execution.threads.schedules import Schedule
from encoders.c.execution.threads.thread_run import TurnLog
from encoders.c.execution.threads.thread_steps import MemoryAccess

Clock = dict[int, int]
"""For each thread, how many of its turns come before."""


@dataclass(eq=False, slots=True)
class _Past:
    """An access of the run. clock: of its turn's start, with what its section waited for."""

    access: MemoryAccess
    turn: int
    clock: Clock


class _Order:
    """The order of the turns so far. own: how many turns each thread has begun."""

    def __init__(self) -> None:
        self.clocks: dict[int, Clock] = {}
        self.own: Clock = {}
        self.past: dict[Object, list[_Past]] = {}

    def begin(self, thread: int) -> None:
        """A turn of the thread begins: its own earlier turns come before."""
        self.clocks.setdefault(thread, {})[thread] = self.own.get(thread, 0)
        self.own[thread] = self.own.get(thread, 0) + 1

    def meet(self, thread: int, other: Clock, turns: Clock | None = None) -> None:
        """What comes before the other comes before the thread's next step, too."""
        mine = self.clocks.setdefault(thread, {})
        for each, count in {**other, **(turns or {})}.items():
            if count > mine.get(each, 0):
                mine[each] = count

    def access(self, access: MemoryAccess, turn: int) -> _Past | None:
        """Orders an access behind those that it is synchronised with. Returns an earlier one that it races with."""
        mine, found = self.clocks[access.thread], None
        past = self.past.setdefault(access.target, [])
        for other in past:
            thread = other.access.thread
            if thread == access.thread or not access.overlaps(other.access):
                continue
            if access.is_atomic and other.access.is_atomic:
                self.meet(access.thread, other.clock, {thread: other.clock.get(thread, 0) + 1})
        for other in past:
            is_before = mine.get(other.access.thread, 0) > other.clock.get(other.access.thread, 0)
            if not is_before and access.conflicts(other.access):
                found = other
                break
        new = _Past(access, turn, dict(mine))
        self.past[access.target] = [each for each in past if not _is_covered(each.access, access)] + [new]
        return found


def _is_covered(old: MemoryAccess, new: MemoryAccess) -> bool:
    """True if whatever conflicts with the old access of a thread conflicts with its new one, too."""
    return (
        old.thread == new.thread
        and old.first >= new.first
        and old.end <= new.end
        and old.site.is_write <= new.site.is_write
        and old.is_atomic == new.is_atomic
        and old.site.counts == new.site.counts
    )


def predicted_races(log: Sequence[TurnLog], schedule: Schedule) -> Iterator[Schedule]:
    """Schedules after which two accesses may race, for the first few pairs of a run. log, schedule: of the run."""
    order, seen = _Order(), set[tuple[int, int]]()
    steps = schedule.inputs.steps
    for number, turn in enumerate(log):
        order.begin(turn.thread)
        for joined in turn.joined:
            order.meet(turn.thread, order.clocks.get(joined, {}), {joined: order.own.get(joined, 0)})
        for access in turn.accesses:
            other = order.access(access, number)
            if other is None:
                continue
            pair = id(other.access.site), id(access.site)
            if pair not in seen:
                seen.add(pair)
                yield _adjacent(log, other, _Past(access, number, dict(order.clocks[turn.thread])), steps)
            if len(seen) >= MAX_COMBINED:
                return
        for created in turn.created:
            order.meet(created, order.clocks[turn.thread], {turn.thread: order.own[turn.thread]})


def _adjacent(log: Sequence[TurnLog], first: _Past, second: _Past, steps: Sequence[InputStep | Repeated]) -> Schedule:
    """The turns that come before one of two accesses, then one of their own."""
    order, counted = dict(first.clock), Clock()
    for thread, count in second.clock.items():
        order[thread] = max(order.get(thread, 0), count)
    threads, inputs = [], list[InputStep | Repeated]()
    last = first.turn if first.access.is_atomic else second.turn
    for number, turn in enumerate(log):
        counted[turn.thread] = counted.get(turn.thread, 0) + 1
        if counted[turn.thread] <= order.get(turn.thread, 0):
            threads.append(turn.thread)
            inputs += steps[turn.inputs : _end(log, number, steps)]
    threads.append(log[last].thread)
    inputs += steps[log[last].inputs : _end(log, last, steps)]
    return Schedule.of(threads, Inputs(tuple(inputs)))


def _end(log: Sequence[TurnLog], number: int, steps: Sequence[object]) -> int:
    """The number of the run's choices before the turn behind."""
    return log[number + 1].inputs if number + 1 < len(log) else len(steps)
