"""Limits of processor time."""

import time

import pytest

from chcverify import processor_time
from chcverify.processor_time import LEAST_SPEED, ProcessorLimit, SpeedMeasurement


def test_a_limit_counts_what_is_used_and_not_what_is_waited_for() -> None:
    limit = ProcessorLimit.of(0.05)
    time.sleep(0.1)
    assert limit.is_left()
    used = time.process_time()
    while limit.is_left():
        pass
    assert time.process_time() - used >= 0.04


def test_a_limit_ends_by_the_clock_where_nothing_is_used() -> None:
    limit = ProcessorLimit.of(0.005)
    time.sleep(0.005 / LEAST_SPEED + 0.02)
    assert not limit.is_left()


def test_the_speed_of_a_process_that_waits_is_the_least(monkeypatch: pytest.MonkeyPatch) -> None:
    measurement = SpeedMeasurement.begin()
    assert measurement.speed() == 1.0  # not known yet
    times = iter([measurement.clock + 2.0, measurement.clock + 2.0])
    monkeypatch.setattr(processor_time.time, "monotonic", lambda: next(times))
    monkeypatch.setattr(processor_time.time, "process_time", lambda: measurement.processor + 1.0)
    assert measurement.speed() == 0.5
    monkeypatch.setattr(processor_time.time, "process_time", lambda: measurement.processor)
    assert measurement.speed() == LEAST_SPEED
