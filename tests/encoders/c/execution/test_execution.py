"""Whole programs, executed on their automata, show the values that gcc's executables show."""

import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import ExecutionLimits, run
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PROGRAMS = Path(__file__).parent / "programs"
GCC = shutil.which("gcc")
DECLARATION = "extern void show(long value);"
PRINTING = 'static void show(long value) { __builtin_printf("%ld\\n", value); }'


def values_of_gcc(source: str, directory: Path) -> list[int]:
    (directory / "program.c").write_text(source.replace(DECLARATION, PRINTING))
    options = [
        "-w",
        "-fwrapv",
        "-O0",
        "-std=gnu11",
        "-o",
        str(directory / "program"),
        str(directory / "program.c"),
        "-lm",
    ]
    subprocess.run([str(GCC), *options], check=True, timeout=600)
    done = subprocess.run([str(directory / "program")], capture_output=True, text=True, check=True, timeout=600)
    return [int(line) for line in done.stdout.split()]


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize("name", [path.name for path in sorted(PROGRAMS.glob("*.c"))])
def test_values_agree_with_gcc(name: str, tmp_path: Path) -> None:
    source = (PROGRAMS / name).read_text()
    expected = values_of_gcc(source, tmp_path)
    comparing = (
        f"long expected[] = {{ {', '.join(f'{value}L' for value in expected)} }}; int position;"
        " extern void reach_error(void); void show(long value)"
        " { if (value != expected[position]) reach_error(); position++; }"
    )
    execution = run(load_source(source.replace(DECLARATION, comparing), name, LP64), Inputs())
    shown = [edge.text for edge in execution.path if edge.text.startswith("show(")]
    assert execution.outcome == "end", (execution.outcome, execution.reason, shown[-1:])
    assert len(shown) == len(expected)


@pytest.mark.parametrize("loop", ["for (;;);", "while (1);", "for (;;) {}", "again: goto again;"])
def test_a_run_that_does_nothing_any_more_ends_early(load, loop: str) -> None:
    execution = run(load(f"int main() {{ int i = 3; {loop} return i; }}"), Inputs(), ExecutionLimits(steps=100_000))
    assert execution.outcome == "limit" and execution.steps < 1_000


def test_a_run_that_counts_does_not_end_early(load) -> None:
    execution = run(load("int main() { int i = 0; for (;;) i++; }"), Inputs(), ExecutionLimits(steps=5_000))
    assert execution.outcome == "limit" and execution.steps == 5_000
