"""The tuning constants of the engine `pdkind`, in one table."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class PdKindTuning:
    """Constants of property-directed k-induction. Chosen by hand; no measurement is recorded.

    max_k: the greatest k, unless the option `depth` is given.
    max_strengthenings: strengthenings of one lemma in one phase; one more for each level.
    lookahead_rules: rules beyond the frame at which counterexamples of one phase may lie.
    """

    max_k: int = 8
    max_strengthenings: int = 3
    lookahead_rules: int = 8


PDKIND_TUNING = PdKindTuning()
