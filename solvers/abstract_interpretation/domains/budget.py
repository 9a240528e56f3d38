"""Limits on the cost of domains, and a count of each weakening for the statistics."""

from collections import Counter
from dataclasses import field

from chcverify.effort import MAX_CASES, MAX_COMPARED
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class Budget:
    """Limits on the cost of one analysis; chosen by hand, no measurement is recorded."""

    dimensions: int = 7
    generators: int = MAX_COMPARED
    """Of one polyhedron."""
    pairwise: int = 9
    """Arguments up to which relations of pairs are computed."""
    seconds: float = 0.2
    """Processor time of one operation on a polyhedron."""
    cells: int = MAX_CASES
    """Partitions of one predicate."""
    weakened: Counter[str] = field(default_factory=Counter)
    """The weakenings so far."""

    def weaken(self, what: str) -> None:
        """Counts one weakening, such as "polyhedron to octagon"."""
        self.weakened[what] += 1
