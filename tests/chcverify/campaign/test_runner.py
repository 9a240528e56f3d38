"""The process that runs and measures one command."""

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from chcverify.campaign import runner
from chcverify.campaign.runner import run

GIVEN = {"wall_seconds": 600, "megabytes": 0, "cores": []}


def measured(**given: Any) -> tuple[dict[str, Any], str]:
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        result = run({**GIVEN, **given}, output, errors)
        output.seek(0)
        return result, output.read().decode()


def started_runner(given: dict[str, Any], output: int) -> subprocess.CompletedProcess[str]:
    """The runner as a process of its own, which adopts what its command leaves behind."""
    limits = {**GIVEN, "cpu_seconds": None, **given}
    command = [sys.executable, "-I", runner.__file__]
    return subprocess.run(command, input=json.dumps(limits), text=True, stdout=output, stderr=subprocess.PIPE)


def test_a_command_is_measured() -> None:
    result, output = measured(command=["sh", "-c", "echo done; exit 3"])
    assert output == "done\n" and result["wall_seconds"] >= 0
    assert 3 in result.values()


def test_processor_time_of_the_whole_tree_is_limited() -> None:
    """Two processes that never end, one of them without a parent that waits for it."""
    busy = "while :; do :; done"
    ended = started_runner({"command": ["sh", "-c", f"({busy}) & {busy}"], "cpu_seconds": 0.5}, subprocess.PIPE)
    result = json.loads(ended.stdout)
    assert result["timed_out"] and result["cpu_seconds"] >= 0.4


def test_a_command_that_does_not_exist() -> None:
    result, output = measured(command=["no-such-command-anywhere"])
    assert output == "" and 127 in result.values()
    assert any("cannot be started" in str(value) for value in result.values())


def test_a_result_that_nobody_reads_any_more_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    ended = started_runner({"command": ["true"]}, write)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (1, "")
