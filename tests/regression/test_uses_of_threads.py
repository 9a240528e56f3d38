"""Programs of benchmarks/threads as they are used: each has its verdict, and its faulty twin, too.

A ring buffer between an interrupt handler and main, critical sections of a real-time kernel, a logger, caches and
objects with counted references, initialisation that is checked twice, a queue of work, threads of C11, keys.
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
    "c11_threads",
    "thread_keys",
)


def verdict(name: str, property: str) -> str:
    path = FOLDER / f"{name}.c"
    handlers = tuple(re.findall(r"--interrupt (\w+)", path.read_text(encoding="utf-8").partition("\n")[0]))
    options = Options(InputOptions(str(path)), Limits(timeout=120.0, jobs=2))
    return supervise(Task(str(path), "c", property, interrupts=handlers), options, time.monotonic()).word


@pytest.mark.parametrize("property", ["no-data-race", "unreach-call"])
@pytest.mark.parametrize("name", USES)
def test_the_safe_program_has_no_race_and_reaches_no_error(name: str, property: str) -> None:
    assert verdict(name, property) == "true"


@pytest.mark.parametrize("name", USES)
def test_the_faulty_program_violates_what_it_should(name: str) -> None:
    violated = "unreach-call" if name == "logger" else "no-data-race"  # lines that nobody has room for
    assert verdict(f"{name}-unsafe", violated) == f"false({violated})"


def test_the_states_of_two_threads_are_enumerated() -> None:
    assert verdict("leapfrog", "unreach-call") == "true"
    assert verdict("leapfrog-unsafe", "unreach-call") == "false(unreach-call)"
