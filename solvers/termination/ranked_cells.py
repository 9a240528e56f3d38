"""Cells of arrays in ranks: what pointers lead to counts like a variable, if the clauses read or write it.

A rank may speak of `select(a, i)` for arguments a and i of its cut point. In the search such a cell is one more
argument of the predicate. Steps are generalised without arrays: what is stored in a cell on the way is put in the place
of what is read from it, with the equations and inequalities of indices that hold in one run.
"""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import z3

from chcverify.certificate.kernel.runs import ends
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    fold,
    free_variables,
    is_variable,
    substitute,
    subterms,
)
from chcverify.terms.core.unionfind import UnionFind

_Place = tuple[str, int]
"""The name of a predicate and the position of an argument."""
E = TypeVar("E", bound=z3.ExprRef)
CellsOf = Mapping[Predicate, tuple[z3.ArithRef, ...]]
"""For each cut point the cells that its rank may speak of, over its formals."""


def cells_of(system: HornSystem, component: Collection[int], cut_points: Collection[Predicate]) -> CellsOf:
    """The integers in arrays that clauses of a component read or write at indices over arguments of its cut points.

    component: its clauses. Copies of one value in several predicates are one value, and so are an array and what is
    left of it when a cell is written.
    """
    clauses = [system.clauses[index] for index in sorted(component)]
    values: UnionFind[_Place] = UnionFind()
    for clause in clauses:
        before, target = _positions(clause), ends(clause)[1]
        assert clause.head is not None
        for position, argument in enumerate(clause.head.arguments):
            for origin in _origins(argument):
                if origin.get_id() in before:
                    values.union((ends(clause)[0].name, before[origin.get_id()]), (target.name, position))
    starts = dict.fromkeys(end for clause in clauses for end in ends(clause) if end in cut_points)
    found: dict[Predicate, dict[int, z3.ArithRef]] = {start: {} for start in starts}
    for clause in clauses:
        for array, index in _accesses(clause):
            for start in starts:
                for cell in _at(start, clause, array, index, values):
                    found[start].setdefault(cell.get_id(), cell)
    return {start: tuple(cells.values())[:MAX_ALTERNATIVES] for start, cells in found.items() if cells}


def _positions(clause: Clause) -> dict[int, int]:
    """The positions of the first body atom's arguments, by their identities."""
    return {argument.get_id(): position for position, argument in enumerate(clause.body[0].arguments)}


def _origins(term: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """The variable that a term is; of an array those that it is made from by writing cells, and by choices."""
    pending = [term]
    while pending:
        made = pending.pop()
        if z3.is_store(made):
            pending.append(made.arg(0))
        elif z3.is_array(made) and z3.is_app_of(made, z3.Z3_OP_ITE):
            pending += [made.arg(1), made.arg(2)]
        elif is_variable(made):
            yield made


def _accesses(clause: Clause) -> Iterator[tuple[z3.ExprRef, z3.ExprRef]]:
    """Variables for arrays of integers, with the indices at which the clause reads and writes them."""
    assert clause.head is not None
    integers = z3.ArraySort(z3.IntSort(), z3.IntSort())
    for term in subterms(clause.constraint, *clause.head.arguments):
        if (z3.is_select(term) or z3.is_store(term)) and term.arg(0).sort() == integers:
            yield from ((origin, term.arg(1)) for origin in _origins(term.arg(0)))


def _at(
    start: Predicate, clause: Clause, array: z3.ExprRef, index: z3.ExprRef, values: UnionFind[_Place]
) -> Iterator[z3.ArithRef]:
    """The cell over the formals of a cut point, in each way if several of these have the same value; few of them."""
    before, source = _positions(clause), ends(clause)[0]
    variables = (array, *free_variables(index))
    if any(variable.get_id() not in before for variable in variables):
        return
    wanted = [values.find((source.name, before[variable.get_id()])) for variable in variables]
    choices = [
        [formal for i, formal in enumerate(start.formals) if values.find((start.name, i)) == place] for place in wanted
    ]
    for chosen in itertools.islice(itertools.product(*choices), MAX_ALTERNATIVES):
        pairs = list(zip(variables, chosen, strict=True))
        if all(variable.sort() == formal.sort() for variable, formal in pairs):
            cell: z3.ArithRef = substitute(z3.Select(array, index), pairs)
            yield cell


def with_cells(predicate: Predicate, cells: Sequence[z3.ArithRef]) -> Predicate:
    """The predicate with the cells as arguments after its own. They have the formals that its own do not have."""
    if not cells:
        return predicate
    names = tuple(f"cell {number}" for number in range(len(cells))) if predicate.names else ()
    sorts = (*predicate.sorts, *(z3.IntSort() for _ in cells))
    return replace(predicate, sorts=sorts, names=predicate.names + names, roles=())


def cell_values(where: str, predicate: Predicate, cells: Sequence[z3.ArithRef]) -> tuple[z3.ExprRef, ...]:
    """Variables for the values of the cells at one end of a path. where: its name."""
    return tuple(z3.Int(f"{where}!{predicate.name}!cell!{number}") for number in range(len(cells)))


def without_cells(term: E, predicate: Predicate, cells: Sequence[z3.ArithRef]) -> E:
    """The term with the cells for the formals that `with_cells` has given to them."""
    return substitute(term, zip(with_cells(predicate, cells).formals[predicate.arity :], cells, strict=True))


def without_arrays(formula: z3.BoolRef, model: z3.ModelRef) -> z3.BoolRef:
    """A formula about cells of arrays that are not made from others. It holds in the given model of the formula, and
    with the equations of arrays that are conjuncts of the formula it implies the rest of it.

    Two reads from one array at equal indices are the same term. Indices that are equal in the model, or are not, stay
    so: the formula says this of those that matter.
    """
    parts = conjuncts(z3.simplify(formula))
    if not any(z3.is_array(variable) for variable in free_variables(*parts)):
        return formula
    whole = _with_definitions(parts)
    reader = _CellReader(model)
    resolved: z3.ExprRef = fold(whole, reader.visit)
    return conjunction([resolved, *reader.conditions])  # type: ignore[list-item]


def _with_definitions(parts: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """The conjunction without equations of arrays: the arrays' definitions are in their places."""
    definitions: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
    others = []
    for part in parts:
        if not (z3.is_eq(part) and z3.is_array(part.arg(0))):
            others.append(part)
            continue
        left, right = (_defined(side, definitions) for side in part.children())
        for variable, term in ((left, right), (right, left)):
            if is_variable(variable) and not any(variable.eq(_defined(v, definitions)) for v in free_variables(term)):
                definitions[variable.get_id()] = variable, term
                break
    whole = conjunction(others)
    pairs = list(definitions.values())
    for _ in pairs:  # each pass puts in the definitions of those before
        again = substitute(whole, pairs)
        if again.eq(whole):
            break
        whole = again
    return whole


def _defined(term: z3.ExprRef, definitions: Mapping[int, tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ExprRef:
    """What a variable is defined to be, at the end of the chain; other terms as they are."""
    while term.get_id() in definitions:
        term = definitions[term.get_id()][1]
    return term


class _CellReader:
    """Reads cells bottom up. conditions: of indices and choices, that what was read depends on."""

    def __init__(self, model: z3.ModelRef) -> None:
        self.conditions: list[z3.BoolRef] = []
        self._model = model
        self._read: dict[tuple[int, int], z3.ExprRef] = {}
        self._kept: list[z3.ExprRef] = []  # identities are of terms that live

    def visit(self, term: z3.ExprRef, children: list[z3.ExprRef]) -> z3.ExprRef:
        """The term with these children, as of `fold`."""
        if not children or not z3.is_app(term):
            return term
        is_same = all(a.eq(b) for a, b in zip(term.children(), children, strict=True))
        made = term if is_same else term.decl()(*children)
        return self._cell(made) if z3.is_select(made) and z3.is_int(made) and z3.is_int(made.arg(1)) else made

    def _cell(self, read: z3.ExprRef) -> z3.ExprRef:
        array: z3.ExprRef = read.arg(0)
        index: z3.ExprRef = read.arg(1)
        while True:
            if z3.is_store(array):
                other: z3.ExprRef = array.arg(1)
                value: z3.ExprRef = array.arg(2)
                if self._holds(other == index):
                    return value
                array = array.arg(0)
            elif z3.is_app_of(array, z3.Z3_OP_ITE):
                array = array.arg(1 if self._holds(array.arg(0)) else 2)
            elif z3.is_K(array):
                constant: z3.ExprRef = array.arg(0)
                return constant
            else:
                break
        number = self._model.eval(index, model_completion=True)
        key = array.get_id(), number.get_id()
        if key not in self._read:
            self._read[key] = z3.Select(array, index)
            self._kept += [array, number]
        elif not self._read[key].arg(1).eq(index):
            self.conditions.append(self._read[key].arg(1) == index)
        return self._read[key]

    def _holds(self, condition: z3.BoolRef) -> bool:
        """Whether it holds in the model; what holds is a condition, if it could be otherwise."""
        simple = z3.simplify(condition)
        holds = z3.is_true(self._model.eval(simple, model_completion=True))
        if not (z3.is_true(simple) or z3.is_false(simple)):
            self.conditions.append(simple if holds else z3.Not(simple))
        return holds
