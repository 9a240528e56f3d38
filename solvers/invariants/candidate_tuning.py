"""The tuning constants of candidate invariants, and their checks, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class CandidateTuning:
    """Limits of mined candidates and of their checks. Chosen by hand; no measurement is recorded."""

    max_moduli: int = 3
    """Moduli for remainders of formals."""
    largest_modulus: int = 16
    """The greatest modulus for remainders of formals."""
    max_octagon_bounds: int = 4
    """Constants of the clauses in octagonal bounds, those nearest to 0."""
    query_check_s: float = 15.0
    """Seconds to check one query, or one clause of a model."""


CANDIDATE_TUNING = CandidateTuning()
