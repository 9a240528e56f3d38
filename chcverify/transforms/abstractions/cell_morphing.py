"""Array cells: every array argument becomes the value of one cell at a symbolic index.

P(x, a) is read as: for all k, P'(x, k, a[k]). Arrays of a predicate that have the same index sort share the index. A
model of the new system gives a quantified model of the old one; a derivation gives none, as the new system may derive
more: it forgets how cells of different indices are related. Monniaux, Gonnord: Cell morphing: from array programs to
array-free Horn clauses (SAS 2016), section 4.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.index_functions import INDEX, with_plain_indices
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    free_variables,
    is_variable,
    substitute,
    subterms,
)
from chcverify.terms.equation_definitions import definitions_in
from chcverify.terms.printing.infix import infix_text
from chcverify.transforms.abstractions.affine_cells import RelatedCell, constant_summand
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError

E = TypeVar("E", bound=z3.ExprRef)
RelatedCells = Callable[[HornSystem], Sequence[RelatedCell]]
_WORD = 2**32


class CellMorphing:
    """Replaces arrays by cells: symbolic indices and the elements there.

    indices: symbolic indices per index sort; two can express how any two cells of an array are related.
    related: besides the cells at the first integer index, those at functions of it that this chooses for a system.
    max_atoms: the most instances of one body atom.
    """

    name = "cells"

    def __init__(
        self, indices: int = 1, related: RelatedCells | None = None, max_atoms: int = MAX_ALTERNATIVES
    ) -> None:
        self.indices = indices
        self.related = related
        self.max_atoms = max_atoms

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        """Arrays of arrays lose one dimension; apply it again for the next."""
        related = self.related(system) if self.related is not None else ()
        first = _first_index(system)
        cells = {p: _CellArguments.of(p, self.indices, related, first) for p in system.predicates}
        if not any(cell.index_sorts for cell in cells.values()):
            return system, Identity()
        predicates = tuple(cells[predicate].after for predicate in system.predicates)
        clauses = tuple(_Morphing(clause, cells, self.max_atoms).clause() for clause in system.clauses)
        return HornSystem(predicates, clauses), _CellBackTranslator(cells)


@dataclass(frozen=True, eq=False)
class _CellArguments:
    """The change of a predicate. index_sorts: of the symbolic indices, in order.

    related: positions of arrays, and indices over the formals and INDEX. first: what integer indices are counted from.
    The new arguments are those of other sorts, then the symbolic indices, then for each array one value per index of
    its sort, then the values at related indices.
    """

    before: Predicate
    after: Predicate
    index_sorts: tuple[z3.SortRef, ...]
    related: tuple[tuple[int, z3.ArithRef], ...]
    first: int

    @classmethod
    def of(cls, predicate: Predicate, indices: int, related: Sequence[RelatedCell], first: int) -> "_CellArguments":
        """The change of the predicate, with `indices` symbolic indices per index sort and the related cells it has."""
        arrays = list(filter(_is_array, predicate.sorts))
        index_sorts = _index_sorts(arrays, indices)
        more = tuple(place for cell in related if (place := cell.of(predicate)) is not None)
        if not index_sorts:
            return cls(predicate, predicate, index_sorts, more, first)
        scalars = [i for i, sort in enumerate(predicate.sorts) if not _is_array(sort)]
        values = tuple(sort.range() for sort in arrays for index in index_sorts if index == sort.domain())
        related_values = tuple(predicate.sorts[array].range() for array, _ in more)
        sorts = (*(predicate.sorts[i] for i in scalars), *index_sorts, *values, *related_values)
        new_roles = [Role.INDEX] * len(index_sorts)
        new_roles += [
            predicate.role(i) if predicate.role(i) in (Role.IN_USE, Role.RANK) else Role.CELL
            for i, sort in enumerate(predicate.sorts)
            if _is_array(sort)
            for index in index_sorts
            if index == sort.domain()
        ]
        new_roles += [Role.NEIGHBOUR if z3.is_select(place) else Role.CELL for _, place in more]
        roles = (*map(predicate.role, scalars), *new_roles)
        names = _argument_names(predicate, index_sorts, more)
        after = Predicate(predicate.name, sorts, predicate.origin, names, roles)
        return cls(predicate, after, index_sorts, more, first)

    def arguments(self, arguments: Sequence[z3.ExprRef], indices: Sequence[z3.ExprRef]) -> tuple[z3.ExprRef, ...]:
        """The new arguments at these indices."""
        plain = [argument for argument in arguments if not _is_array(argument.sort())]
        values = [
            z3.Select(array, index)
            for array in arguments
            if _is_array(array.sort())
            for index in indices
            if index.sort() == array.sort().domain()
        ]
        one = itertools.islice(filter(z3.is_int, indices), 1)
        given = [*zip(self.before.formals, arguments, strict=True), *((INDEX, index) for index in one)]
        related = [z3.Select(arguments[array], substitute(place, given)) for array, place in self.related]
        counted = [z3.simplify(i - self.first) if self.first and z3.is_int(i) else i for i in indices]
        return (*plain, *counted, *values, *related)

    def indices(self, counts: Sequence[z3.ExprRef]) -> list[z3.ExprRef]:
        """The indices that are so far from the first. Certificates quantify over these: they multiply them."""
        return [k + self.first if self.first and z3.is_int(k) else k for k in counts]

    def index_terms(self, atom: Application) -> dict[int, list[z3.ArithRef]]:
        """The related indices by the ids of array variables."""
        given = list(zip(self.before.formals, atom.arguments, strict=True))
        table: dict[int, list[z3.ArithRef]] = {}
        for array, place in self.related:
            table.setdefault(atom.arguments[array].get_id(), []).append(substitute(place, given))
        return table


def _first_index(system: HornSystem) -> int:
    """The least number that indices of integers add to variables, without what programs add to an index, at most half
    of a machine word: the address of a block of memory. Counted from there, indices are those of the program's text.
    0 where blocks lead to each other: what leads to the block at an index is compared with that.
    """
    if system.has_role(Role.END):
        return 0
    accesses = (
        term
        for clause in system.clauses
        for term in subterms(clause.constraint, *(a for atom in clause.applications for a in atom.arguments))
        if (z3.is_select(term) or z3.is_store(term)) and z3.is_int(term.arg(1))
    )
    numbers = (constant_summand(term.arg(1)) for term in accesses)
    return max(0, min(((number + _WORD // 2) // _WORD * _WORD for number in numbers), default=0))


def _index_sorts(arrays: Sequence[z3.SortRef], count: int) -> tuple[z3.SortRef, ...]:
    """The sorts of the symbolic indices: `count` of each index sort of the array sorts."""
    distinct = dict.fromkeys(sort.domain() for sort in arrays)
    return tuple(sort for sort in distinct for _ in range(count))


def _argument_names(
    predicate: Predicate, index_sorts: Sequence[z3.SortRef], related: Sequence[tuple[int, z3.ArithRef]]
) -> tuple[str, ...]:
    """The names of the new arguments: scalars, indices, cells at the indices, related cells."""
    given = predicate.argument_names
    named = list(zip(given, predicate.sorts, strict=True))
    indices = [(f"k'{i}", sort) for i, sort in enumerate(index_sorts)]
    cells = [
        f"{name}[{index}]"
        for name, sort in named
        if _is_array(sort)
        for index, index_sort in indices
        if index_sort == sort.domain()
    ]
    shown = [(formal, z3.Const(name, formal.sort())) for formal, name in zip(predicate.formals, given, strict=True)]
    shown += [(INDEX, z3.Int(index)) for index, sort in indices if sort == z3.IntSort()][:1]
    related_cells = [f"{given[array]}[{infix_text(substitute(position, shown))}]" for array, position in related]
    scalars = [name for name, sort in named if not _is_array(sort)]
    return (*scalars, *(index for index, _ in indices), *cells, *related_cells)


class _Morphing:
    """One clause: array equations are substituted, reads pushed to array variables, body atoms instantiated."""

    def __init__(self, clause: Clause, cells: Mapping[Predicate, _CellArguments], max_atoms: int) -> None:
        self.max_atoms = max_atoms
        self.origin, self.name = clause.origin, clause.name
        self.cells = cells
        definitions, rest = definitions_in(conjuncts(clause.constraint), arrays_only=True)
        self.body = [replaced(atom, definitions) for atom in clause.body]
        self.constraint = push_reads(substitute(conjunction(rest), definitions))
        self.head = None
        if clause.head is not None:
            head, cell = replaced(clause.head, definitions), cells[clause.head.predicate]
            fresh = [z3.FreshConst(sort, "k") for sort in cell.index_sorts]
            given = cell.arguments(head.arguments, cell.indices(fresh))
            self.head = Application(cell.after, tuple(map(push_reads, given)))

    def clause(self) -> Clause:
        """The clause over cells, without array variables that are only read."""
        roots = [self.constraint, *(self.head.arguments if self.head else ())]
        reads = _reads(roots)
        body = [instance for atom in self.body for instance in self.instances(atom, reads)]
        return without_reads(Clause(self.head, tuple(body), self.constraint, self.origin, self.name))

    def instances(self, atom: Application, reads: Mapping[int, list[z3.ExprRef]]) -> Iterable[Application]:
        """The atom at the indices at which its arrays are read; at any index where they are not."""
        cell = self.cells[atom.predicate]
        arrays = [argument for argument in atom.arguments if _is_array(argument.sort())]
        read = {(v.get_id(), i.get_id()): i for v in free_variables(*arrays) for i in reads.get(v.get_id(), ())}
        choices = []
        for sort in cell.index_sorts:
            fitting = {key: index for key, index in read.items() if index.sort() == sort}
            choices.append(_cover(fitting, cell.index_terms(atom)) or [z3.FreshConst(sort, "any")])
        for indices in itertools.islice(itertools.product(*choices), self.max_atoms):
            yield Application(cell.after, tuple(map(push_reads, cell.arguments(atom.arguments, indices))))


Read = tuple[int, int]
"""The ids of an array variable and an index."""


def _cover(read: Mapping[Read, z3.ExprRef], index_terms: Mapping[int, Sequence[z3.ArithRef]]) -> list[z3.ExprRef]:
    """Indices whose cells, with those at the related indices of an array, are all that is read."""
    distinct = list({index.get_id(): index for index in read.values()}.values())
    if not index_terms:
        return distinct
    number = {key: _key(index) for key, index in read.items()}
    covered = {
        index.get_id(): {
            key
            for key in read
            for place in (INDEX, *index_terms.get(key[0], ()))
            if number[key] == _key(substitute(place, [(INDEX, index)]))
        }
        for index in distinct
    }
    chosen, left = [], set(read)
    while left:
        best = max(distinct, key=lambda index: len(covered[index.get_id()] & left))
        chosen.append(best)
        left -= covered[best.get_id()]
    return chosen


def _key(index: z3.ExprRef) -> int:
    """Equal for indices that are equal as sums."""
    return int(z3.simplify(index, som=True).get_id())


@dataclass(frozen=True, eq=False)
class _CellBackTranslator:
    cells: Mapping[Predicate, _CellArguments]

    def model(self, model: Model) -> Model:
        """P(x, a) is for all k, P'(x, k, a[k])."""
        return Model({predicate: self._formula(cell, model) for predicate, cell in self.cells.items()})

    @staticmethod
    def _formula(cell: _CellArguments, model: Model) -> z3.BoolRef:
        counts = [z3.Const(f"k!{i}", sort) for i, sort in enumerate(cell.index_sorts)]
        arguments = cell.arguments(cell.before.formals, cell.indices(counts))
        formula = z3.simplify(model.instantiate(Application(cell.after, arguments)))
        used = {variable.get_id() for variable in free_variables(formula)}
        bound = [count for count in counts if count.get_id() in used]
        return z3.ForAll(bound, with_plain_indices(formula, bound)) if bound else formula

    def derivation(self, derivation: Derivation) -> Derivation:
        raise TranslationError("a derivation over array cells need not be one over arrays")


def _is_array(sort: z3.SortRef) -> bool:
    return isinstance(sort, z3.ArraySortRef)


def replaced(atom: Application, pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> Application:
    """The atom with terms for variables in its arguments."""
    return Application(atom.predicate, tuple(substitute(argument, pairs) for argument in atom.arguments))


def push_reads(term: E) -> E:
    """Reads go through stores and choices to the arrays below."""
    return z3.simplify(term, blast_select_store=True, expand_select_ite=True)


def _reads(roots: Sequence[z3.ExprRef]) -> dict[int, list[z3.ExprRef]]:
    """For each array variable that is read, by its id, the indices."""
    found: dict[int, list[z3.ExprRef]] = {}
    for term in subterms(*roots):
        if z3.is_select(term):
            for variable in free_variables(term.arg(0)):
                if _is_array(variable.sort()) and variable.sort().domain() == term.arg(1).sort():
                    found.setdefault(variable.get_id(), []).append(term.arg(1))
    return found


def without_reads(clause: Clause) -> Clause:
    """The clause with fresh variables for the cells of array variables that are only read."""
    arguments = [argument for atom in clause.applications for argument in atom.arguments]
    values, congruence = _read_values([clause.constraint, *arguments])
    constraint = conjunction([*conjuncts(substitute(clause.constraint, values)), *congruence])
    head = None if clause.head is None else replaced(clause.head, values)
    body = tuple(replaced(atom, values) for atom in clause.body)
    return Clause(head, body, constraint, clause.origin, clause.name)


def _read_values(roots: Sequence[z3.ExprRef]) -> tuple[list[tuple[z3.ExprRef, z3.ExprRef]], list[z3.BoolRef]]:
    """Fresh values for the reads of array variables that occur only in reads; equal indices have equal values."""
    terms = list(subterms(*roots))
    reads = [term for term in terms if z3.is_select(term) and is_variable(term.arg(0))]
    inner = {read.get_id() for read in reads}
    kept = {
        child.get_id()
        for term in terms
        if z3.is_app(term) and term.get_id() not in inner
        for child in term.children()
        if _is_array(child.sort())
    } | {root.get_id() for root in roots}
    values: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    at: dict[int, list[tuple[z3.ExprRef, z3.ExprRef]]] = {}
    congruence = []
    for read in reads:  # inner reads come before those whose index they are in
        array = read.arg(0)
        if array.get_id() in kept:
            continue
        index, value = substitute(read.arg(1), values), z3.FreshConst(read.sort(), "cell")
        values.append((read, value))
        for other, same in at.setdefault(array.get_id(), []):
            equal = z3.simplify(index == other)
            if not z3.is_false(equal):
                congruence.append(z3.Implies(equal, value == same))
        at[array.get_id()].append((index, value))
    return values, congruence
