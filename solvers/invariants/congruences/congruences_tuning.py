"""The tuning constants of the engine `congruences`, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class CongruencesTuning:
    """Limits of polynomial congruences. Made for programs that assert polynomial equations of machine integers; systems
    without products modulo 2^w have no candidates. Chosen by hand; no measurement is recorded."""

    max_congruences: int = 16
    """Candidates of one predicate."""
    backward_steps: int = 2
    """Clauses through which a candidate is carried backwards."""


CONGRUENCES_TUNING = CongruencesTuning()
