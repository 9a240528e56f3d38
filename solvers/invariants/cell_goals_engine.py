"""Engine `cell-goals`: at the indices that a loop has passed, cells are related as queries demand.

For the variant `cells`. A loop that writes c[i] = f(a[i], b[i]), and one that compares c[i] with f(a[i], b[i]), need
the invariant 0 <= k < i => c[k] = f(a[k], b[k]) for the symbolic index k. No abstract domain knows every f, but the
query names it: goals are what queries demand of cells, ranges of indices come from the terms that index them, and
Houdini keeps the implications that are inductive. They take a second or two, and are tried first; what numbers bound is
left to the passes of `df-segments`, whose bounds the implications may need, too. Flanagan, Leino: Houdini (FME 2001)
[FlanaganLeino2001].
"""

import time
from collections.abc import Iterable, Iterator
from itertools import chain, islice, permutations
from typing import Any

import z3

from chcverify.certificate.search.houdini import inductive_subset
from chcverify.effort import EARLY_SHARE, MAX_ALTERNATIVES, MAX_COMBINED, MAX_COMPARED, MAX_FORMULAS, MOMENT_MS
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Result
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable, kind_of, substitute, subterms
from solvers.abstract_interpretation.engine import analysis_passes
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.abstract_interpretation.partitioning import conditions, discriminating
from solvers.engine import Context, Requirements
from solvers.invariants.cell_preimages import CellPreimages, is_bound_of_type
from solvers.invariants.cell_terms import (
    constants,
    distinct,
    index_formals,
    index_terms,
    named_formals,
    over_formals,
    signed,
    states,
)
from solvers.invariants.houdini_engine import first_that_excludes, strengthened

MAX_IMPLICATIONS = 800
"""Candidates for one predicate. Three loops of which one reverses an array need more than 400
(tests/solvers/invariants/test_cell_preimages.py)."""
_WRAPS = frozenset({1 << 32, 1 << 64})  # what a cast of an unsigned index to a signed one subtracts


class CellGoals:
    """Safe when implications from ranges of indices to goals exclude every query, or the values of segments do."""

    name = "cell-goals"
    description = "relations of cells that the queries demand, at the indices that loops have passed; segments"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        """The first pass of bounds or segments that excludes every query, alone or with the implications."""
        return first_that_excludes(_rounds(system, _sources(system), context), system, self.name, context)


def _sources(system: HornSystem) -> "list[_Named | _Preconditions]":
    """Where goals and ranges come from; none for bit-vectors, over which the ranges are not written."""
    if any(z3.is_bv(formal) for predicate in system.predicates for formal in predicate.formals):
        return []
    sources: list[_Named | _Preconditions] = [_Named(system)]
    if not any(len(index_formals(predicate)) > 1 for predicate in system.predicates):
        sources.append(_Preconditions(system))
    return [source for source in sources if source.goals]


def _rounds(system: HornSystem, sources: "list[_Named | _Preconditions]", context: Context) -> Iterator[Invariants]:
    """Boxes with the implications of each source first; then segments, as they are and with the implications of the
    last source, where the implications have had no more time than the segments."""
    started = time.monotonic()
    boxes = list(analysis_passes(system, "df-scalars", context.first(EARLY_SHARE))) if sources else []
    known = boxes[-1] if boxes else {}
    sets = [{p: list(source.candidates(p, known.get(p))) for p in system.predicates} for source in sources]
    for candidates in sets:
        yield strengthened(known, inductive_subset(system, candidates, context.deadline, known))
    ahead_s, since = started - time.monotonic(), time.monotonic()
    for known in analysis_passes(system, "df-segments", context):
        yield known
        now = time.monotonic()
        ahead_s += now - since
        if sets and ahead_s > 0:
            yield strengthened(known, inductive_subset(system, sets[-1], context.deadline, known))
            ahead_s -= time.monotonic() - now
        since = time.monotonic()


class _Named:
    """Goals and index terms of a system over the names of arguments, which predicates share."""

    def __init__(self, system: HornSystem) -> None:
        self.goals, are_about_scalars = _goals(system)
        atoms = conditions(system, MAX_FORMULAS) if are_about_scalars else {}
        self.states = {p: states(p, atoms.get(p, ())) for p in system.predicates}
        self.constants = constants(system, MAX_ALTERNATIVES)
        self.terms = index_terms(system, MAX_FORMULAS)

    def candidates(self, predicate: Predicate, known: z3.BoolRef | None) -> Iterator[z3.BoolRef]:
        """Implications from a range of indices to a goal, over the predicate's formals. known: an invariant."""
        goals, indices = list(over_formals(self.goals, predicate)), index_formals(predicate)
        if goals and len(indices) == 2:
            return islice(self._by_rows(predicate, indices, goals), MAX_IMPLICATIONS)
        if not goals or len(indices) != 1:
            return iter(())
        ends = distinct(over_formals(self._ends(predicate), predicate), MAX_COMPARED)
        ranges = _possible(_ranges(indices[0], ends), known)
        premises = [z3.BoolVal(True), *signed(self.states[predicate])]
        implied = (z3.Or(z3.Not(z3.And(part, p)), goal) for part in ranges for goal in goals for p in premises)
        return islice(implied, MAX_FORMULAS)

    def _by_rows(
        self, predicate: Predicate, indices: list[z3.ArithRef], goals: list[z3.BoolRef]
    ) -> Iterator[z3.BoolRef]:
        """Implications from a part of a matrix to a goal."""
        counters = [f for i, f in enumerate(predicate.formals) if _is_counter(predicate, i)]
        row, column = indices
        numbers = [number for number in self.constants if z3.is_int_value(number) and number.as_long() > 1]
        parts = [*_matrix_parts(row, column, counters, numbers)]
        parts += _matrix_parts(column, row, counters, numbers)
        yield from goals
        yield from (z3.Or(z3.Not(part), goal) for part in parts for goal in goals)

    def _ends(self, predicate: Predicate) -> Iterator[z3.ExprRef]:
        """Index terms, as they are and with a value of the loop's begin or end for one variable; and scalars."""
        scalars = [constant for i, (_, constant) in enumerate(named_formals(predicate)) if _is_counter(predicate, i)]
        yield from self.terms
        yield from scalars
        for term in self.terms:
            for variable in free_variables(term):
                yield from (z3.simplify(substitute(term, [(variable, other)])) for other in (z3.IntVal(0), *scalars))
        for term in self.terms:
            for variable in free_variables(term):
                for number in self.constants:
                    rest = substitute(term, [(variable, number)])
                    yield z3.simplify(rest)
                    yield from (z3.simplify(substitute(rest, [(v, z3.IntVal(0))])) for v in free_variables(rest))
        yield from self.constants


class _Preconditions:
    """Preconditions of the queries at a symbolic index, and ranges between values of index terms.

    A precondition that is about no cell says for which indices a loop writes what a query wants. So do the remainders
    of indices in loops with strides. Goals are also tried for these indices alone, and for all others alone: behind
    `if (i % 2 == 0) a[i] = 1; else a[i] = 3;` the cells at even indices are 1.
    """

    def __init__(self, system: HornSystem) -> None:
        self._preimages = CellPreimages(system)
        self._terms = self._preimages.index_terms()
        self._strides = self._preimages.strides(MAX_COMBINED)
        found = self._preimages.goals(MAX_ALTERNATIVES, MAX_COMBINED)
        self.goals = [goal for goal in found if self._preimages.is_about_cells(goal)]
        self._guards = [goal for goal in found if not self._preimages.is_about_cells(goal)]

    def candidates(self, predicate: Predicate, known: z3.BoolRef | None) -> Iterator[z3.BoolRef]:
        """Implications from a range of indices to a goal, over the predicate's formals. known: an invariant."""
        goals, indices = list(over_formals(self.goals, predicate)), index_formals(predicate)
        if not goals or len(indices) != 1:
            return iter(())
        values = (value for term in self._terms for value in self._values(term, named_formals(predicate)))
        ends = distinct(over_formals(values, predicate), MAX_COMPARED)
        pairs = [pair for pair in permutations(ends, 2) if not all(map(z3.is_int_value, pair))]
        ranges = [part for low, high in pairs for part in _intervals(indices[0], low, high)]
        implied = [z3.Or(z3.Not(part), goal) for part in _possible(ranges, known) for goal in goals]
        simplest = [part for low, high in pairs for part in islice(_intervals(indices[0], low, high), 2)]
        exceptions = signed(self._conditions(predicate, indices[0]))
        weaker = [z3.Or(exception, goal) for goal in goals for exception in exceptions]
        if weaker:
            implied += [z3.Or(z3.Not(part), goal) for part in _possible(simplest, known) for goal in weaker]
        return chain(self._remainders(predicate), implied[:MAX_IMPLICATIONS])

    def _conditions(self, predicate: Predicate, index: z3.ArithRef) -> list[z3.BoolRef]:
        """Different conditions of the index: those of the clauses, and that it has a remainder."""
        remainders = (
            index % stride == remainder for stride in sorted(set(self._strides.values())) for remainder in range(stride)
        )
        return discriminating([*over_formals(self._guards, predicate), *remainders], MAX_COMBINED, None)

    def _remainders(self, predicate: Predicate) -> Iterator[z3.BoolRef]:
        """The counters of loops with strides have one remainder."""
        for formal, name in named_formals(predicate):
            stride = self._strides.get(str(name), 0)
            yield from (formal % stride == remainder for remainder in range(stride))

    def _values(self, term: z3.ExprRef, formals: list[tuple[z3.ExprRef, z3.ExprRef]]) -> Iterator[z3.ExprRef]:
        """The index term, and its values where loops begin and end: at 0, 1, at scalars that loops leave alone and at
        what counters are compared with."""
        yield term
        fixed = [name for _, name in formals if z3.is_int(name) and str(name) in self._preimages.fixed]
        ends = [z3.IntVal(0), z3.IntVal(1), *fixed, *self._preimages.loop_ends]
        counters = [v for v in free_variables(term) if str(v) in self._preimages.counters]
        yield from (z3.simplify(substitute(term, [(counter, end)])) for counter in counters for end in ends)


def _intervals(index: z3.ArithRef, low: Any, high: Any) -> Iterator[z3.BoolRef]:
    """The ranges of the index from one end to the other, with or without each of them."""
    for first, last in ((low <= index, index < high), (low < index, index <= high)):
        yield z3.And(first, last)
    yield z3.And(low < index, index < high)
    yield z3.And(low <= index, index <= high)


def _possible(ranges: Iterable[z3.BoolRef], known: z3.BoolRef | None) -> Iterator[z3.BoolRef]:
    """The ranges that are not empty in all states within an invariant: of the others nothing need be known."""
    solver = z3.SimpleSolver()
    solver.set("timeout", MOMENT_MS)
    solver.add(z3.BoolVal(True) if known is None else known)
    # known & range
    return (part for part in ranges if solver.check(part) != z3.unsat)


def _is_counter(predicate: Predicate, position: int) -> bool:
    return predicate.role(position) is Role.SCALAR and z3.is_int(predicate.formals[position])


def _goals(system: HornSystem) -> tuple[list[z3.BoolRef], bool]:
    """The negated parts of queries with one body atom that are about cells, over names: those about several cells and
    nothing else; where there are none, those about cells and scalars, or about one cell. Are they about scalars, too?
    """
    found: dict[tuple[bool, bool], dict[int, z3.BoolRef]] = {}
    for index in system.queries:
        clause = system.clauses[index]
        if len(clause.body) != 1:
            continue
        atom = clause.body[0]
        given, roles = [], {}
        for i, (argument, (_, constant)) in enumerate(zip(atom.arguments, named_formals(atom.predicate), strict=True)):
            if is_variable(argument):
                given.append((argument, constant))
                roles[argument.get_id()] = atom.predicate.role(i)
        at = _indices_of_matrix(clause, atom)
        guard = z3.And(*_guards_of_matrix(clause, at))
        allowed = {Role.CELL, Role.SCALAR, *([Role.INDEX] if at else ())}
        for part in conjuncts(clause.constraint):
            part = substitute(part, at)
            used = [roles.get(variable.get_id()) for variable in free_variables(part)]
            if Role.CELL in used and set(used) <= allowed and not is_bound_of_type(part):
                kind = Role.SCALAR in used, used.count(Role.CELL) > 1
                for formula in (z3.Not(part), *([z3.Not(z3.And(guard, part))] if guard.num_args() else [])):
                    goal = substitute(formula, given)
                    found.setdefault(kind, {})[goal.get_id()] = goal
    for kind in ((False, True), (True, True), (True, False), (False, False)):
        if kind in found:
            return list(found[kind].values())[:MAX_ALTERNATIVES], kind[0]
    return [], False


def _indices_of_matrix(clause: Clause, atom: Application) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """The variables that give row and column of the cell in the atom, each with the argument for this index.

    Of what a query demands of the cell at i and j, only that about row and column holds of other cells, too.
    """
    given = {a.get_id(): atom.predicate.role(i) for i, a in enumerate(atom.arguments)}
    indices = [a for i, a in enumerate(atom.arguments) if atom.predicate.role(i) is Role.INDEX]
    if len(indices) != 2:  # row and column
        return []
    found = []
    for equation in filter(z3.is_eq, conjuncts(clause.constraint)):
        for index, variable in (equation.children(), reversed(equation.children())):
            is_index = given.get(index.get_id()) is Role.INDEX
            if is_index and is_variable(variable) and given.get(variable.get_id()) is not Role.INDEX:
                found.append((variable, index))
    return found


def _guards_of_matrix(clause: Clause, at: list[tuple[z3.ExprRef, z3.ExprRef]]) -> Iterator[z3.BoolRef]:
    """The conditions on row and column under which the query demands something of the cell, such as row = column.

    Not those that compare one of them with a number, as loops over all rows and columns do.
    """
    indices = {index.get_id() for _, index in at}
    for part in conjuncts(clause.constraint):
        condition = substitute(part, at)
        used = {variable.get_id() for variable in free_variables(condition)}
        if used and used <= indices and (len(used) > 1 or any(kind_of(t) == z3.Z3_OP_MOD for t in subterms(condition))):
            yield condition


def _matrix_parts(
    outer: z3.ArithRef, inner: z3.ArithRef, counters: list[Any], numbers: list[Any]
) -> Iterator[z3.BoolRef]:
    """What nested loops have passed: all of some rows, or up to a width, and a part of the next row."""
    ends = [*counters, *numbers]
    for last in ends:
        yield z3.And(outer >= 0, outer < last)
    for last, here in permutations(counters, 2):
        yield z3.And(outer >= 0, z3.Or(outer < last, z3.And(outer == last, inner < here)))
    for last, here in permutations(counters, 2):
        for width in ends:
            if not (width.eq(last) or width.eq(here)):
                passed = z3.Or(z3.And(outer < last, inner < width), z3.And(outer == last, inner < here))
                yield z3.And(outer >= 0, inner >= 0, passed)
    for last, width in permutations(ends, 2):
        yield z3.And(outer >= 0, outer < last, inner >= 0, inner < width)


def _ranges(index: z3.ArithRef, ends: list[Any]) -> Iterator[z3.BoolRef]:
    """0 <= index < end, also of an index that is the signed reading of an unsigned one; from one end to another."""
    for end in ends:
        yield z3.And(index >= 0, index < end)
    numerals = {abs(term.as_long()) for end in ends for term in subterms(end) if z3.is_int_value(term)}
    for wrap in sorted(numerals & _WRAPS):
        unsigned = z3.If(index < 0, index + wrap, index)
        signed = z3.And(index >= -(wrap // 2), index < wrap // 2)
        yield from (z3.And(signed, unsigned < end) for end in ends if is_variable(end) or z3.is_int_value(end))
    yield from chain.from_iterable(
        (z3.And(low < index, index <= high), z3.And(low <= index, index < high))
        for low in ends
        for high in ends
        if low.get_id() != high.get_id() and not z3.is_int_value(low)
    )
