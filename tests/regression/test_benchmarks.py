"""The README's two programs get the verdicts that their tasks promise."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(
    ("task", "verdict", "shown"),
    [("even", "true\n", "loop head in main"), ("even-unsafe", "false(unreach-call)\n", "error trace")],
)
def test_the_first_steps_of_the_readme(task: str, verdict: str, shown: str) -> None:
    command = [sys.executable, "-m", "chcverify", f"benchmarks/one_loop/{task}.yml"]
    assert f"chcverify benchmarks/one_loop/{task}.yml" in (ROOT / "README.md").read_text(encoding="utf-8")
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=1200)
    assert ended.stdout == verdict
    assert shown in ended.stderr


def test_every_one_loop_program_has_an_unsafe_twin_and_a_task() -> None:
    programs = {path.stem for path in (ROOT / "benchmarks" / "one_loop").glob("*.c")}
    tasks = {path.stem for path in (ROOT / "benchmarks" / "one_loop").glob("*.yml")}
    safe = {name for name in programs if not name.endswith("-unsafe")}
    assert programs == tasks == safe | {f"{name}-unsafe" for name in safe}
    assert len(safe) == 7
