"""Repeats the experiments of the papers in small: one command per question, its table beside the paper's figures.

    python -m benchmarks.reproduce QUESTION [TASKS...] [--tasks N] [--cpu-time S] [--jobs N] [--results FILE.db]
                                   [--output FILE.md]

Questions: fed-k-induction, generators, combined-split, embedded, pdr. Without TASKS the programs of this project; with
TASKS (task definitions, folders, sets) those, for example a checkout of SV-COMP's. --tasks takes that many of them,
evenly over their list. --cpu-time limits the processor time of each run, as the papers do. At the default size no
question takes more than 10 minutes on two free cores. With --results an interrupted run goes on where it was.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.reproduce.questions import FOLDER, QUESTIONS, Question
from chcverify.campaign.campaign import Campaign
from chcverify.campaign.machine import machine_class
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.recheck import WantedChecks
from chcverify.campaign.reporting.rendering import as_markdown, as_text
from chcverify.campaign.reporting.tables import disagreements, wrong_answers
from chcverify.campaign.tasks import CampaignTask, collect_tasks
from chcverify.campaign.tools import ToolLimits, engine_tool
from chcverify.errors import InputError, require_writable

WALL_FACTOR = 6.0  # of the processor time: a run beside much other work on the same machine comes to its end


def evenly(tasks: Sequence[CampaignTask], number: int) -> list[CampaignTask]:
    """That many of the tasks, at equal distances, the first included; all if there are no more."""
    if len(tasks) <= number:
        return list(tasks)
    return [tasks[index * len(tasks) // number] for index in range(number)]


def tasks_of(question: Question, paths: Sequence[str], number: int) -> list[CampaignTask]:
    """The tasks for a question; from all folders in turn, so that a small number has some of each."""
    groups = []
    for path in paths or [str(FOLDER / name) for name in question.folders]:
        group = collect_tasks([path], "unreach-call", lambda error: print(error, file=sys.stderr))
        groups.append([task for task in group if task.expected or not question.safe_only])
    share = -(-number // len(groups))
    return [task for group in groups for task in evenly(group, share)][:number]


def heading(question: Question, given: argparse.Namespace, results: Sequence[RunResult]) -> list[str]:
    """The question, what ran, when and where, and what differs from the paper's setting."""
    tasks = len({run.task.key for run in results})
    wrong, contradictions = len(wrong_answers(results)), len(disagreements(results))
    return [
        question.text,
        f"`python -m benchmarks.reproduce {question.name} --tasks {tasks} --cpu-time {given.cpu_time:g} "
        f"--jobs {given.jobs}`" + (f" on {len(given.paths)} given paths" if given.paths else ""),
        f"{time.strftime('%Y-%m-%d', time.gmtime())}; {machine_class()}; {tasks} tasks, {given.cpu_time:g} s "
        f"processor time for each run, {given.jobs} at once; wrong answers: {wrong}, disagreements: {contradictions}.",
        question.difference,
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="An experiment of the papers, in small.")
    parser.add_argument("question", choices=list(QUESTIONS))
    parser.add_argument("paths", nargs="*", metavar="TASKS")
    parser.add_argument("--tasks", type=int, metavar="N")
    parser.add_argument("--cpu-time", type=float, metavar="S")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--results", metavar="FILE.db")
    parser.add_argument("--output", metavar="FILE.md")
    given = parser.parse_args(arguments)
    question = QUESTIONS[given.question]
    given.cpu_time = given.cpu_time or question.default_seconds
    limits = ToolLimits(WALL_FACTOR * given.cpu_time, cores=1, cpu_seconds=given.cpu_time)
    try:
        if given.output:
            require_writable(given.output)
        tasks = tasks_of(question, given.paths, given.tasks or question.default_tasks)
        if not tasks:
            raise InputError("TASKS", 0, 0, "no tasks here")
        campaign = Campaign([engine_tool(name, limits) for name in question.engines], tasks, limits, given.results)
        results = campaign.run(given.jobs, None, WantedChecks(), lambda text: print(text, file=sys.stderr, flush=True))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    lines = heading(question, given, results)
    tables = question.tables(results)
    print("\n".join(lines), end="\n\n")
    print(as_text(tables))
    if given.output:
        text = f"# {lines[0]}\n\n" + "\n\n".join(lines[1:]) + "\n\n" + as_markdown(tables)
        Path(given.output).write_text(text, encoding="utf-8")
    return 1 if wrong_answers(results) else 0


if __name__ == "__main__":
    sys.exit(main())
