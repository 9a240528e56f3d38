"""Paths between cut points in a search for ranks: each clause is prepared once, and one path has few of them."""

from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.certificate.kernel.runs import CutPointPaths, are_cut, clause_components, ends, is_step
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import depth_first
from chcverify.terms.core.traversal import conjunction, conjuncts, substitute
from solvers.termination.relaxation import relaxed


def cut_points_of(system: HornSystem) -> frozenset[Predicate]:
    """A predicate of each cycle: loop heads where they suffice."""
    steps = [index for index, clause in enumerate(system.clauses) if is_step(clause)]
    looping = frozenset(index for component in clause_components(system, steps) for index in component)
    successors: dict[Predicate, list[Predicate]] = {predicate: [] for predicate in system.predicates}
    for index in steps:
        source, target = ends(system.clauses[index])
        successors[source].append(target)
    roots = [clause.head.predicate for clause in system.clauses if clause.is_fact and clause.head is not None]
    found = depth_first([*roots, *system.predicates], lambda predicate: successors[predicate])
    inside = frozenset(end for index in looping for end in ends(system.clauses[index]))
    heads = frozenset(predicate for predicate in inside if predicate.origin and predicate.origin.is_loop_head)
    return heads if are_cut(system, steps, heads) else (found.retreating & inside) | heads


@dataclass(frozen=True, eq=False)
class SearchedPaths(CutPointPaths):
    """Paths of a search. is_relaxed: what is not linear has any value on them. instances: of clauses, in all paths."""

    is_relaxed: bool
    instances: dict[int, z3.BoolRef]

    def clauses_in(self, model: z3.ModelRef) -> frozenset[int]:
        """The clauses of the path that a model of the formula is about."""
        values = {index: model.eval(is_used, model_completion=True) for index, is_used in self.used.items()}
        return frozenset(index for index, value in values.items() if z3.is_true(value))

    def end_of(self, used: frozenset[int]) -> Predicate:
        """The cut point at which the path of these clauses ends."""
        reached = (ends(self.system.clauses[index])[1] for index in sorted(used))
        return next(predicate for predicate in reached if predicate in self.targets)

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
    used: Mapping[int, z3.BoolRef]
    """The Boolean of each clause."""

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
        return cls(instances, conjunction(others), used)

    def along(self, used: frozenset[int]) -> z3.BoolRef:
        """The formula for the path of these clauses."""
        chosen = [(is_used, z3.BoolVal(index in used)) for index, is_used in self.used.items()]
        parts = [part for index in sorted(used) for part in self.instances.get(index, ())]
        return conjunction([*(substitute(part, chosen) for part in parts), substitute(self.others, chosen)])
