"""`chcverify bench`: every task of a directory with every engine, one command each, and a table."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from chcverify.cli.arguments import names
from chcverify.cli.terminal import fail, print_output, write_files
from chcverify.errors import InputError, require_writable
from chcverify.explain.page import counted
from chcverify.task import Task, read_task

PORTFOLIO = "portfolio"


@dataclass(frozen=True)
class Run:
    """One command: verdict "safe", "unsafe", "unknown" or "error"; correct: None without an expected verdict."""

    task: str
    engine: str
    verdict: str
    correct: bool | None
    seconds: float
    reason: str


@click.command("bench", short_help="Run engines over a directory of tasks and compare them.")
@click.argument("directory", type=click.Path(exists=True, path_type=Path))
@click.option("--engine", callback=names, metavar="NAME[,NAME...]", help=f"One column each; default: {PORTFOLIO}.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=20.0, show_default=True, metavar="S")
@click.option("--memory", type=click.IntRange(64), metavar="MB")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Of each run.")
@click.option("--output", metavar="FILE.json", help="Write every run.")
def command(directory: Path, **given: Any) -> int:
    """Run each task (.yml) below DIRECTORY with each engine and print how many were solved, how many wrongly.

    Exit status: 0, or 1 if a verdict contradicts its task or a run ends in an error.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # an exception: it ends the run that is on as well
    if given["output"]:
        require_writable(given["output"])
    tasks = list(_tasks(directory))
    if not tasks:
        raise InputError(str(directory), 0, 0, "no tasks (.yml) here")
    engines = given["engine"] or (PORTFOLIO,)
    runs: list[Run] = []
    for path, task in tasks:
        for engine in engines:
            run = _run(path, task, engine, given)
            runs.append(run)
            mark = "" if run.correct is not False else "  WRONG"
            click.echo(f"{run.verdict:8} {run.seconds:7.2f} s  {engine:16} {path}{mark}", err=True)
    print_output("\n".join(table(runs, engines)))
    if given["output"]:
        write_files({given["output"]: json.dumps([asdict(run) for run in runs], indent=1) + "\n"})
    return 1 if any(run.correct is False or run.verdict == "error" for run in runs) else 0


def table(runs: Sequence[Run], engines: Sequence[str]) -> list[str]:
    """One row per engine; seconds are those of the solved tasks."""
    rows = [f"{'engine':24} {'solved':>6} {'safe':>6} {'unsafe':>6} {'wrong':>6} {'errors':>6} {'seconds':>9}"]
    for engine in engines:
        mine = [run for run in runs if run.engine == engine]
        solved = [run for run in mine if run.verdict in ("safe", "unsafe") and run.correct is not False]
        figures = (
            len(solved),
            sum(run.verdict == "safe" for run in solved),
            sum(run.verdict == "unsafe" for run in solved),
            sum(run.correct is False for run in mine),
            sum(run.verdict == "error" for run in mine),
        )
        seconds = sum(run.seconds for run in solved)
        rows.append(f"{engine:24} {' '.join(f'{figure:6}' for figure in figures)} {seconds:9.1f}")
    return [*rows, counted(len({run.task for run in runs}), "task")]


def _tasks(directory: Path) -> Iterator[tuple[Path, Task]]:
    """The tasks below the directory; files that are none are named and left out."""
    for path in [directory] if directory.is_file() else sorted(directory.rglob("*.yml")):
        try:
            yield path, read_task(str(path))
        except InputError as error:
            fail(f"{error} (left out)")


def _run(path: Path, task: Task, engine: str, given: dict[str, Any]) -> Run:
    """The command as its user would run it."""
    arguments = [sys.executable, "-m", "chcverify", str(path), "--timeout", str(given["timeout"])]
    arguments += ["--jobs", str(given["jobs"])]
    arguments += [] if engine == PORTFOLIO else ["--engine", engine]
    arguments += ["--memory", str(given["memory"])] if given["memory"] else []
    start = time.monotonic()
    ended = subprocess.run(arguments, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    verdict = {0: "safe", 1: "unsafe", 3: "unknown"}.get(ended.returncode, "error")
    decided = verdict in ("safe", "unsafe")
    correct = (verdict == "safe") == task.expected if decided and task.expected is not None else None
    reason = " ".join(ended.stderr.split())[:2000]
    return Run(str(path), engine, verdict, correct, round(seconds, 3), "" if decided else reason)
