"""The division of a run's time among its phases."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class DriverTuning:
    """The division of a run's time. Chosen by hand; no measurement is recorded."""

    testing_s: float = 1.0
    """At most so many seconds for random runs."""
    brief_watch_s: float = 0.15
    """Seconds for undefined behaviour during a trace, unless all of it is asked for."""
    most_events: int = 1000
    """Events that are kept for the time line."""


TUNING = DriverTuning()
