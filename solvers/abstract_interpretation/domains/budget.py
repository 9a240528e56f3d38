"""Limits on the cost of domains, and a count of each weakening for the statistics."""

from collections import Counter
from dataclasses import field

from chcverify.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Budget:
    """Limits on the cost of one analysis; chosen by hand, no measurement is recorded.

    dimensions, generators: of one polyhedron. pairwise: arguments up to which relations of pairs are computed. seconds:
    processor time of one operation on a polyhedron. joins: of one partition. cells: partitions of one predicate.
    queries: solver queries of one descent of narrowing. cell_queries: of a thorough one for each partition; a program
    with 24 partitions, three loops over two arrays, needs 900, which take 0.6 s. weakened: the weakenings so far.
    """

    dimensions: int = 7
    generators: int = 48
    pairwise: int = 9
    seconds: float = 0.2
    joins: int = 400
    cells: int = 16
    queries: int = 400
    cell_queries: int = 40
    weakened: Counter[str] = field(default_factory=Counter)

    def weaken(self, what: str) -> None:
        """Counts one weakening, such as "polyhedron to octagon"."""
        self.weakened[what] += 1
