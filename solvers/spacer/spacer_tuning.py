"""The tuning constants of the Spacer engines, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class SpacerTuning:
    """Division of the time between Spacer and the certificate. Chosen by hand; no measurement is recorded."""

    search_time_fraction: float = 0.97
    """Fraction of the time for the search; the rest turns z3's answer into a certificate."""
    completion_time_fraction: float = 0.9
    """Fraction of the remaining time to solve for eliminated predicates."""
    clause_check_s: float = 0.5
    """Seconds to look for a counterexample to one clause of the completed model."""


SPACER_TUNING = SpacerTuning()
