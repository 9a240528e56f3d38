"""Components that depend on the datatypes alone: sizes, constructors, fields of records, sums of fields."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

import z3

from chcverify.certificate.model import Fold
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.datatypes import datatypes, sorts_of
from chcverify.horn.names import Fresh, plain
from chcverify.horn.system import HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import components as strongly_connected
from chcverify.terms.core.sums import sum_of
from chcverify.terms.core.traversal import subterms
from chcverify.terms.datatype_terms import clamped, fields
from chcverify.transforms.abstractions.catamorphisms.components import (
    ZERO,
    FoldComponent,
    as_number,
    formals,
    new_function,
)

Case = Callable[[int, list[z3.ExprRef]], z3.ExprRef]
"""The value at a term built by the constructor of a number, given the accessors of the term."""


@dataclass(eq=False)
class Datatypes:
    """The datatypes of a system, those that others use first, with what is known of each."""

    sorts: list[z3.DatatypeSortRef]
    cycle: dict[int, frozenset[int]]
    """By the sort's get_id(), the identities of the sorts that it depends on and that depend on it."""
    names: Fresh
    """Unused."""
    components: dict[int, list[FoldComponent]] = field(default_factory=dict)
    """Made so far, by the sort's get_id()."""

    def is_recursive(self, sort: z3.SortRef) -> bool:
        """True for a datatype whose terms contain terms of the same datatype."""
        return bool(self.cycle.get(sort.get_id()))

    def within(self, sort: z3.DatatypeSortRef, term: z3.ExprRef) -> bool:
        """True if the term's sort and this sort depend on each other."""
        return term.sort().get_id() in self.cycle[sort.get_id()]

    def of_sort(self, sort: z3.SortRef) -> list[FoldComponent]:
        """The components of a sort so far."""
        return self.components.get(sort.get_id(), [])

    def add(
        self, name: str, sort: z3.DatatypeSortRef, case: Case, low: int | None = None, high: int | None = None
    ) -> FoldComponent | None:
        """A component without parameters, unless there are too many already or there is an equal one."""
        function = new_function(self.names(f"{name}_{plain(sort.name())}"), 0, sort)
        return self.add_fold(self.fold(function, 0, case), low, high)

    def fold(self, function: z3.FuncDeclRef, parameters: int, case: Case) -> Fold:
        """The fold with these cases."""
        arguments = formals(parameters, function.domain(parameters))
        sort = arguments[-1].sort()
        numbers = range(sort.num_constructors())
        return Fold(function, arguments, tuple(case(i, fields(sort, i, arguments[-1])) for i in numbers))

    def add_fold(self, fold: Fold, low: int | None, high: int | None) -> FoldComponent | None:
        """The component of this fold, or an equal one; None if there are too many already."""
        component = FoldComponent(fold, low, high)
        known = self.components.setdefault(component.sort.get_id(), [])
        if same := next((other for other in known if _same(component, other)), None):
            return same
        if len(known) >= MAX_ALTERNATIVES:
            return None
        known.append(component)
        return component


def _same(component: FoldComponent, other: FoldComponent) -> bool:
    """True if the cases are the same but for the names of the functions."""
    if component.parameters != other.parameters or (component.low, component.high) != (other.low, other.high):
        return False
    renamed = [_renamed(case, component.fold.function, other.fold.function) for case in component.fold.cases]
    return all(z3.simplify(a).eq(z3.simplify(b)) for a, b in zip(renamed, other.fold.cases, strict=True))


def _renamed(term: z3.ExprRef, old: z3.FuncDeclRef, new: z3.FuncDeclRef) -> z3.ExprRef:
    pairs = [(t, new(*t.children())) for t in subterms(term) if z3.is_app(t) and t.decl().eq(old)]
    return z3.substitute(term, *pairs) if pairs else term


def datatypes_of(system: HornSystem) -> Datatypes:
    """The datatypes of the system, without components."""
    sorts = datatypes(sorts_of(system))
    by_id = {sort.get_id(): sort for sort in sorts}

    def below(identity: int) -> Iterator[int]:
        return (sort.get_id() for sort in _fields(by_id[identity]) if sort.get_id() in by_id)

    cycle: dict[int, frozenset[int]] = {}
    order = []
    for group in strongly_connected(by_id, below):
        recursive = len(group) > 1 or group[0] in below(group[0])
        for identity in group:
            cycle[identity] = frozenset(group) if recursive else frozenset()
            order.append(by_id[identity])
    order.sort(key=lambda sort: len(datatypes([sort])))
    return Datatypes(order, cycle, Fresh(_names(system, sorts)))


def _fields(sort: z3.DatatypeSortRef) -> Iterator[z3.SortRef]:
    for number in range(sort.num_constructors()):
        constructor = sort.constructor(number)
        yield from (constructor.domain(i) for i in range(constructor.arity()))


def _names(system: HornSystem, sorts: Sequence[z3.DatatypeSortRef]) -> Iterator[str]:
    """All names that occur in the clauses."""
    for sort in sorts:
        yield sort.name()
        for number in range(sort.num_constructors()):
            yield sort.constructor(number).name()
            yield from (sort.accessor(number, i).name() for i in range(sort.constructor(number).arity()))
    yield from (predicate.name for predicate in system.predicates)
    yield from (variable.decl().name() for clause in system.clauses for variable in clause.variables)


def add_basic(types: Datatypes) -> None:
    """Sizes of recursive datatypes, the constructor where the size does not show it, and the fields of records."""
    for sort in types.sorts:
        if types.is_recursive(sort):
            _add_sizes(types, sort)
        if sort.num_constructors() > 1 and not _size_shows_constructor(types, sort):
            types.add("tag", sort, lambda number, _: z3.IntVal(number), 0, sort.num_constructors() - 1)
        if not types.is_recursive(sort):
            add_fields(types, sort)


def _size_shows_constructor(types: Datatypes, sort: z3.DatatypeSortRef) -> bool:
    """True if the size is 0 for terms built by one of two constructors, and else positive."""
    if not types.is_recursive(sort) or sort.num_constructors() != 2:
        return False
    x = z3.Const("x", sort)
    recursive = [any(types.within(sort, part) for part in fields(sort, number, x)) for number in (0, 1)]
    return recursive[0] != recursive[1]


def _add_sizes(types: Datatypes, sort: z3.DatatypeSortRef) -> None:
    """The number of constructors that have subterms of the same cycle of datatypes, for all datatypes of this cycle."""
    if types.of_sort(sort):
        return
    cycle = [other for other in types.sorts if other.get_id() in types.cycle[sort.get_id()]]
    size = {other.get_id(): new_function(types.names(f"size_{plain(other.name())}"), 0, other) for other in cycle}

    def case(_: int, parts: list[z3.ExprRef]) -> z3.ExprRef:
        sizes = [clamped(size[part.sort().get_id()](part), 0, None) for part in parts if part.sort().get_id() in size]
        return sum_of([z3.IntVal(1), *sizes]) if sizes else ZERO

    for other in cycle:
        types.add_fold(types.fold(size[other.get_id()], 0, case), 0, None)


def add_fields(types: Datatypes, sort: z3.DatatypeSortRef) -> None:
    """The fields of each constructor that are outside of the sort's cycle: numbers, and components of datatypes."""
    for number in range(sort.num_constructors()):
        for position in range(sort.constructor(number).arity()):
            part = sort.accessor(number, position)
            label = plain(part.name())
            if part.range().kind() in (z3.Z3_INT_SORT, z3.Z3_BOOL_SORT):
                high = 1 if part.range().kind() == z3.Z3_BOOL_SORT else None
                types.add(label, sort, _field_case(number, position, as_integer), None if high is None else 0, high)
            elif part.range().get_id() not in types.cycle[sort.get_id()]:
                for component in list(types.of_sort(part.range())):
                    if not component.parameters:
                        name = f"{label}_{component.fold.name}"
                        types.add(
                            name, sort, _field_case(number, position, component.of), component.low, component.high
                        )


def as_integer(term: z3.ExprRef) -> z3.ArithRef:
    """The number, or 1 or 0 for a truth value."""
    return as_number(z3.If(term, z3.IntVal(1), ZERO) if z3.is_bool(term) else term)


def _field_case(number: int, position: int, value: Callable[[z3.ExprRef], z3.ArithRef]) -> Case:
    """The value of one field of one constructor, and 0 for the other constructors."""
    return lambda i, parts: value(parts[position]) if i == number else ZERO
