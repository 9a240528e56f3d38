"""The tuning constants of the Spacer engines, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class SpacerTuning:
    """Division of the time between Spacer and the certificate. Chosen by hand; no measurement is recorded."""

    search_time_fraction: float = 0.97
    """Fraction of the time for the search; the rest turns z3's answer into a certificate."""


SPACER_TUNING = SpacerTuning()
