"""Limits of processor time, by clocks that the tests set."""

import subprocess
import sys

import pytest

from chcverify import processor_time
from chcverify.processor_time import (
    LEAST_SPEED,
    ProcessorBudget,
    ProcessorLimit,
    SpeedMeasurement,
    processor_seconds,
    processor_seconds_of_children,
)


class Clocks:
    """Stands for the module `time`: both clocks show what a test sets."""

    def __init__(self) -> None:
        self.clock = self.processor = 100.0

    def monotonic(self) -> float:
        return self.clock

    def process_time(self) -> float:
        return self.processor


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """The clocks of the module."""
    found = Clocks()
    monkeypatch.setattr(processor_time, "time", found)
    return found


def test_a_limit_counts_what_is_used_and_not_what_is_waited_for(clocks: Clocks) -> None:
    limit = ProcessorLimit.of(2.0)
    clocks.clock += 10.0
    assert limit.is_left()
    clocks.processor += 2.5
    assert not limit.is_left()


def test_a_limit_ends_by_the_clock_where_nothing_is_used(clocks: Clocks) -> None:
    limit = ProcessorLimit.of(2.0)
    clocks.clock += 2.0 / LEAST_SPEED - 0.1
    assert limit.is_left()
    clocks.clock += 0.2
    assert not limit.is_left()


@pytest.mark.parametrize(
    ("passed", "used", "speed"), [(0.001, 0.0, 1.0), (2.0, 1.0, 0.5), (2.0, 2.1, 1.0), (9.0, 0.0, 0.1)]
)
def test_the_speed_of_a_process(clocks: Clocks, passed: float, used: float, speed: float) -> None:
    measurement = SpeedMeasurement.begin()
    clocks.clock += passed
    clocks.processor += used
    assert measurement.speed() == pytest.approx(speed)


def test_children_that_have_ended_count() -> None:
    before, both = processor_seconds_of_children(), processor_seconds()
    subprocess.run([sys.executable, "-c", "sum(range(2_000_000))"], check=True)
    assert processor_seconds_of_children() > before
    assert processor_seconds() - both >= processor_seconds_of_children() - before


@pytest.mark.parametrize(
    ("passed", "used", "left"), [(0.5, 0.5, 9.5), (2.0, 2.0, 8.0), (2.0, 1.0, 18.0), (20.0, 0.1, 20.0), (2.0, 3.5, 8.0)]
)
def test_a_budget_is_used_up_later_on_a_busy_machine(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch, passed: float, used: float, left: float
) -> None:
    monkeypatch.setattr(processor_time, "processor_seconds_of_children", lambda: clocks.processor)
    budget = ProcessorBudget.of(10.0, 4.0)
    clocks.clock += passed
    clocks.processor += used / 2  # counted for the process and for its children
    assert budget.clock_left() == pytest.approx(left)
