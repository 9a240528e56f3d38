"""Files that carry their own command in the first line and have the expected output beside them.

`// chcverify: ARGUMENTS` (C) or `; chcverify: ARGUMENTS` (SMT-LIB). FILE.expected begins with `exit STATUS`, then has
the standard output whole, then lines that begin with `! `: texts that must occur in the standard error, and with `~ `:
the lines of the standard error about what is assumed, all of them and no others. {dir} in the arguments is the file's
directory.
"""

import itertools
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from chcverify.portfolio.schedule import named

HERE = Path(__file__).resolve().parent
NOTES = re.compile(r"assumed: |vacuous: |warning: .* is not declared")
MARKS = ("// chcverify:", "; chcverify:", "# chcverify:")


def first_line(path: Path) -> str:
    with path.open(encoding="latin-1") as file:
        return file.readline()


CASES = sorted(
    path for path in HERE.rglob("*") if path.suffix in (".c", ".i", ".smt2") and first_line(path).startswith(MARKS)
)


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(HERE)))
def test_the_command_prints_what_is_expected(path: Path) -> None:
    arguments = first_line(path).partition(":")[2].replace("{dir}", str(path.parent))
    command = [sys.executable, "-m", "chcverify", *shlex.split(arguments), path.name]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent, timeout=1200)
    status, output, errors, assumed = expected(path.with_name(path.name + ".expected"))
    assert (ended.returncode, ended.stdout.splitlines()) == (status, output), ended.stderr
    assert "Traceback" not in ended.stderr
    assert [line for line in ended.stderr.splitlines() if NOTES.match(line)] == assumed, ended.stderr
    flat = " ".join(ended.stderr.split())
    for text in errors:
        assert " ".join(text.split()) in flat, ended.stderr


def expected(path: Path) -> tuple[int, list[str], list[str], list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("exit "), f"{path} does not begin with 'exit STATUS'"
    output = [line for line in lines[1:] if not line.startswith(("! ", "~ "))]
    errors, assumed = ([line[2:] for line in lines[1:] if line.startswith(mark)] for mark in ("! ", "~ "))
    return int(lines[0].removeprefix("exit ")), output, errors, assumed


def test_there_are_cases() -> None:
    assert len(CASES) >= 10


def test_the_engines_that_are_asked_for_are_there() -> None:
    """Most cases take too long for each run of the tests, and would not show that an engine or a form has gone."""
    asked = {
        name
        for path in CASES
        for option, value in itertools.pairwise(shlex.split(first_line(path)))
        if option == "--engine"
        for name in value.split(",")
    }
    assert "df-segments@cells" in asked
    assert len(named(sorted(asked))) == len(asked)
