"""The division of a run's time among its phases."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class DriverTuning:
    """The division of a run's time. Chosen by hand, but for known_share: no measurement of the others is recorded."""

    partial_s: float = 10.0
    """At most so many seconds for invariants without a verdict."""
    partial_share: float = 0.15
    """At most this part of the time limit for invariants without a verdict."""
    partial_inductive_share: float = 0.8
    """The part of that time for the search for the inductive part of these invariants."""
    known_share: float = 0.25
    """The part of the time for engines in which clauses have the invariants that are known before. With a quarter,
    three corrected programs of benchmarks/known_bugs are proved in 5 to 7 s, where without these invariants one took
    8 s and two 24 s or more; with 40 %, the former took 17 s."""
    testing_s: float = 1.0
    """At most so many seconds for random runs."""
    testing_time_fraction: float = 0.05
    """At most this part of the time left for random runs."""
    testing_check_fraction: float = 0.5
    """The part of the time left, in processor seconds, for the check of the derivation that a random run gives."""
    cache_share: float = 0.5
    """The part of the time for engines in which a certificate of the cache may be checked."""
    explain_share: float = 0.5
    """The part of the time left after the verdict for the trace, and again for the rest of the explanation."""
    test_share: float = 0.8
    """The part of the time left for running the test of a violation."""
    brief_watch_s: float = 0.15
    """Seconds for undefined behaviour during a trace, unless all of it is asked for."""
    vacuity_s: float = 0.5
    """At most so many seconds to decide whether assertions can be reached."""
    vacuity_share: float = 0.3
    """At most this part of the time left to decide whether assertions can be reached."""
    most_events: int = 1000
    """Events that are kept for the time line."""


TUNING = DriverTuning()
