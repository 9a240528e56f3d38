"""Components about the numbers in a recursive datatype: the root's, their order, how often one occurs."""

import z3

from chcverify.terms.core.sums import sum_of
from chcverify.terms.datatype_terms import clamped, fields, is_unary
from chcverify.transforms.abstractions.catamorphisms.basic_components import Datatypes
from chcverify.transforms.abstractions.catamorphisms.components import (
    ZERO,
    as_number,
    new_function,
    size_component,
)

ONE = z3.IntVal(1)


def add_order(types: Datatypes) -> None:
    """Adds the root, and whether the elements ascend, for datatypes with numbers as elements."""
    for sort in types.sorts:
        if types.is_recursive(sort) and (found := _element(types, sort)) is not None:
            _add_order(types, sort, *found)


def add_occurrences(types: Datatypes) -> None:
    """Adds how often a number, the parameter, is among the elements, for datatypes with numbers as elements."""
    for sort in types.sorts:
        if types.is_recursive(sort) and _element(types, sort) is not None:
            _add_occurrences(types, sort)


def _number_of(types: Datatypes, term: z3.ExprRef) -> z3.ArithRef | None:
    """The term as a number: itself, or the size of a term whose size determines it."""
    if term.sort().kind() == z3.Z3_INT_SORT:
        return as_number(term)
    size = size_component(types.of_sort(term.sort())) if is_unary(term.sort()) else None
    return None if size is None else size.of(term)


def _required(types: Datatypes, term: z3.ExprRef) -> z3.ArithRef:
    found = _number_of(types, term)
    assert found is not None
    return found


def _element(types: Datatypes, sort: z3.DatatypeSortRef) -> tuple[int, int] | None:
    """Constructor and position of the first field that is a number, where subterms of the same cycle are, too."""
    x = z3.Const("x", sort)
    for number in range(sort.num_constructors()):
        parts = fields(sort, number, x)
        if not any(types.within(sort, part) for part in parts):
            continue
        for position, part in enumerate(parts):
            if not types.within(sort, part) and _number_of(types, part) is not None:
                return number, position
    return None


def _add_order(types: Datatypes, sort: z3.DatatypeSortRef, number: int, position: int) -> None:
    """root: the element. ascending: no element is less than that of the term that it is in."""
    x = z3.Const("x", sort)
    unary = fields(sort, number, x)[position].sort().kind() != z3.Z3_INT_SORT

    def root_case(i: int, parts: list[z3.ExprRef]) -> z3.ExprRef:
        return _required(types, parts[position]) if i == number else ZERO

    root = types.add("root", sort, root_case, 0 if unary else None)
    size = size_component(types.of_sort(sort))
    if root is None or size is None:
        return
    function = new_function(types.names(f"ascending_{sort.name()}"), 0, sort)

    def ascending_case(i: int, parts: list[z3.ExprRef]) -> z3.ExprRef:
        if i != number:
            return ONE
        own = _required(types, parts[position])
        below = [part for part in parts if part.sort() == sort]
        ordered = [clamped(function(part), 0, 1) == 1 for part in below]
        ordered += [z3.Or(size.of(part) == 0, own <= root.of(part)) for part in below]
        return as_number(z3.If(z3.And(ordered), ONE, ZERO))

    types.add_fold(types.fold(function, 0, ascending_case), 0, 1)


def _add_occurrences(types: Datatypes, sort: z3.DatatypeSortRef) -> None:
    """How often the parameter is among the elements of a term."""
    cycle = [other for other in types.sorts if other.get_id() in types.cycle[sort.get_id()]]
    function = {other.get_id(): new_function(types.names(f"occurrences_{other.name()}"), 1, other) for other in cycle}
    parameter = z3.Int("$p0")

    def case(_: int, parts: list[z3.ExprRef]) -> z3.ExprRef:
        found: list[z3.ArithRef] = []
        for part in parts:
            if part.sort().get_id() in function:
                found.append(clamped(function[part.sort().get_id()](parameter, part), 0, None))
            elif (number := _number_of(types, part)) is not None:
                found.append(z3.If(number == parameter, ONE, ZERO))
        return sum_of(found)

    for other in cycle:
        types.add_fold(types.fold(function[other.get_id()], 1, case), 0, None)
