"""The tuning constants of the Spacer engines, in one table."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class SpacerTuning:
    """Division of the time between Spacer and the certificate. Chosen by hand; no measurement is recorded.

    search_time_fraction: fraction of the time for the search; the rest turns z3's answer into a certificate.
    completion_time_fraction: fraction of the remaining time to solve for eliminated predicates.
    clause_check_s: seconds to look for a counterexample to one clause of the completed model.
    step_time_fraction: fraction of the remaining time to derive one fact of the proof again.
    query_time_fraction: the same for the query from the facts of the proof; the final search takes all the time.
    max_goals: goals of the search for one step of the derivation; the final search may take 100 times as many.
    """

    search_time_fraction: float = 0.97
    completion_time_fraction: float = 0.9
    clause_check_s: float = 0.5
    step_time_fraction: float = 0.2
    query_time_fraction: float = 0.5
    max_goals: int = 200


SPACER_TUNING = SpacerTuning()
