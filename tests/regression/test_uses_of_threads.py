"""Programs of benchmarks/threads as they are used: each has its verdict, and its faulty twin, too.

A ring buffer between an interrupt handler and main, critical sections of a real-time kernel, a logger, caches and
objects with counted references, initialisation that is checked twice, a queue of work.
"""

import re
import time
from pathlib import Path

import pytest

from chcverify.options import InputOptions, Limits, Options
from chcverify.run.supervisor import supervise
from chcverify.task import Task

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "threads"
USES = (
    "interrupt_ring_buffer",
    "critical_section",
    "logger",
    "cache",
    "reference_count",
    "double_checked_init",
    "work_queue",
)


def verdict(name: str, property: str) -> str:
    path = FOLDER / f"{name}.c"
    handlers = tuple(re.findall(r"--interrupt (\w+)", path.read_text(encoding="utf-8").partition("\n")[0]))
    options = Options(InputOptions(str(path)), Limits(timeout=300.0, jobs=1))
    return supervise(Task(str(path), "c", property, interrupts=handlers), options, time.monotonic()).word


@pytest.mark.parametrize("name", USES)
def test_the_safe_program_has_no_race_and_reaches_no_error(name: str) -> None:
    assert verdict(name, "no-data-race") == "true"
    assert verdict(name, "unreach-call") == "true"


@pytest.mark.parametrize("name", USES)
def test_the_faulty_program_has_a_race(name: str) -> None:
    assert verdict(f"{name}-unsafe", "no-data-race") == "false(no-data-race)"
