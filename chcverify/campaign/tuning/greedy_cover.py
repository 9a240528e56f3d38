"""A schedule by greedy cover: repeatedly the engine and time with the most newly solved tasks per second.

Streeter, Golovin: An Online Algorithm for Maximizing Submodular Functions (NIPS 2008). Differences: an engine occurs
once, with its time extended when that is the best choice, since the portfolio never starts the same run twice; what is
left of the limit is divided equally.
"""

from collections.abc import Mapping, Sequence

from chcverify.campaign.tuning.schedule_model import SAFETY_FACTOR, MeasuredTask, Schedule, TunedSlot


def greedy_schedule(tasks: Sequence[MeasuredTask], limit_s: float) -> Schedule:
    """The order and times, limit_s seconds in all, in which engines solve the most of the tasks per second.

    Repeats: of all engines and times take the choice with the most newly solved tasks per additional second. What is
    left at the end is divided equally among all engines that were measured; those that were not chosen come last.
    """
    times: dict[str, float] = {}
    uncovered = list(tasks)
    while uncovered:
        choice = _best_choice(uncovered, times, limit_s - sum(times.values()))
        if choice is None:
            break
        times[choice.engine] = choice.seconds
        uncovered = [task for task in uncovered if not _covers(choice, task)]
    engines = list(dict.fromkeys([*times, *sorted({engine for task in tasks for engine in task.engines})]))
    if not engines:
        return ()
    left = max(0.0, limit_s - sum(times.values())) / len(engines)
    return tuple(TunedSlot(engine, times.get(engine, 0.0) + left) for engine in engines)


def _best_choice(tasks: Sequence[MeasuredTask], times: Mapping[str, float], left_s: float) -> TunedSlot | None:
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


def _covers(slot: TunedSlot, task: MeasuredTask) -> bool:
    """Does the slot leave enough time, safety factor included?"""
    return SAFETY_FACTOR * task.seconds.get(slot.engine, float("inf")) <= slot.seconds
