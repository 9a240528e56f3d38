"""Array bases: where all accesses add one argument to their index, indices are counted from this argument.

P(b, i, a) & a' = store(a, b + i, 0) => P(b, i + 1, a') becomes P(b, i, c) & c' = store(c, i, 0) => P(b, i + 1, c'),
with c[k] = a[b + k]. An index that was an address and an offset is the offset: what is known of the cells that a loop
has written relates two numbers, not three.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, Identity
from chcverify.transforms.exact.arrays.array_classes import ArrayClasses, ArrayKey
from chcverify.transforms.exact.arrays.moved_cells import Address, MovedCells, with_moved_cells

Bases = Mapping[str, int]
"""The position of the argument that indices are counted from, by the names of predicates."""
ClassAtoms = Mapping[int, Sequence[Atom]]
"""The atoms that have arrays of a class, by the numbers of their clauses."""
_SORTS_WITH_SUMS = (z3.Z3_INT_SORT, z3.Z3_REAL_SORT, z3.Z3_BV_SORT)


class ArrayBases:
    """Counts the indices of an array from an argument that is the same in all atoms of a clause that have the array.

    Any such argument would do: an array and a base stand for one array that begins at 0, and for no other.
    """

    name = "array bases"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not system.has_arrays:
            return system, Identity()
        work = work or PassContext(system)
        clause_rows = work.clause_rows(system.clauses)
        classes = ArrayClasses(work.arena, clause_rows)
        atoms = _atoms_by_class(classes, clause_rows)
        bases = {
            key: found
            for key, members in classes.members().items()
            if key in atoms and not classes.is_excluded(key)
            if (found := _ClassBases(classes, members, atoms[key]).found())
        }
        if not bases:
            return system, Identity()

        def offset(number: int, key: ArrayKey, index: ArenaTerm) -> ArenaTerm | None:
            if key not in bases:
                return None
            base = _base(atoms[key][number], bases[key])
            assert base is not None
            return _difference(work.arena, index, base)

        after = with_moved_cells(system, work, classes, offset)
        return after, MovedCells(system, {p: dict(_addresses(p, classes, bases)) for p in system.predicates})


def _addresses(
    predicate: Predicate, classes: ArrayClasses, bases: Mapping[ArrayKey, Bases]
) -> Iterator[tuple[int, Address]]:
    """The positions of the predicate's arrays that have a base, and the sums of this base and an offset."""
    for position, sort in enumerate(predicate.sorts):
        of = bases.get(classes.find((predicate.name, position))) if isinstance(sort, z3.ArraySortRef) else None
        if of is not None:
            yield position, partial(_sum, of[predicate.name])


def _sum(base: int, arguments: Sequence[z3.ExprRef], offset: z3.ExprRef) -> z3.ExprRef:
    found: z3.ExprRef = arguments[base] + offset
    return found


class _ClassBases:
    """The search for the bases of one class of arrays: an argument that an index adds, and its equals elsewhere."""

    def __init__(self, classes: ArrayClasses, members: Sequence[ArrayKey], atoms: ClassAtoms) -> None:
        self._arena = classes.arena
        self._atoms = atoms
        self._atoms_by_predicate: dict[str, list[Sequence[Atom]]] = {}
        for own in atoms.values():
            for name in {atom.predicate.name for atom in own}:
                self._atoms_by_predicate.setdefault(name, []).append(own)
        self._indices: dict[int, list[ArenaTerm]] = {}
        for member in members:
            if isinstance(number := member[0], int):
                self._indices.setdefault(number, []).extend(classes.indices.get(member, ()))

    def found(self) -> Bases | None:
        """Bases that all indices add; None if there are none."""
        if not any(self._indices.values()) or not self._indices.keys() <= self._atoms.keys():
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
        sort = arena.wrap(index).sort()
        if sort != arena.wrap(base).sort() or sort.kind() not in _SORTS_WITH_SUMS:
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


def _atoms_by_class(classes: ArrayClasses, clause_rows: Sequence[ArenaClause]) -> Mapping[ArrayKey, ClassAtoms]:
    """The atoms that have arrays of each class."""
    found: dict[ArrayKey, dict[int, list[Atom]]] = {}
    for number, clause_row in enumerate(clause_rows):
        for atom in clause_row.atoms:
            arrays = (i for i, argument in enumerate(atom.arguments) if classes.arena.is_array(argument))
            for key in {classes.find((atom.predicate.name, i)) for i in arrays}:
                found.setdefault(key, {}).setdefault(number, []).append(atom)
    return found


def _base(atoms: Sequence[Atom], bases: Bases) -> ArenaTerm | None:
    """The argument at the base of all atoms; None if it is not one and the same."""
    found = {atom.arguments[bases[atom.predicate.name]] for atom in atoms}
    return found.pop() if len(found) == 1 else None


def _difference(arena: Arena, index: ArenaTerm, base: ArenaTerm) -> ArenaTerm:
    return arena.handle(z3.simplify(arena.wrap(index) - arena.wrap(base), som=True))
