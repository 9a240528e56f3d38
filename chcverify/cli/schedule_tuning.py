"""`chcverify bench tune`: a schedule of the portfolio from the results of a campaign."""

import json
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from chcverify import __version__
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tools import PORTFOLIO
from chcverify.campaign.tuning.cross_validation import HeldOut, class_schedules, cross_validate
from chcverify.campaign.tuning.schedule_model import SAFETY_FACTOR, MeasuredTask, Schedule, TunedSlot
from chcverify.campaign.tuning.tuning_data import complete_features, measured_tasks, task_set_digest
from chcverify.cli.terminal import print_output, write_files
from chcverify.errors import InputError, require_writable

METHOD_TEXT = (
    "greedy cover for each class of features, runs {factor:g} times as long as measured; figures from families "
    "(folders) of tasks that were left out of the tuning; both schedules restricted to the engines that were measured"
)
WHOLE_SCHEDULE = "schedule"
"""The name that stands for all engines of the schedule in `chcverify bench --engine`."""


def scheduled_engines() -> list[str]:
    """All engines of the schedule, as ENGINE@FORM."""
    from chcverify.portfolio.schedule import SCHEDULE
    from solvers.registry import is_own

    runs = [entry.run for entry in SCHEDULE if is_own(entry.run.engine)]
    return list(dict.fromkeys(f"{run.engine}@{run.variant}" for run in runs))


def applicable_engines(names: frozenset[str]) -> list[str]:
    """Those of them that the schedule has for systems with these features."""
    from chcverify.portfolio.schedule import Feature, chosen

    return [f"{entry.run.engine}@{entry.run.variant}" for entry in chosen(frozenset(map(Feature, names)))]


@click.command("tune")
@click.argument("results", type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "output", required=True, metavar="FILE.json", help="Write the schedule there.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Tasks at once, for their features.")
def tune_command(results: str, output: str, jobs: int) -> int:
    """Derive order and times of the portfolio's engines from stored RESULTS, for limits of 10, 60 and 900 s.

    The engines of the campaign are those of the schedule: `--engine schedule`, or a list of NAME@FORM. Prints what the
    schedule solves on families of tasks that were left out of its tuning, beside the hand-made one. Use:
    `chcverify --tuned FILE.json`.
    """
    require_writable(output, results)
    report = partial(click.echo, err=True)
    with ResultStore(Path(results)) as store:
        runs = _engine_runs(store.results())
        features = complete_features(store, [run.task for run in runs], jobs, report)
        conditions = json.loads(store.value("conditions") or "{}")
        machine = store.value("machine") or ""
    engines = list(dict.fromkeys(run.tool for run in runs))
    tasks = _tasks(runs, features, engines)
    if not any(task.seconds for task in tasks):
        raise InputError(
            results, 0, 0, "no engine has solved a task with an expected verdict, on which all engines ran"
        )
    hand_made = partial(_hand_made, frozenset(engines))
    held_out = cross_validate(tasks, hand_made, report=report)
    provenance = _provenance(tasks, engines, conditions, machine) | {"method": METHOD_TEXT.format(factor=SAFETY_FACTOR)}
    document = {
        "format": 1,
        "provenance": provenance,
        "held_out": [vars(item) for item in held_out],
        "dividing": sorted(_dividing()),
        "classes": [
            {
                "features": None if item.features is None else sorted(item.features),
                "tasks": item.tasks,
                "schedules": {f"{limit:g}": _entries(schedule) for limit, schedule in item.schedules.items()},
            }
            for item in class_schedules(tasks)
        ],
    }
    write_files({output: json.dumps(document, indent=1) + "\n"})
    print_output(_report(held_out, tasks))
    return 0


def _engine_runs(results: Sequence[RunResult]) -> list[RunResult]:
    """The runs of engines of chcverify, their tools renamed to ENGINE@FORM."""
    from dataclasses import replace

    from chcverify.portfolio.schedule import named
    from solvers.registry import is_own

    labels: dict[str, str] = {}
    for tool in {run.tool for run in results} - {PORTFOLIO}:
        try:
            run = named([tool])[0]
        except KeyError:
            continue
        if is_own(run.engine):
            labels[tool] = f"{run.engine}@{run.variant}"
    return [replace(run, tool=labels[run.tool]) for run in results if run.tool in labels]


def _dividing() -> frozenset[str]:
    """The features by which classes of tasks differ."""
    from chcverify.portfolio.schedule import Feature

    return frozenset(feature.value for feature in Feature if feature is not Feature.LARGE)


def _tasks(
    runs: Sequence[RunResult], features: dict[str, frozenset[str]], engines: Sequence[str]
) -> list[MeasuredTask]:
    """The tasks with times of all of the engines that apply to them."""
    own = set(engines)
    return measured_tasks(runs, features, _dividing(), lambda names: own.intersection(applicable_engines(names)))


def _hand_made(engines: frozenset[str], features: frozenset[str], limit_s: float) -> Schedule:
    """The present schedule for tasks with these features, without engines that were not measured."""
    from chcverify.portfolio.schedule import Feature, chosen
    from chcverify.portfolio.timetable import slots

    runs = [entry.run for entry in chosen(frozenset(map(Feature, features)))]
    measured = [run for run in runs if f"{run.engine}@{run.variant}" in engines]
    return tuple(TunedSlot(f"{slot.run.engine}@{slot.run.variant}", slot.seconds) for slot in slots(measured, limit_s))


def _entries(schedule: Schedule) -> list[list[Any]]:
    """Engine, form and seconds of each slot."""
    return [[*slot.engine.rsplit("@", 1), max(0.01, round(slot.seconds, 2))] for slot in schedule]


def _provenance(
    tasks: Sequence[MeasuredTask], engines: Sequence[str], conditions: dict[str, Any], machine: str
) -> dict[str, Any]:
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "chcverify": __version__,
        "machine": machine,
        "tasks": len(tasks),
        "families": sorted({task.family for task in tasks}),
        "task_set": task_set_digest(tasks),
        "engines": list(engines),
        "measured_version": conditions.get("version"),
        "measured_timeout_seconds": conditions.get("timeout_seconds"),
        "measured_cpu_seconds": conditions.get("cpu_seconds"),
    }


def _report(held_out: Sequence[HeldOut], tasks: Sequence[MeasuredTask]) -> str:
    """What the schedules solve of tasks of families left out."""
    lines = [
        f"{len(tasks)} tasks, of {len({task.family for task in tasks})} families, each left out of the tuning once"
    ]
    header = (
        "limit s", "tasks", "tuned", "hand-made", "won", "lost", "p", "mean s", "hand mean s", "PAR2", "hand PAR2",
        "any engine",
    )  # fmt: skip
    lines += ["", "  ".join(f"{name:>11}" for name in header)]
    for item in held_out:
        cells = (
            f"{item.limit_s:g}", item.tasks, item.tuned, item.hand_made, item.won, item.lost, f"{item.p:.3f}",
            f"{item.tuned_seconds:.2f}", f"{item.hand_made_seconds:.2f}",
            f"{item.tuned_penalised:.2f}", f"{item.hand_made_penalised:.2f}", item.any_engine,
        )  # fmt: skip
        lines.append("  ".join(f"{cell:>11}" for cell in cells))
    return "\n".join(lines)
