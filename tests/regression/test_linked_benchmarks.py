"""The pairs in benchmarks/linked: none has a wrong verdict, those that were decided stay decided."""

import random
import re
from pathlib import Path

import pytest

from chcverify.api import verify
from chcverify.results.checks import violation_word
from chcverify.task import Task, read_task
from encoders.c.cfa import ir
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.frontend import load_files
from encoders.c.types.c_types import LP64
from tests.differential.memory.sanitizers import compilers, report_of

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "linked"
TASKS = sorted(path.stem for path in FOLDER.glob("*.yml"))
MEMORY = [name for name in TASKS if not name.startswith("data-")]
OPEN = frozenset(
    {
        "dll-reverse",
        "list-splice",
        "list-token",
        "ring-static",
        "tree-descent",
        "tree-parents",
        "tree-recursive",
        "tree-up",
    }
)
"""Programs that no method decides so far: benchmarks/linked/README.md says why."""
_SECONDS = 600  # for one verdict: a safety net


def task_of(name: str) -> Task:
    return read_task(str(FOLDER / f"{name}.yml"))


def expected(name: str) -> str:
    """The verdict that a task promises, as printed."""
    task, text = task_of(name), (FOLDER / f"{name}.yml").read_text(encoding="utf-8")
    found = re.search(r"subproperty: (\S+)", text)
    return "true" if task.expected else f"false({found[1] if found else task.property})"


def test_programs_come_with_faulty_twins_and_tasks() -> None:
    safe = {name for name in TASKS if not name.endswith("-unsafe")}
    assert {path.stem for path in FOLDER.glob("*.c")} == set(TASKS) == safe | {f"{name}-unsafe" for name in safe}
    assert safe > OPEN
    for name in TASKS:
        text = (FOLDER / f"{name}.c").read_text(encoding="utf-8")
        assert text.startswith(f"// Unsafe ({expected(name)[6:-1]})" if name.endswith("-unsafe") else "// Safe: "), name


def test_the_table_has_each_safe_program() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows) == [name for name in TASKS if not name.endswith("-unsafe")]


@pytest.mark.parametrize("name", [name for name in TASKS if name not in OPEN])
def test_verdicts(name: str) -> None:
    outcome = verify(FOLDER / f"{name}.yml", timeout=_SECONDS, second_check="auto")
    assert outcome.word == expected(name), outcome.reason


@pytest.mark.parametrize("name", [name for name in MEMORY if name.endswith("-unsafe")])
def test_sanitizers_see_the_violation(name: str) -> None:
    if not compilers():
        pytest.skip("needs gcc or clang with their sanitizers")
    task = task_of(name)
    found = random_runs(load_files(task.files, LP64, task.property), seed=1, count=5_000)
    assert found is not None and found.violation is not None
    check = found.violation.check
    assert violation_word(check.kind) == expected(name)
    steps = [step.value for step in found.inputs if isinstance(step.edge.operation, ir.Nondet)]
    report = report_of(
        FOLDER / f"{name}.c", [value for value in steps if isinstance(value, int | float)], compilers()[0]
    )
    assert report.kind is check.kind, report.text


@pytest.mark.parametrize("name", [name for name in MEMORY if not name.endswith("-unsafe")])
def test_sanitizers_see_nothing_in_the_safe_program(name: str) -> None:
    if not compilers():
        pytest.skip("needs gcc or clang with their sanitizers")
    draw = random.Random(name)
    for _ in range(3):
        values = [draw.choice((0, 1, 1, 2)) for _ in range(40)]
        report = report_of(FOLDER / f"{name}.c", values, compilers()[0])
        assert report.kind is None, report.text
