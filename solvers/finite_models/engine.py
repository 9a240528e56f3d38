"""Engine `finite-models`: a model in which each term of a datatype counts only by its state in a tree automaton."""

from collections.abc import Sequence

import z3

from chcverify.certificate.model import Fold, Model
from chcverify.horn.names import Fresh, plain
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction, disjunction, equation
from chcverify.terms.datatype_terms import clamped, fields
from solvers.engine import Context, Requirements
from solvers.finite_models.relaxed_clauses import RelaxedSystem
from solvers.finite_models.state_search import NoFiniteModel, Row, StateModel, search


class FiniteModels:
    """Safe with states of terms; never unsafe."""

    name = "finite-models"
    description = "algebraic data types: models by tree automata with few states, found by cvc5"
    requires = Requirements(normal=False, as_given=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        relaxed = RelaxedSystem(system)
        if not relaxed.sorts:
            return Unknown("there are no datatypes")
        try:
            found = search(relaxed, max(1, int(1000 * context.remaining())), context.seed)
        except NoFiniteModel as reason:
            return Unknown(str(reason))
        context.statistics["states"] = sum(found.states)
        return Safe(_Automaton(relaxed, found).model())


@dataclass(eq=False)
class _Automaton:
    """The states of terms as folds. A state is clamped to the range of the states, so it always is one."""

    relaxed: RelaxedSystem
    found: StateModel

    def __post_init__(self) -> None:
        names = Fresh(_names(self.relaxed))
        self._function = {
            sort.get_id(): z3.Function(names(f"state_{plain(sort.name())}"), sort, z3.IntSort())
            for sort in self.relaxed.sorts
        }
        self._last = {sort.get_id(): self.found.states[i] - 1 for i, sort in enumerate(self.relaxed.sorts)}

    def model(self) -> Model:
        """Each predicate by the rows of states for which it holds."""
        folds = tuple(self._fold(i) for i in range(len(self.relaxed.sorts)))
        formulas = {p: self._formula(i, p) for i, p in enumerate(self.relaxed.system.predicates)}
        return Model(formulas, folds=folds)

    def _fold(self, number: int) -> Fold:
        sort = self.relaxed.sorts[number]
        x = z3.Const("$x", sort)
        return Fold(
            self._function[sort.get_id()],
            (x,),
            tuple(self._case(number, j, fields(sort, j, x)) for j in range(sort.num_constructors())),
        )

    def _case(self, number: int, constructor: int, parts: Sequence[z3.ExprRef]) -> z3.ExprRef:
        """A choice by the states of the fields."""
        sort = self.relaxed.sorts[number]
        kept = [parts[i] for i in self.relaxed.arguments(sort, constructor)]
        table = self.found.transitions[number, constructor]
        by_value: dict[int, list[Row]] = {}
        for row, value in table.items():
            by_value.setdefault(value, []).append(row)
        *others, last = sorted(by_value, key=lambda value: len(by_value[value]))
        result = z3.IntVal(last)
        for value in reversed(others):
            result = z3.If(self._is_one_of(kept, by_value[value]), z3.IntVal(value), result)
        return result

    def _formula(self, number: int, predicate: Predicate) -> z3.BoolRef:
        kept = [predicate.formals[i] for i in self.relaxed.kept[number]]
        return self._is_one_of(kept, self.found.facts[number])

    def _is_one_of(self, terms: Sequence[z3.ExprRef], rows: Sequence[Row]) -> z3.BoolRef:
        """The states of the terms, and their truth values, are those of one of the rows."""
        return disjunction(
            conjunction(self._is(term, value) for term, value in zip(terms, row, strict=True)) for row in rows
        )

    def _is(self, term: z3.ExprRef, value: int | bool) -> z3.BoolRef:
        if isinstance(value, bool):
            return equation(term, z3.BoolVal(value))
        key = term.sort().get_id()
        state: z3.BoolRef = clamped(self._function[key](term), 0, self._last[key]) == value
        return state


def _names(relaxed: RelaxedSystem) -> list[str]:
    """All names that occur in the clauses."""
    found = [predicate.name for predicate in relaxed.system.predicates]
    found += [variable.decl().name() for clause in relaxed.system.clauses for variable in clause.variables]
    for sort in relaxed.sorts:
        found.append(sort.name())
        for number in range(sort.num_constructors()):
            found.append(sort.constructor(number).name())
            found += [sort.accessor(number, i).name() for i in range(sort.constructor(number).arity())]
    return found
