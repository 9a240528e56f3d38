"""Schedules for classes of tasks, and what they promise on families of tasks that their tuning has not seen."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial

from chcverify.campaign.reporting.comparison import sign_test
from chcverify.campaign.tuning.greedy_cover import greedy_schedule
from chcverify.campaign.tuning.local_search import improved
from chcverify.campaign.tuning.schedule_model import (
    LIMITS_SECONDS,
    HandMade,
    MeasuredTask,
    Schedule,
    solved_after,
)
from chcverify.lazy_dataclass import dataclass

LEAST_TASKS = 10
"""A class with fewer tasks keeps the hand-made schedule: its own would repeat single tasks. Chosen by hand."""


class TuningMethod(Enum):
    """The ways to a schedule."""

    GREEDY = "greedy cover"
    LOCAL_SEARCH = "local search from the hand-made schedule"


@dataclass(frozen=True)
class ClassSchedules:
    """The schedules, per limit in seconds, for tasks with exactly these features of those that divide the classes.

    tasks: how many it was derived from.
    """

    features: frozenset[str]
    tasks: int
    schedules: Mapping[float, Schedule]


def tuned_schedule(
    method: TuningMethod, tasks: Sequence[MeasuredTask], hand_made: HandMade, features: frozenset[str], limit_s: float
) -> Schedule:
    """The schedule of a class of tasks, by the method."""
    if method is TuningMethod.GREEDY:
        return greedy_schedule(tasks, limit_s)
    return improved(hand_made(features, limit_s), tasks, limit_s)


def class_schedules(
    tasks: Sequence[MeasuredTask],
    hand_made: HandMade,
    method: TuningMethod,
    limits_s: Sequence[float] = LIMITS_SECONDS,
) -> list[ClassSchedules]:
    """Schedules for each class of features that has enough tasks; others keep the hand-made schedule."""
    out = []
    for features, group in sorted(_classes(tasks).items(), key=lambda item: sorted(item[0])):
        if len(group) >= LEAST_TASKS:
            derive = partial(tuned_schedule, method, group, hand_made, features)
            out.append(ClassSchedules(features, len(group), {limit: derive(limit) for limit in limits_s}))
    return out


def _classes(tasks: Sequence[MeasuredTask]) -> dict[frozenset[str], list[MeasuredTask]]:
    groups: dict[frozenset[str], list[MeasuredTask]] = {}
    for task in tasks:
        groups.setdefault(task.features, []).append(task)
    return groups


@dataclass(frozen=True)
class HeldOut:
    """Tasks of families that were left out of the tuning: how many each schedule solves within limit_s.

    won, lost: tasks that the tuned or the hand-made schedule solves alone; p: the probability of a split at least as
    uneven if both were equally strong (exact McNemar test). tuned_seconds, hand_made_seconds: mean time over the tasks
    that both solve, 0 without any. any_engine: how many some engine solves within the limit: more is not possible.
    """

    method: str
    limit_s: float
    tasks: int
    tuned: int
    hand_made: int
    won: int
    lost: int
    p: float
    tuned_seconds: float
    hand_made_seconds: float
    any_engine: int


def cross_validate(
    tasks: Sequence[MeasuredTask],
    hand_made: HandMade,
    method: TuningMethod,
    limits_s: Sequence[float] = LIMITS_SECONDS,
    report: Callable[[str], object] = lambda text: None,
) -> list[HeldOut]:
    """For each family: schedules from all other families, counted on it; the sums over all families, by limit."""
    classes = _classes(tasks)
    schedules: dict[tuple[str, frozenset[str]], dict[float, Schedule]] = {}
    for family in sorted({task.family for task in tasks}):
        report(f"{method.value}: without {family}")
        for features in {task.features for task in tasks if task.family == family}:
            others = [task for task in classes[features] if task.family != family]
            enough = len(others) >= LEAST_TASKS
            schedules[family, features] = {
                limit: tuned_schedule(method, others, hand_made, features, limit)
                if enough
                else hand_made(features, limit)
                for limit in limits_s
            }
    return [
        _judged(method, [(task, schedules[task.family, task.features][limit]) for task in tasks], hand_made, limit)
        for limit in limits_s
    ]


def _judged(
    method: TuningMethod, tasks: Sequence[tuple[MeasuredTask, Schedule]], hand_made: HandMade, limit_s: float
) -> HeldOut:
    """What both schedules do on the tasks; with each task the schedule that was tuned without its family."""
    pairs = [
        (solved_after(schedule, task, limit_s), solved_after(hand_made(task.features, limit_s), task, limit_s))
        for task, schedule in tasks
    ]
    both = [(new, old) for new, old in pairs if new is not None and old is not None]
    won = sum(new is not None and old is None for new, old in pairs)
    lost = sum(new is None and old is not None for new, old in pairs)
    return HeldOut(
        method=method.value,
        limit_s=limit_s,
        tasks=len(tasks),
        tuned=len(both) + won,
        hand_made=len(both) + lost,
        won=won,
        lost=lost,
        p=round(sign_test(won, lost), 4),
        tuned_seconds=round(sum(new for new, _ in both) / max(1, len(both)), 2),
        hand_made_seconds=round(sum(old for _, old in both) / max(1, len(both)), 2),
        any_engine=sum(_solvable(task, limit_s) for task, _ in tasks),
    )


def _solvable(task: MeasuredTask, limit_s: float) -> bool:
    return any(task.preparation + seconds <= limit_s for seconds in task.seconds.values())
