"""What a validation allows itself, and witnesses that are not about the task."""

import time
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import InputOptions, Options
from chcverify.results.events import ignore
from chcverify.run.witnesses.witness_validation import run
from chcverify.task import Task


def test_what_is_no_witness_is_one_line(tmp_path: Path) -> None:
    program, witness = tmp_path / "a.c", tmp_path / "witness.yml"
    program.write_text("int main(void) { return 0; }\n")
    witness.write_text("- entry_type: something else\n")
    task = Task(str(program), "c", "unreach-call")
    with pytest.raises(InputError):
        run(task, str(witness), Options(InputOptions(str(program))), time.monotonic(), ignore)
