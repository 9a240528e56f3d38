"""Constants of lazy abstraction with interpolants."""

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class LawiTuning:
    """Limits of the search for covers. None of them is measured.

    candidates: earlier vertices that a new vertex is compared with. candidates_again: those that one is compared with
    when its label gets stronger. forced: those for which the paths to a new vertex are asked.
    """

    candidates: int = 40
    candidates_again: int = 4
    forced: int = 4


LAWI_TUNING = LawiTuning()
