"""A schedule that was derived from campaign data, as a file: `chcverify bench tune` writes it.

JSON: `format` (1); `provenance` (date, version, machine, tasks, digest of the task set, time limit, method);
`held_out` (per limit: tasks, and how many of them the tuned and the hand-made schedule solve on families that the
tuning did not see); `dividing` (the features by which classes differ); `classes`, each with `features` (null: for all
others), `tasks` and `schedules`: by limit in seconds a list of `[engine, form, seconds]`. An engine that was added
after the tuning keeps its place and share of the hand-made schedule.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast, get_args

from chcverify.errors import InputError
from chcverify.portfolio.run_plan import EngineRun, Variant
from chcverify.portfolio.schedule import SCHEDULE, Feature, chosen
from chcverify.quick_dataclass import dataclass
from solvers.registry import is_own

FORMAT = 1
_PLACES = get_args(Variant)


@dataclass(frozen=True)
class TunedRun:
    """A run with its absolute time."""

    engine: str
    on: Variant
    seconds: float


@dataclass(frozen=True)
class TunedClass:
    """features: exactly those of the dividing ones that a system must have; None: any. schedules: by limit in s."""

    features: frozenset[Feature] | None
    schedules: Mapping[float, tuple[TunedRun, ...]]


@dataclass(frozen=True)
class TunedSchedule:
    """The content of a schedule file."""

    provenance: Mapping[str, Any]
    dividing: frozenset[Feature]
    classes: tuple[TunedClass, ...]

    def runs(self, found: frozenset[Feature], limit_s: float) -> list[EngineRun]:
        """The runs for a system with these features, with the shares that give them their times of limit_s seconds.

        The schedule for the least limit that is not below limit_s, else that for the greatest; its times are scaled.
        A system without a class has the schedule of all tasks without what does not apply to it, or the hand-made one.
        """
        own = found & self.dividing
        by_hand = [entry.run for entry in chosen(found)]
        chosen_class = next((item for item in self.classes if item.features in (own, None)), None)
        if chosen_class is None:
            return by_hand
        schedules = chosen_class.schedules
        limit = min((known for known in schedules if known >= limit_s), default=max(schedules))
        tuned_runs = [run for run in schedules[limit] if chosen_class.features is not None or _applies(run, found)]
        left = sum(run.seconds for run in tuned_runs)
        runs = []
        for run in tuned_runs:
            runs.append(EngineRun(run.engine, run.on, fraction_of_remaining=run.seconds / left if left > 0 else 1.0))
            left -= run.seconds
        measured = self.provenance.get("engines")
        for place, added in enumerate(by_hand):
            if measured is not None and f"{added.engine}@{added.variant}" not in measured:
                runs.insert(min(place, max(0, len(runs) - 1)), added)
        return runs or by_hand


def _applies(run: TunedRun, found: frozenset[Feature]) -> bool:
    """Does the hand-made schedule have the run for systems with these features, or does it not know the run at all?"""
    entries = [entry for entry in SCHEDULE if (entry.run.engine, entry.run.variant) == (run.engine, run.on)]
    return not entries or any(entry.when.holds(found) for entry in entries)


def read_tuned(path: str) -> TunedSchedule:
    """The schedule in the file. InputError if it is none, or names an engine, form or feature that is not there."""
    try:
        document: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(path, error.lineno, error.colno, f"not JSON: {error.msg}") from error
    except OSError as error:
        raise InputError(path, 0, 0, (error.strerror or str(error)).lower()) from error
    except UnicodeDecodeError as error:
        raise InputError(path, 0, 0, "not text") from error
    try:
        if document["format"] != FORMAT:
            raise InputError(path, 0, 0, f"a schedule of format {document['format']}; this version reads {FORMAT}")
        classes = tuple(_class(path, item) for item in document["classes"])
        dividing = frozenset(map(Feature, document["dividing"]))
        provenance = dict(document["provenance"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(path, 0, 0, f"not a schedule: {type(error).__name__}: {error}") from error
    return TunedSchedule(provenance, dividing, classes)


def _class(path: str, item: dict[str, Any]) -> TunedClass:
    features = None if item["features"] is None else frozenset(map(Feature, item["features"]))
    schedules = {
        float(limit): tuple(_run(path, *entry) for entry in entries) for limit, entries in item["schedules"].items()
    }
    if not schedules or not all(schedules.values()):
        raise InputError(path, 0, 0, "a class without runs")
    return TunedClass(features, schedules)


def _run(path: str, engine: str, on: str, seconds: float) -> TunedRun:
    if not is_own(engine):
        raise InputError(path, 0, 0, f"there is no engine {engine}")
    if on not in _PLACES:
        raise InputError(path, 0, 0, f"there is no form {on}")
    if not seconds > 0:
        raise InputError(path, 0, 0, f"{engine} on {on} has no time")
    return TunedRun(engine, cast(Variant, on), float(seconds))
