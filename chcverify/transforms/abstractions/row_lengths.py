"""Which arrays are matrices in row-major order, and how long their rows are: a heuristic.

An array that is accessed at c * i + j has rows of length c, if c is a number or an argument that never changes. Arrays
that a query reads at i, j where it reads another one at j, i are transposed.
"""

from collections.abc import Iterator, Mapping

import z3

from chcverify.horn.system import Clause, HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.sums import product_of
from chcverify.terms.core.traversal import free_variables, is_variable, substitute, subterms
from chcverify.transforms.abstractions.affine_cells import constant_names, named_arguments
from chcverify.transforms.abstractions.array_sums.summands import as_sum

Coordinates = tuple[z3.ArithRef, z3.ArithRef]
"""A row and a column."""


@dataclass(frozen=True, eq=False)
class Matrices:
    """lengths: of the rows of arrays, by their names; numbers, or constants with the name of an argument.

    transposed: the names of arrays that are read at the column and row of what others are read at.
    """

    lengths: Mapping[str, z3.ArithRef]
    transposed: frozenset[str]


def coordinates(index: z3.ArithRef, length: z3.ArithRef) -> Coordinates:
    """A row p and a column q with index = length * p + q; q need not be between 0 and the length.

    Of a diagonal, too: (length + 1) * i is in row i and column i.
    """
    row: z3.ArithRef = z3.IntVal(0)
    column: z3.ArithRef = z3.IntVal(0)
    total = as_sum(index)
    for part in total.children() if z3.is_add(total) else [total]:
        factors = part.children() if z3.is_mul(part) else [part]
        number = next((factor.as_long() for factor in factors if z3.is_int_value(factor)), 1)
        rest = [factor for factor in factors if not z3.is_int_value(factor)]
        if z3.is_int_value(length):
            quotient, remainder = divmod(number, length.as_long())
            if rest and number < 0 and remainder:  # -1 is no column length - 1
                quotient, remainder = quotient + 1, remainder - length.as_long()
            row += product_of([z3.IntVal(quotient), *rest])
            column += product_of([z3.IntVal(remainder), *rest])
        elif any(factor.eq(length) for factor in rest):
            rest.remove(next(factor for factor in rest if factor.eq(length)))
            row += product_of([z3.IntVal(number), *rest])
        else:
            column += part
    return as_sum(row), as_sum(column)


def matrices(system: HornSystem) -> Matrices | None:
    """The matrices among the arrays of integers; None if there are none. Heads are without definitions best."""
    constants = constant_names(system)
    found: dict[str, set[z3.ArithRef]] = {}
    for clause in system.clauses:
        for name, index in _accesses(clause):
            for length in _lengths(index, constants):
                known = found.setdefault(name, set())
                if not any(length.eq(other) for other in known):
                    known.add(length)
    lengths = {name: next(iter(options)) for name, options in found.items() if len(options) == 1}
    if not lengths:
        return None
    transposed: set[str] = set()
    for number in system.queries:
        seen: list[tuple[str, Coordinates]] = []
        for name, index in _accesses(system.clauses[number]):
            if name in lengths:
                row, column = coordinates(index, lengths[name])
                turned = any(row.eq(q) and column.eq(p) and not p.eq(q) for other, (p, q) in seen if other != name)
                if turned and not row.eq(column):
                    transposed.add(name)
                seen.append((name, (row, column)))
    return Matrices(lengths, frozenset(transposed))


def _lengths(index: z3.ArithRef, constants: set[str]) -> Iterator[z3.ArithRef]:
    """The greatest factor of a variable, or the constant that is one."""
    factors = []
    for part in index.children() if z3.is_add(index) else [index]:
        variables = [factor for factor in part.children() if is_variable(factor)] if z3.is_mul(part) else []
        numbers = [factor.as_long() for factor in part.children() if z3.is_int_value(factor)]
        if len(variables) == 1 and numbers and numbers[0] > 1:
            factors.append(numbers[0])
        if len(variables) == 2:
            yield from (v for v in variables if v.decl().name() in constants)
    if factors and z3.is_add(index):
        yield z3.IntVal(max(factors))


def _accesses(clause: Clause) -> Iterator[tuple[str, z3.ArithRef]]:
    """The names of arrays with the indices at which they are read or written, over names."""
    names = [(a, name) for atom in clause.body for a, name in named_arguments(atom) if is_variable(a)]
    known = {name.get_id() for _, name in names}
    roots = [clause.constraint, *(() if clause.head is None else clause.head.arguments)]
    for term in subterms(*roots):
        if z3.is_select(term) or z3.is_store(term):
            index = substitute(term.arg(1), names)
            if z3.is_int(index) and all(v.get_id() in known for v in free_variables(index)):
                for variable in free_variables(substitute(term.arg(0), names)):
                    if isinstance(variable.sort(), z3.ArraySortRef) and variable.get_id() in known:
                        yield str(variable.decl().name()), as_sum(index)
