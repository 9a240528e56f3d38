"""The tools of a campaign: engines of chcverify, and commands of other programs."""

import re
import shlex
import sys
from pathlib import Path

from chcverify.campaign.tasks import CampaignTask
from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass

PORTFOLIO = "portfolio"
_FIELDS = ("file", "task", "timeout", "memory", "property", "data_model", "stats", "certificate", "witness", "python")
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class ToolLimits:
    """Limits of one run."""

    seconds: float
    """Seconds of wall time."""
    megabytes: int | None = None
    """None for no limit."""
    cores: int | None = None
    """None for all."""
    cpu_seconds: float | None = None
    """Seconds of processor time of all its processes, None for no limit."""


@dataclass(frozen=True)
class Tool:
    """A column of the tables. words: the command's words, with {file} and the other fields of `command`.

    c_words: further words, for C programs.
    """

    name: str
    words: tuple[str, ...]
    c_words: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its words, with their fields, as one text."""
        return " ".join(self.words + self.c_words)

    @property
    def writes_statistics(self) -> bool:
        """True if its command has a {stats}: the statistics of chcverify, which name engine, k and cause."""
        return any("{stats}" in word for word in self.words)

    @property
    def writes_certificate(self) -> bool:
        """True if its command has a {certificate}: only then can its answers be rechecked."""
        return any("{certificate}" in word for word in self.words)

    def writes_witness(self, task: CampaignTask) -> bool:
        """True if its command for the task has a {witness}: only C programs have witnesses."""
        return task.is_program and any("{witness}" in word for word in self.words + self.c_words)

    def command(self, task: CampaignTask, limits: ToolLimits, folder: Path) -> list[str]:
        """The command for a task.

        Fields: file, task (the task definition), timeout (s), memory (MB), property, data_model, and three files in
        `folder` that the tool may write: stats, certificate, witness.
        """
        values = {
            "file": task.input_file,
            "task": task.path,
            "timeout": f"{limits.seconds:g}",
            "memory": str(limits.megabytes or ""),
            "property": task.property_name,
            "data_model": task.data_model or "LP64",
            "python": sys.executable,  # of the machine that makes the run
            **{name: str(folder / name) for name in ("stats", "certificate", "witness")},
        }
        words = self.words + (self.c_words if task.is_program else ())
        return [_FIELD.sub(lambda match: values[match[1]], word) for word in words]


def engine_tool(engine: str, limits: ToolLimits, witnesses: bool = False) -> Tool:
    """chcverify itself with one engine, or with the portfolio. witnesses: whether it writes them, for C programs."""
    words = ["{python}", "-m", "chcverify", "{task}", "--property", "{property}", "--timeout", "{timeout}"]
    words += ["--stats", "{stats}", "--certificate", "{certificate}"]
    words += ["--jobs", str(limits.cores)] if limits.cores else []
    words += ["--memory", "{memory}"] if limits.megabytes else []
    words += [] if engine == PORTFOLIO else ["--engine", engine]
    return Tool(engine, tuple(words), c_words=("--witness", "{witness}") if witnesses else ())


def command_tool(text: str) -> Tool:
    """The tool of NAME=COMMAND, split like a shell does; InputError if it is none or has an unknown {field}."""
    name, equals, command = text.partition("=")
    if not name or not equals or not command.strip():
        raise InputError(text, 0, 0, "not NAME=COMMAND")
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise InputError(text, 0, 0, str(error).lower()) from error
    unknown = sorted({field for word in words for field in _FIELD.findall(word)} - set(_FIELDS))
    if unknown:
        raise InputError(text, 0, 0, f"unknown field {{{unknown[0]}}}; there are {', '.join(_FIELDS)}")
    return Tool(name, words)
