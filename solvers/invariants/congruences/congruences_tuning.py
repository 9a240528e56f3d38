"""The tuning constants of the engine `congruences`, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class CongruencesTuning:
    """Limits of polynomial congruences. Made for programs that assert polynomial equations of machine integers; systems
    without products modulo 2^w have no candidates. Chosen by hand; no measurement is recorded."""

    solo_time_fraction: float = 0.15
    """Fraction of the time for the congruences without other invariants; if they are sufficient, a solver shows it
    soon."""
    bounds_time_fraction: float = 0.25
    """Fraction of the rest for bounds of variables."""
    max_congruences: int = 16
    """Candidates of one predicate."""
    max_summands: int = 40
    """Summands of one candidate."""
    backward_steps: int = 2
    """Clauses through which a candidate is carried backwards."""
    max_multiples: int = 300
    """Multiples of the premises in one linear system."""
    max_cases: int = 8
    """Cases of one predicate in the postconditions of its clauses."""
    max_choices: int = 32
    """Combinations of alternatives in one clause; many of them are impossible."""
    elimination_ms: int = 100
    """Milliseconds for the quantifier elimination of one case."""


CONGRUENCES_TUNING = CongruencesTuning()
