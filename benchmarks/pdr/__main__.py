"""What each generalisation of the PDR engine is worth: all switched on, then each one alone switched off.

    python -m benchmarks.pdr [--limit S] [--switch NAME ...] [--json FILE] TASK.yml|FOLDER...

One row per configuration: tasks solved (with certificates that were accepted), safe and unsafe; answers against the
task's expectation; certificates refused; processor seconds in all, unsolved tasks included, and on the tasks that both
this configuration and the first solve; the tasks won and lost against the first. Every task runs in a process of its
own. The limit is in seconds of the clock, as everywhere, so a busy machine solves less.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from benchmarks.pdr.run import run_isolated
from chcverify.task import read_task
from solvers.pdr.transition_system.pdr_options import PdrOptions

SWITCHES = tuple(field.name for field in fields(PdrOptions) if isinstance(field.default, bool))


@dataclass(frozen=True)
class Row:
    """The records of one configuration, by task. expected: by task; None if nobody knows."""

    name: str
    records: dict[str, dict[str, Any]]
    expected: dict[str, bool | None]

    @property
    def solved(self) -> set[str]:
        return {task for task, record in self.records.items() if record.get("certified")}

    def count(self, answer: str) -> int:
        return sum(self.records[task]["answer"] == answer for task in self.solved)

    @property
    def wrong(self) -> int:
        words = {True: "true", False: "false"}
        expected = {task: words[value] for task, value in self.expected.items() if value is not None}
        return sum(task in expected and self.records[task]["answer"] != expected[task] for task in self.solved)

    @property
    def refused(self) -> int:
        return sum(record.get("certified") is False for record in self.records.values())

    def cpu(self, tasks: Iterable[str]) -> float:
        return float(sum(self.records[task]["cpu"] for task in tasks))

    def cells(self, first: "Row") -> list[str]:
        """The row of the table, compared with the first."""
        both = self.solved & first.solved
        return [
            self.name,
            *(str(n) for n in (len(self.solved), self.count("true"), self.count("false"), self.wrong, self.refused)),
            f"{self.cpu(self.records):.1f}",
            f"{self.cpu(both):.1f}",
            f"{first.cpu(both):.1f}",
            f"+{len(self.solved - first.solved)}",
            f"-{len(first.solved - self.solved)}",
        ]


HEADINGS = ("configuration", "solved", "safe", "unsafe", "wrong", "refused", "s", "s both", "s first", "won", "lost")


def measure(name: str, options: dict[str, str], tasks: Sequence[Path], limit: float) -> Row:
    """All tasks with these options."""
    records, expected = {}, {}
    for path in tasks:
        task = read_task(str(path))
        records[str(path)], expected[str(path)] = run_isolated(task.input_file, limit, "pdr", options), task.expected
    return Row(name, records, expected)


def tasks_of(places: Sequence[str]) -> list[Path]:
    """The task files among the places, and those in the folders."""
    paths = [Path(place) for place in places]
    return [task for path in paths for task in (sorted(path.glob("*.yml")) if path.is_dir() else [path])]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pdr", description=__doc__.splitlines()[0])
    parser.add_argument("places", nargs="+", metavar="TASK.yml|FOLDER")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a task (20)")
    parser.add_argument("--switch", action="append", choices=SWITCHES, help="only these; all by default")
    parser.add_argument("--json", help="write all records to this file")
    given = parser.parse_args(arguments)
    tasks, rows = tasks_of(given.places), list[Row]()
    print(" | ".join(HEADINGS), "|".join(["---"] * len(HEADINGS)), sep="\n", flush=True)
    for switch in (None, *(given.switch or SWITCHES)):
        rows.append(measure(f"no {switch}" if switch else "all", {switch: "off"} if switch else {}, tasks, given.limit))
        print(" | ".join(rows[-1].cells(rows[0])), flush=True)
        for task in sorted(rows[0].solved ^ rows[-1].solved):
            print(f"    {'won' if task in rows[-1].solved else 'lost'} {Path(task).stem}", flush=True)
    if given.json:
        Path(given.json).write_text(json.dumps({row.name: row.records for row in rows}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
