"""The pairs in benchmarks/memory: each has the verdict that its task promises, and the sanitizers agree."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from chcverify.results.checks import CheckKind, violation_word
from chcverify.task import Task, read_task
from encoders.c.cfa import ir
from encoders.c.execution.interpreter import Execution
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.frontend import load_files
from encoders.c.types.c_types import LP64
from tests.differential.memory.sanitizers import CONVERSIONS, SanitizerReport, compilers, report_of
from tests.differential.memory.unwritten import errors_of, has_valgrind

ROOT = Path(__file__).resolve().parent.parent.parent
PAIRS = ROOT / "benchmarks" / "memory"
TASKS = sorted(path.stem for path in PAIRS.glob("*.yml"))
SAFE = [name for name in TASKS if not name.endswith("-unsafe")]
UNSAFE = [name for name in TASKS if name.endswith("-unsafe")]
_SECONDS = 600  # for one verdict: a safety net, most take a few


def task_of(name: str) -> Task:
    return read_task(str(PAIRS / f"{name}.yml"))


def expected(name: str) -> str:
    """The verdict that a task promises, as printed."""
    task, text = task_of(name), (PAIRS / f"{name}.yml").read_text(encoding="utf-8")
    found = re.search(r"subproperty: (\S+)", text)
    return "true" if task.expected else f"false({found[1] if found else task.property})"


def violating_run(name: str) -> Execution:
    """A run that violates the property of a task."""
    task = task_of(name)
    program = load_files(task.files, LP64, task.property)
    found = random_runs(program, seed=1, count=5_000)
    assert found is not None and found.violation is not None
    return found


def inputs_of(execution: Execution) -> list[int | float]:
    """The values that the called functions without a body return, in their order."""
    steps = [step for step in execution.inputs if isinstance(step.edge.operation, ir.Nondet)]
    return [step.value for step in steps if isinstance(step.value, int | float)]


def require(found: bool, tool: str) -> None:
    if not found:
        pytest.skip(f"needs {tool}")


def reported(name: str, converts: bool, inputs: list[int | float]) -> SanitizerReport:
    """What a sanitizer says of a run. converts: conversions are checked, which clang does."""
    file = PAIRS / f"{name}.c"
    if not converts:
        return report_of(file, inputs, compilers()[0])
    require("clang" in compilers(), "clang with its sanitizers")
    return report_of(file, inputs, "clang", CONVERSIONS)


def test_there_are_pairs() -> None:
    assert len(SAFE) >= 30
    assert [f"{name}-unsafe" for name in SAFE] == UNSAFE
    for name in TASKS:
        text = (PAIRS / f"{name}.c").read_text(encoding="utf-8")
        kinds = ("valid-", CheckKind.CONVERSION, CheckKind.UNINITIALISED)
        unsafe = tuple(f"// Unsafe ({kind}" for kind in kinds)
        assert text.startswith(unsafe if name.endswith("-unsafe") else "// Safe: "), name


@pytest.mark.parametrize("name", TASKS)
def test_verdict(name: str) -> None:
    command = [sys.executable, "-m", "chcverify", str(PAIRS / f"{name}.yml"), "--timeout", str(_SECONDS)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=2 * _SECONDS)
    assert ended.stdout.strip() == expected(name), ended.stderr


@pytest.mark.parametrize("name", UNSAFE)
def test_sanitizers_see_the_violation(name: str) -> None:
    if not compilers():
        pytest.skip("needs gcc or clang with their sanitizers")
    execution = violating_run(name)
    assert execution.violation is not None
    check = execution.violation.check
    assert violation_word(check.kind) == expected(name)
    if task_of(name).property == "valid-memcleanup":
        return  # at the end of main, the sanitizer looks for lost blocks
    if check.kind is CheckKind.UNINITIALISED:
        require(has_valgrind(), "valgrind")
        assert "uninitialised" in errors_of(PAIRS / f"{name}.c", inputs_of(execution))
        return
    report = reported(name, check.kind is CheckKind.CONVERSION, inputs_of(execution))
    assert report.kind is check.kind, report.text
    if check.kind is not CheckKind.LEAK:
        assert report.line == check.origin.line, report.text


@pytest.mark.parametrize("name", SAFE)
def test_sanitizers_see_nothing_in_the_safe_program(name: str) -> None:
    if not compilers():
        pytest.skip("needs gcc or clang with their sanitizers")
    draw = random.Random(name)
    for _ in range(3):
        values = [draw.choice((draw.randint(0, 20), draw.randint(-300, 300), 34, 35)) for _ in range(40)]
        if task_of(name).property == CheckKind.UNINITIALISED:
            require(has_valgrind(), "valgrind")
            assert errors_of(PAIRS / f"{name}.c", values) == ""
            continue
        report = reported(name, task_of(name).property == CheckKind.CONVERSION, values)
        assert report.kind is None, report.text
