"""The tuning constants of the k-induction family, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class KInductionTuning:
    """Limits of the k-induction family. Chosen by hand; no measurement is recorded."""

    path_program_s: float = 2.0
    """Seconds for one path program and one engine."""
    data_flow_time_fraction: float = 0.5
    """Fraction of the remaining time at which the data-flow generator ends; a turn of it cannot be interrupted."""
    kipdr_time_fraction: float = 0.75
    """The same for the generator `kipdr`."""
    max_obligations: int = 40
    """Proof obligations of one round of `kipdr`; older ones are dropped."""
    max_literals_to_drop: int = 24
    """Literals of a cube up to which `kipdr` tries to drop each one."""
    query_s: float = 2.0
    """Seconds for one step case of `kipdr`, and for one base case of an obligation."""
    max_literals_to_weaken: int = 8
    """Literals of a cube that is not inductive up to which its parts are tried."""
    max_cut_clauses: int = 20_000
    """Clauses of a system in which all loops are cut."""
    lemma_selection_time_fraction: float = 0.3
    """Fraction of the remaining time to find the invariants that a proof needs."""
    elimination_time_fraction: float = 0.4
    """Fraction of the remaining time for the model by quantifier elimination."""
    interpolation_time_fraction: float = 0.5
    """The same for the model by interpolation."""
    exclusion_time_fraction: float = 0.5
    """The same for the model by exclusion of projections."""


KINDUCTION_TUNING = KInductionTuning()
