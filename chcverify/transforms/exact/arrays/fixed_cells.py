"""Fixed cells: arrays that are read and written at few numbers only become one argument for each of these cells.

Such as blocks of memory whose addresses are known, once constants are propagated: `int *s = malloc(sizeof *s)`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, Identity, steps_of
from chcverify.transforms.exact.arrays.array_classes import ArrayClasses, ArrayKey, array_subterms
from chcverify.transforms.grounding import some_model


class FixedCells:
    """Replaces arrays by their cells where all indices are numerals. Best on solved clauses without constants.

    Terms and arguments that may stand for one array, or for it before and after stores, are a class: P(a) and
    b = store(a, 7, v) => Q(b), for example. All of a class are replaced, or none. What the cells at other indices hold
    matters nowhere, so a derivation comes back with the same value in all of them.
    """

    name = "fixed cells"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not system.has_arrays:
            return system, Identity()
        work = work or PassContext(system)
        clause_rows = work.clause_rows(system.clauses)
        accesses = _NumberedAccesses(work.arena, clause_rows)
        changes = {predicate: _ArrayChange.of(predicate, accesses) for predicate in system.predicates}
        if all(change.after is change.before for change in changes.values()):
            return system, Identity()
        rewritten = [_CellRewriting(number, row, accesses, changes).row() for number, row in enumerate(clause_rows)]
        triples = zip(system.clauses, clause_rows, rewritten, strict=True)
        clauses = tuple(clause if a is b else work.clause(b) for clause, a, b in triples)
        result = HornSystem(tuple(changes[predicate].after for predicate in system.predicates), clauses)
        return result, _FixedCellsBackTranslator(system, changes)


@dataclass(frozen=True, eq=False)
class _NumberedCells:
    """The cells of a class of arrays: their indices, and a value for all others."""

    indices: tuple[ArenaTerm, ...]
    otherwise: ArenaTerm | None


class _NumberedAccesses:
    """The cells of each class of arrays."""

    def __init__(self, arena: Arena, clause_rows: Sequence[ArenaClause]) -> None:
        self.arena = arena
        self.classes = ArrayClasses(arena, clause_rows)
        self._cells = {key: self._of_class(members) for key, members in self.classes.members().items()}

    def cells(self, key: ArrayKey) -> _NumberedCells | None:
        """The cells of an array argument or term, in the order of their indices; None if it stays an array."""
        if self.classes.is_excluded(key):
            return None
        return self._cells.get(self.classes.find(key), _NumberedCells((), None))

    def _of_class(self, members: Sequence[ArrayKey]) -> _NumberedCells | None:
        arena, classes = self.arena, self.classes
        indices = list(dict.fromkeys(index for key in members for index in classes.indices.get(key, ())))
        values = list(dict.fromkeys(value for key in members for value in classes.constants.get(key, ())))
        is_numbered = all(arena.kind(index) in (z3.Z3_OP_ANUM, z3.Z3_OP_BNUM) for index in indices)
        is_filled_once = not values or (len(values) == 1 and arena.is_value(values[0]))
        if not is_numbered or not is_filled_once or len(indices) > MAX_ALTERNATIVES:
            return None
        indices.sort(key=lambda index: int(arena.wrap(index).as_long()))
        return _NumberedCells(tuple(indices), values[0] if values else None)

    def replaced(self, number: int, roots: Iterable[ArenaTerm]) -> set[ArenaTerm]:
        """The array variables of a clause that do not stay arrays."""
        variables = self.classes.array_variables & set().union(*map(self.arena.variables, roots))
        return {variable for variable in variables if self.cells((number, variable)) is not None}


@dataclass(frozen=True, eq=False)
class _ArrayChange:
    """A predicate before and after.

    indices: of the cells of each array that is replaced, by its position.
    otherwise: what all its other cells hold, if that is known.
    """

    before: Predicate
    after: Predicate
    indices: Mapping[int, tuple[z3.ExprRef, ...]]
    otherwise: Mapping[int, z3.ExprRef]

    @classmethod
    def of(cls, predicate: Predicate, accesses: _NumberedAccesses) -> "_ArrayChange":
        """The change of the predicate; the predicate itself after it if nothing changes."""
        cells = {
            i: found
            for i, sort in enumerate(predicate.sorts)
            if isinstance(sort, z3.ArraySortRef) and (found := accesses.cells((predicate.name, i))) is not None
        }
        if not cells:
            return cls(predicate, predicate, {}, {})
        wrap = accesses.arena.wrap
        indices = {i: tuple(map(wrap, found.indices)) for i, found in cells.items()}
        otherwise = {i: wrap(found.otherwise) for i, found in cells.items() if found.otherwise is not None}
        sorts: list[z3.SortRef] = []
        names: list[str] = []
        roles: list[Role] = []
        for i, name in enumerate(predicate.argument_names):
            sort, role, given = predicate.sorts[i], predicate.role(i), indices.get(i)
            if given is None:
                sorts, names, roles = [*sorts, sort], [*names, name], [*roles, role]
            else:
                sorts += [sort.range()] * len(given)
                names += [f"{name}[{index}]" for index in given]
                roles += [Role.SCALAR if role == Role.ARRAY else role] * len(given)
        after = Predicate(predicate.name, tuple(sorts), predicate.origin, tuple(names), tuple(roles), predicate.copy_of)
        return cls(predicate, after, indices, otherwise)


def _any_value(sort: z3.SortRef) -> z3.ExprRef:
    value: z3.ExprRef = some_model().eval(z3.Const("any", sort), model_completion=True)
    return value


class _CellRewriting:
    """One clause: the cells of each array term, from the inside out."""

    def __init__(
        self,
        number: int,
        clause_row: ArenaClause,
        accesses: _NumberedAccesses,
        changes: Mapping[Predicate, _ArrayChange],
    ) -> None:
        self._arena = accesses.arena
        self._number, self._clause_row, self._accesses, self._changes = number, clause_row, accesses, changes
        self._cells: dict[ArenaTerm, tuple[ArenaTerm, ...]] = {}
        self._table: dict[ArenaTerm, ArenaTerm] = {}

    def row(self) -> ArenaClause:
        """The clause over cells; itself if it has none of the arrays."""
        arena, given = self._arena, self._clause_row
        if not any(self._changes[atom.predicate].indices for atom in given.atoms):
            return given
        roots = [given.constraint, *(argument for atom in given.atoms for argument in atom.arguments)]
        for term in array_subterms(arena, roots, self._accesses.replaced(self._number, roots)):
            self._visit(term)
        constraint = arena.replace(given.constraint, self._table)
        atoms = [self._atom(atom) for atom in given.atoms]
        head = None if given.head is None else atoms.pop()
        return ArenaClause(head, tuple(atoms), constraint, given.origin, given.name)

    def _visit(self, term: ArenaTerm) -> None:
        arena = self._arena
        kind, below = arena.kind(term), arena.children(term)
        if kind == z3.Z3_OP_SELECT and (of := self._cells_of(below[0])) is not None:
            self._table[term] = self._cells[below[0]][of.indices.index(below[1])]
        elif kind == z3.Z3_OP_EQ and arena.is_array(below[0]) and self._cells_of(below[0]) is not None:
            pairs = zip(self._cells[below[0]], self._cells[below[1]], strict=True)
            self._table[term] = arena.conjunction(arena.equation(left, right) for left, right in pairs)
        elif arena.is_array(term) and (of := self._cells_of(term)) is not None:
            self._cells[term] = tuple(self._array_cells(term, kind, below, of))

    def _cells_of(self, term: ArenaTerm) -> _NumberedCells | None:
        return self._accesses.cells((self._number, term))

    def _array_cells(
        self, term: ArenaTerm, kind: int, below: Sequence[ArenaTerm], of: _NumberedCells
    ) -> Iterator[ArenaTerm]:
        arena = self._arena
        parts = [arena.replace(part, self._table) for part in below]
        for i, index in enumerate(of.indices):
            if kind == z3.Z3_OP_STORE:
                yield parts[2] if below[1] == index else self._cells[below[0]][i]
            elif kind == z3.Z3_OP_ITE:
                yield arena.ite(parts[0], self._cells[below[1]][i], self._cells[below[2]][i])
            elif kind == z3.Z3_OP_CONST_ARRAY:
                yield parts[0]
            else:
                yield arena.fresh_like(b"cell", arena.select(term, index))

    def _atom(self, atom: Atom) -> Atom:
        change = self._changes[atom.predicate]
        arguments: list[ArenaTerm] = []
        for i, argument in enumerate(atom.arguments):
            arguments += self._cells[argument] if i in change.indices else [self._arena.replace(argument, self._table)]
        return Atom(change.after, tuple(arguments))


@dataclass(frozen=True, eq=False)
class _FixedCellsBackTranslator:
    before: HornSystem
    changes: Mapping[Predicate, _ArrayChange]

    def model(self, model: Model) -> Model:
        """The cells in the formulas are those of the arrays."""
        interpretations = {}
        for predicate, change in self.changes.items():
            arguments: list[z3.ExprRef] = []
            for i, formal in enumerate(predicate.formals):
                indices = change.indices.get(i)
                arguments += [formal] if indices is None else [z3.Select(formal, index) for index in indices]
            interpretations[predicate] = model.instantiate(Application(change.after, tuple(arguments)))
        return Model(interpretations, model.definitions, model.folds)

    def derivation(self, derivation: Derivation) -> Derivation:
        """Arrays with the same value in all cells but these."""
        steps = []
        for step in steps_of(derivation):
            head = self.before.clauses[step.clause].head
            arguments = () if head is None else self._arguments(self.changes[head.predicate], step.arguments)
            steps.append(Step(step.clause, arguments, step.premises))
        return Derivation(tuple(steps))

    def _arguments(self, change: _ArrayChange, given: Sequence[z3.ExprRef]) -> tuple[z3.ExprRef, ...]:
        values = iter(given)
        arguments = []
        for i, sort in enumerate(change.before.sorts):
            indices = change.indices.get(i)
            if indices is None:
                arguments.append(next(values))
                continue
            assert isinstance(sort, z3.ArraySortRef)
            otherwise = change.otherwise.get(i)
            array: z3.ExprRef = z3.K(sort.domain(), _any_value(sort.range()) if otherwise is None else otherwise)
            for index in indices:
                array = z3.Store(array, index, next(values))
            arguments.append(array)
        return tuple(arguments)
