"""Verdicts of public projects, and what the cache saves: python -m benchmarks.projects.verdicts DIRECTORY [PROJECT ...]

Runs the command of each project in its own directory with an empty cache, and again with the cache of the first run. A
row for each project: functions by their verdict, checks by their status (of the first run), processor seconds of both
runs, their ratio, and how many verdicts of checks were lost in the second run or changed. Files of both runs (the table
of functions, statistics, standard error) stay in the directory of `--output`.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.projects.catalogue import Project, chosen

_COLUMNS = (
    "| project | functions | true | false | unknown | checks | proved | violated | unknown | not reached | first s "
)
HEAD = _COLUMNS + "| again s | ratio | lost | changed |\n|---|" + "--:|" * 14
HEAD_ONCE = _COLUMNS + "|\n|---|" + "--:|" * 10
VERDICTS = ("true", "false", "unknown")
STATUSES = ("proved", "violated", "unknown", "not reached")
HOLD = ("proved", "not reached")  # which of the two, may depend on the certificate
TURNS = ("first", "again")


@dataclass(frozen=True)
class Run:
    """One run of the command. seconds: of the processor. functions: verdicts by function. checks: statuses by function,
    check, and number among checks of one name."""

    seconds: float
    functions: dict[str, str]
    checks: dict[tuple[str, str, int], str]


@dataclass(frozen=True)
class Settings:
    """Where the projects are, what the command gets besides the files, and where its files go."""

    root: Path
    output: Path
    command: tuple[str, ...]
    timeout: float
    jobs: int
    entries: tuple[str, ...]
    property: str
    options: tuple[str, ...]


def run(project: Project, settings: Settings, turn: str) -> Run:
    """Runs the command of a project; RuntimeError if it writes no statistics."""
    files = {kind: settings.output / f"{project.name}-{turn}.{kind}" for kind in ("md", "json", "log")}
    files["json"].unlink(missing_ok=True)
    entries = [word for entry in settings.entries for word in ("--entry", entry)]
    words = [
        *settings.command, *project.paths(settings.root), *project.flags, *entries, "--property", settings.property,
        "--timeout", f"{settings.timeout:g}", "--jobs", str(settings.jobs), "--config", "none",
        "--cache", str(_cache(project, settings)), "--table", str(files["md"]), "--stats", str(files["json"]),
        *settings.options,
    ]  # fmt: skip
    before = _children_seconds()
    with files["log"].open("w") as log:
        subprocess.run(words, cwd=settings.root / project.directory, stdout=log, stderr=log, check=False)
    seconds = _children_seconds() - before
    if not files["json"].exists():
        raise RuntimeError(f"{project.name}: {files['log'].read_text().strip()[-300:]}")
    entries_found = json.loads(files["json"].read_text())["entries"]
    verdicts = {name: _plain(document["verdict"]) for name, document in entries_found.items()}
    checks: dict[tuple[str, str, int], str] = {}
    for name, document in entries_found.items():
        seen: Counter[str] = Counter()
        for check in document.get("checks", ()):
            seen[check["id"]] += 1
            checks[name, check["id"], seen[check["id"]]] = check["verdict"]
    return Run(seconds, verdicts, checks)


def _cache(project: Project, settings: Settings) -> Path:
    return settings.output / f"{project.name}-cache"


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _plain(verdict: str) -> str:
    return verdict.partition("(")[0]


def row(name: str, first: Run, again: Run | None) -> str:
    """A row of the table; without the columns of the second run if there is none."""
    verdicts, statuses = Counter(first.functions.values()), Counter(first.checks.values())
    cells = [
        name, len(first.functions), *(verdicts[word] for word in VERDICTS),
        len(first.checks), *(statuses[word] for word in STATUSES), f"{first.seconds:.1f}",
    ]  # fmt: skip
    if again is not None:
        cells += compared(first, again)
    return f"| {' | '.join(map(str, cells))} |"


def compared(first: Run, again: Run) -> list[str | int]:
    """The columns of the second run: seconds, their ratio, verdicts that are lost, and that changed."""
    known = {check: status for check, status in first.checks.items() if status != "unknown"}
    found = {check: again.checks.get(check, "unknown") for check in known}
    lost = sum(status == "unknown" for status in found.values())
    changed = sum(status != "unknown" and (status in HOLD) != (known[check] in HOLD) for check, status in found.items())
    ratio = again.seconds / max(first.seconds, 0.01)
    return [f"{again.seconds:.1f}", f"{ratio:.2f}", lost, changed]


def measured(project: Project, settings: Settings, once: bool) -> str:
    """The row of a project after both runs, or after the first."""
    shutil.rmtree(_cache(project, settings), ignore_errors=True)
    runs = [run(project, settings, turn) for turn in TURNS[: 1 if once else 2]]
    return row(project.name, runs[0], None if once else runs[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, help="where the projects are")
    parser.add_argument("projects", nargs="*", help="their names; default: all")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each function")
    parser.add_argument("--jobs", type=int, default=1, help="engines at a time")
    parser.add_argument("--entry", action="append", default=[], help="functions; default: all")
    parser.add_argument("--property", default="undefined-behaviour")
    parser.add_argument("--file", action="append", default=[], help="only these files of the project")
    parser.add_argument("--option", action="append", default=[], help="a further option, as --option=--jobs=2")
    parser.add_argument("--command", default=f"{sys.executable} -m chcverify", help="the command to run")
    parser.add_argument("--output", type=Path, default=Path("project-results"), help="directory for the files")
    parser.add_argument("--once", action="store_true", help="no second run with the cache of the first")
    given = parser.parse_args()
    output = given.output.resolve()
    output.mkdir(parents=True, exist_ok=True)
    settings = Settings(
        given.directory.resolve(), output, tuple(given.command.split()), given.timeout, given.jobs,
        tuple(given.entry) or ("*",), given.property, tuple(given.option),
    )  # fmt: skip
    print(HEAD_ONCE if given.once else HEAD, flush=True)
    status = 0
    for project in chosen(given.projects):
        try:
            print(measured(project.only(given.file), settings, given.once), flush=True)
        except (RuntimeError, FileNotFoundError) as error:
            print(error, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
