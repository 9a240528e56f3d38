"""Times of the processor instead of the clock: on a busy machine a limit by the clock ends what is nearly done."""

import resource
import time

from chcverify.effort import MOMENT_S
from chcverify.quick_dataclass import dataclass

LEAST_SPEED = 0.1
"""Seconds of the processor in one of the clock, at least: a tenth, as of ten processes on one processor. Chosen by
hand."""


def processor_seconds_of_children() -> float:
    """The processor time of the children of this process that have ended, with that of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def processor_seconds() -> float:
    """The processor time of this process and of its children that have ended."""
    return time.process_time() + processor_seconds_of_children()


@dataclass(frozen=True)
class ProcessorLimit:
    """A limit of the processor time of this process, and of the clock for a process that gets next to none."""

    processor_end: float
    """time.process_time() of its end."""
    clock_end: float
    """time.monotonic() of its end, whatever was used."""

    @classmethod
    def of(cls, seconds: float) -> "ProcessorLimit":
        """The limit that begins now; seconds: of the processor."""
        return cls(time.process_time() + seconds, time.monotonic() + seconds / LEAST_SPEED)

    def within(self, clock_end: float) -> "ProcessorLimit":
        """The limit that also ends at this time.monotonic()."""
        return ProcessorLimit(self.processor_end, min(self.clock_end, clock_end))

    def is_left(self) -> bool:
        """Is there time left?"""
        return time.process_time() < self.processor_end and time.monotonic() < self.clock_end


@dataclass(frozen=True)
class SpeedMeasurement:
    """Measures the seconds of the processor that this process gets in a second of the clock, while it waits for
    nothing."""

    clock: float
    """time.monotonic() of the begin."""
    processor: float
    """time.process_time() of the begin."""

    @classmethod
    def begin(cls) -> "SpeedMeasurement":
        """A measurement that begins now."""
        return cls(time.monotonic(), time.process_time())

    def speed(self) -> float:
        """The speed since the begin, from LEAST_SPEED to 1; 1 where that is too short."""
        passed = time.monotonic() - self.clock
        if passed < MOMENT_S:
            return 1.0
        return min(1.0, max(LEAST_SPEED, (time.process_time() - self.processor) / passed))


@dataclass(frozen=True)
class ProcessorBudget:
    """Seconds of the processor for this process and its children, one of which works at a time: of the clock as many,
    more on a busy machine, at most `most_prolonged` times as many."""

    seconds: float
    most_prolonged: float
    clock: float
    """time.monotonic() of the begin."""
    processor: float
    """processor_seconds() of the begin."""

    @classmethod
    def of(cls, seconds: float, most_prolonged: float) -> "ProcessorBudget":
        """The budget that begins now."""
        return cls(seconds, most_prolonged, time.monotonic(), processor_seconds())

    def clock_left(self) -> float:
        """The seconds of the clock in which what is left of the budget will be used."""
        passed, used = time.monotonic() - self.clock, processor_seconds() - self.processor
        used = min(passed, max(used, passed / self.most_prolonged))
        slowness = passed / used if passed > MOMENT_S else 1.0
        return (self.seconds - used) * slowness
