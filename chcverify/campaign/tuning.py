"""Derives a schedule from campaign data: a greedy cover per class of tasks, judged on families of tasks left out.

Streeter, Golovin: An Online Algorithm for Maximizing Submodular Functions (NIPS 2008), for the greedy choice of engine
and time by solved tasks per second. Differences: an engine occurs once, with its time extended when that is the best
choice, since the portfolio never starts the same run twice; what is left of the limit is divided equally.
"""

from collections.abc import Callable, Mapping, Sequence

from chcverify.lazy_dataclass import dataclass

LIMITS_SECONDS = (10.0, 60.0, 900.0)
SAFETY_FACTOR = 1.5
"""A slot is this much longer than the longest measured run that it is for: another machine, or a loaded one, is slower.
Chosen by hand; not measured."""
LEAST_TASKS = 10
"""A class with fewer tasks gets the schedule of all tasks: its own would repeat single tasks. Chosen by hand."""


@dataclass(frozen=True)
class TunedSlot:
    """One engine, by its name in the campaign, and the seconds that it gets."""

    engine: str
    seconds: float


Schedule = tuple[TunedSlot, ...]


@dataclass(frozen=True)
class SolvedTask:
    """A task in the data. family: tasks of one origin. seconds: wall time of every engine that solved it correctly."""

    key: str
    family: str
    features: frozenset[str]
    seconds: Mapping[str, float]


def greedy_schedule(tasks: Sequence[SolvedTask], limit_s: float) -> Schedule:
    """The order and times, limit_s seconds in all, in which engines solve the most of the tasks per second.

    Repeats: of all engines and times take the choice with the most newly solved tasks per additional second. What is
    left at the end is divided equally among the engines that solve a task, those that were not chosen come last.
    """
    times: dict[str, float] = {}
    uncovered = list(tasks)
    while uncovered:
        choice = _best_choice(uncovered, times, limit_s - sum(times.values()))
        if choice is None:
            break
        times[choice.engine] = choice.seconds
        uncovered = [task for task in uncovered if not _covers(choice, task)]
    useful = list(dict.fromkeys([*times, *sorted({engine for task in tasks for engine in task.seconds})]))
    if not useful:
        return ()
    left = max(0.0, limit_s - sum(times.values())) / len(useful)
    return tuple(TunedSlot(engine, times.get(engine, 0.0) + left) for engine in useful)


def _best_choice(tasks: Sequence[SolvedTask], times: Mapping[str, float], left_s: float) -> TunedSlot | None:
    """The engine and time with the most of these tasks per second more than it has; None if none fits into left_s."""
    best: tuple[float, int, TunedSlot] | None = None
    for engine in sorted({engine for task in tasks for engine in task.seconds}):
        needed = sorted(SAFETY_FACTOR * task.seconds[engine] for task in tasks if engine in task.seconds)
        for gain, seconds in enumerate(needed, 1):
            more = seconds - times.get(engine, 0.0)
            if more > left_s:
                break
            density = gain / max(more, 1e-6)
            if best is None or (density, gain) > best[:2]:
                best = density, gain, TunedSlot(engine, seconds)
    return None if best is None else best[2]


def _covers(slot: TunedSlot, task: SolvedTask) -> bool:
    """Does the slot leave enough time, safety factor included?"""
    return SAFETY_FACTOR * task.seconds.get(slot.engine, float("inf")) <= slot.seconds


def solves(schedule: Schedule, task: SolvedTask, limit_s: float) -> bool:
    """Would the schedule have solved the task within the limit, if every run took the time that was measured?"""
    start = 0.0
    for slot in schedule:
        needed = task.seconds.get(slot.engine)
        if needed is not None and needed <= slot.seconds and start + needed <= limit_s:
            return True
        start += slot.seconds
    return False


@dataclass(frozen=True)
class ClassSchedules:
    """The schedules, per limit in seconds, for tasks with exactly these features of those that divide the classes.

    features: None for the class of all tasks. tasks: how many it was derived from.
    """

    features: frozenset[str] | None
    tasks: int
    schedules: Mapping[float, Schedule]


def class_schedules(tasks: Sequence[SolvedTask], limits_s: Sequence[float] = LIMITS_SECONDS) -> list[ClassSchedules]:
    """Schedules for each class of features that has enough tasks, then those of all tasks."""
    groups: dict[frozenset[str], list[SolvedTask]] = {}
    for task in tasks:
        groups.setdefault(task.features, []).append(task)
    large = sorted((key for key, group in groups.items() if len(group) >= LEAST_TASKS), key=sorted)
    chosen: list[tuple[frozenset[str] | None, Sequence[SolvedTask]]] = [(key, groups[key]) for key in large]
    return [
        ClassSchedules(key, len(group), {limit: greedy_schedule(group, limit) for limit in limits_s})
        for key, group in [*chosen, (None, tasks)]
    ]


def schedule_for(classes: Sequence[ClassSchedules], features: frozenset[str], limit_s: float) -> Schedule:
    """The schedule of the task's class; that of all tasks if it has none of its own."""
    return next(item.schedules[limit_s] for item in classes if item.features in (features, None))


@dataclass(frozen=True)
class HeldOut:
    """Tasks of families that were left out of the tuning: how many each schedule solves within limit_s.

    any_engine: how many some engine solves within the limit: more is not possible.
    """

    limit_s: float
    tasks: int
    tuned: int
    hand_made: int
    any_engine: int


HandMade = Callable[[frozenset[str], float], Schedule]  # features and limit to the present schedule


def cross_validate(
    tasks: Sequence[SolvedTask], hand_made: HandMade, limits_s: Sequence[float] = LIMITS_SECONDS
) -> list[HeldOut]:
    """For each family: a schedule from all others, counted on the family; the sums over all families."""
    tuned = dict.fromkeys(limits_s, 0)
    for family in sorted({task.family for task in tasks}):
        classes = class_schedules([task for task in tasks if task.family != family], limits_s)
        for task in tasks:
            for limit in limits_s if task.family == family else ():
                tuned[limit] += solves(schedule_for(classes, task.features, limit), task, limit)
    return [
        HeldOut(
            limit,
            len(tasks),
            tuned[limit],
            sum(solves(hand_made(task.features, limit), task, limit) for task in tasks),
            sum(any(seconds <= limit for seconds in task.seconds.values()) for task in tasks),
        )
        for limit in limits_s
    ]
