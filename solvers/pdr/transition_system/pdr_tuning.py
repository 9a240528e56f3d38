"""The tuning constants of the PDR search, in one table."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class PdrTuning:
    """Constants of the PDR search that are no options. Chosen by hand; no measurement is recorded.

    minimisation_s: seconds to remove conjuncts from the model, but at most a tenth of the remaining time.
    max_weakenings: weaker literals that are tried for one that cannot be dropped.
    trial_attempts: attempts of one kind of generalisation before its success is judged.
    min_success_fraction: fraction of attempts that must succeed for more of the kind.
    min_cluster_lemmas: similar lemmas that make a proposal of global guidance; also different directions over the
    same terms after which sums are replaced by bounds.
    max_cluster_points: latest lemmas of a cluster that a proposal covers.
    proof_units: units of z3's resource limit for one refutation with a proof.
    """

    minimisation_s: float = 2.0
    max_weakenings: int = 3
    trial_attempts: int = 100
    min_success_fraction: float = 0.05
    min_cluster_lemmas: int = 3
    max_cluster_points: int = 12
    proof_units: int = 4_000_000


PDR_TUNING = PdrTuning()
