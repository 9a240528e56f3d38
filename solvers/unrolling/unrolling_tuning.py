"""The tuning constants of the queries about unrolled proofs, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class UnrollingTuning:
    """Time limits of single queries about proofs. Chosen by hand; no measurement is recorded."""

    elimination_ms: int = 2_000
    """Milliseconds for one quantifier elimination."""
    query_s: float = 2.0
    """Seconds for one query that selects invariants or a smaller k."""
    max_cases: int = 50
    """Of a disjunction, in each of which variables are eliminated by equations."""
    max_strongest_nodes: int = 5_000
    """Terms of a formula for all derivable facts; beyond it what leads to a violation is used."""


UNROLLING_TUNING = UnrollingTuning()
