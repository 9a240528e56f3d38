"""Paths between cut points in a search for ranks: each clause is prepared once, and one path has few of them."""

from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.certificate.kernel.runs import CutPointPaths
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, substitute
from solvers.termination.relaxation import relaxed


@dataclass(frozen=True, eq=False)
class SearchedPaths(CutPointPaths):
    """Paths of a search. is_relaxed: what is not linear has any value on them. instances: of clauses, in all paths."""

    is_relaxed: bool
    instances: dict[int, z3.BoolRef]

    def _instance(self, index: int) -> z3.BoolRef:
        if index not in self.instances:
            found = super()._instance(index)
            self.instances[index] = relaxed(found, f"c{index}!") if self.is_relaxed else found
        return self.instances[index]

    def _holds(self, predicate: Predicate, vector: Sequence[z3.ExprRef]) -> z3.BoolRef:
        found = super()._holds(predicate, vector)
        return relaxed(found, f"{predicate.name}!") if self.is_relaxed else found


@dataclass(frozen=True, eq=False)
class PathParts:
    """A formula about paths, by clauses: of one path most clauses say nothing."""

    instances: Mapping[int, Sequence[z3.BoolRef]]
    """What holds if a clause is used."""
    others: z3.BoolRef

    @classmethod
    def of(cls, formulas: Iterable[z3.BoolRef], used: Mapping[int, z3.BoolRef]) -> "PathParts":
        """Of the conjunction of formulas. used: the Boolean of each clause."""
        indices = {name.get_id(): index for index, name in used.items()}
        instances: dict[int, list[z3.BoolRef]] = {}
        others = []
        for part in conjuncts(conjunction(list(formulas))):
            index = indices.get(part.arg(0).get_id()) if z3.is_implies(part) else None
            if index is None:
                others.append(part)
            else:
                instances.setdefault(index, []).append(part.arg(1))
        return cls(instances, conjunction(others))

    def along(self, used: frozenset[int], chosen: Sequence[tuple[z3.BoolRef, z3.BoolRef]]) -> z3.BoolRef:
        """The formula for the path of these clauses. chosen: the values of the Booleans there."""
        parts = [part for index in sorted(used) for part in self.instances.get(index, ())]
        return conjunction([*(substitute(part, chosen) for part in parts), substitute(self.others, chosen)])
