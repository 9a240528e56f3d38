"""Models of the clauses of all checks without some queries, and where they come from.

Each source yields models as it finds them, so that what the first ones prove does not wait for the last.
"""

from collections.abc import Callable, Collection, Iterator

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.problems.c_problem import CProblem
from chcverify.quick_dataclass import dataclass
from chcverify.transforms.exact.cone_of_influence import derivable

NO_CLAUSE = "no clause"
"""In the verdict, where engines have their names: clauses lead to no violation."""
FindModels = Callable[[CProblem, float], Iterator["PartialModel"]]
"""Yields models of a problem of all checks, until time.monotonic() is the number given."""


@dataclass(frozen=True, eq=False)
class PartialModel:
    """A model of a system without the queries that it does not refute."""

    refuted: frozenset[int]
    """The indices of the queries that it refutes."""
    whole: Callable[[], Model]
    """Makes the model; called only if it is to be checked."""
    model_of_part: Callable[[Collection[int]], Model] | None = None
    """Makes a weaker one that refutes only these queries; None where there is none."""
    search_s: float = 0.0
    """Seconds that a solver took to show that it is one; its check takes about as long."""

    def of(self, queries: Collection[int]) -> Model:
        """The weakest model at hand that refutes these queries, which it refutes."""
        return self.whole() if self.model_of_part is None else self.model_of_part(queries)


@dataclass(frozen=True, eq=False)
class ModelSource:
    """Where models come from."""

    name: str
    """In the verdict, where engines have theirs."""
    share: float
    """Of the time left, that the search has at most; the rest is for the check of what it finds."""
    find: FindModels


def model_of_reachability(system: HornSystem) -> PartialModel:
    """The model that is false for predicates to which no clauses lead from facts, and true for the others.

    It refutes the queries that no clauses lead to; checks whose violations no clause derives have no query at all.
    Clauses count if their constraints do not simplify to false.
    """
    possible = [not z3.is_false(z3.simplify(clause.constraint)) for clause in system.clauses]
    reached = derivable(system, possible.__getitem__)
    model = Model({predicate: z3.BoolVal(predicate in reached) for predicate in system.predicates})

    def applies(index: int) -> bool:
        return possible[index] and all(atom.predicate in reached for atom in system.clauses[index].body)

    return PartialModel(frozenset(index for index in system.queries if not applies(index)), lambda: model)
