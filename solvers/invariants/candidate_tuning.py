"""The tuning constants of candidate invariants, their checks, and seeded engines, in one table."""

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
    unseeded_time_fraction: float = 0.3
    """Fraction of the time in which a seeded engine runs without invariants. Measured: of 18 Horn tasks, Spacer with
    the invariants of `df` from the start decided one more and lost two."""


CANDIDATE_TUNING = CandidateTuning()
