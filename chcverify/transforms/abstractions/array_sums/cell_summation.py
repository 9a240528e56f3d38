"""Sums over cells: each array of integers becomes the sums of its cells below some bounds, and a few cells.

P(x, a) becomes P'(x, f(a, t1(x)), ..., a[u1(x)], ...), with the sums f and the terms t, u of the other arguments that
`summands.py` proposes. A store changes each sum by what it changes of one summand, so that the sums of an array before
and after a swap are equal. A model comes back as P(x, a) := P' with these terms, and the definitions of the sums. The
new system may derive more, for it forgets all other cells: a derivation does not come back.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TypeVar

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import CellSum, Model
from chcverify.effort import MAX_ALTERNATIVES, MAX_COMBINED
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    free_variables,
    substitute,
)
from chcverify.terms.equation_definitions import definitions_in
from chcverify.transforms.abstractions.array_sums.sum_values import SumValues, with_values
from chcverify.transforms.abstractions.array_sums.summands import (
    CELL,
    PLACE,
    WantedSums,
    as_sum,
    is_cells,
)
from chcverify.transforms.abstractions.cell_morphing import push_reads, without_reads
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError

E = TypeVar("E", bound=z3.ExprRef)
Pairs = list[tuple[z3.ExprRef, z3.ExprRef]]


class CellSummation:
    """Replaces arrays of integers by sums and cells. wanted: which; None leaves every system as it is."""

    name = "sums"

    def __init__(self, wanted: WantedSums | None) -> None:
        self.wanted = wanted

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if self.wanted is None or not any(is_cells(sort) for p in system.predicates for sort in p.sorts):
            return system, Identity()
        sums = tuple(_definition(summand, i, system) for i, summand in enumerate(self.wanted.summands))
        numbers = {predicate: _Numbers.of(predicate, self.wanted) for predicate in system.predicates}
        clauses = tuple(_clause(clause, numbers) for clause in system.clauses)
        changed = HornSystem(tuple(numbers[predicate].after for predicate in system.predicates), clauses)
        return changed, _SummationBackTranslator(numbers, sums)


def _definition(summand: z3.ArithRef, number: int, system: HornSystem) -> CellSum:
    """The sum with this summand; its parameters are what the summand uses besides the cell and its place."""
    parameters = _parameters(summand)
    name = f"sum{number}"
    while name in system.by_name:
        name += "!"
    array = z3.Const("array~", z3.ArraySort(z3.IntSort(), z3.IntSort()))
    sorts = [parameter.sort() for parameter in parameters]
    function = z3.Function(name, *sorts, array.sort(), z3.IntSort(), z3.IntSort())
    return CellSum(function, (*parameters, array, z3.Int("bound~")), CELL, PLACE, summand)


def _parameters(summand: z3.ArithRef) -> tuple[z3.ExprRef, ...]:
    return tuple(v for v in free_variables(summand) if not v.eq(CELL) and not v.eq(PLACE))


@dataclass(frozen=True, eq=False)
class _SumArgument:
    """A sum of an argument: its position, the number and the summand of the sum, and the bound, over the formals."""

    array: int
    number: int
    summand: z3.ArithRef
    parameters: tuple[z3.ExprRef, ...]
    bound: z3.ArithRef


@dataclass(frozen=True, eq=False)
class _Numbers:
    """The change of a predicate: its arguments without arrays of integers, then sums, then cells at indices."""

    before: Predicate
    after: Predicate
    sums: tuple[_SumArgument, ...]
    cells: tuple[tuple[int, z3.ArithRef], ...]

    @classmethod
    def of(cls, predicate: Predicate, wanted: WantedSums) -> "_Numbers":
        arrays = [i for i, sort in enumerate(predicate.sorts) if is_cells(sort)]
        if not arrays:
            return cls(predicate, predicate, (), ())
        named: dict[str, list[z3.ExprRef]] = {}
        for name, formal in zip(predicate.names, predicate.formals, strict=False):
            named.setdefault(name, []).append(formal)
        bounds = [b for b in _terms_at(wanted.bounds[predicate.name], named) if not _is_value(b, 0)][:MAX_COMBINED]
        indices = _terms_at(wanted.indices[predicate.name], named)[:MAX_ALTERNATIVES]
        sums = tuple(
            _SumArgument(array, number, summand, tuple(given for _, given in pairs), bound)
            for array in arrays
            for number, unbound in enumerate(wanted.summands)
            for pairs in islice(_choices(_parameters(unbound), named), 1)
            if (summand := with_values(unbound, pairs)) is not None
            for bound in bounds
        )
        cells = tuple((array, index) for array in arrays for index in indices)
        kept = [i for i in range(predicate.arity) if i not in arrays]
        count = len(sums) + len(cells)
        sorts = (*(predicate.sorts[i] for i in kept), *[z3.IntSort()] * count)
        roles = (*map(predicate.role, kept), *[Role.CELL] * count)
        given = predicate.argument_names
        names = (*(given[i] for i in kept), *(f"{given[s.array]}'{i}" for i, s in enumerate(sums)))
        names += tuple(f"{given[array]}[{i}]" for i, (array, _) in enumerate(cells))
        return cls(predicate, Predicate(predicate.name, sorts, predicate.origin, names, roles), sums, cells)

    def arguments(self, given: Sequence[z3.ExprRef], sums: Sequence[z3.ExprRef]) -> tuple[z3.ExprRef, ...]:
        """The new arguments, with these values for the sums."""
        if self.after is self.before:
            return tuple(given)
        pairs = list(zip(self.before.formals, given, strict=True))
        cells = [z3.Select(given[array], as_sum(substitute(index, pairs))) for array, index in self.cells]
        return (*(argument for argument in given if not is_cells(argument.sort())), *sums, *cells)


def _terms_at(terms: Sequence[z3.ArithRef], named: dict[str, list[z3.ExprRef]]) -> list[z3.ArithRef]:
    """The terms over the formals that have the names, but for negative numbers."""
    found = []
    for term in terms:
        if z3.is_int_value(term) and term.as_long() < 0:
            continue
        for pairs in _choices(free_variables(term), named):
            found.append(as_sum(substitute(term, pairs)))
    return list({term.get_id(): term for term in found}.values())


def _is_value(term: z3.ArithRef, value: int) -> bool:
    return bool(z3.is_int_value(term) and term.as_long() == value)


def _choices(names: Sequence[z3.ExprRef], named: dict[str, list[z3.ExprRef]]) -> Iterator[Pairs]:
    """The formals of the same names and sorts."""
    options = [[f for f in named.get(str(n.decl().name()), ()) if f.sort() == n.sort()] for n in names]
    for chosen in product(*options):
        yield list(zip(names, chosen, strict=True))


def _clause(clause: Clause, numbers: dict[Predicate, _Numbers]) -> Clause:
    """The clause over numbers, without array variables that are only read."""
    definitions, rest = _definitions(clause)

    def plain(term: E) -> E:
        return push_reads(substitute(term, definitions))

    values = SumValues()
    atoms = []
    for atom in clause.body:
        change, given = numbers[atom.predicate], [plain(argument) for argument in atom.arguments]
        found: list[z3.ArithRef] = [z3.FreshInt("sum") for _ in change.sums]
        for asked, value in zip(_asked(change, given), found, strict=True):
            values.assume(*asked, value)
        atoms.append(Application(change.after, tuple(map(push_reads, change.arguments(given, found)))))
    if clause.head is not None:
        change, given = numbers[clause.head.predicate], [plain(argument) for argument in clause.head.arguments]
        found = [values.value(*asked) for asked in _asked(change, given)]
        atoms.append(Application(change.after, tuple(map(push_reads, change.arguments(given, found)))))
    values.relate_unused()
    constraint = plain(conjunction([*rest, *values.conditions]))
    head = None if clause.head is None else atoms.pop()
    return without_reads(Clause(head, tuple(atoms), constraint, clause.origin, clause.name))


def _asked(change: _Numbers, given: Sequence[z3.ExprRef]) -> Iterator[tuple[z3.ArrayRef, z3.ArithRef, z3.ArithRef]]:
    """The array, the summand and the bound of each sum for these arguments."""
    pairs = list(zip(change.before.formals, given, strict=True))
    for item in change.sums:
        array = given[item.array]
        assert isinstance(array, z3.ArrayRef)
        yield array, substitute(item.summand, pairs), as_sum(substitute(item.bound, pairs))


def _definitions(clause: Clause) -> tuple[Pairs, list[z3.BoolRef]]:
    """Equations of variables that are no arguments of the body, none of which occurs in a right-hand side; the rest."""
    fixed = {v.get_id() for atom in clause.body for v in free_variables(*atom.arguments)}
    return definitions_in(conjuncts(clause.constraint), fixed)


@dataclass(frozen=True, eq=False)
class _SummationBackTranslator:
    numbers: dict[Predicate, _Numbers]
    sums: Sequence[CellSum]

    def model(self, model: Model) -> Model:
        """P(x, a) is P' with the sums of a, and its cells."""
        formulas = {predicate: self._formula(change, model) for predicate, change in self.numbers.items()}
        return Model(formulas, folds=tuple(self.sums))

    def _formula(self, change: _Numbers, model: Model) -> z3.BoolRef:
        formals = change.before.formals
        sums = [
            self.sums[item.number].function(*item.parameters, formals[item.array], item.bound) for item in change.sums
        ]
        return model.instantiate(Application(change.after, change.arguments(formals, sums)))

    def derivation(self, derivation: Derivation) -> Derivation:
        raise TranslationError("a derivation over sums of cells need not be one over arrays")
