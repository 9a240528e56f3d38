"""Array bases: where all accesses add one argument to their index, indices are counted from this argument.

P(b, i, a) & a' = store(a, b + i, 0) => P(b, i + 1, a') becomes P(b, i, c) & c' = store(c, i, 0) => P(b, i + 1, c'),
with c[k] = a[b + k]. An index that was an address and an offset is the offset: what is known of the cells that a loop
has written relates two numbers, not three.
"""

from collections.abc import Iterator, Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import Application, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of
from chcverify.transforms.exact.arrays.array_classes import ArrayClasses, ArrayKey, array_subterms

Bases = Mapping[str, int]
"""The position of the argument that indices are counted from, by the names of predicates."""


class ArrayBases:
    """Counts the indices of an array from an argument that is the same in all atoms of a clause that have the array.

    Any such argument would do: an array and a base stand for one array that begins at 0, and for no other.
    """

    name = "array bases"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not any(isinstance(sort, z3.ArraySortRef) for p in system.predicates for sort in p.sorts):
            return system, Identity()
        work = work or PassContext(system)
        clause_rows = work.clause_rows(system.clauses)
        classes = ArrayClasses(work.arena, clause_rows)
        bases = {key: found for key in classes.members() if (found := _ClassBases(key, classes, clause_rows).found())}
        if not bases:
            return system, Identity()
        rewritten = [_counted_from_bases(number, row, classes, bases) for number, row in enumerate(clause_rows)]
        triples = zip(system.clauses, clause_rows, rewritten, strict=True)
        clauses = tuple(clause if a is b else work.clause(b) for clause, a, b in triples)
        positions = {p: dict(_positions(p, classes, bases)) for p in system.predicates}
        return HornSystem(system.predicates, clauses), _ArrayBasesBackTranslator(system, positions)


def _positions(
    predicate: Predicate, classes: ArrayClasses, bases: Mapping[ArrayKey, Bases]
) -> Iterator[tuple[int, int]]:
    """The positions of the predicate's arrays that have a base, and those of their bases."""
    for position, sort in enumerate(predicate.sorts):
        of = bases.get(classes.find((predicate.name, position))) if isinstance(sort, z3.ArraySortRef) else None
        if of is not None:
            yield position, of[predicate.name]


class _ClassBases:
    """The search for the bases of one class of arrays: an argument that an index adds, and its equals elsewhere."""

    def __init__(self, key: ArrayKey, classes: ArrayClasses, clause_rows: Sequence[ArenaClause]) -> None:
        self._arena = classes.arena
        self._atoms: dict[int, list[Atom]] = {}  # by the numbers of clauses: the atoms that have arrays of the class
        self._atoms_by_predicate: dict[str, list[list[Atom]]] = {}
        for number, clause_row in enumerate(clause_rows):
            atoms = [atom for atom in clause_row.atoms if _has_class(atom, key, classes)]
            if atoms:
                self._atoms[number] = atoms
            for name in {atom.predicate.name for atom in atoms}:
                self._atoms_by_predicate.setdefault(name, []).append(atoms)
        self._indices: dict[int, list[ArenaTerm]] = {}
        self._is_excluded = classes.is_excluded(key)
        for member in classes.members()[key]:
            if isinstance(clause_number := member[0], int):
                self._indices.setdefault(clause_number, []).extend(classes.indices.get(member, ()))

    def found(self) -> Bases | None:
        """Bases that all indices add; None if there are none."""
        if self._is_excluded or not any(self._indices.values()) or not self._indices.keys() <= self._atoms.keys():
            return None
        number = next(number for number, indices in self._indices.items() if indices)
        tried = 0
        for atom in self._atoms[number]:
            for position, argument in enumerate(atom.arguments):
                if self._adds(self._indices[number][0], argument) and tried < MAX_ALTERNATIVES:
                    tried += 1
                    bases = self._extended({atom.predicate.name: position})
                    if bases is not None and self._is_added(bases):
                        return bases
        return None

    def _adds(self, index: ArenaTerm, base: ArenaTerm) -> bool:
        """True if the index is a sum of the base, a variable, and of terms without it."""
        arena = self._arena
        if not arena.is_variable(base) or base not in arena.variables(index):
            return False
        return base not in arena.variables(_difference(arena, index, base))

    def _extended(self, bases: dict[str, int]) -> Bases | None:
        """The bases with those of all other predicates of the class; None if a clause changes the base."""
        pending = list(bases)
        while pending:
            predicate = pending.pop()
            for atoms in self._atoms_by_predicate[predicate]:
                base = next(atom.arguments[bases[predicate]] for atom in atoms if atom.predicate.name == predicate)
                for atom in atoms:
                    if atom.predicate.name not in bases and base in atom.arguments:
                        bases[atom.predicate.name] = atom.arguments.index(base)
                        pending.append(atom.predicate.name)
        is_complete = bases.keys() == self._atoms_by_predicate.keys()
        return bases if is_complete and all(_base(atoms, bases) for atoms in self._atoms.values()) else None

    def _is_added(self, bases: Bases) -> bool:
        return all(
            self._adds(index, base)
            for number, indices in self._indices.items()
            if (base := _base(self._atoms[number], bases)) is not None
            for index in indices
        )


def _has_class(atom: Atom, key: ArrayKey, classes: ArrayClasses) -> bool:
    arrays = (i for i, argument in enumerate(atom.arguments) if classes.arena.is_array(argument))
    return any(classes.find((atom.predicate.name, i)) == key for i in arrays)


def _base(atoms: Sequence[Atom], bases: Bases) -> ArenaTerm | None:
    """The argument at the base of all atoms; None if it is not one and the same."""
    found = {atom.arguments[bases[atom.predicate.name]] for atom in atoms}
    return found.pop() if len(found) == 1 else None


def _difference(arena: Arena, index: ArenaTerm, base: ArenaTerm) -> ArenaTerm:
    return arena.handle(z3.simplify(arena.wrap(index) - arena.wrap(base), som=True))


def _counted_from_bases(
    number: int, clause_row: ArenaClause, classes: ArrayClasses, bases: Mapping[ArrayKey, Bases]
) -> ArenaClause:
    """The clause with the offsets from bases for indices; itself if nothing changes."""
    arena = classes.arena
    table: dict[ArenaTerm, ArenaTerm] = {}
    roots = [clause_row.constraint, *(argument for atom in clause_row.atoms for argument in atom.arguments)]
    for term in array_subterms(arena, roots, classes.array_variables):
        if arena.kind(term) not in (z3.Z3_OP_SELECT, z3.Z3_OP_STORE):
            continue
        key = classes.find((number, arena.children(term)[0]))
        if key in bases:
            base = _base([atom for atom in clause_row.atoms if _has_class(atom, key, classes)], bases[key])
            assert base is not None
            array, index, *values = (arena.wrap(arena.replace(part, table)) for part in arena.children(term))
            offset = z3.simplify(index - arena.wrap(base), som=True)
            changed = z3.Store(array, offset, *values) if values else z3.Select(array, offset)
            table[term] = arena.handle(changed)
    if not table:
        return clause_row

    def replaced(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(arena.replace(argument, table) for argument in atom.arguments))

    head = None if clause_row.head is None else replaced(clause_row.head)
    body = tuple(map(replaced, clause_row.body))
    constraint = arena.replace(clause_row.constraint, table)
    return ArenaClause(head, body, constraint, clause_row.origin, clause_row.name)


@dataclass(frozen=True, eq=False)
class _ArrayBasesBackTranslator:
    """positions: of the arrays that have a base, and of these bases, by predicates."""

    before: HornSystem
    positions: Mapping[Predicate, Mapping[int, int]]

    def model(self, model: Model) -> Model:
        """Of an array a with base b, formulas ask for the cells of the array that has a[b + k] at k."""
        interpretations = {}
        for predicate, positions in self.positions.items():
            arguments = list(predicate.formals)
            for array, base in positions.items():
                k = z3.FreshConst(arguments[base].sort(), "k")
                arguments[array] = z3.Lambda([k], z3.Select(predicate.formals[array], predicate.formals[base] + k))
            formula = model.instantiate(Application(predicate, tuple(arguments)))
            interpretations[predicate] = z3.simplify(formula) if positions else formula
        return Model(interpretations, model.definitions, model.folds)

    def derivation(self, derivation: Derivation) -> Derivation:
        """Arrays whose cells are moved by their bases."""
        steps = []
        for step in steps_of(derivation):
            head = self.before.clauses[step.clause].head
            arguments = list(step.arguments)
            for array, base in ({} if head is None else self.positions[head.predicate]).items():
                arguments[array] = _moved(arguments[array], arguments[base])
            steps.append(Step(step.clause, tuple(arguments), step.premises))
        return Derivation(tuple(steps))


def _moved(array: z3.ExprRef, base: z3.ExprRef) -> z3.ExprRef:
    """The array with a[k] at base + k. TranslationError unless it is written as stores to a constant array."""
    stores = []
    while z3.is_store(array):
        stores.append((array.arg(1), array.arg(2)))
        array = array.arg(0)
    if not z3.is_K(array):
        raise TranslationError("an array of the derivation is not given by its cells")
    for index, value in reversed(stores):
        array = z3.Store(array, z3.simplify(base + index), value)
    return array
