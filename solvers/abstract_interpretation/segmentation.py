"""Segments of arrays: conditions that split a predicate by the order of its symbolic index with the index terms.

For systems over array cells, where arguments have the roles INDEX and CELL: the index terms at which clauses read and
write, such as a loop's counter or the sum of a base and an offset, and their values when the counter is at its first or
last value, divide the array into segments. Each segment has an abstract value of its own.

Halbwachs, Peron: Discovering properties about arrays in simple programs (PLDI 2008), section 4 [HalbwachsPeron2008].
Deviation: the segments come from the clauses' text before the analysis starts, not from its widening.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any, TypeVar

import z3

from chcverify.effort import LARGEST_ORDINARY_CONSTANT, MAX_COMBINED
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable, substitute, subterms
from solvers.abstract_interpretation.partitioning import discriminating

T = TypeVar("T", bound=z3.ExprRef)

MAX_ORDER_CONDITIONS = 6
"""Conditions index < term per predicate; each may double the number of segments. Chosen by hand on small arrays."""


@dataclass(frozen=True)
class SegmentationOptions:
    """What becomes a condition of segments."""

    nested_loop_ends: bool = True
    """For index terms with several variables, also split where the variable with the greatest factor is at its bound
    (or one past it) and all others are 0. Made for matrices in row-major order; does nothing for index terms with one
    variable."""
    exclude_flags: bool = True
    """Arguments that are compared with a cell, or with a number for equality, are not used as index terms. Made for
    flags and sentinel values; does nothing where no clause has such a comparison."""


USUAL_SEGMENTS = SegmentationOptions()
_PASSED_BY_LEFT = {z3.Z3_OP_LE, z3.Z3_OP_GT}  # where x <= 9 makes a difference x goes up to 10
_PASSED_BY_RIGHT = {z3.Z3_OP_LT, z3.Z3_OP_GE}
_ORDER = {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT}


def segments(
    system: HornSystem,
    known: Mapping[Predicate, z3.BoolRef],
    others: int = 0,
    cells: bool = True,
    options: SegmentationOptions = USUAL_SEGMENTS,
) -> dict[Predicate, list[z3.ExprRef]]:
    """The split terms of each predicate: conditions k < t (k an index, t an index term), then up to `others` more.

    The terms t are those of the predicate's own clauses and, next to each, its variants: one variable replaced by what
    the clauses compare it with, or by its initial constant; then any argument but cells and flags.

    known: invariants; only conditions that are neither true nor false in all states within them are kept.
    others: number of further conditions, such as flags and, with `cells`, relations of cells; remainders of the index
    come with them.
    """
    roles = {predicate: _ArgumentRoles.of(predicate) for predicate in system.predicates}
    hints = _collected_hints(system, roles, options)
    table: dict[Predicate, list[z3.ExprRef]] = {}
    for predicate, arguments in roles.items():
        own, within = hints[predicate], known.get(predicate)
        extremes = arguments.extremes(within, LARGEST_ORDINARY_CONSTANT)
        own.partners += [pair for pair in extremes if pair[0].get_id() not in own.compared]
        order: list[z3.BoolRef] = [index < bound for bound in own.bounds(arguments) for index in arguments.indices]
        conditions = discriminating(order, MAX_ORDER_CONDITIONS, within)
        table[predicate] = [*conditions]
        if others:
            tests = _transferred_tests(predicate, hints)
            wanted = [test for test in tests if cells or not arguments.mentions_cell(test)]
            more = _distinct([test for atom in wanted for test in (atom, *arguments.at_indices(atom, own.terms))])
            table[predicate] += discriminating(more, others, within, conditions)
            table[predicate] += [index % modulus for modulus in own.moduli()[:1] for index in arguments.indices]
    return table


def _collected_hints(
    system: HornSystem, roles: Mapping[Predicate, "_ArgumentRoles"], options: SegmentationOptions
) -> dict[Predicate, "_ClauseHints"]:
    """The hints of all clauses for each predicate, in terms of its formals."""
    hints = {predicate: _ClauseHints(options) for predicate in system.predicates}
    for clause in system.clauses:
        view = _ClauseModuloEqualities(clause, roles, LARGEST_ORDINARY_CONSTANT)
        for application in clause.applications:
            hints[application.predicate].collect(view, application, roles[application.predicate].others)
        for atom in clause.body:
            local = view.formals(atom, atom.predicate.formals)
            hints[atom.predicate].tests += view.translated(view.tests(), local)
    return hints


def _transferred_tests(predicate: Predicate, hints: Mapping[Predicate, "_ClauseHints"]) -> list[z3.BoolRef]:
    """The predicate's own tests, then those of the others in terms of its formals."""
    tests = [*hints[predicate].tests]
    for other, theirs in hints.items():
        if other is not predicate:
            tests += theirs.transferred(other, predicate)
    return tests


def scalar_arguments(predicate: Predicate) -> list[z3.ArithRef]:
    """The integer arguments that are neither cells nor indices of cells."""
    return list(_ArgumentRoles.of(predicate).others)


@dataclass
class _ClauseHints:
    """Parts of the clauses in terms of one predicate's formals."""

    options: SegmentationOptions
    terms: list[z3.ArithRef] = field(default_factory=list)
    """Index terms."""
    partners: list[tuple[z3.ArithRef, z3.ArithRef]] = field(default_factory=list)
    """Pairs of a variable and a term it is compared with."""
    tests: list[z3.BoolRef] = field(default_factory=list)
    """Atoms of the constraints."""
    compared: set[int] = field(default_factory=set)
    """Ids of formals whose order with another term is tested."""
    changing: set[int] = field(default_factory=set)
    """Ids of formals that differ between the body and the head of a clause."""
    steps: list[int] = field(default_factory=list)
    """The numbers by which variables change."""

    def collect(self, view: "_ClauseModuloEqualities", application: Application, others: Sequence[z3.ArithRef]) -> None:
        """Adds the parts of the clause that can be expressed by the application's scalar arguments `others`."""
        local = view.formals(application, others)
        self.terms += view.translated(view.index_terms(), local)
        self.compared |= {side.get_id() for side in view.translated(view.ordered(), local)}
        for pair in view.pairs():
            self.partners += zip(*[view.translated([side], local) for side in pair], strict=False)
        self.changing |= view.changing(application)
        self.steps += view.steps()

    def transferred(self, own: Predicate, other: Predicate) -> Iterator[z3.BoolRef]:
        """The tests in terms of the formals of the same names and sorts of another predicate."""
        theirs = {(name, formal.sort()): formal for name, formal in zip(other.names, other.formals, strict=False)}
        named = [(f, theirs.get((n, f.sort()))) for n, f in zip(own.names, own.formals, strict=False)]
        pairs = {formal.get_id(): (formal, their) for formal, their in named if their is not None}
        for test in self.tests:
            used = [variable.get_id() for variable in free_variables(test)]
            if all(key in pairs for key in used):
                yield substitute(test, [pairs[key] for key in used])

    def bounds(self, arguments: "_ArgumentRoles") -> list[z3.ArithRef]:
        """The terms t of the conditions k < t, the most useful first.

        An index term that is constant in the loop splits at k < t and at k < t + 1. A counter splits at k < t only, as
        the cell at t is written in this iteration. Of the variants, those with the outermost loop's variable at its
        bound and all others at 0 come first: nested loops end there (see `SegmentationOptions.nested_loop_ends`).
        """
        variants, ends = [], []
        for term in self.terms:
            variables = free_variables(term)
            leading = max(variables, key=partial(_coefficient, term), default=None)
            for variable, other in self.partners:
                if self.options.nested_loop_ends and leading is not None and variable.eq(leading):
                    rest = [(v, z3.IntVal(0)) for v in variables if not v.eq(variable)]
                    last = [other + 1, other] if rest else [other]  # outer loops often test before they count
                    ends += [substitute(term, [(variable, end), *rest]) for end in last]
                variants.append(substitute(term, [(variable, other)]))
        after = [term + 1 for term in self.terms if is_variable(term) and term.get_id() not in self.changing]
        scalars = arguments.scalar_arguments(self.tests) if self.options.exclude_flags else arguments.others
        return _distinct([*self.terms, *after, z3.IntVal(0), *ends, *variants, *scalars])

    def moduli(self) -> list[int]:
        """The small factors of counters in index terms, and their steps."""
        factors = (_coefficient(t, v) for t in self.terms for v in free_variables(t) if len(free_variables(t)) == 1)
        moduli = (int(number) for number in (*factors, *self.steps) if 1 < number <= MAX_COMBINED)
        return list(dict.fromkeys(moduli))


def _coefficient(term: z3.ExprRef, variable: z3.ExprRef) -> float:
    """The absolute value of the variable's coefficient in a linear term; infinity if that is no number."""
    others = [(v, z3.IntVal(0)) for v in free_variables(term) if not v.eq(variable)]
    zero, one = (substitute(term, [(variable, z3.IntVal(value)), *others]) for value in (0, 1))
    difference = z3.simplify(one - zero)
    return abs(difference.as_long()) if z3.is_int_value(difference) else math.inf


@dataclass(frozen=True, eq=False)
class _ArgumentRoles:
    """The integer formals: indices of cells, cells, and others."""

    indices: Sequence[z3.ArithRef]
    cells: Sequence[z3.ArithRef]
    others: Sequence[z3.ArithRef]

    @classmethod
    def of(cls, predicate: Predicate) -> "_ArgumentRoles":
        by_role: dict[Role, list[z3.ArithRef]] = {role: [] for role in Role}
        for position, formal in enumerate(predicate.formals):
            if z3.is_int(formal):
                role = predicate.role(position)
                by_role[Role.SCALAR if role is Role.END else role].append(formal)
        indices, cells = by_role[Role.INDEX], by_role[Role.CELL]
        if not any(predicate.role(position) is Role.CELL for position in range(predicate.arity)):
            return cls([], cells, [*indices, *by_role[Role.SCALAR]])  # nothing is left at the indices
        return cls(indices, cells, by_role[Role.SCALAR])

    def scalar_arguments(self, tests: Sequence[z3.BoolRef]) -> list[z3.ArithRef]:
        """The scalar arguments without flags: those compared with a cell, or with a number for equality."""
        values = {cell.get_id() for cell in self.cells}
        flags: set[int] = set()
        for test in tests:
            sides = {side.get_id() for side in test.children()}
            if (z3.is_eq(test) and any(map(z3.is_int_value, test.children()))) or sides & values:
                flags |= sides
        return [other for other in self.others if other.get_id() not in flags]

    def extremes(self, known: z3.BoolRef | None, largest: int) -> list[tuple[z3.ArithRef, z3.ArithRef]]:
        """The scalar arguments with their closest bounds among the conjuncts of `known`, up to `largest` in magnitude.

        They are the final values of counters that run along with the tested one.
        """
        found: dict[tuple[int, int], tuple[z3.ArithRef, z3.ArithRef]] = {}
        for bound in [] if known is None else conjuncts(known):
            kind = bound.decl().kind()
            if kind not in _ORDER:
                continue
            left, right = bound.children()
            for variable, end in (left, right), (right, left):
                if _is_small(end, largest) and any(variable.eq(other) for other in self.others):
                    found[variable.get_id(), kind] = variable, end  # later ones are closer
        return list(found.values())

    def mentions_cell(self, test: z3.BoolRef) -> bool:
        """True if a cell occurs in the test."""
        return any(variable.eq(cell) for variable in free_variables(test) for cell in self.cells)

    def at_indices(self, test: z3.BoolRef, terms: Sequence[z3.ArithRef]) -> Iterator[z3.BoolRef]:
        """For a test of a single index term: the same test of each index. Loops treat the cells at a counter alike."""
        variables = free_variables(test)
        if len(variables) == 1 and any(variables[0].eq(term) for term in terms):
            for index in self.indices:
                yield substitute(test, [(variables[0], index)])


class _ClauseModuloEqualities:
    """A clause modulo the equations between its variables. largest: see `LARGEST_ORDINARY_CONSTANT`."""

    def __init__(self, clause: Clause, roles: Mapping[Predicate, _ArgumentRoles], largest: int) -> None:
        self._clause = clause
        self._largest = largest
        self._parts = conjuncts(clause.constraint)
        self._atoms = [
            t for t in subterms(clause.constraint) if z3.is_app(t) and t.num_args() == 2 and z3.is_int(t.arg(0))
        ]
        self._same: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        self._roots: dict[int, Any] = {}  # of terms of any sort
        for part in self._parts:
            if z3.is_eq(part) and all(map(is_variable, part.children())):
                left, right = (substitute(side, self._same) for side in part.children())
                self._same = [(old, substitute(new, [(left, right)])) for old, new in self._same] + [(left, right)]
        self._roles = roles
        self._indices = self._rooted_ids(clause, lambda arguments: arguments.indices)
        self._cells = self._rooted_ids(clause, lambda arguments: arguments.cells)

    def _rooted(self, term: T) -> T:
        if term.get_id() not in self._roots:
            self._roots[term.get_id()] = substitute(term, self._same)
        rooted: T = self._roots[term.get_id()]
        return rooted

    def formals(self, application: Application, wanted: Sequence[z3.ExprRef]) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """Pairs of a representative variable and the formal among `wanted` whose argument equals it."""
        pairs = zip(application.arguments, application.predicate.formals, strict=True)
        return [(self._rooted(a), f) for a, f in pairs if is_variable(a) and any(f.eq(other) for other in wanted)]

    def changing(self, head: Application) -> set[int]:
        """The ids of the head's formals whose value differs in a body atom of the same predicate."""
        if head is not self._clause.head:
            return set()
        before = [atom.arguments for atom in self._clause.body if atom.predicate == head.predicate]
        rooted = [[self._rooted(argument).get_id() for argument in row] for row in (head.arguments, *before)]
        return {
            f.get_id()
            for f, new, *old in zip(head.predicate.formals, *rooted, strict=True)
            if {new} != set(old or [new])
        }

    def steps(self) -> list[int]:
        """The absolute values of the numbers c in equations x = y + c."""
        sums = (side for part in self._parts if z3.is_eq(part) for side in part.children() if z3.is_add(side))
        numbers = (child for term in sums if term.num_args() == 2 for child in term.children())
        return [abs(number.as_long()) for number in numbers if z3.is_int_value(number)]

    def translated(self, terms: Sequence[T], local: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> list[T]:
        """The terms whose variables all have a formal in `local`, over these formals."""
        known = {variable.get_id() for variable, _ in local}
        rooted = map(self._rooted, terms)
        return [substitute(t, local) for t in rooted if all(v.get_id() in known for v in free_variables(t))]

    def index_terms(self) -> list[z3.ArithRef]:
        """The terms that indices are equal to or compared for equality with; in comparisons also as part of a sum."""
        found: list[z3.ArithRef] = []
        defining = {part.get_id() for part in self._parts}
        for atom in filter(z3.is_eq, self._atoms):
            plain = [(side, other) for side, other in (atom.children(), atom.children()[::-1]) if self._is_index(side)]
            if plain or atom.get_id() in defining:
                found += [other for _, other in plain]
            else:
                found += self._solved(atom)
        return found

    def _is_index(self, term: z3.ExprRef) -> bool:
        return is_variable(term) and self._rooted(term).get_id() in self._indices

    def _solved(self, equation: z3.BoolRef) -> Iterator[z3.ArithRef]:
        """The equation of sums for each index that occurs in it once."""
        difference = equation.arg(0) - equation.arg(1)
        for variable in filter(self._is_index, free_variables(equation)):
            for sign in (1, -1):
                term = z3.simplify(variable - sign * difference, som=True)
                if not any(variable.eq(other) for other in free_variables(term)):
                    yield term

    def pairs(self) -> Iterator[tuple[z3.ArithRef, z3.ArithRef]]:
        """Pairs of a variable and a start or end value of a loop over it: a variable or an ordinary constant."""
        for atom in self._atoms:
            kind = atom.decl().kind()
            if kind in _ORDER or (z3.is_eq(atom) and any(atom.eq(part) for part in self._parts)):
                left, right = atom.children()
                for side, other, passed in (left, right, _PASSED_BY_LEFT), (right, left, _PASSED_BY_RIGHT):
                    if is_variable(side) and _is_small(other, self._largest):
                        yield side, other + 1 if kind in passed else other
                    elif is_variable(side) and is_variable(other):
                        yield side, other

    def ordered(self) -> list[z3.ArithRef]:
        """The variables whose order with another variable or with an ordinary constant is tested."""
        orders = (atom.children() for atom in self._atoms if atom.decl().kind() in _ORDER)
        return [
            side
            for left, right in orders
            for side, other in ((left, right), (right, left))
            if is_variable(side) and (is_variable(other) or _is_small(other, self._largest))
            if not z3.is_int_value(side)
        ]

    def tests(self) -> list[z3.BoolRef]:
        """Equations, and orders of cells; none between an index and a term, as the order conditions are stronger."""
        found = []
        for atom in filter(z3.is_bool, self._atoms):
            roots = {self._rooted(v).get_id() for v in free_variables(atom)}
            numbers = filter(z3.is_int_value, atom.children())
            is_bound = atom.decl().kind() in _ORDER and not roots & self._cells
            relates_index = bool(roots & self._indices) and len(roots) > 1
            if not is_bound and not relates_index and all(_is_small(number, self._largest) for number in numbers):
                found.append(atom)
        return found

    def _rooted_ids(self, clause: Clause, chosen: Callable[[_ArgumentRoles], Sequence[z3.ExprRef]]) -> set[int]:
        return {
            self._rooted(argument).get_id()
            for application in clause.applications
            for formal, argument in zip(application.predicate.formals, application.arguments, strict=True)
            if any(formal.eq(one) for one in chosen(self._roles[application.predicate]))
        }


def _is_small(term: z3.ExprRef, largest: int) -> bool:
    return bool(z3.is_int_value(term)) and abs(term.as_long()) < largest


def _distinct(terms: Sequence[T]) -> list[T]:
    """The terms, simplified, each once, in order."""
    return list({term.get_id(): term for term in map(z3.simplify, terms)}.values())
