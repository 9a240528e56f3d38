"""Schedules for classes of tasks, and what they promise on families of tasks that their tuning has not seen."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from chcverify.campaign.reporting.comparison import sign_test
from chcverify.campaign.tuning.greedy_cover import greedy_schedule
from chcverify.campaign.tuning.schedule_model import (
    LIMITS_SECONDS,
    PENALTY_FACTOR,
    HandMade,
    MeasuredTask,
    Schedule,
    solved_after,
)
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass

LEAST_TASKS = 10
"""A class with fewer tasks gets the schedule of all tasks: its own would repeat single tasks. Chosen by hand."""


@dataclass(frozen=True)
class ClassSchedules:
    """The schedules, per limit in seconds, for tasks with exactly these features of those that divide the classes.

    features: None for the class of all tasks; then slots of engines that do not apply to a task are left out. tasks:
    how many it was derived from.
    """

    features: frozenset[str] | None
    tasks: int
    schedules: Mapping[float, Schedule]


def class_schedules(tasks: Sequence[MeasuredTask], limits_s: Sequence[float] = LIMITS_SECONDS) -> list[ClassSchedules]:
    """Schedules for each class of features that has enough tasks, then those of all tasks."""
    groups: dict[frozenset[str], list[MeasuredTask]] = {}
    for task in tasks:
        groups.setdefault(task.features, []).append(task)
    large = sorted((key for key, group in groups.items() if len(group) >= LEAST_TASKS), key=sorted)
    chosen: list[tuple[frozenset[str] | None, Sequence[MeasuredTask]]] = [(key, groups[key]) for key in large]
    return [
        ClassSchedules(key, len(group), {limit: greedy_schedule(group, limit) for limit in limits_s})
        for key, group in [*chosen, (None, tasks)]
    ]


def schedule_for(classes: Sequence[ClassSchedules], features: frozenset[str], limit_s: float) -> Schedule:
    """The schedule of the task's class; that of all tasks if it has none of its own."""
    return next(item.schedules[limit_s] for item in classes if item.features in (features, None))


@dataclass(frozen=True)
class HeldOut:
    """Tasks of families that were left out of the tuning: how many each schedule solves within limit_s."""

    limit_s: float
    tasks: int
    tuned: int
    hand_made: int
    won: int
    lost: int
    """Tasks that the tuned or the hand-made schedule solves alone."""
    p: float
    """The probability of a split at least as uneven if both were equally strong (exact McNemar test)."""
    tuned_seconds: float
    hand_made_seconds: float
    """Mean time over the tasks that both solve, 0 without any."""
    tuned_penalised: float
    hand_made_penalised: float
    """Mean over all tasks, an unsolved one counts two limits (PAR2)."""
    any_engine: int
    """How many some engine solves within the limit: more is not possible."""


def cross_validate(
    tasks: Sequence[MeasuredTask],
    hand_made: HandMade,
    limits_s: Sequence[float] = LIMITS_SECONDS,
    report: Callable[[str], object] = lambda text: None,
) -> list[HeldOut]:
    """Families in some groups: schedules from all other groups, counted on each; the sums over all tasks, by limit."""
    families = sorted({task.family for task in tasks})
    unseen: dict[str, list[ClassSchedules]] = {}
    for fold in range(min(MAX_ALTERNATIVES, len(families))):
        left_out = families[fold::MAX_ALTERNATIVES]
        report(f"without {', '.join(left_out)}")
        others = [task for task in tasks if task.family not in left_out]
        unseen.update(dict.fromkeys(left_out, class_schedules(others, limits_s)))
    return [
        _judged(
            [(task, schedule_for(unseen[task.family], task.features, limit)) for task in tasks],
            hand_made,
            limit,
        )
        for limit in limits_s
    ]


def _judged(tasks: Sequence[tuple[MeasuredTask, Schedule]], hand_made: HandMade, limit_s: float) -> HeldOut:
    """What both schedules do on the tasks; with each task the schedule that was tuned without its family."""
    pairs = [
        (solved_after(schedule, task, limit_s), solved_after(hand_made(task.features, limit_s), task, limit_s))
        for task, schedule in tasks
    ]
    both = [(new, old) for new, old in pairs if new is not None and old is not None]
    won = sum(new is not None and old is None for new, old in pairs)
    lost = sum(new is None and old is not None for new, old in pairs)
    return HeldOut(
        limit_s=limit_s,
        tasks=len(tasks),
        tuned=len(both) + won,
        hand_made=len(both) + lost,
        won=won,
        lost=lost,
        p=round(sign_test(won, lost), 4),
        tuned_seconds=round(sum(new for new, _ in both) / max(1, len(both)), 2),
        hand_made_seconds=round(sum(old for _, old in both) / max(1, len(both)), 2),
        tuned_penalised=_penalised([new for new, _ in pairs], limit_s),
        hand_made_penalised=_penalised([old for _, old in pairs], limit_s),
        any_engine=sum(_solvable(task, limit_s) for task, _ in tasks),
    )


def _solvable(task: MeasuredTask, limit_s: float) -> bool:
    return any(task.preparation + seconds <= limit_s for seconds in task.seconds.values())


def _penalised(seconds: Sequence[float | None], limit_s: float) -> float:
    """The mean, None counted as PENALTY_FACTOR limits."""
    return round(fmean(PENALTY_FACTOR * limit_s if value is None else value for value in seconds), 2)
