"""What clauses add up of the cells of arrays, and up to where: heuristics, without which nothing is wrong.

A loop that adds e(a[i], i) to a variable suggests the sum of e over the cells of every array below the loop's index,
and below the numbers that the index is compared with. What it adds only if a condition of the cell holds is a summand
that is 0 elsewhere. All terms are over constants that have the names of arguments, as `Predicate.names` gives them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import z3

from chcverify.effort import MAX_COMBINED
from chcverify.horn.system import Clause, HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    fold,
    free_variables,
    is_variable,
    substitute,
    subterms,
)
from chcverify.transforms.abstractions.affine_cells import constant_names, constant_summand, named_arguments

CELL, PLACE = z3.Int("cell~"), z3.Int("place~")
"""The variables of a summand: what a cell holds, and the cell's index."""
_WORD_MODULI = frozenset(1 << width for width in (8, 16, 32, 64))
_ENDS_OF_WORDS = frozenset(
    end for size in _WORD_MODULI for end in (size, size - 1, size // 2, size // 2 - 1, -size // 2, -size // 2 - 1)
)


Terms = tuple[z3.ArithRef, ...]


@dataclass(frozen=True, eq=False)
class WantedSums:
    """summands: over CELL, PLACE and names. bounds: of sums, indices: of cells that are wanted by themselves, over the
    names of the arguments of each predicate, by its name."""

    summands: Terms
    bounds: Mapping[str, Terms]
    indices: Mapping[str, Terms]


def _is_over(term: z3.ExprRef, names: set[str]) -> bool:
    return all(v.decl().name() in names for v in free_variables(term))


def is_cells(sort: z3.SortRef) -> bool:
    """Is the sort that of arrays of integers?"""
    return bool(sort == z3.ArraySort(z3.IntSort(), z3.IntSort()))


def wanted_sums(system: HornSystem, heads: HornSystem) -> WantedSums | None:
    """What the clauses of `heads` add up, at the predicates of `system`; None if they add up no cells.

    heads: the system, reduced: best with one clause for each path from a loop head to the next. What is wanted at a
    loop head is wanted on the paths that lead there or begin there, and what does not change, everywhere. Cells that
    these paths access are wanted on them, so that what is added and what the sum grows by are the same number.
    """
    every = [_ClauseOverNames(clause) for clause in heads.clauses]
    views = [view for view in every if view.predicates]
    constants = constant_names(heads)
    bounds, indices, passing = _TermsByHead(constants), _TermsByHead(constants), _TermsByHead(constants)
    summands = []
    for view in views:
        for addition in view.additions(constants):
            summands.append(addition.summand)
            bounds.add(view.predicates, addition.ends)
    if not summands:
        return None
    for view in views:
        bounds.add(view.predicates, view.stored_ends(constants))
        passing.add(view.predicates, (*view.stored, *view.read))
        if view.read and view.stored:
            indices.add(view.predicates, [i for i in (*view.stored, *view.read) if not _is_over(i, constants)])
    for view in every:
        bounds.add(view.head_names, view.first_values(bounds))
    offsets = _offsets([bound for bound in bounds.terms() if not _is_over(bound, constants)])
    for view in views:
        bounds.add(view.predicates, tuple(view.limits(offsets)))
    near = _near(system, {predicate.name for predicate in heads.predicates})
    kept = indices.at(near)
    between = {name: (*kept[name], *terms) for name, terms in passing.at(near).items() if name not in heads.by_name}
    return WantedSums(_distinct(summands)[:MAX_COMBINED], bounds.at(near), {**kept, **between})


class _TermsByHead:
    """Terms by the names of the loop heads where they are wanted; those over constants are wanted everywhere."""

    def __init__(self, constants: set[str]) -> None:
        self._constants = constants
        self._here: dict[str, list[z3.ArithRef]] = {}
        self._everywhere: list[z3.ArithRef] = []

    def add(self, predicates: Iterable[str], terms: Iterable[z3.ArithRef]) -> None:
        for term in terms:
            if _is_over(term, self._constants):
                self._everywhere.append(term)
            else:
                for name in predicates:
                    self._here.setdefault(name, []).append(term)

    def of(self, predicate: str) -> list[z3.ArithRef]:
        """The terms that are wanted at this loop head by themselves."""
        return self._here.get(predicate, [])

    def terms(self) -> list[z3.ArithRef]:
        """All of them."""
        return [term for terms in (self._everywhere, *self._here.values()) for term in terms]

    def at(self, near: Mapping[str, set[str]]) -> dict[str, Terms]:
        """The terms at each predicate, by the loop heads that are near it."""
        return {
            name: _distinct([*(t for head in sorted(heads) for t in self._here.get(head, ())), *self._everywhere])
            for name, heads in near.items()
        }


def _offsets(bounds: Sequence[z3.ArithRef]) -> dict[int, int]:
    """The numbers of least size that the bounds add to single variables, by the ids of these; 0 where they do not."""
    offsets: dict[int, int] = {}
    for bound in bounds:
        for variable in free_variables(bound):
            rest = as_sum(bound - variable)
            if z3.is_int_value(rest):
                offsets[variable.get_id()] = min(
                    rest.as_long(), offsets.get(variable.get_id(), rest.as_long()), key=abs
                )
    return {v.get_id(): offsets.get(v.get_id(), 0) for bound in bounds for v in free_variables(bound)}


def _near(system: HornSystem, heads: set[str]) -> dict[str, set[str]]:
    """For each predicate the loop heads that paths without others lead to, or come from; itself for a loop head."""
    steps = {
        (atom.predicate.name, clause.head.predicate.name)
        for clause in system.clauses
        if clause.head is not None
        for atom in clause.body
    }
    near: dict[str, set[str]] = {p.name: {p.name} if p.name in heads else set() for p in system.predicates}
    for turned in (False, True):
        before: dict[str, list[str]] = {}
        for source, target in steps:
            before.setdefault(source if turned else target, []).append(target if turned else source)
        for head in heads:
            stack = [head]
            seen = set(stack)
            while stack:
                for name in before.get(stack.pop(), ()):
                    if name not in heads and name not in seen:
                        seen.add(name)
                        stack.append(name)
            for name in seen - {head}:
                near[name].add(head)
    return near


def _distinct(terms: Iterable[z3.ArithRef]) -> Terms:
    simplified = [as_sum(term) for term in terms]
    return tuple({term.get_id(): term for term in simplified}.values())


def as_sum(term: z3.ExprRef) -> z3.ArithRef:
    """The term as a sum of products: equal for terms that are equal as polynomials."""
    simplified = z3.simplify(term, som=True)
    assert isinstance(simplified, z3.ArithRef)
    return simplified


@dataclass(frozen=True, eq=False)
class _Addition:
    """summand: of a loop. ends: the bound of the sum before or after each of its rounds."""

    summand: z3.ArithRef
    ends: tuple[z3.ArithRef, ...]


class _ClauseOverNames:
    """A clause over the names of its body's arguments, its definitions inlined.

    predicates: the names of its body's. head_names: that of its head's, if that is another one. stored, read: the
    indices of arrays of integers at which cells are written and read.
    """

    def __init__(self, clause: Clause) -> None:
        self.predicates = {atom.predicate.name for atom in clause.body}
        self.head_names = set() if clause.head is None else {clause.head.predicate.name} - self.predicates
        named = [pair for atom in clause.body for pair in named_arguments(atom)]
        given = {argument.get_id() for argument, _ in named}
        names = [(argument, name) for argument, name in named if is_variable(argument)]
        self._known = {name.get_id() for _, name in names}
        parts = conjuncts(clause.constraint)
        definitions, self._guards = [], []
        for part in parts:
            sides = part.children() if z3.is_eq(part) else []
            if sides and is_variable(sides[0]) and sides[0].get_id() not in given:
                definitions.append((sides[0], sides[1]))
            else:
                self._guards.append(substitute(part, names))

        def plain(term: z3.ExprRef) -> z3.ExprRef:
            for _ in range(2):
                term = substitute(term, definitions)
            return substitute(term, names)

        self._head = [] if clause.head is None else [(plain(term), name) for term, name in named_arguments(clause.head)]
        terms = [*self._guards, *(term for term, _ in self._head)]
        accesses = [term for term in subterms(*terms) if _is_access(term)] if terms else []
        self.stored = self._indices(term.arg(1) for term in accesses if z3.is_store(term))
        self.read = self._indices(term.arg(1) for term in accesses if z3.is_select(term))

    def _indices(self, terms: Iterator[z3.ArithRef]) -> list[z3.ArithRef]:
        return [index for index in map(unwrapped, terms) if self._is_named(index)]

    def _is_named(self, term: z3.ExprRef) -> bool:
        """Is the term over names alone, and simple?"""
        parts = list(subterms(term))
        simple = all(z3.is_int_value(p) or is_variable(p) or z3.is_add(p) or z3.is_mul(p) for p in parts)
        return simple and all(v.get_id() in self._known for v in free_variables(term))

    def additions(self, constants: set[str]) -> Iterator[_Addition]:
        """What is added to each argument that has the same name in body and head."""
        steps = self._steps()
        conditions = [guard for guard in self._guards if _reads(guard) and not _is_range(guard)]
        for name, step in steps.items():
            reads = {read.get_id(): read for term in (step, *conditions) for read in _reads(term)}
            places = {unwrapped(read.arg(1)).get_id(): unwrapped(read.arg(1)) for read in reads.values()}
            moves = any(v.get_id() == name for read in reads.values() for v in free_variables(read.arg(1)))
            if moves or (z3.is_int_value(step) and step.as_long() == 0):
                continue
            summand = _where(conditions, step)
            if len(reads) > 1 and not conditions and _is_linear(step):
                summand = CELL
            elif len(reads) != 1:
                continue
            for place in places.values():
                closed = _over_cell(summand, next(iter(reads.values())), place)
                names = {v.decl().name() for v in free_variables(closed) if not v.eq(CELL) and not v.eq(PLACE)}
                if self._is_named(place) and names <= constants:
                    yield _Addition(closed, self._ends(place, steps))

    def stored_ends(self, constants: set[str]) -> list[z3.ArithRef]:
        """The ends of the parts of arrays that are filled, and of those from which they are."""
        steps = self._steps()
        accessed = (*self.stored, *self.read) if self.stored else ()
        return [end for index in accessed if not _is_over(index, constants) for end in self._ends(index, steps)]

    def _steps(self) -> dict[int, z3.ArithRef]:
        """By how much arguments that have the same name in body and head grow, by the ids of their names."""
        return {
            name.get_id(): as_sum(unwrapped(term) - name)
            for term, name in self._head
            if z3.is_int(name) and name.get_id() in self._known
        }

    def _ends(self, place: z3.ArithRef, steps: dict[int, z3.ArithRef]) -> tuple[z3.ArithRef, ...]:
        """The bound of a sum that includes the cells before this place, or from it on, as the place moves."""
        after = [step for v in free_variables(place) if (step := steps.get(v.get_id())) is not None]
        changed = [step for step in after if not (z3.is_int_value(step) and step.as_long() == 0)]
        if len(changed) == 1 and z3.is_int_value(changed[0]):
            sign = as_sum(substitute(place, [(v, v + steps[v.get_id()]) for v in free_variables(place)]) - place)
            if z3.is_int_value(sign):
                return (place,) if sign.as_long() > 0 else (as_sum(place + 1),)
        return place, as_sum(place + 1)

    def first_values(self, bounds: _TermsByHead) -> list[z3.ArithRef]:
        """The bounds at the head as they are when it is reached from elsewhere, where they are not next to 0."""
        given = [(name, term) for term, name in self._head]
        first = [unwrapped(substitute(bound, given)) for name in self.head_names for bound in bounds.of(name)]
        return [
            value for value in first if self._is_named(value) and not (z3.is_int_value(value) and value.as_long() <= 1)
        ]

    def limits(self, offsets: Mapping[int, int]) -> Iterator[z3.ArithRef]:
        """The numbers at which comparisons with these variables change their truth value, and the offsets of these."""
        for guard in self._guards:
            for term in subterms(guard):
                if z3.is_app(term) and term.num_args() == 2 and z3.is_arith(term.arg(0)) and not _is_range(term):
                    for variable in free_variables(term):
                        if variable.get_id() in offsets:
                            yield from (
                                as_sum(limit + offsets[variable.get_id()])
                                for limit in _limit(term, variable)
                                if self._is_named(limit) and not _is_end_of_word(limit)
                            )


def _is_access(term: z3.ExprRef) -> bool:
    return (z3.is_select(term) or z3.is_store(term)) and is_cells(term.arg(0).sort())


def _reads(term: z3.ExprRef) -> list[z3.ExprRef]:
    return [part for part in subterms(term) if z3.is_select(part) and is_cells(part.arg(0).sort())]


def _where(conditions: Sequence[z3.BoolRef], step: z3.ArithRef) -> z3.ArithRef:
    """The step where the conditions hold, else 0. For a number 1: what is counted; or the complement of that."""
    if not conditions:
        return step
    where = conjunction(conditions)
    if z3.is_int_value(step):
        where, step = where.arg(0) if z3.is_not(where) else where, z3.IntVal(1)
    chosen: z3.ArithRef = z3.If(where, step, z3.IntVal(0))
    return chosen


def _is_linear(term: z3.ArithRef) -> bool:
    """Is it a sum of multiples of reads?"""
    for part in term.children() if z3.is_add(term) else [term]:
        factors = part.children() if z3.is_mul(part) else [part]
        if not all(z3.is_int_value(f) or z3.is_select(f) for f in factors) or len(factors) > 2:
            return False
    return True


def _over_cell(summand: z3.ArithRef, read: z3.ExprRef, place: z3.ArithRef) -> z3.ArithRef:
    """CELL for the read, and PLACE for the variable of its index, if that is a variable plus a number."""
    closed = substitute(summand, [(read, CELL)])
    variables = free_variables(place)
    if len(variables) == 1:
        offset = as_sum(place - variables[0])
        if z3.is_int_value(offset):
            closed = substitute(closed, [(variables[0], PLACE - offset)])
    return as_sum(closed)


def _is_range(guard: z3.ExprRef) -> bool:
    """Does the comparison say that a term is in the range of a machine word?"""
    term = guard.arg(0) if z3.is_not(guard) else guard
    return z3.is_app(term) and any(map(_is_end_of_word, term.children()))


def _is_end_of_word(term: z3.ExprRef) -> bool:
    return bool(z3.is_int_value(term) and term.as_long() in _ENDS_OF_WORDS)


def unwrapped(term: z3.ExprRef) -> z3.ArithRef:
    """Arithmetic without wrap-around, as a sum of products."""

    def visit(part: z3.ExprRef, below: list[z3.ExprRef]) -> z3.ExprRef:
        if z3.is_app_of(part, z3.Z3_OP_ITE) and z3.is_int(part):
            difference = as_sum(below[1] - below[2])
            if z3.is_int_value(difference) and abs(difference.as_long()) in _WORD_MODULI:
                return min(below[1:], key=lambda branch: abs(constant_summand(as_sum(branch))))
        if z3.is_app_of(part, z3.Z3_OP_MOD) and z3.is_int_value(below[1]) and below[1].as_long() in _WORD_MODULI:
            return below[0]
        return part.decl()(*below) if below and z3.is_app(part) else part

    return as_sum(fold(term, visit))


def _limit(comparison: z3.ExprRef, variable: z3.ExprRef) -> Iterator[z3.ArithRef]:
    """The term u such that the comparison is `variable < u`, its negation, or `variable = u`, if it is so simple."""
    left, right = comparison.children()
    difference = as_sum(left - right)
    rest = as_sum(difference - variable), as_sum(difference + variable)
    less = z3.is_le(comparison) or z3.is_gt(comparison)
    for sign, other in zip((1, -1), rest, strict=True):
        if any(v.eq(variable) for v in free_variables(other)):
            continue
        end = as_sum(-other if sign > 0 else other)
        # left <= right, or left > right: variable <= end, or end <= variable
        if z3.is_le(comparison) or z3.is_gt(comparison) or z3.is_ge(comparison) or z3.is_lt(comparison):
            yield as_sum(end + 1) if less == (sign > 0) else end
        elif z3.is_eq(comparison) or z3.is_distinct(comparison):
            yield end
