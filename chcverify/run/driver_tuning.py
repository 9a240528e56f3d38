"""The division of a run's time among its phases."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class DriverTuning:
    """The division of a run's time. Chosen by hand, but for known_share: no measurement of the others is recorded."""

    partial_s: float = 10.0
    """At most so many seconds for invariants without a verdict."""
    known_share: float = 0.25
    """The part of the time for engines in which clauses have the invariants that are known before. With a quarter,
    three corrected programs of benchmarks/known_bugs are proved in 5 to 7 s, where without these invariants one took
    8 s and two 24 s or more; with 40 %, the former took 17 s."""
    testing_s: float = 1.0
    """At most so many seconds for random runs."""
    brief_watch_s: float = 0.15
    """Seconds for undefined behaviour during a trace, unless all of it is asked for."""
    most_events: int = 1000
    """Events that are kept for the time line."""


TUNING = DriverTuning()
