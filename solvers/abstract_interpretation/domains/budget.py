"""What domains may cost, and a count of what was given up: every weakening shows in the statistics."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Budget:
    """dimensions, generators: of one polyhedron. pairwise: arguments up to which octagons are kept. seconds: of the
    processor, for one operation on a polyhedron. joins: of one cell. cells: of one predicate. queries: of one descent.
    """

    dimensions: int = 7
    generators: int = 48
    pairwise: int = 9
    seconds: float = 0.2
    joins: int = 400
    cells: int = 16
    queries: int = 400
    weakened: Counter[str] = field(default_factory=Counter)

    def weaken(self, what: str) -> None:
        """Counts one weakening, such as "polyhedron to octagon"."""
        self.weakened[what] += 1
