"""The tuning constants of the PDR search, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class PdrTuning:
    """Constants of the PDR search that are no options. Chosen by hand; no measurement is recorded."""

    max_weakenings: int = 3
    """Weaker literals that are tried for one that cannot be dropped."""
    trial_attempts: int = 100
    """Attempts of one kind of generalisation before its success is judged."""
    min_success_fraction: float = 0.05
    """Fraction of attempts that must succeed for more of the kind."""
    min_cluster_lemmas: int = 3
    """Similar lemmas that make a proposal of global guidance; also different directions over the same terms after which
    sums are replaced by bounds."""
    proof_units: int = 4_000_000
    """Units of z3's resource limit for one refutation with a proof."""


PDR_TUNING = PdrTuning()
