"""Engine `cell-pairs`: cells at two indices are related as queries demand, in parts of arrays that loops have passed.

For the variant `pairs`. A loop that sorts needs invariants about any two cells, such as 0 <= k < l < i => a[k] <= a[l],
or 0 <= k < i <= l < n => a[k] <= a[l]; one that transposes a matrix relates a cell to that at another function of its
index. The query names the relation, the clauses name the terms that index the cells, and Houdini keeps the implications
that are inductive. Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001].
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from typing import Any

import z3

from chcverify.certificate.search.houdini import inductive_subset
from chcverify.effort import (
    EARLY_SHARE,
    LARGEST_ORDINARY_CONSTANT,
    MAX_ALTERNATIVES,
    MAX_COMBINED,
    MAX_FORMULAS,
    STEP_S,
)
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Result, Unknown
from chcverify.terms.arithmetic.index_functions import INDEX, affine_function, digit_function
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable, kind_of, substitute, subterms
from solvers.abstract_interpretation.engine import analysis_passes
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.abstract_interpretation.partitioning import conditions
from solvers.engine import Context, Requirements
from solvers.invariants.cell_terms import (
    distinct,
    index_formals,
    index_terms,
    is_over,
    named_formals,
    over_formals,
    signed,
    states,
)
from solvers.invariants.houdini_engine import first_that_excludes, strengthened

MAX_CANDIDATES = 1500
"""Implications for one predicate. Chosen by hand on sorts and matrices with one or two arrays."""


Comparisons = Mapping[Predicate, Sequence[z3.BoolRef]]


class CellPairs:
    """Safe when implications from ranges of two indices to goals exclude every query."""

    name = "cell-pairs"
    description = "relations of cells at two indices that the queries demand, where loops have passed"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        """The first pass of bounds with which the implications exclude every query."""
        goals = _goals(system)
        if not goals:
            return Unknown(f"{self.name}: no query is about cells at two indices")
        return first_that_excludes(_rounds(system, goals, context), system, self.name, context)


@dataclass(frozen=True)
class _PairGoal:
    """A relation of cells at the first and the second symbolic index, over names.

    partner: the second index as a function of INDEX, the first one; None where any larger one is meant.
    """

    relation: z3.BoolRef
    partner: z3.ArithRef | None


class _Shapes(IntEnum):
    """What the candidates of a round are about; each round has those of the rounds before as well."""

    RANGES = 0  # both cells are in one range of indices, or in two that follow each other
    ENDS = 1  # one of them is at the end of a range, or a number is in its place
    HOLES = 2  # neither of them is at a certain end


def _rounds(system: HornSystem, goals: Sequence[_PairGoal], context: Context) -> Iterator[Invariants]:
    makers = _makers(system, goals)
    known: Invariants = {}
    for bounds in analysis_passes(system, "df-boxes-eq", context.first(EARLY_SHARE)):
        known = bounds
    for shapes in _Shapes:
        found = {p: distinct(maker.all(shapes), MAX_CANDIDATES) for p, maker in makers.items()}
        yield strengthened(known, inductive_subset(system, found, context.deadline, known, STEP_S))


def _makers(system: HornSystem, goals: Sequence[_PairGoal]) -> dict[Predicate, "_Candidates"]:
    comparisons = conditions(system, MAX_FORMULAS)
    ends = _RangeEnds(system, comparisons)
    return {p: _Candidates(p, goals, ends, signed(ends.states[p]), ends.compared[p]) for p in system.predicates}


class _RangeEnds:
    """The terms at which ranges of indices begin and end, over names."""

    def __init__(self, system: HornSystem, comparisons: Comparisons) -> None:
        self.terms = index_terms(system, MAX_FORMULAS)
        numbers = {
            n for clause in system.clauses for n in _limits(clause.constraint) if 1 < n < LARGEST_ORDINARY_CONSTANT
        }
        limits = [z3.IntVal(number) for number in sorted(numbers)[-MAX_COMBINED:]]
        self.numbers = distinct([*limits, *_at_limits(self.terms, limits)], MAX_ALTERNATIVES)
        self.compared = _compared(comparisons)
        self.states = {predicate: states(predicate, atoms) for predicate, atoms in comparisons.items()}

    def of(self, predicate: Predicate) -> list[z3.ExprRef]:
        """The terms over the predicate's formals that vary: its counters, those of the clauses, and what follows."""
        others = [*chain.from_iterable(map(free_variables, self.states[predicate])), *self.compared[predicate]]
        no_index = {variable.get_id() for variable in others}
        counters = [
            formal
            for i, formal in enumerate(predicate.formals)
            if predicate.role(i) is Role.SCALAR and z3.is_int(formal) and formal.get_id() not in no_index
        ]
        terms = distinct([*counters, *over_formals(self.terms, predicate)], MAX_ALTERNATIVES)
        plain = [term for term in terms if not z3.is_int_value(term)]
        return distinct([*plain, *(z3.simplify(end + 1) for end in plain)], 2 * MAX_ALTERNATIVES)


class _Candidates:
    """The implications for one predicate, over its formals."""

    def __init__(
        self,
        predicate: Predicate,
        goals: Sequence[_PairGoal],
        ends: _RangeEnds,
        premises: Sequence[z3.BoolRef],
        compared: Sequence[z3.ExprRef],
    ) -> None:
        self.predicate = predicate
        self.back = [(constant, formal) for formal, constant in named_formals(predicate)]
        own = {constant.get_id() for constant, _ in self.back}
        self.goals = [goal for goal in goals if is_over(goal.relation, own)]
        self.indices = index_formals(predicate)
        self.ends: list[Any] = ends.of(predicate) if self.goals and len(self.indices) == 2 else []
        self.numbers = ends.numbers
        self.premises = premises
        self.compared = compared

    def all(self, shapes: _Shapes) -> Iterator[z3.BoolRef]:
        """Implications from ranges of indices to goals, of these shapes."""
        if not self.ends:
            return
        for goal in self.goals:
            relation = substitute(goal.relation, self.back)
            if goal.partner is not None:
                yield from self._implied(self._functional(goal.partner), relation)
                continue
            yield from self._implied(self._ordered(), relation)
            if shapes >= _Shapes.ENDS:
                yield from self._implied(self._at_ends(), relation)
                yield from self._of_scalars(relation)
            if shapes >= _Shapes.HOLES:
                yield from self._implied(self._with_holes(), relation)

    def _implied(self, places: Iterable[z3.BoolRef], relation: z3.BoolRef) -> Iterator[z3.BoolRef]:
        for place in places:
            yield z3.Or(z3.Not(place), relation)
            yield from (z3.Or(z3.Not(place), z3.Not(premise), relation) for premise in self.premises)

    def _functional(self, partner: z3.ArithRef) -> Iterator[z3.BoolRef]:
        """The first index is in a range, the second is that function of it."""
        first, second = self.indices
        equation = second == substitute(partner, [(INDEX, first)])
        for low, high in self._ranges():
            if z3.is_int_value(low) or z3.is_int_value(high):  # what a loop has passed begins or ends there
                yield z3.And(low <= first, first < high, equation)

    def _ordered(self) -> Iterator[z3.BoolRef]:
        """Both indices are in one range, or in two that follow each other."""
        first, second = self.indices
        for low, high in self._ranges():
            yield z3.And(low <= first, first < second, second < high)
            if not z3.is_int_value(low):
                yield z3.And(first >= 0, first < low, low <= second, second < high)

    def _with_holes(self) -> Iterator[z3.BoolRef]:
        first, second = self.indices
        for hole in self.ends:
            yield from (z3.And(place, first != hole, second != hole) for place in self._ordered())

    def _at_ends(self) -> Iterator[z3.BoolRef]:
        """One of the indices is a counter, the other one is in a range."""
        first, second = self.indices
        for end in filter(is_variable, self.ends):
            yield from (z3.And(first == end, low <= second, second < high) for low, high in self._ranges())
            yield from (z3.And(second == end, low <= first, first < high) for low, high in self._ranges())

    def _of_scalars(self, relation: z3.BoolRef) -> Iterator[z3.BoolRef]:
        """The relation with a number in the place of one of the cells."""
        for slot, index in enumerate(self.indices):
            other = self._cells(1 - slot)
            used = [v for v in free_variables(relation) if any(v.eq(cell) for cell in other)]
            for scalar in self.compared[:2]:  # each takes the place of a cell in every goal
                fitting = [(cell, scalar) for cell in used if cell.sort() == scalar.sort()]
                places = (z3.And(low <= index, index < high) for low, high in self._ranges())
                if used and len(fitting) == len(used):
                    yield from self._implied(places, substitute(relation, fitting))

    def _ranges(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of ends, without those whose range is empty for sure."""
        for low in (z3.IntVal(0), *self.ends):
            for high in (*self.ends, *self.numbers):
                size = z3.simplify(high - low)
                if not (z3.is_int_value(size) and size.as_long() <= 1):
                    yield low, high

    def _cells(self, slot: int) -> list[z3.ExprRef]:
        return [f for i, f in enumerate(self.predicate.formals) if _slot(self.predicate, i) == slot]


def _slot(predicate: Predicate, position: int) -> int | None:
    """Of a cell: the number of the symbolic index at which it is; otherwise None."""
    if predicate.role(position) is not Role.CELL or len(predicate.names) != predicate.arity:
        return None
    names = [name for i, name in enumerate(predicate.names) if predicate.role(i) is Role.INDEX]
    slots = (slot for slot, name in enumerate(names) if predicate.names[position].endswith(f"[{name}]"))
    return next(slots, None)


def _goals(system: HornSystem) -> list[_PairGoal]:
    """The negated parts of queries about cells at both indices of an atom, for functions of the first and any order."""
    found: dict[tuple[int, int], _PairGoal] = {}
    for number in system.queries:
        atoms, parts = _resolved(system.clauses[number])
        seen: set[frozenset[int]] = set()
        for atom in atoms:
            indices = [a for i, a in enumerate(atom.arguments) if atom.predicate.role(i) is Role.INDEX and z3.is_int(a)]
            places = frozenset(z3.simplify(index, som=True).get_id() for index in indices)
            if len(indices) != 2 or len(places) < 2:
                continue
            relations, partners = list(_relations(atom, parts)), list(_partners(*indices))
            for relation in relations:
                if not z3.is_eq(relation):
                    found[relation.get_id(), -1] = _PairGoal(relation, None)
                if places not in seen:  # the same atom with its indices exchanged says the same
                    found |= {(relation.get_id(), p.get_id()): _PairGoal(relation, p) for p in partners}
            if relations:
                seen.add(places)
    return list(found.values())[:MAX_COMBINED]


def _resolved(clause: Clause) -> tuple[list[Application], list[z3.BoolRef]]:
    """Body and constraint without the equations that define a variable by another term."""
    parts, defined = conjuncts(clause.constraint), True
    atoms = list(clause.body)
    while defined:
        defined = False
        for part in parts:
            pair = _definition(part)
            if pair is not None:
                parts = [substitute(other, [pair]) for other in parts if other is not part]
                atoms = [Application(a.predicate, tuple(substitute(t, [pair]) for t in a.arguments)) for a in atoms]
                defined = True
                break
    return atoms, parts


def _definition(part: z3.BoolRef) -> tuple[z3.ExprRef, z3.ExprRef] | None:
    """(v, t) for v = t or t = v, where the variable v is not in t."""
    if z3.is_eq(part):
        for variable, term in (part.children(), part.children()[::-1]):
            if is_variable(variable) and not any(variable.eq(other) for other in free_variables(term)):
                return variable, term
    return None


def _relations(atom: Application, parts: Sequence[z3.BoolRef]) -> Iterator[z3.BoolRef]:
    """The negations of those parts that are about cells of the atom at both indices, over names.

    Disjunctions with other arguments say that cells at equal indices are equal.
    """
    predicate = atom.predicate
    given: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    slots: dict[int, int | None] = {}
    for i, (argument, (_, constant)) in enumerate(zip(atom.arguments, named_formals(predicate), strict=True)):
        if is_variable(argument):
            equal = [other for same, other in given if same.eq(argument)]
            if equal and {_slot(predicate, i), slots[argument.get_id()]} == {0, 1}:
                yield z3.simplify(constant != equal[0])
            given.append((argument, constant))
            slots.setdefault(argument.get_id(), _slot(predicate, i))
    for part in parts:
        used = [slots.get(variable.get_id(), -1) for variable in free_variables(part)]
        if -1 not in used and {0, 1} <= set(used) and not (z3.is_or(part) and None in used):
            yield z3.simplify(substitute(z3.Not(part), given))


def _partners(first: z3.ArithRef, second: z3.ArithRef) -> Iterator[z3.ArithRef]:
    """Functions of INDEX alone that map the first index to the second one."""
    for function in (affine_function, digit_function):
        partner = function(first, second)
        if partner is not None and all(v.eq(INDEX) for v in free_variables(partner)):
            yield partner


def _at_limits(terms: Iterable[z3.ExprRef], limits: Sequence[z3.ExprRef]) -> Iterator[z3.ExprRef]:
    """The terms with a limit for one variable and 0 for the others: the ends of arrays of several dimensions."""
    for term in terms:
        variables = free_variables(term)
        for variable in variables if len(variables) > 1 else ():
            zero = [(other, z3.IntVal(0)) for other in variables if not other.eq(variable)]
            yield from (z3.simplify(substitute(term, [*zero, (variable, limit)])) for limit in limits)


def _limits(constraint: z3.BoolRef) -> Iterator[int]:
    """The numbers that variables are compared with."""
    for term in subterms(constraint):
        if kind_of(term) in (z3.Z3_OP_LE, z3.Z3_OP_GE):
            yield from (side.as_long() for side in term.children() if z3.is_int_value(side))


def _compared(comparisons: Comparisons) -> dict[Predicate, list[z3.ExprRef]]:
    """The scalars that clauses compare with cells."""
    found = {}
    for predicate, atoms in comparisons.items():
        roles = {f.get_id(): predicate.role(i) for i, f in enumerate(predicate.formals)}
        chosen: dict[int, z3.ExprRef] = {}
        for atom in atoms:
            variables = free_variables(atom)
            if len(variables) == 2 and Role.CELL in {roles[v.get_id()] for v in variables}:
                chosen |= {v.get_id(): v for v in variables if roles[v.get_id()] is Role.SCALAR}
        found[predicate] = list(chosen.values())
    return found
