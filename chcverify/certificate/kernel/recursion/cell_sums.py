"""Sums over the cells of an array below a bound, in which a model may be written.

The sum f(p, a, i) of e(p, a[j], j) over 0 <= j < i is defined by recursion over i:

    f(p, a, i) = if i <= 0 then 0 else f(p, a, i - 1) + e(p, a[i - 1], i - 1)

Exactly one function satisfies this for all p, a and i, by induction over max(i, 0). It also satisfies, for all p, a, i
and j, with [c] for "1 if c, else 0":

    f(p, store(a, j, v), i) = f(p, a, i) + [0 <= j < i] * (e(p, v, j) - e(p, a[j], j))
    f(p, K(v), i) = max(i, 0) * e(p, v)     K(v) the array whose cells are all v, and e without the place

Both by induction over i: for i <= 0 both sides are 0. From i to i + 1 >= 1, the left side grows by e of its array's
cell i. In the first law that is e(p, a[i], i) unless j = i, and then e(p, v, j), which is e(p, a[i], i) and the
difference of the law; the right side grows by the same, since [0 <= j < i + 1] - [0 <= j < i] is 1 just for j = i. In
the second law both grow by e(p, v).

In an obligation the sums stand as uninterpreted functions, with instances of these equations as further assumptions.
They are true of the functions that the definitions describe; so if no functions at all satisfy the instances and the
negated obligation, these do not, and the obligation holds. Which instances are taken decides what can be shown only.
"""

from collections.abc import Iterator, Sequence

import z3

from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.certificate.model import CellSum
from chcverify.effort import MAX_BUILT
from chcverify.terms.core.traversal import substitute, subterms


def check_cell_sum(item: CellSum) -> None:
    """MalformedCertificate unless the sum is of the form that the module's docstring demands."""
    variables = (*item.formals, item.cell, item.place)
    if len({variable.get_id() for variable in variables}) < len(variables) or len(item.formals) < 2:
        raise MalformedCertificate(f"{item.name} has too few formal arguments, or one twice")
    if not all(z3.is_const(v) and v.decl().kind() == z3.Z3_OP_UNINTERPRETED for v in variables):
        raise MalformedCertificate(f"{item.name} has formal arguments that are no variables")
    function = item.function
    if [function.domain(i) for i in range(function.arity())] != [formal.sort() for formal in item.formals]:
        raise MalformedCertificate(f"{item.name} has formal arguments of other sorts than its own")
    *parameters, array, bound = item.formals
    integers = z3.IntSort(array.ctx)
    if function.kind() != z3.Z3_OP_UNINTERPRETED or function.range() != integers or item.summand.sort() != integers:
        raise MalformedCertificate(f"{item.name} is no new function with integers as values")
    sort = array.sort()
    if not isinstance(sort, z3.ArraySortRef) or sort != z3.ArraySort(integers, item.cell.sort()):
        raise MalformedCertificate(f"{item.name} is not over the cells of an array with integers as indices")
    if bound.sort() != integers or item.place.sort() != integers:
        raise MalformedCertificate(f"{item.name} has no integer as its bound")
    known = {variable.get_id() for variable in (*parameters, item.cell, item.place)}
    for term in subterms(item.summand):
        if not z3.is_app(term):
            raise MalformedCertificate(f"the summand of {item.name} has a quantifier")
        if term.decl().kind() in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_RECURSIVE) and term.get_id() not in known:
            raise MalformedCertificate(f"the summand of {item.name} uses {term.decl().name()}")


def cell_sum_equations(item: CellSum, closed: Sequence[z3.ExprRef]) -> list[z3.BoolRef]:
    """Instances of the equations for the bounds and arrays among the terms, which have no bound variables."""
    *_, array, _ = item.formals
    uses = [term for term in closed if z3.is_app(term) and term.decl().eq(item.function)]
    arrays = [term for term in closed if term.sort() == array.sort()]
    found: list[z3.BoolRef] = []
    for *parameters, bound in _bounds_of(uses):
        for term in arrays:
            for equation in _at_bounds(item, parameters, term, bound):
                found.append(equation)
                if len(found) >= MAX_BUILT:
                    return found
    return found


def _bounds_of(uses: Sequence[z3.ExprRef]) -> list[tuple[z3.ExprRef, ...]]:
    """The parameters and bounds of applications, each once."""
    found = {}
    for use in uses:
        *parameters, _, bound = use.children()
        found[tuple(term.get_id() for term in (*parameters, bound))] = (*parameters, bound)
    return list(found.values())


def _at_bounds(
    item: CellSum, parameters: Sequence[z3.ExprRef], array: z3.ExprRef, bound: z3.ExprRef
) -> Iterator[z3.BoolRef]:
    """The equations of an array at a bound and the next one."""
    for end in (bound, bound + z3.IntVal(1)):
        value = item.function(*parameters, array, end)
        yield value == substitute(item.body, zip(item.formals, (*parameters, array, end), strict=True))
        if z3.is_app_of(array, z3.Z3_OP_STORE):
            base, place, cell = array.children()
            old, new = (_summand(item, parameters, v, place) for v in (z3.Select(base, place), cell))
            more = z3.If(z3.And(place >= 0, place < end), new - old, z3.IntVal(0))
            yield value == item.function(*parameters, base, end) + more
        elif z3.is_app_of(array, z3.Z3_OP_CONST_ARRAY) and not _depends_on_index(item):
            each = _summand(item, parameters, array.arg(0), item.place)
            yield value == z3.If(end <= 0, z3.IntVal(0), end * each)


def _summand(item: CellSum, parameters: Sequence[z3.ExprRef], cell: z3.ExprRef, place: z3.ExprRef) -> z3.ArithRef:
    formals = (*item.formals[:-2], item.cell, item.place)
    return substitute(item.summand, zip(formals, (*parameters, cell, place), strict=True))


def _depends_on_index(item: CellSum) -> bool:
    return any(term.eq(item.place) for term in subterms(item.summand))
