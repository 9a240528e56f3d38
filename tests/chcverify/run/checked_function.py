"""The verdicts of the checks of one function of a text."""

import time
from pathlib import Path

from chcverify.options import InputOptions, Limits, Options
from chcverify.results.checks import CheckVerdict
from chcverify.run import all_checks
from chcverify.task import Task


def verdicts_of(tmp_path: Path, text: str, timeout: float = 120) -> tuple[CheckVerdict, ...]:
    """Of the function f, called with any arguments, for undefined behaviour. timeout: in seconds."""
    path = tmp_path / "p.c"
    path.write_text(text)
    task = Task(str(path), "c", "undefined-behaviour", all_checks=True, entry="f")
    options = Options(InputOptions(str(path)), Limits.of(timeout))
    return all_checks.run(task, options, time.monotonic(), lambda event: None).checks
