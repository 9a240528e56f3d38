"""The pairs in benchmarks/numbers, pointers and strings: complete, with tables, and no verdict on them is wrong."""

import re
from pathlib import Path

import pytest

from chcverify.api import verify
from chcverify.task import read_task

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FOLDERS = ("numbers", "pointers", "strings")
TASKS = sorted(path for folder in FOLDERS for path in (BENCHMARKS / folder).glob("*.yml"))
CONGRUENT = (
    "cells-of-a-grid",
    "divide-by-shifts",
    "gcd-and-lcm",
    "power-sum-5",
    "product-by-halving",
    "product-by-quarters",
    "recursive-sum",
    "square-by-counting",
)
"""Programs that the engine `congruences` proves."""
BY_SENTINELS = (
    "bounded-copy",
    "end-stays",
    "key-and-value",
    "length-of-a-block",
    "minus-one-ends",
    "name-in-a-record",
    "sum-of-numbers",
    "two-parts",
)
"""Programs that positions of sentinels prove."""
_SECONDS = 600  # for one verdict: a safety net


def expected(task: Path) -> str:
    """The verdict that a task promises, as printed."""
    read, text = read_task(str(task)), task.read_text(encoding="utf-8")
    found = re.search(r"subproperty: (\S+)", text)
    return "true" if read.expected else f"false({found[1] if found else read.property})"


@pytest.mark.parametrize("folder", FOLDERS)
def test_programs_come_with_faulty_twins_tasks_and_a_table(folder: str) -> None:
    names = {path.stem for path in TASKS if path.parent.name == folder}
    safe = {name for name in names if not name.endswith("-unsafe")}
    assert {path.stem for path in (BENCHMARKS / folder).glob("*.c")} == names == safe | {f"{n}-unsafe" for n in safe}
    for name in names:
        text = (BENCHMARKS / folder / f"{name}.c").read_text(encoding="utf-8")
        word = expected(BENCHMARKS / folder / f"{name}.yml")[6:-1]
        assert text.startswith(f"// Unsafe ({word})" if name.endswith("-unsafe") else "// Safe: "), name
    readme = (BENCHMARKS / folder / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", readme, re.MULTILINE)) == safe


@pytest.mark.parametrize("task", [path for path in TASKS if path.stem.endswith("-unsafe")], ids=lambda path: path.stem)
def test_twins_are_not_proved(task: Path) -> None:
    outcome = verify(task, timeout=2)
    assert outcome.word in (expected(task), "unknown"), outcome.reason


@pytest.mark.parametrize("name", CONGRUENT)
def test_congruences_prove(name: str) -> None:
    outcome = verify(BENCHMARKS / "numbers" / f"{name}.yml", timeout=_SECONDS, engines=("congruences",))
    assert outcome.word == "true", outcome.reason


@pytest.mark.parametrize("name", BY_SENTINELS)
def test_positions_of_sentinels_prove(name: str) -> None:
    outcome = verify(BENCHMARKS / "strings" / f"{name}.yml", timeout=_SECONDS, engines=("df-orders@sentinels",))
    assert outcome.word == "true", outcome.reason
    assert len(outcome.checkers) == 2, outcome.checkers
