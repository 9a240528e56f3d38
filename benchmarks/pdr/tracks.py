"""Engines alone, with options, beside the portfolio and z3's Spacer: solved tasks for each folder of Horn tasks.

    python -m benchmarks.pdr.tracks [--tasks N] [--seconds S] [--clock F]
                                    [--configuration TEXT ...] [--json FILE] FOLDER...

A configuration is `portfolio`, `z3` (Spacer on the clauses as given, its certificates unchecked), or an engine with
its options: `pdr`, `pdr,interpolation=off`. --tasks takes that many of each folder, evenly over its list. --seconds is
of the processor, of a run with all its processes; the run is given --clock times as many of the clock, so that other
work on the machine costs few tasks (the portfolio divides these among its engines, so choose the ratio of clock and
processor at the time). With --json an interrupted run goes on where it was.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from chcverify.errors import InputError
from chcverify.task import read_task

POLL_S = 0.1
GRACE_S = 5.0  # beyond the limit by the clock, for the command to end by itself
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_SPACER = "import sys, z3; s = z3.SolverFor('HORN'); s.from_file(sys.argv[1]); print(s.check())"
_ANSWERS = {"sat": True, "true": True, "unsat": False, "false(unreach-call)": False}


@dataclass(frozen=True)
class TrackRun:
    """One run. answer: None without a verdict in time. seconds: of the processor, of all processes."""

    folder: str
    task: str
    configuration: str
    answer: bool | None
    expected: bool | None
    seconds: float

    @property
    def solved(self) -> bool:
        return self.answer is not None and self.expected in (None, self.answer)


def command_of(configuration: str, task: Path, wall_s: float) -> list[str]:
    """The command of a configuration for a task."""
    if configuration == "z3":
        return [sys.executable, "-c", _SPACER, str(task)]
    engine, *options = configuration.split(",")
    own = [] if engine == "portfolio" else ["--engine", engine]
    chosen = [word for option in options for word in ("--engine-option", option)]
    limits = ["--timeout", f"{wall_s:g}", "--jobs", "1"]
    return [sys.executable, "-m", "chcverify", str(task), *limits, *own, *chosen]


def processor_seconds(root: int) -> float:
    """What a process, its descendants and the ended ones that they have waited for used so far."""
    total, pending = 0, [root]
    while pending:
        folder = Path(f"/proc/{pending.pop()}")
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
            for thread in (folder / "task").iterdir():
                pending += map(int, (thread / "children").read_text().split())
        except (OSError, ValueError):
            continue  # it has ended
    return total / _TICKS_PER_SECOND


def run(folder: str, task: Path, configuration: str, seconds: float, wall_s: float) -> TrackRun:
    """Runs a configuration on a task until it ends or its time is over."""
    command = command_of(configuration, task, wall_s)
    started, used = time.monotonic(), 0.0
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        while process.poll() is None and used <= seconds and time.monotonic() - started <= wall_s + GRACE_S:
            time.sleep(POLL_S)
            used = max(used, processor_seconds(process.pid))
    finally:
        if process.poll() is None:  # the command ends its own processes when it is asked to
            process.send_signal(signal.SIGTERM if configuration != "z3" else signal.SIGKILL)
    output, _ = process.communicate()
    answer = _ANSWERS.get((output.splitlines() or [""])[0].strip()) if used <= seconds else None
    return TrackRun(folder, task.stem, configuration, answer, expected(task), used)


def expected(task: Path) -> bool | None:
    """The answer that the task definition beside the clauses expects; None if there is none."""
    try:
        return read_task(str(task.with_suffix(".yml"))).expected
    except (InputError, OSError):
        return None


def evenly(tasks: Sequence[Path], number: int) -> list[Path]:
    """That many of the tasks, at equal distances; all if there are no more."""
    if len(tasks) <= number:
        return list(tasks)
    return [tasks[index * len(tasks) // number] for index in range(number)]


def table(runs: Sequence[TrackRun], configurations: Sequence[str]) -> str:
    """Markdown: a row for each folder, with the solved tasks of each configuration and of any."""
    folders = list(dict.fromkeys(entry.folder for entry in runs))
    lines = [
        "| folder | tasks | " + " | ".join(configurations) + " | any |",
        "|---|" + "---:|" * (len(configurations) + 2),
    ]
    for folder in [*folders, "all"]:
        own = [entry for entry in runs if folder in (entry.folder, "all")]
        solved = [{e.task for e in own if e.solved and e.configuration == name} for name in configurations]
        cells = [str(len({entry.task for entry in own})), *(str(len(tasks)) for tasks in solved)]
        lines.append(f"| {folder} | " + " | ".join([*cells, str(len(set().union(*solved)))]) + " |")
    seconds = [f"{sum(e.seconds for e in runs if e.configuration == name):.0f}" for name in configurations]
    lines.append("| seconds of the processor | | " + " | ".join(seconds) + " | |")
    return "\n".join(lines)


def differences(runs: Sequence[TrackRun], configurations: Sequence[str]) -> list[str]:
    """One line for each task that some, but not all of the configurations solve, and for each wrong answer."""
    out = []
    for key in dict.fromkeys((entry.folder, entry.task) for entry in runs):
        own = {entry.configuration: entry for entry in runs if (entry.folder, entry.task) == key}
        wrong = [name for name, entry in own.items() if entry.answer is not None and not entry.solved]
        out += [f"contradicts its task: {'/'.join(key)}: {', '.join(wrong)}"] if wrong else []
        solved = [f"{name} {own[name].seconds:.1f}" for name in configurations if name in own and own[name].solved]
        out += [f"{'/'.join(key)}: {', '.join(solved)}"] if 0 < len(solved) < len(own) else []
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER", type=Path)
    parser.add_argument("--tasks", type=int, default=8, metavar="N")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S")
    parser.add_argument("--clock", type=float, default=1.5, metavar="F")
    parser.add_argument("--configuration", action="append", metavar="TEXT")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    configurations = given.configuration or ["pdr", "pdr,interpolation=off"]
    old = json.loads(given.json.read_text(encoding="utf-8")) if given.json and given.json.exists() else []
    done = {(entry.folder, entry.task, entry.configuration): entry for entry in (TrackRun(**record) for record in old)}
    wanted = [(f.name, task) for f in given.folders for task in evenly(sorted(f.glob("*.smt2")), given.tasks)]
    runs = []
    for folder, task in wanted:
        for configuration in configurations:
            key = (folder, task.stem, configuration)
            done[key] = done.get(key) or run(folder, task, configuration, given.seconds, given.clock * given.seconds)
            runs.append(done[key])
            print(f"{folder}/{task.stem} {configuration}: {runs[-1].answer} {runs[-1].seconds:.1f}", file=sys.stderr)
            if given.json:
                given.json.write_text(json.dumps([asdict(entry) for entry in done.values()], indent=1))
    print(table(runs, configurations), "", *differences(runs, configurations), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
