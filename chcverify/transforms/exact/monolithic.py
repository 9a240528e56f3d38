"""Monolithic: a linear system as one transition system with an explicit location.

One predicate M(location, columns): an initial clause, a transition clause, a query. Arguments of different predicates
share columns of their sort; columns that a location does not use hold a default value there.
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import is_value, substitute
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Chain, steps_of
from chcverify.transforms.exact.clause_merging import MergeParallel
from chcverify.transforms.grounding import some_model

UNBOUNDED = 10**9


class Monolithic:
    """ValueError for systems that are not linear. A query without body goes through a location of its own."""

    name = "monolithic"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not system.is_linear:
            raise ValueError("monolithic needs a linear system")
        layout = _StateColumns.of(system)
        located, origins = _located(system, layout)
        result, merge = MergeParallel(max_size=UNBOUNDED).apply(located)
        return result, Chain((_MonolithicBackTranslator(system, layout, tuple(origins)), merge))


@dataclass(frozen=True, eq=False)
class _StateColumns:
    """predicate M; location of each predicate and of the error; column in M of each argument of each predicate."""

    predicate: Predicate
    locations: Mapping[Predicate, int]
    columns: Mapping[Predicate, tuple[int, ...]]
    defaults: tuple[z3.ExprRef, ...]
    error: int

    @classmethod
    def of(cls, system: HornSystem) -> "_StateColumns":
        places: dict[tuple[z3.SortRef, int], int] = {}
        columns: dict[Predicate, tuple[int, ...]] = {}
        sorts: list[z3.SortRef] = [z3.IntSort()]
        for predicate in system.predicates:
            used: dict[z3.SortRef, int] = {}
            clause_row = []
            for sort in predicate.sorts:
                key = (sort, used.get(sort, 0))
                used[sort] = key[1] + 1
                if key not in places:
                    places[key] = len(sorts)
                    sorts.append(sort)
                clause_row.append(places[key])
            columns[predicate] = tuple(clause_row)
        name = "M"
        while any(predicate.name == name for predicate in system.predicates):
            name += "'"
        names = ("location", *(f"column{i}" for i in range(1, len(sorts))))
        locations = {predicate: i for i, predicate in enumerate(system.predicates)}
        defaults = tuple(map(_default, sorts))
        return cls(Predicate(name, tuple(sorts), names=names), locations, columns, defaults, len(locations))

    def clause_row(self, predicate: Predicate, arguments: Sequence[z3.ExprRef]) -> tuple[z3.ExprRef, ...]:
        """The arguments in their columns, the location in front, defaults elsewhere."""
        clause_row = [z3.IntVal(self.locations[predicate]), *self.defaults[1:]]
        for column, argument in zip(self.columns[predicate], arguments, strict=True):
            clause_row[column] = argument
        return tuple(clause_row)

    def at(self, atom: Application) -> Application:
        return Application(self.predicate, self.clause_row(atom.predicate, atom.arguments))

    def at_error(self) -> Application:
        return Application(self.predicate, (z3.IntVal(self.error), *self.defaults[1:]))


def _default(sort: z3.SortRef) -> z3.ExprRef:
    value: z3.ExprRef = some_model().eval(z3.FreshConst(sort), model_completion=True)
    if not is_value(value):
        raise ValueError(f"no default value for sort {sort}")
    return value


def _located(system: HornSystem, layout: _StateColumns) -> tuple[HornSystem, list[int]]:
    """The system over M alone, and for each clause its index before; -1 for the query at the error location."""
    clauses, origins = [], []
    trivial = False
    for index, clause in enumerate(system.clauses):
        head = None if clause.head is None else layout.at(clause.head)
        if clause.is_query and clause.is_fact:
            head, trivial = layout.at_error(), True
        body = tuple(map(layout.at, clause.body))
        clauses.append(Clause(head, body, clause.constraint, clause.origin, clause.name))
        origins.append(index)
    if trivial:
        clauses.append(Clause(None, (layout.at_error(),), z3.BoolVal(True)))
        origins.append(-1)
    return HornSystem((layout.predicate,), tuple(clauses)), origins


@dataclass(frozen=True, eq=False)
class _MonolithicBackTranslator:
    before: HornSystem
    layout: _StateColumns
    origins: tuple[int, ...]

    def model(self, model: Model) -> Model:
        """P($) is M(location of P, $ in its columns, defaults)."""
        formula, formals = model[self.layout.predicate], self.layout.predicate.formals
        found = {}
        for predicate in self.before.predicates:
            clause_row = self.layout.clause_row(predicate, predicate.formals)
            found[predicate] = z3.simplify(substitute(formula, zip(formals, clause_row, strict=True)))
        return Model(found)

    def derivation(self, derivation: Derivation) -> Derivation:
        """Takes each predicate's columns; a step to the error location is a query that needs no other step."""
        given = steps_of(derivation)
        for step in given:
            index = self.origins[step.clause]
            if index >= 0 and self.before.clauses[index].is_query and self.before.clauses[index].is_fact:
                return Derivation((Step(index, (), ()),))
        steps = []
        for step in given:
            index = self.origins[step.clause]
            head = self.before.clauses[index].head
            columns = () if head is None else self.layout.columns[head.predicate]
            steps.append(Step(index, tuple(step.arguments[column] for column in columns), step.premises))
        return Derivation(tuple(steps))
