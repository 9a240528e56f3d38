"""Cells of matrices: every array with rows becomes the value of one cell at a symbolic row and column.

P(x, a) is read as: for all k, P'(x, k div c, k mod c, a[k]), with the length c of a's rows. In the clauses over r and q
for row and column, c * i + j = c * r + q is i = r and j = q, if j is a column: no product is left, and no quotient. A
transposed array has the cell c' * q + r, as far as r is one of its columns. Where an index is not known to lead to a
column, the cell is any. As for other cells (cell_morphing.py) a derivation does not come back.
"""

from collections.abc import Iterator, Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES, QUESTION_RESOURCES
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, fold, is_variable, substitute
from chcverify.terms.equation_definitions import definitions_in
from chcverify.transforms.abstractions.array_sums.summands import as_sum, is_cells
from chcverify.transforms.abstractions.row_lengths import Coordinates, Matrices, coordinates
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError

Invariants = Mapping[Predicate, z3.BoolRef]


class MatrixCells:
    """matrices: which arrays have rows; None leaves every system as it is. Other arrays of integers are forgotten.

    invariants: of the system's predicates, inductive together. They say which indices are columns; models get them.
    """

    name = "rows"

    def __init__(self, matrices: Matrices | None, invariants: Invariants) -> None:
        self.matrices, self.invariants = matrices, invariants

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if self.matrices is None:
            return system, Identity()
        changes = {predicate: _MatrixArguments.of(predicate, self.matrices) for predicate in system.predicates}
        if not any(change.matrices for change in changes.values()):
            return system, Identity()
        clauses = tuple(_MatrixClause(clause, changes, self.invariants).clause() for clause in system.clauses)
        after = HornSystem(tuple(changes[predicate].after for predicate in system.predicates), clauses)
        return after, _MatrixBackTranslator(changes, self.invariants)


@dataclass(frozen=True, eq=False)
class _Matrix:
    """The position of an array, the length of its rows over the formals, and whether it is transposed."""

    position: int
    length: z3.ArithRef
    is_transposed: bool

    def turned(self, place: Coordinates) -> Coordinates:
        """From the symbolic row and column to those of this array, or back."""
        return (place[1], place[0]) if self.is_transposed else place


@dataclass(frozen=True, eq=False)
class _MatrixArguments:
    """The change of a predicate: its arguments but for arrays of integers, then row, column and cells, if any."""

    before: Predicate
    after: Predicate
    matrices: tuple[_Matrix, ...]

    @classmethod
    def of(cls, predicate: Predicate, matrices: Matrices) -> "_MatrixArguments":
        """Of an array the row length must be an argument, too."""
        named = dict(zip(predicate.names, predicate.formals, strict=False))
        found = []
        for position, (name, sort) in enumerate(zip(predicate.names, predicate.sorts, strict=False)):
            length = matrices.lengths.get(name)
            if length is not None and is_variable(length):
                argument = named.get(str(length.decl().name()))
                length = argument if isinstance(argument, z3.ArithRef) and z3.is_int(argument) else None
            if is_cells(sort) and length is not None:
                found.append(_Matrix(position, length, name in matrices.transposed))
        if found and all(matrix.is_transposed for matrix in found):
            found = [_Matrix(matrix.position, matrix.length, False) for matrix in found]
        found.sort(key=lambda matrix: matrix.is_transposed)  # the first one gives the column its range
        kept = [i for i, sort in enumerate(predicate.sorts) if not is_cells(sort)]
        count = len(found) + 2 if found else 0
        sorts = (*(predicate.sorts[i] for i in kept), *[z3.IntSort()] * count)
        roles = (*map(predicate.role, kept), *([Role.INDEX] * 2 + [Role.CELL] * len(found) if found else ()))
        given = predicate.argument_names
        names = (*(given[i] for i in kept), *(("row'", "column'") if found else ()))
        names += tuple(f"{given[matrix.position]}[]" for matrix in found)
        after = (
            Predicate(predicate.name, sorts, predicate.origin, names, roles)
            if len(kept) < predicate.arity
            else predicate
        )
        return cls(predicate, after, tuple(found))

    def arguments(
        self, given: Sequence[z3.ExprRef], place: Coordinates, cells: Sequence[z3.ExprRef]
    ) -> tuple[z3.ExprRef, ...]:
        """The new arguments, with these cells."""
        scalars = [argument for argument in given if not is_cells(argument.sort())]
        return (*scalars, *place, *cells) if self.matrices else tuple(scalars)


def _is_column(column: z3.ArithRef, length: z3.ArithRef) -> z3.BoolRef:
    return z3.And(column >= 0, column < length)


class _MatrixClause:
    """One clause. cells: numbers for the cells of array variables, by variable, row and column."""

    def __init__(self, clause: Clause, changes: Mapping[Predicate, _MatrixArguments], known: Invariants) -> None:
        self.before, self.changes = clause, changes
        definitions, rest = definitions_in(conjuncts(clause.constraint), arrays_only=True)
        self.atoms = [
            Application(atom.predicate, tuple(substitute(argument, definitions) for argument in atom.arguments))
            for atom in clause.applications
        ]
        facts = [atom.instance(known[atom.predicate]) for atom in clause.body if atom.predicate in known]
        self.parts = [*facts, *(substitute(part, definitions) for part in rest)]
        self.solver = z3.SimpleSolver()
        self.solver.set("rlimit", QUESTION_RESOURCES)
        self.solver.add(*self.parts)
        self.lengths: dict[int, z3.ArithRef] = {}
        for atom in self.atoms:
            pairs = list(zip(atom.predicate.formals, atom.arguments, strict=True))
            for matrix in changes[atom.predicate].matrices:
                bottom = _bottom(atom.arguments[matrix.position])
                self.lengths.setdefault(bottom.get_id(), substitute(matrix.length, pairs))
        self.cells: dict[tuple[int, int, int], tuple[z3.ExprRef, Coordinates, z3.ArithRef]] = {}
        self._found: dict[tuple[int, int, int], tuple[z3.ArithRef, tuple[z3.ExprRef, ...]]] = {}  # with what it is of
        self._sure: dict[int, tuple[z3.BoolRef, bool]] = {}
        self._values: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}

    def clause(self) -> Clause:
        """The clause over cells."""
        constraint: list[z3.BoolRef] = []
        for part in self.parts:
            formula = self.term(part)
            assert isinstance(formula, z3.BoolRef)
            constraint.append(formula)
        head = None
        if self.before.head is not None:
            head = self._head(self.atoms[-1], constraint)
        body = [new for atom in self.atoms[: len(self.before.body)] for new in self._instances(atom, constraint)]
        entries = list(self.cells.values())
        for i, (array, (row, column), value) in enumerate(entries):
            for other, (p, q), known in entries[:i]:
                same = z3.simplify(z3.And(row == p, column == q))
                if other.eq(array) and not z3.is_false(same):
                    constraint.append(z3.Implies(same, value == known))
        return Clause(head, tuple(body), conjunction(constraint), self.before.origin, self.before.name)

    def _head(self, atom: Application, constraint: list[z3.BoolRef]) -> Application:
        """At any row and column of the first matrix; a transposed one has its cell where the row is a column of it."""
        change = self.changes[atom.predicate]
        place = z3.FreshInt("row"), z3.FreshInt("column")
        pairs = list(zip(atom.predicate.formals, atom.arguments, strict=True))
        cells: list[z3.ExprRef] = []
        for number, matrix in enumerate(change.matrices):
            own, length = matrix.turned(place), substitute(matrix.length, pairs)
            if number == 0:
                constraint.append(_is_column(own[1], length))
                self.solver.add(constraint[-1])
            array = atom.arguments[matrix.position]
            known = self.lengths.get(_bottom(array).get_id())
            value = self.value(array, own) if known is not None and known.eq(length) else z3.FreshInt("any")
            cells.append(z3.If(_is_column(own[1], length), value, z3.FreshInt("any")) if number else value)
        given = [argument if is_cells(argument.sort()) else self.term(argument) for argument in atom.arguments]
        return Application(change.after, change.arguments(given, place, cells))

    def _instances(self, atom: Application, constraint: list[z3.BoolRef]) -> Iterator[Application]:
        """The atom at the rows and columns at which its arrays are read; at any where they are not."""
        change = self.changes[atom.predicate]
        given = [argument if is_cells(argument.sort()) else self.term(argument) for argument in atom.arguments]
        if not change.matrices:
            yield Application(change.after, change.arguments(given, (z3.IntVal(0), z3.IntVal(0)), ()))
            return
        pairs = list(zip(atom.predicate.formals, atom.arguments, strict=True))
        lengths = [substitute(matrix.length, pairs) for matrix in change.matrices]
        if not self._holds(lengths[0] >= 1):  # there may be no column
            return
        places: dict[tuple[int, int], Coordinates] = {}
        for array, read, _ in list(self.cells.values()):
            for matrix in change.matrices:
                if array.eq(atom.arguments[matrix.position]):
                    row, column = matrix.turned(read)
                    places.setdefault((row.get_id(), column.get_id()), (row, column))
        inside = [place for place in places.values() if self._holds(_is_column(place[1], lengths[0]))]
        if not inside:
            inside = [(z3.FreshInt("any"), z3.FreshInt("any"))]
            constraint.append(_is_column(inside[0][1], lengths[0]))
        for place in inside[:MAX_ALTERNATIVES]:
            cells = [self.value(atom.arguments[matrix.position], matrix.turned(place)) for matrix in change.matrices]
            yield Application(change.after, change.arguments(given, place, cells))

    def term(self, term: z3.ExprRef) -> z3.ExprRef:
        """A term of another sort than arrays, with numbers for reads."""

        def visit(part: z3.ExprRef, below: list[z3.ExprRef]) -> z3.ExprRef:
            if z3.is_select(part) and is_cells(part.arg(0).sort()):
                return self._read(part.arg(0), below[1])
            if not below or not z3.is_app(part) or all(a.eq(b) for a, b in zip(below, part.children(), strict=True)):
                return part
            changed: z3.ExprRef = part.decl()(*below)
            return changed

        if term.get_id() not in self._values:
            self._values[term.get_id()] = term, fold(term, visit)
        return self._values[term.get_id()][1]

    def _read(self, array: z3.ExprRef, index: z3.ExprRef) -> z3.ArithRef:
        place = self._row_and_column(array, index)
        return z3.FreshInt("any") if place is None else self.value(array, place)

    def _row_and_column(self, array: z3.ExprRef, index: z3.ExprRef) -> Coordinates | None:
        """The row and column of an index; None if the array has no rows, or that is no column for sure."""
        length = self.lengths.get(_bottom(array).get_id())
        if length is None or not isinstance(index, z3.ArithRef):
            return None
        place = coordinates(index, length)
        return place if self._holds(_is_column(place[1], length)) else None

    def value(self, array: z3.ExprRef, place: Coordinates) -> z3.ArithRef:
        """The cell of an array at a row and column of it, the latter less than the length of its rows."""
        key = array.get_id(), place[0].get_id(), place[1].get_id()
        if key not in self._found:
            self._found[key] = self._computed(array, place), (array, *place)
        return self._found[key][0]

    def _computed(self, array: z3.ExprRef, place: Coordinates) -> z3.ArithRef:
        """What the last store there wrote, else the cell below the stores; any below one that may be anywhere."""
        stores: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        value: z3.ArithRef | None = None
        while value is None and z3.is_app_of(array, z3.Z3_OP_STORE):
            base, index, stored = array.children()
            written = self._row_and_column(array, self.term(index))
            if written is None:
                value = z3.FreshInt("any")
            else:
                here = z3.simplify(z3.And(written[0] == place[0], written[1] == place[1]))
                stores.append((here, self.term(stored)))
                array = base
        if value is None:
            value = self._below_stores(array, place)
        for condition, cell in reversed(stores):
            value = _choice(condition, cell, value)
        return value

    def _below_stores(self, array: z3.ExprRef, place: Coordinates) -> z3.ArithRef:
        if z3.is_app_of(array, z3.Z3_OP_ITE):
            condition, yes, no = array.children()
            return _choice(self.term(condition), self.value(yes, place), self.value(no, place))
        if z3.is_app_of(array, z3.Z3_OP_CONST_ARRAY):
            stored = self.term(array.arg(0))
            assert isinstance(stored, z3.ArithRef)
            return stored
        if not is_variable(array):
            return z3.FreshInt("any")
        row, column = as_sum(place[0]), as_sum(place[1])
        key = array.get_id(), row.get_id(), column.get_id()
        if key not in self.cells:
            self.cells[key] = array, (row, column), z3.FreshInt("cell")
        return self.cells[key][2]

    def _holds(self, formula: z3.BoolRef) -> bool:
        """Does the clause's constraint imply the formula, for sure?"""
        key = formula.get_id()
        if key not in self._sure:
            # constraint & invariants of the body & ~formula
            self._sure[key] = formula, self.solver.check(z3.Not(formula)) == z3.unsat
        return self._sure[key][1]


def _choice(condition: z3.ExprRef, yes: z3.ExprRef, no: z3.ExprRef) -> z3.ArithRef:
    if z3.is_true(condition) or z3.is_false(condition):
        chosen = yes if z3.is_true(condition) else no
    else:
        chosen = z3.If(condition, yes, no)
    assert isinstance(chosen, z3.ArithRef)
    return chosen


def _bottom(array: z3.ExprRef) -> z3.ExprRef:
    """The array below stores, and the first one of choices."""
    while z3.is_app_of(array, z3.Z3_OP_STORE) or z3.is_app_of(array, z3.Z3_OP_ITE):
        array = array.arg(0 if z3.is_app_of(array, z3.Z3_OP_STORE) else 1)
    return array


@dataclass(frozen=True, eq=False)
class _MatrixBackTranslator:
    changes: Mapping[Predicate, _MatrixArguments]
    invariants: Invariants

    def model(self, model: Model) -> Model:
        """P(x, a) is the invariant and, for all k, P' at k's row and column."""
        return Model({predicate: self._formula(change, model) for predicate, change in self.changes.items()})

    def _formula(self, change: _MatrixArguments, model: Model) -> z3.BoolRef:
        invariant = self.invariants.get(change.before, z3.BoolVal(True))
        formals, k = change.before.formals, z3.Int("k!0")
        if not change.matrices:
            plain = change.arguments(formals, (z3.IntVal(0), z3.IntVal(0)), ())
            return conjunction([invariant, model.instantiate(Application(change.after, plain))])
        first, *others = change.matrices
        place = k / first.length, k % first.length
        cells: list[z3.ExprRef] = [z3.Select(formals[first.position], k)]
        inside = []
        for matrix in others:
            row, column = matrix.turned(place)
            if matrix.is_transposed or not matrix.length.eq(first.length):
                inside.append(_is_column(column, matrix.length))
                index = matrix.length * row + column
            else:
                index = k
            cells.append(z3.Select(formals[matrix.position], index))
        formula = model.instantiate(Application(change.after, change.arguments(formals, place, cells)))
        return conjunction([invariant, z3.ForAll([k], z3.Implies(conjunction(inside), formula) if inside else formula)])

    def derivation(self, derivation: Derivation) -> Derivation:
        raise TranslationError("a derivation over cells of matrices need not be one over arrays")
