"""The tuning constants of the engine `links`, in one table."""

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class LinksTuning:
    """Limits of the search. Chosen by hand on small programs that build, traverse and release lists."""

    width: int = 2
    """Literals of a clause, without its guards, in the search for the strongest ones."""
    max_values: int = 6
    """Of an argument that takes few values."""
    check_s: float = 20.0
    """Seconds for one question."""
    arithmetic_solver: int = 2
    """Z3's number of the solver of linear arithmetic. The older one (2) takes 0.5 to 0.8 of the time of the newer one
    (6) on list-deque, list-queue and list-sentinel: differences of addresses are all there is."""


LINKS_TUNING = LinksTuning()
