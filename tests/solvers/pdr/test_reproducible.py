"""One job and one seed: the same statistics in every process, wherever z3 puts its terms and however Python hashes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import z3

from chcverify.terms.arithmetic.linear_literals import Arithmetic
from chcverify.terms.native.raw import Raw

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
SCRIPT = Path(__file__).with_name("scattered_memory.py")


def counters(value: Any) -> Any:
    """The statistics without all that is measured in time."""
    if isinstance(value, dict):
        return {key: counters(below) for key, below in value.items() if "seconds" not in key and "share" not in key}
    return [counters(below) for below in value] if isinstance(value, list) else value


def statistics(task: Path, engine: str, number: int, folder: Path) -> Any:
    """What the engines count in a run in a process of its own."""
    stats = folder / f"stats-{number}.json"
    command = [sys.executable, str(SCRIPT), str(number), "verify", str(task), "--engine", engine, "--jobs", "1"]
    command += ["--seed", "1", "--second-check", "off", "--stats", str(stats)]
    environment = {**os.environ, "PYTHONHASHSEED": str(number)}
    subprocess.run(command, env=environment, capture_output=True, check=False)
    return counters(json.loads(stats.read_text())["engines"])


@pytest.mark.parametrize(
    ("task", "engine"),
    [("k_induction/swap3.yml", "pdr"), ("one_loop/even-unsafe.yml", "pdr"), ("one_loop/mod4.yml", "ctigar")],
)
def test_five_processes_count_the_same(task: str, engine: str, tmp_path: Path) -> None:
    runs = [statistics(BENCHMARKS / task, engine, number, tmp_path) for number in range(1, 6)]
    assert runs[0][engine]
    for other in runs[1:]:
        assert other == runs[0]


def test_terms_are_ordered_as_they_are_met_and_not_by_address() -> None:
    context = z3.Context()
    raw = Raw(context)
    arithmetic = Arithmetic(raw)
    variables = z3.Ints("a b c d", context)
    met = [raw.handle(variables[i]) for i in (2, 0, 3, 1)]
    assert met != sorted(met)
    form = arithmetic.read(raw.handle(z3.Sum(variables) <= 7))
    assert form is not None
    assert [term for term, _ in form.terms] == met
    assert raw.in_order(sorted(met)) == met
