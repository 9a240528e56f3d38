"""A schedule by local search from another one: single changes of order and times as long as they help.

Hutter, Hoos, Leyton-Brown, Stützle: ParamILS: An Automatic Algorithm Configuration Framework (JAIR 2009), for the
search by single changes under a penalised time (PAR2). Differences: no restarts, since the start is a schedule that
works; the first change that helps is taken.
"""

from collections.abc import Iterator, Sequence

from chcverify.campaign.tuning.schedule_model import MeasuredTask, Schedule, TunedSlot, penalised_seconds

FACTORS = (2.0, 0.5, 4.0, 0.25, 10.0, 0.1)  # of the time of a slot
STEPS = (-8, -4, -2, -1, 1, 2, 4, 8)  # places by which an engine moves, besides to the first and the last one
LEAST_GAIN = 0.01
"""Part of the penalised time that a change must save: smaller gains are noise of the measurement. Chosen by hand."""
MOST_PASSES = 12  # over all changes; searches on measured data ended after 3 to 8


def improved(start: Schedule, tasks: Sequence[MeasuredTask], limit_s: float) -> Schedule:
    """The schedule after changes that each reduce the penalised time of the tasks; no engine is added or removed."""
    best = start
    cost = penalised_seconds(best, tasks, limit_s, float("inf"))
    for _ in range(MOST_PASSES):
        before = cost
        for engine in [slot.engine for slot in best]:
            for candidate in _changes(best, engine):
                wanted = cost * (1 - LEAST_GAIN)
                found = penalised_seconds(candidate, tasks, limit_s, wanted)
                if found < wanted:
                    best, cost = candidate, found
                    break
        if cost == before:
            break
    return scaled(best, limit_s)


def _changes(schedule: Schedule, engine: str) -> Iterator[Schedule]:
    """The schedule with this engine at other places, and with other times of it."""
    place = next(number for number, slot in enumerate(schedule) if slot.engine == engine)
    rest = schedule[:place] + schedule[place + 1 :]
    places = {0, len(rest), *(min(max(place + step, 0), len(rest)) for step in STEPS)} - {place}
    for other in sorted(places):
        yield (*rest[:other], schedule[place], *rest[other:])
    for factor in FACTORS:
        yield (*schedule[:place], TunedSlot(engine, factor * schedule[place].seconds), *schedule[place + 1 :])


def scaled(schedule: Schedule, limit_s: float) -> Schedule:
    """The schedule with the same shares, whose times add up to limit_s."""
    total = sum(slot.seconds for slot in schedule)
    if total <= 0:
        return schedule
    return tuple(TunedSlot(slot.engine, slot.seconds * limit_s / total) for slot in schedule)
