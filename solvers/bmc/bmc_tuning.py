"""The tuning constants of bounded model checking, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class BmcTuning:
    """Pace of the base case. Chosen by hand; no measurement is recorded."""

    forward_condition_interval_depths: int = 16
    """The forward condition is checked at every depth up to twice this, then at every second one up to three times
    this, and so on."""
    first_query_s: float = 0.5
    """Seconds for the first query of a base or step case; doubled after each query without an answer."""


BMC_TUNING = BmcTuning()
