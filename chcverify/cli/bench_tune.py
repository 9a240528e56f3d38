"""`chcverify bench tune`: a schedule of the portfolio from the results of a campaign."""

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from chcverify import __version__
from chcverify.campaign.reporting.tables import tools_of
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tools import PORTFOLIO
from chcverify.campaign.tuning import (
    SAFETY_FACTOR,
    HeldOut,
    Schedule,
    SolvedTask,
    TunedSlot,
    class_schedules,
    cross_validate,
)
from chcverify.campaign.tuning_data import complete_features, solved_tasks, task_set_digest
from chcverify.cli.terminal import print_output, write_files
from chcverify.errors import InputError, require_writable

METHOD = (
    "greedy cover by solved tasks per second for each class of features, slots {factor:g} times the measured time; "
    "held-out figures by leaving out one family (folder) of tasks after the other; runs in both schedules are "
    "restricted to those measured"
)


@click.command("tune")
@click.argument("results", type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "output", required=True, metavar="FILE.json", help="Write the schedule there.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Tasks at once, for their features.")
def tune_command(results: str, output: str, jobs: int) -> int:
    """Derive order and times of the portfolio's engines from stored RESULTS, for limits of 10, 60 and 900 s.

    The engines of the campaign are those of the schedule: `--engine NAME@FORM`. Prints what the schedule solves on
    families of tasks that were left out of its tuning, beside the hand-made one. Use: `chcverify --tuned FILE.json`.
    """
    from chcverify.portfolio.schedule import Feature, named

    require_writable(output, results)
    dividing = frozenset(feature for feature in Feature if feature is not Feature.LARGE)
    with ResultStore(Path(results)) as store:
        runs = [run for run in store.results() if run.tool != PORTFOLIO and _is_engine(run.tool)]
        features = complete_features(store, jobs, partial(click.echo, err=True))
        conditions = json.loads(store.value("conditions") or "{}")
        machine = store.value("machine") or ""
    tasks = solved_tasks(runs, features, frozenset(feature.value for feature in dividing))
    if not any(task.seconds for task in tasks):
        raise InputError(results, 0, 0, "no engine has solved a task with an expected verdict")
    tools = tools_of(runs)
    forms = {tool: (named([tool])[0].engine, named([tool])[0].variant) for tool in tools}
    held_out = cross_validate(tasks, partial(_hand_made, {form: tool for tool, form in forms.items()}))
    document = {
        "format": 1,
        "provenance": _provenance(tasks, tools, conditions, machine),
        "held_out": [vars(item) for item in held_out],
        "dividing": sorted(feature.value for feature in dividing),
        "classes": _classes(tasks, forms),
    }
    write_files({output: json.dumps(document, indent=1) + "\n"})
    print_output(_report(held_out, len({task.family for task in tasks})))
    return 0


def _classes(tasks: Sequence[SolvedTask], forms: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """The classes of the file. forms: engine and form by their name in the campaign."""
    return [
        {
            "features": None if item.features is None else sorted(item.features),
            "tasks": item.tasks,
            "schedules": {
                f"{limit:g}": [[*forms[slot.engine], round(slot.seconds, 2)] for slot in schedule]
                for limit, schedule in item.schedules.items()
            },
        }
        for item in class_schedules(tasks)
    ]


def _is_engine(tool: str) -> bool:
    """Is it the name of an engine of chcverify, with or without a form?"""
    from chcverify.portfolio.schedule import named
    from solvers.registry import is_own

    try:
        return is_own(named([tool])[0].engine)
    except KeyError:
        return False


def _hand_made(tools: dict[tuple[str, str], str], features: frozenset[str], limit_s: float) -> Schedule:
    """The present schedule for tasks with these features. tools: the name in the campaign of each engine and form."""
    from chcverify.portfolio.schedule import Feature, chosen
    from chcverify.portfolio.timetable import slots

    runs = [entry.run for entry in chosen(frozenset(map(Feature, features)))]
    measured = [run for run in runs if (run.engine, run.variant) in tools]
    return tuple(TunedSlot(tools[slot.run.engine, slot.run.variant], slot.seconds) for slot in slots(measured, limit_s))


def _provenance(
    tasks: Sequence[SolvedTask], tools: list[str], conditions: dict[str, Any], machine: str
) -> dict[str, Any]:
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "chcverify": __version__,
        "machine": machine,
        "tasks": len(tasks),
        "families": sorted({task.family for task in tasks}),
        "task_set": task_set_digest(tasks),
        "engines": tools,
        "measured_version": conditions.get("version"),
        "measured_timeout_seconds": conditions.get("timeout_seconds"),
        "method": METHOD.format(factor=SAFETY_FACTOR),
    }


def _report(held_out: Sequence[HeldOut], families: int) -> str:
    """What both schedules solve of tasks of families left out."""
    lines = [f"tasks of families left out of the tuning ({families} families):"]
    lines.append(f"{'limit s':>8} {'tasks':>6} {'tuned':>6} {'hand-made':>10} {'any engine':>11}")
    for item in held_out:
        lines.append(f"{item.limit_s:8g} {item.tasks:6} {item.tuned:6} {item.hand_made:10} {item.any_engine:11}")
    return "\n".join(lines)
