"""The tuning constants of the engine `pdkind`, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class PdKindTuning:
    """Constants of property-directed k-induction. Chosen by hand; no measurement is recorded."""

    max_strengthenings: int = 3
    """Strengthenings of one lemma in one phase; one more for each level."""


PDKIND_TUNING = PdKindTuning()
