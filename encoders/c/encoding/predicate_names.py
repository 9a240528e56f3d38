"""Names of predicates, each for one location."""

from dataclasses import field

from chcverify.horn.names import OPERATIONS_OF_SOLVERS
from chcverify.quick_dataclass import dataclass


@dataclass(eq=False)
class PredicateNames:
    """Makes names unique: a second predicate of a name gets a number."""

    _counts: dict[str, int] = field(default_factory=dict)

    def unique(self, name: str) -> str:
        """The name itself, or with a number."""
        number = self._counts.get(name, int(name in OPERATIONS_OF_SOLVERS))
        self._counts[name] = number + 1
        return name if number == 0 else f"{name}~{number}"
