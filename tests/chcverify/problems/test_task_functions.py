"""Functions, contracts, prototypes and harnesses of a task's files are found without encoding a program."""

from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.problems.task_functions import contracts_of, entry_functions_of, harness_text_of, prototypes_of
from chcverify.task import Task

TEXT = """
static int twice(int x) { return 2 * x; }
/*@ assigns \\nothing; ensures \\result == 4; */
int four(void) { return twice(2); }
unsigned long other(const char *text) { return text[0]; }
"""


@pytest.fixture
def task(tmp_path: Path) -> Task:
    path = tmp_path / "a.c"
    path.write_text(TEXT)
    return Task(str(path), "c", "undefined-behaviour", entry="four")


def test_functions_are_found_by_patterns(task: Task) -> None:
    assert [entry.name for entry in entry_functions_of(task, ("*",))] == ["twice", "four", "other"]
    (found,) = entry_functions_of(task, ("o*",))
    assert (found.name, found.line) == ("other", 5)
    with pytest.raises(InputError, match="no function 'none\\*' is defined"):
        entry_functions_of(task, ("other", "none*"))


def test_contracts_prototypes_and_harnesses(task: Task) -> None:
    assert [entry.name for entry in contracts_of(task)] == ["four"]
    assert prototypes_of(task) == {"four": "int four(void);", "other": "unsigned long other(const char *text);"}
    assert "four()" in harness_text_of(task)
