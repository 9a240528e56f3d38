"""The tuning constants of candidate invariants, and their checks, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class CandidateTuning:
    """Limits of mined candidates and of their checks. Chosen by hand; no measurement is recorded."""

    largest_modulus: int = 16
    """The greatest modulus for remainders of formals."""


CANDIDATE_TUNING = CandidateTuning()
