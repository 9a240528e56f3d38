"""The timetable of a schedule: the seconds of a time limit for each engine, with the reason."""

import heapq
from collections.abc import Sequence

from chcverify.horn.system import HornSystem
from chcverify.portfolio.run_plan import EngineRun
from chcverify.portfolio.schedule import SCHEDULE, Feature, chosen, features
from chcverify.portfolio.tuned import TunedSchedule
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class TimetableSlot:
    """A run, when it starts and how long it may take, in seconds, if nothing ends before its time."""

    run: EngineRun
    start_s: float
    seconds: float


def granted(run: EngineRun, left_s: float, jobs: int, is_last: bool) -> float:
    """Seconds that a run gets of those that are left when it starts. is_last: no other run waits."""
    return left_s if is_last else min(1.0, run.fraction_of_remaining * jobs) * left_s


def slots(runs: Sequence[EngineRun], limit_s: float, jobs: int = 1) -> list[TimetableSlot]:
    """The runs with the seconds that they get of limit_s, if each of them takes all that it may."""
    free = [0.0] * max(1, jobs)  # when each job is free again
    out = []
    for number, run in enumerate(runs):
        start = heapq.heappop(free)
        seconds = granted(run, limit_s - start, jobs, number == len(runs) - 1)
        heapq.heappush(free, start + seconds)
        out.append(TimetableSlot(run, start, seconds))
    return out


def timetable(system: HornSystem, limit_s: float, jobs: int = 1) -> str:
    """The schedule for the system as a table, with the features it depends on and the entries that do not apply."""
    found = features(system)
    entries = chosen(found)
    names = [feature.value for feature in Feature if feature in found]
    lines = [f"features: {', '.join(names) or 'none'}", ""]
    lines.append(f"{'engine':20} {'form':12} {'start s':>8} {'seconds':>8} {'share':>6}  condition")
    for slot, entry in zip(slots([entry.run for entry in entries], limit_s, jobs), entries, strict=True):
        share = f"{slot.seconds / limit_s:.1%}"
        when = f"{slot.start_s:8.1f} {slot.seconds:8.1f} {share:>6}"
        lines.append(f"{slot.run.engine:20} {slot.run.variant:12} {when}  {entry.when}")
    left_out = [entry for entry in SCHEDULE if not entry.when.holds(found)]
    lines += ["", "not for this input:"] if left_out else []
    for entry in left_out:
        lines.append(f"{entry.run.engine:20} {entry.run.variant:12} {entry.when.unmet(found)}")
    lines += ["", f"Times are of {limit_s:g} s with {jobs} job{'s' * (jobs != 1)}, where each run takes all its time;"]
    lines.append("what a run leaves goes to those after it, as does the time of forms that this input does not have.")
    return "\n".join(lines)


def tuned_timetable(schedule: TunedSchedule, system: HornSystem, limit_s: float, jobs: int = 1) -> str:
    """The tuned schedule for the system as a table, with what the schedule was tuned on."""
    found = features(system)
    names = [feature.value for feature in Feature if feature in found]
    lines = [f"features: {', '.join(names) or 'none'}"]
    lines.append(f"tuned {schedule.provenance.get('date', '')} on {schedule.provenance.get('tasks', '?')} tasks")
    lines += ["", f"{'engine':20} {'form':12} {'start s':>8} {'seconds':>8}"]
    for slot in slots(schedule.runs(found, limit_s), limit_s, jobs):
        lines.append(f"{slot.run.engine:20} {slot.run.variant:12} {slot.start_s:8.1f} {slot.seconds:8.1f}")
    return "\n".join(lines)
