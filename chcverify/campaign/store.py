"""The results of a campaign, in one SQLite file: a row per run, committed before the next run starts.

After `kill -9` or a full disk all committed rows are there; a campaign that is started again with the same file leaves
out what is there. The layout of the tables is documented in docs/campaigns.md.
"""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from chcverify import __version__
from chcverify.campaign.answers import Correctness, ToolAnswer
from chcverify.campaign.machine import machine_class
from chcverify.campaign.measurement import Method, RunResult
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tools import ToolLimits
from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass

FORMAT = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS campaign (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS task (
    key TEXT PRIMARY KEY, path TEXT NOT NULL, input_file TEXT NOT NULL, category TEXT NOT NULL,
    property TEXT NOT NULL, data_model TEXT, expected INTEGER);
CREATE TABLE IF NOT EXISTS run (
    tool TEXT NOT NULL, task TEXT NOT NULL REFERENCES task (key), answer TEXT NOT NULL, correctness TEXT NOT NULL,
    wall_seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, peak_megabytes REAL NOT NULL, method TEXT NOT NULL,
    reason TEXT NOT NULL, engine TEXT NOT NULL, final_k INTEGER, host TEXT NOT NULL, started REAL NOT NULL,
    PRIMARY KEY (tool, task));
CREATE TABLE IF NOT EXISTS feature (task TEXT PRIMARY KEY, names TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Conditions:
    """What all runs of a campaign have in common. Rows of other conditions must not be mixed with them."""

    timeout_seconds: float
    megabytes: int | None
    cores: int | None
    commands: tuple[tuple[str, str], ...]
    """Each tool's name and its command's words, joined."""
    version: str
    """Of chcverify."""
    cpu_seconds: float | None = None
    """Limit of processor time; files of earlier versions have none."""

    @staticmethod
    def of(limits: ToolLimits, commands: dict[str, str]) -> "Conditions":
        own = tuple(sorted(commands.items()))
        return Conditions(limits.seconds, limits.megabytes, limits.cores, own, __version__, limits.cpu_seconds)


class ResultStore:
    """The file of one campaign. Use as a context manager. Raises InputError for a file that is no such store."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._connection.execute("PRAGMA synchronous = FULL")
            self._require_own_tables()
            self._connection.executescript(_SCHEMA)
            self._check_format()
        except sqlite3.Error as error:
            raise InputError(str(path), 0, 0, f"not a result file of a campaign: {error}") from error

    def __enter__(self) -> "ResultStore":
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    def _require_own_tables(self) -> None:
        tables = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "campaign" not in tables:
            raise InputError(str(self.path), 0, 0, "not a result file of a campaign: a database of another program")

    def _check_format(self) -> None:
        found = self.value("format")
        if found is None:
            self.set_value("format", str(FORMAT))
        elif found != str(FORMAT):
            raise InputError(str(self.path), 0, 0, f"results of format {found}; this version reads {FORMAT}")

    def value(self, name: str) -> str | None:
        """A named value of the campaign, None if it is not set."""
        row = self._connection.execute("SELECT value FROM campaign WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_value(self, name: str, value: str) -> None:
        with self._writing():
            self._connection.execute("INSERT OR REPLACE INTO campaign VALUES (?, ?)", (name, value))

    def require_conditions(self, conditions: Conditions) -> None:
        """Sets the conditions of a new campaign; InputError if the rows in the file have other limits or commands.

        Tools may be added later: only a tool that is in both must have the same command.
        """
        stored = self.value("conditions")
        if stored is None:
            self.set_value("machine", machine_class())
            self.set_value("date", time.strftime("%Y-%m-%d", time.gmtime()))
            self.set_value("conditions", json.dumps(asdict(conditions)))
            return
        old = json.loads(stored)
        equal = ("timeout_seconds", "cpu_seconds", "megabytes", "cores", "version")
        commands: dict[str, str] = dict(old["commands"])
        for name in equal:
            if old.get(name) != getattr(conditions, name):
                message = f"its runs have {name} = {old.get(name)}, not {getattr(conditions, name)}"
                raise InputError(str(self.path), 0, 0, message)
        for name, command in conditions.commands:
            if commands.setdefault(name, command) != command:
                raise InputError(str(self.path), 0, 0, f"its runs of {name} have another command: {commands[name]}")
        self.set_value("conditions", json.dumps(asdict(conditions) | {"commands": sorted(commands.items())}))

    def finished(self) -> set[tuple[str, str]]:
        """(tool, key of the task) of all runs that are stored."""
        return {(tool, task) for tool, task in self._connection.execute("SELECT tool, task FROM run")}

    def add(self, result: RunResult) -> None:
        """Stores a run; InputError if it cannot be written (the disk is full)."""
        task = result.task
        with self._writing():
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(
                "INSERT OR IGNORE INTO task VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    task.key,
                    task.path,
                    task.input_file,
                    task.category,
                    task.property_name,
                    task.data_model,
                    task.expected,
                ),
            )
            self._connection.execute(
                "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    result.tool, task.key, result.answer.value, result.correctness.value, result.wall_seconds,
                    result.cpu_seconds, result.peak_megabytes, result.method.value, result.reason, result.engine,
                    result.final_k, result.host, result.started,
                ),
            )  # fmt: skip
            self._connection.execute("COMMIT")

    def features(self) -> dict[str, str]:
        """The names of the features, separated by commas, by key of the task, as far as they are stored."""
        return dict(self._connection.execute("SELECT task, names FROM feature"))

    def set_features(self, key: str, names: str) -> None:
        with self._writing():
            self._connection.execute("INSERT OR REPLACE INTO feature VALUES (?, ?)", (key, names))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise InputError(str(self.path), 0, 0, f"cannot be written: {error}") from error

    def results(self) -> list[RunResult]:
        """All runs, by category, task and tool: the order in which they ended does not matter."""
        query = """
            SELECT run.tool, answer, correctness, wall_seconds, cpu_seconds, peak_megabytes, method, reason, engine,
                final_k, host, started, path, input_file, category, property, data_model, expected
            FROM run JOIN task ON run.task = task.key ORDER BY category, path, property, tool"""
        return [_result(row) for row in self._connection.execute(query)]


def _result(row: tuple[object, ...]) -> RunResult:
    tool, answer, correctness, wall, cpu, memory, method, reason, engine, k, host, started, *task = row
    path, input_file, category, property_, data_model, expected = task
    return RunResult(
        tool=str(tool),
        task=CampaignTask(
            str(path),
            str(input_file),
            str(category),
            str(property_),
            None if data_model is None else str(data_model),
            None if expected is None else bool(expected),
        ),
        answer=ToolAnswer(answer),
        correctness=Correctness(correctness),
        wall_seconds=float(str(wall)),
        cpu_seconds=float(str(cpu)),
        peak_megabytes=float(str(memory)),
        method=Method(method),
        reason=str(reason),
        engine=str(engine),
        final_k=None if k is None else int(str(k)),
        host=str(host),
        started=float(str(started)),
    )
