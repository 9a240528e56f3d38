"""Times of the processor instead of the clock: on a busy machine a limit by the clock ends what is nearly done."""

import resource
import time

from chcverify.quick_dataclass import dataclass

LEAST_SPEED = 0.1  # that is reckoned with: of ten processes on one processor; chosen by hand
_LEAST_MEASURED_S = 0.02  # of the clock, below which a speed is not known; the resolution of the clocks is far finer


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
        if passed < _LEAST_MEASURED_S:
            return 1.0
        return min(1.0, max(LEAST_SPEED, (time.process_time() - self.processor) / passed))
