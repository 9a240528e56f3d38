"""What a schedule does on a task whose engines were measured one by one.

The model follows the scheduler with one job: a run gets its share of the time that is left when it starts; what it does
not use goes to those after it. Lemmas that engines exchange, and the time to make a form of the clauses once for
several engines, are not part of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import field

from chcverify.quick_dataclass import dataclass

LIMITS_SECONDS = (10.0, 60.0, 900.0)
SAFETY_FACTOR = 1.5
"""A schedule is derived as if every run took this much longer than measured: another machine, or a loaded one, is
slower. Chosen by hand; not measured."""
PENALTY_FACTOR = 2.0
"""A task that is not solved counts as this many limits (PAR2, the usual score for the configuration of solvers)."""


@dataclass(frozen=True)
class TunedSlot:
    """One engine, by its name in the campaign, and the seconds that it gets if all before it use up theirs."""

    engine: str
    seconds: float


Schedule = tuple[TunedSlot, ...]
HandMade = Callable[[frozenset[str], float], Schedule]  # features and limit to the present schedule


@dataclass(frozen=True)
class MeasuredTask:
    """A task in the data. All times are seconds of processor time."""

    key: str
    family: str
    """Tasks of one origin."""
    features: frozenset[str]
    seconds: Mapping[str, float]
    """Of every engine that solved it, after the preparation."""
    gave_up: Mapping[str, float] = field(default_factory=dict)
    """Of every engine that ended without an answer before its limit."""
    tried: frozenset[str] = frozenset()
    """All engines that were measured on it."""
    preparation: float = 0.0
    """Before the first engine starts."""

    @property
    def engines(self) -> frozenset[str]:
        """All engines with a measured run."""
        return self.tried | self.seconds.keys() | self.gave_up.keys()


def solved_after(schedule: Schedule, task: MeasuredTask, limit_s: float) -> float | None:
    """Seconds after which the schedule would have solved the task; None if not within the limit.

    Slots of engines that were not measured on the task, since they do not apply to it, are left out.
    """
    slots = [slot for slot in schedule if slot.engine in task.engines]
    waiting = sum(slot.seconds for slot in slots)
    left = limit_s - task.preparation
    for number, slot in enumerate(slots):
        is_last = number == len(slots) - 1
        granted = left if is_last or waiting <= 0 else left * slot.seconds / waiting
        waiting -= slot.seconds
        needed = task.seconds.get(slot.engine, float("inf"))
        if needed <= granted:
            return limit_s - left + needed
        left -= min(granted, task.gave_up.get(slot.engine, float("inf")))
    return None
