"""The tuning constants of the k-induction family, in one table."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class KInductionTuning:
    """Limits of the k-induction family. Chosen by hand; no measurement is recorded.

    path_program_s: seconds for one path program and one engine.
    data_flow_time_fraction: fraction of the remaining time at which the data-flow generator ends; a turn of it
    cannot be interrupted.
    kipdr_time_fraction: the same for the generator `kipdr`.
    max_obligations: proof obligations of one round of `kipdr`; older ones are dropped.
    max_literals_to_drop: literals of a cube up to which `kipdr` tries to drop each one.
    query_s: seconds for one step case of `kipdr`, and for one base case of an obligation.
    max_literals_to_weaken: literals of a cube that is not inductive up to which its parts are tried.
    max_cut_clauses: clauses of a system in which all loops are cut.
    lemma_selection_time_fraction: fraction of the remaining time to find the invariants that a proof needs.
    elimination_time_fraction: fraction of the remaining time for the model by quantifier elimination.
    interpolation_time_fraction: the same for the model by interpolation.
    exclusion_time_fraction: the same for the model by exclusion of projections.
    """

    path_program_s: float = 2.0
    data_flow_time_fraction: float = 0.5
    kipdr_time_fraction: float = 0.75
    max_obligations: int = 40
    max_literals_to_drop: int = 24
    query_s: float = 2.0
    max_literals_to_weaken: int = 8
    max_cut_clauses: int = 20_000
    lemma_selection_time_fraction: float = 0.3
    elimination_time_fraction: float = 0.4
    interpolation_time_fraction: float = 0.5
    exclusion_time_fraction: float = 0.5


KINDUCTION_TUNING = KInductionTuning()
