"""Renumbering the cells of arrays: clauses with new indices, and the back-translator of their certificates."""

from collections.abc import Callable, Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import TranslationError, steps_of
from chcverify.transforms.exact.arrays.array_classes import ArrayClasses, ArrayKey, array_subterms

NewIndex = Callable[[int, ArrayKey, ArenaTerm], ArenaTerm | None]
"""The number of a clause, a class of arrays and an index before: the index after; None where cells stay."""
Address = Callable[[Sequence[z3.ExprRef], z3.ExprRef], z3.ExprRef]
"""The arguments of a predicate and an index after: the index before."""


def with_moved_cells(system: HornSystem, work: PassContext, classes: ArrayClasses, new_index: NewIndex) -> HornSystem:
    """The system with new indices in reads and writes."""
    rows = work.clause_rows(system.clauses)
    moved = [_moved_clause(number, row, classes, new_index) for number, row in enumerate(rows)]
    triples = zip(system.clauses, rows, moved, strict=True)
    return HornSystem(system.predicates, tuple(clause if a is b else work.clause(b) for clause, a, b in triples))


def _moved_clause(number: int, clause_row: ArenaClause, classes: ArrayClasses, new_index: NewIndex) -> ArenaClause:
    arena = classes.arena
    table: dict[ArenaTerm, ArenaTerm] = {}
    roots = [clause_row.constraint, *(argument for atom in clause_row.atoms for argument in atom.arguments)]
    for term in array_subterms(arena, roots, classes.array_variables):
        if arena.kind(term) not in (z3.Z3_OP_SELECT, z3.Z3_OP_STORE):
            continue
        key = classes.find((number, arena.children(term)[0]))
        array, index, *values = (arena.replace(part, table) for part in arena.children(term))
        if (new := new_index(number, key, index)) is not None:
            parts = [arena.wrap(part) for part in (array, new, *values)]
            table[term] = arena.handle(z3.Store(*parts) if values else z3.Select(*parts))
    if not table:
        return clause_row

    def replaced(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(arena.replace(argument, table) for argument in atom.arguments))

    head = None if clause_row.head is None else replaced(clause_row.head)
    body = tuple(map(replaced, clause_row.body))
    constraint = arena.replace(clause_row.constraint, table)
    return ArenaClause(head, body, constraint, clause_row.origin, clause_row.name)


@dataclass(frozen=True, eq=False)
class MovedCells:
    """The back-translator.

    before: the system before.
    addresses: by predicates, the positions of arrays whose cells have moved, and where each cell was.
    """

    before: HornSystem
    addresses: Mapping[Predicate, Mapping[int, Address]]

    def model(self, model: Model) -> Model:
        """What a formula says of an array's cell at k is said of the cell where it was."""
        interpretations = {}
        for predicate, addresses in self.addresses.items():
            arguments = list(predicate.formals)
            for position, address in addresses.items():
                array = predicate.formals[position]
                k = z3.FreshConst(array.sort().domain(), "k")
                arguments[position] = z3.Lambda([k], z3.Select(array, address(predicate.formals, k)))
            formula = model.instantiate(Application(predicate, tuple(arguments)))
            interpretations[predicate] = z3.simplify(formula) if addresses else formula
        return Model(interpretations, model.definitions, model.folds)

    def derivation(self, derivation: Derivation) -> Derivation:
        """Arrays with their cells where they were."""
        steps = []
        for step in steps_of(derivation):
            head = self.before.clauses[step.clause].head
            arguments = list(step.arguments)
            for position, address in ({} if head is None else self.addresses[head.predicate]).items():
                arguments[position] = _moved_array(step.arguments, position, address)
            steps.append(Step(step.clause, tuple(arguments), step.premises))
        return Derivation(tuple(steps))


def _moved_array(arguments: Sequence[z3.ExprRef], position: int, address: Address) -> z3.ExprRef:
    """The array before. TranslationError unless it is written as stores to a constant array."""
    array, stores = arguments[position], []
    while z3.is_store(array):
        stores.append((array.arg(1), array.arg(2)))
        array = array.arg(0)
    if not z3.is_K(array):
        raise TranslationError("an array of the derivation is not given by its cells")
    for index, value in reversed(stores):
        array = z3.Store(array, z3.simplify(address(arguments, index)), value)
    return array
