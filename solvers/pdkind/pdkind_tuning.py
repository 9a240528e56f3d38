"""The tuning constants of the engine `pdkind`, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class PdKindTuning:
    """Constants of property-directed k-induction. Chosen by hand; no measurement is recorded."""

    max_k: int = 8
    """The greatest k, unless the option `depth` is given."""
    max_strengthenings: int = 3
    """Strengthenings of one lemma in one phase; one more for each level."""
    lookahead_rules: int = 8
    """Rules beyond the frame at which counterexamples of one phase may lie."""


PDKIND_TUNING = PdKindTuning()
