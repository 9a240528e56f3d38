"""The datatypes that a system uses, and their declaration in SMT-LIB 2.6."""

from collections.abc import Iterable

import z3

from chcverify.horn.names import quoted
from chcverify.horn.system import HornSystem


def datatypes(sorts: Iterable[z3.SortRef]) -> list[z3.DatatypeSortRef]:
    """The datatypes among the sorts, their fields' sorts, and the index and element sorts of arrays, each once."""
    found: dict[int, z3.DatatypeSortRef] = {}
    seen: set[int] = set()
    stack = list(sorts)[::-1]
    while stack:
        sort = stack.pop()
        if sort.get_id() in seen:
            continue
        seen.add(sort.get_id())
        if isinstance(sort, z3.ArraySortRef):
            stack += [sort.range(), sort.domain()]
        elif isinstance(sort, z3.DatatypeSortRef):
            found[sort.get_id()] = sort
            for i in range(sort.num_constructors()):
                stack += [sort.constructor(i).domain(j) for j in range(sort.constructor(i).arity())]
    return list(found.values())


def sorts_of(system: HornSystem) -> list[z3.SortRef]:
    """The sorts of the arguments and the variables of the system; the sorts in between are functions of these."""
    arguments = [sort for predicate in system.predicates for sort in predicate.sorts]
    return arguments + [variable.sort() for clause in system.clauses for variable in clause.variables]


def declarations(types: list[z3.DatatypeSortRef]) -> list[str]:
    """One command for each group of types that refer to each other, after those for the types that it needs.

    ValueError for an instance of a parametric datatype.
    """
    for sort in types:
        if sort.sexpr().startswith("("):
            raise ValueError(f"the instance {sort.sexpr()} of a parametric datatype cannot be written")
    needs = {sort.get_id(): {other.get_id() for other in datatypes([sort])} for sort in types}
    groups: dict[frozenset[int], list[z3.DatatypeSortRef]] = {}
    for sort in types:
        key = sort.get_id()
        groups.setdefault(frozenset(other for other in needs[key] if key in needs[other]), []).append(sort)
    ordered = sorted(groups.values(), key=lambda group: len(needs[group[0].get_id()]))  # who needs it, needs more
    return [_declaration(group) for group in ordered]


def _declaration(group: list[z3.DatatypeSortRef]) -> str:
    heads = " ".join(f"({sort.sexpr()} 0)" for sort in group)
    bodies = (" ".join(_constructor(sort, i) for i in range(sort.num_constructors())) for sort in group)
    return f"(declare-datatypes ({heads}) ({' '.join(f'({body})' for body in bodies)}))"


def _constructor(sort: z3.DatatypeSortRef, index: int) -> str:
    constructor = sort.constructor(index)
    fields = [sort.accessor(index, j) for j in range(constructor.arity())]
    parts = [f"({quoted(str(field.name()))} {field.range().sexpr()})" for field in fields]
    return f"({' '.join([quoted(str(constructor.name())), *parts])})"
