"""Sentinels: an array that loops read up to a sentinel, such as the 0 of a string, becomes positions of the sentinel.

P(x, a) is read as: there are k and l with P'(x, k, l), where a[k] and a[l] are the sentinel; a negative number stands
for no position. A loop that reads up to the sentinel stays below k, so that its bounds are a matter of linear
arithmetic. In each clause the positions for an array of the head follow from the body's and from what the clause stores
and reads. Where the array is one of the body, its k stays, and l is where the clause must have read the sentinel, if
it must. Else they are the first of these places where the array of the head holds the sentinel:

    k: the body's; where the clause stores, the last store first; where it reads.
    l: where the clause stores, the last store first; where it must have read the sentinel; the body's; where it reads.

What a program writes into a string does not change k; the end of a string that grows, and that which `strlen` has
found, is l. Both are functions: hence if P' is a model of the new clauses, the formula with "there are" is one of the
old ones. The new clauses may derive more, for they forget all other cells of these arrays: a derivation does not come
back.

The end of a string as a number of its own is from Dor, Rodeh, Sagiv: CSSV (PLDI 2003); cells in place of arrays are
from Monniaux, Gonnord: Cell morphing (SAS 2016), there at all indices and not at one that exists.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, is_variable, substitute, subterms
from chcverify.terms.core.unionfind import UnionFind
from chcverify.terms.equation_definitions import definitions_in
from chcverify.transforms.abstractions.array_sums.summands import is_cells
from chcverify.transforms.abstractions.cell_morphing import push_reads, replaced, without_reads
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError

NOWHERE = z3.IntVal(-1)
"""The position if no cell is known to hold the sentinel. Cells at negative indices are not looked at."""


class Position(Enum):
    """The positions of an array. The values are the names for people."""

    KEPT = "kept"
    """Where the sentinel was first, as long as it is there."""
    LAST = "last"
    """Where the sentinel was stored or read last."""


class SentinelPositions:
    """Replaces arrays of integers that loops read up to a sentinel by positions of the sentinel."""

    name = "sentinels"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        """The sentinel is the first such number: 0, then those that most loops compare cells with. Loops are clauses
        from a predicate to itself, as in reduced systems; without a loop up to a sentinel nothing changes."""
        found = _sentinel_of_loops(system)
        if found is None:
            return system, Identity()
        plain = [_plain(clause) for clause in system.clauses]
        arrays = _arrays_like(found.arrays, plain)
        changes = {predicate: _PositionArguments.of(predicate, arrays) for predicate in system.predicates}
        clauses = tuple(_PositionClause(clause, changes, found.number).clause() for clause in plain)
        changed = HornSystem(tuple(changes[predicate].after for predicate in system.predicates), clauses)
        return changed, _SentinelBackTranslator(changes, found.number)


def has_sentinels(system: HornSystem) -> bool:
    """True if a loop of the reduced system reads an array of integers up to a sentinel."""
    return _sentinel_of_loops(system) is not None


def _plain(clause: Clause) -> Clause:
    """The clause without equations that define arrays, where what stores and choices hold is read from variables."""
    definitions, rest = definitions_in(conjuncts(clause.constraint), arrays_only=True)
    constraint = conjunction([push_reads(substitute(part, definitions)) for part in rest])
    head = None if clause.head is None else replaced(clause.head, definitions)
    body = tuple(replaced(atom, definitions) for atom in clause.body)
    return Clause(head, body, constraint, clause.origin, clause.name)


def _terms_of(clause: Clause) -> Iterator[z3.ExprRef]:
    """The subterms of the constraint and the arguments."""
    return subterms(clause.constraint, *(argument for atom in clause.applications for argument in atom.arguments))


def _is_cell(term: z3.ExprRef) -> bool:
    """True for the cell of a variable that is an array of integers."""
    return bool(z3.is_select(term) and is_cells(term.arg(0).sort()) and is_variable(term.arg(0)))


_ArrayVariable = tuple[int, int]
"""The number of a clause, and the id of a variable in it."""
_Argument = tuple[str, int]
"""The name of a predicate and a position."""


@dataclass(frozen=True, eq=False)
class _Sentinel:
    """A sentinel, and arrays that loops read up to it."""

    number: z3.IntNumRef
    arrays: frozenset[_ArrayVariable]


@dataclass(frozen=True, eq=False)
class _Test:
    """A condition on one cell of an array."""

    condition: z3.BoolRef
    cell: z3.ExprRef

    def excludes(self, sentinel: z3.IntNumRef) -> bool:
        """True if the cell is not the sentinel where the condition holds."""
        return z3.is_false(z3.simplify(substitute(self.condition, [(self.cell, sentinel)])))

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers in equations of the condition."""
        sides = [side for term in subterms(self.condition) if z3.is_eq(term) for side in term.children()]
        return frozenset(side.as_long() for side in sides if z3.is_int_value(side))


def _tests(clause: Clause) -> list[_Test]:
    """The conjuncts that are about one cell."""
    cells = [(part, list(filter(_is_cell, subterms(part)))) for part in conjuncts(clause.constraint)]
    return [_Test(part, found[0]) for part, found in cells if len(found) == 1]


def _sentinel_of_loops(system: HornSystem) -> _Sentinel | None:
    """The first number up to which a loop reads an array; None without one, and where clauses have binders.

    Each round of the loop must read a cell that is not this number, but not each a cell that is one other number: that
    is no search for a sentinel, and a matter of all cells.
    """
    loops: dict[Predicate, dict[int, list[_Test]]] = {}
    for number, clause in enumerate(system.clauses):
        if clause.head is not None and any(atom.predicate == clause.head.predicate for atom in clause.body):
            loops.setdefault(clause.head.predicate, {})[number] = _tests(_plain(clause))
    searches = [tests for tests in loops.values() if all(tests.values())]
    if not searches or any(z3.is_quantifier(term) for clause in system.clauses for term in _terms_of(clause)):
        return None
    tally = Counter(n for tests in searches for own in tests.values() for test in own for n in test.numbers)
    numbers = dict.fromkeys((0, *(number for number, _ in tally.most_common(MAX_ALTERNATIVES))))
    for sentinel in map(z3.IntVal, numbers):
        arrays = frozenset(array for tests in searches for array in _read_up_to(sentinel, tests))
        if arrays:
            return _Sentinel(sentinel, arrays)
    return None


def _read_up_to(sentinel: z3.IntNumRef, tests: Mapping[int, Sequence[_Test]]) -> Iterator[_ArrayVariable]:
    """The arrays that a loop reads up to the sentinel. tests: of its clauses, by their numbers."""
    found = {number: [test for test in own if test.excludes(sentinel)] for number, own in tests.items()}
    is_fixed = all(z3.is_eq(test.condition) for own in found.values() for test in own)
    if all(found.values()) and not is_fixed:
        yield from ((number, test.cell.arg(0).get_id()) for number, own in found.items() for test in own)


def _arrays_like(arrays: Iterable[_ArrayVariable], clauses: Sequence[Clause]) -> frozenset[_Argument]:
    """The arguments that may be one of these arrays, before or after stores."""
    classes: UnionFind[_Argument | _ArrayVariable] = UnionFind()
    arguments: dict[_Argument, None] = {}
    for number, clause in enumerate(clauses):
        for atom in clause.applications:
            for position, argument in enumerate(atom.arguments):
                if is_cells(argument.sort()):
                    arguments[atom.predicate.name, position] = None
                    for variable in filter(is_variable, _array_terms(argument)):
                        classes.union((atom.predicate.name, position), (number, variable.get_id()))
    wanted = {classes.find(array) for array in arrays}
    return frozenset(argument for argument in arguments if classes.find(argument) in wanted)


def _array_terms(array: z3.ExprRef) -> list[z3.ExprRef]:
    """What an array is made of by stores and choices, each once and before what is made of it."""
    found: dict[int, z3.ExprRef] = {}
    work = [(array, False)]
    while work:
        term, is_ready = work.pop()
        if is_ready:
            found[term.get_id()] = term
        elif term.get_id() not in found:
            work.append((term, True))
            work += [(below, False) for below in _below(term)]
    return list(found.values())


def _below(array: z3.ExprRef) -> list[z3.ExprRef]:
    """The array that a store changes, those of a choice; none for others."""
    if z3.is_store(array):
        return [array.arg(0)]
    return list(array.children()[1:]) if z3.is_app_of(array, z3.Z3_OP_ITE) else []


@dataclass(frozen=True, eq=False)
class _PositionArguments:
    """The change of a predicate: its arguments without some arrays, then the positions for each of these."""

    before: Predicate
    after: Predicate
    kept: tuple[int, ...]
    """The arguments before that stay."""
    arrays: tuple[int, ...]
    """Those that are replaced."""

    @classmethod
    def of(cls, predicate: Predicate, arrays: frozenset[_Argument]) -> "_PositionArguments":
        replaced = tuple(i for i in range(predicate.arity) if (predicate.name, i) in arrays)
        if not replaced:
            return cls(predicate, predicate, tuple(range(predicate.arity)), ())
        kept = tuple(i for i in range(predicate.arity) if i not in replaced)
        given = predicate.argument_names
        positions = [f"{position.value} end of {given[i]}" for i in replaced for position in Position]
        sorts = (*(predicate.sorts[i] for i in kept), *[z3.IntSort()] * len(positions))
        roles = (*map(predicate.role, kept), *[Role.SCALAR] * len(positions))
        names = (*(given[i] for i in kept), *positions)
        return cls(predicate, Predicate(predicate.name, sorts, predicate.origin, names, roles), kept, replaced)

    def application(self, given: Sequence[z3.ExprRef], positions: Sequence[z3.ExprRef]) -> Application:
        """The new atom for the arguments of the old one, with these positions."""
        return Application(self.after, (*(given[i] for i in self.kept), *positions))


class _PositionClause:
    """One clause over positions: the new atoms, and the conjuncts that its parts, reads and positions add up to.

    plain: the clause over arrays, as of `_plain`.
    """

    def __init__(self, plain: Clause, changes: Mapping[Predicate, _PositionArguments], sentinel: z3.IntNumRef) -> None:
        self.plain, self.changes, self.sentinel = plain, changes, sentinel
        self._parts = conjuncts(plain.constraint)
        self._known: dict[int, dict[Position, z3.ArithRef]] = {}
        """The positions that the body gives, by the ids of array variables."""
        self.body = tuple(self._body_atom(atom) for atom in plain.body)
        self._cells = list(filter(_is_cell, _terms_of(plain)))
        """What the clause reads."""
        self._held = list(_held(self._parts, sentinel))
        """Those of them that the constraint equates with the sentinel."""
        self._parts += self._read_sentinels()
        self.head = None if plain.head is None else self._head_atom(plain.head)

    def _body_atom(self, atom: Application) -> Application:
        change = self.changes[atom.predicate]
        positions: list[z3.ArithRef] = []
        for i in change.arrays:
            own = {position: z3.FreshInt("end") for position in Position}
            positions += own.values()
            if is_variable(atom.arguments[i]):
                self._known.setdefault(atom.arguments[i].get_id(), own)
        return change.application(atom.arguments, positions)

    def _read_sentinels(self) -> Iterator[z3.BoolRef]:
        """What is read at the body's positions is the sentinel."""
        for cell in self._cells:
            array, place = cell.children()
            for position in self._known.get(array.get_id(), {}).values():
                yield z3.Implies(z3.And(place == position, position >= 0), cell == self.sentinel)

    def _head_atom(self, atom: Application) -> Application:
        change = self.changes[atom.predicate]
        arrays = [atom.arguments[i] for i in change.arrays]
        positions = [self._position(array, position) for array in arrays for position in Position]
        return change.application(atom.arguments, positions)

    def _position(self, array: z3.ExprRef, position: Position) -> z3.ArithRef:
        terms = _array_terms(array)
        bases = [term.get_id() for term in terms if is_variable(term)]
        known, held = self._known.get(array.get_id()), _first_indices(self._held, bases)
        if known is not None and (position is Position.KEPT or not held):
            return known[position]
        before = [self._known[base][position] for base in bases if base in self._known]
        stored = [term.arg(1) for term in reversed(terms) if z3.is_store(term)][:MAX_ALTERNATIVES]
        ordered = [*before, *stored] if position is Position.KEPT else [*stored, *held, *before]
        new = z3.FreshInt("end")
        self._parts.append(new == self._first(terms, [*ordered, *_first_indices(self._cells, bases)]))
        return new

    def _first(self, terms: Sequence[z3.ExprRef], places: Iterable[z3.ArithRef]) -> z3.ArithRef:
        """The first of the places where an array holds the sentinel, else NOWHERE. terms: what it is made of."""
        found: z3.ArithRef = NOWHERE
        for place in reversed(list({place.get_id(): place for place in places}.values())):
            found = z3.If(z3.And(place >= 0, self._holds(terms, place)), place, found)
        return found

    def _holds(self, terms: Sequence[z3.ExprRef], place: z3.ArithRef) -> z3.BoolRef:
        """Does the last of these arrays, of which it is made, hold the sentinel at a place that is not negative?"""
        holds: dict[int, z3.BoolRef] = {}
        for array in terms:
            below = [holds[term.get_id()] for term in _below(array)]
            if z3.is_store(array):
                found = z3.If(place == array.arg(1), array.arg(2) == self.sentinel, below[0])
            elif below:
                found = z3.If(array.arg(0), below[0], below[1])
            elif any(place.eq(position) for position in self._known.get(array.get_id(), {}).values()):
                found = z3.BoolVal(True)
            else:
                found = z3.Select(array, place) == self.sentinel
            holds[array.get_id()] = found
        return holds[terms[-1].get_id()]

    def clause(self) -> Clause:
        """The clause, without array variables that are only read."""
        head = None if self.head is None else _with_reads_pushed(self.head)
        body = tuple(map(_with_reads_pushed, self.body))
        constraint = push_reads(conjunction(self._parts))
        return without_reads(Clause(head, body, constraint, self.plain.origin, self.plain.name))


def _held(parts: Iterable[z3.BoolRef], sentinel: z3.IntNumRef) -> Iterator[z3.ExprRef]:
    """The cells that are the sentinel by an equation among the parts."""
    for left, right in (part.children() for part in parts if z3.is_eq(part)):
        yield from (one for one, other in ((left, right), (right, left)) if other.eq(sentinel) and _is_cell(one))


def _first_indices(cells: Iterable[z3.ExprRef], arrays: Collection[int]) -> list[z3.ArithRef]:
    """The indices of the first cells of some arrays, which are given by their ids."""
    return [cell.arg(1) for cell in cells if cell.arg(0).get_id() in arrays][:MAX_ALTERNATIVES]


def _with_reads_pushed(atom: Application) -> Application:
    return Application(atom.predicate, tuple(map(push_reads, atom.arguments)))


@dataclass(frozen=True, eq=False)
class _SentinelBackTranslator:
    changes: Mapping[Predicate, _PositionArguments]
    sentinel: z3.IntNumRef

    def model(self, model: Model) -> Model:
        """P(x, a) is: there are positions with P'(x, positions) where a holds the sentinel, or that are NOWHERE."""
        return Model({predicate: self._formula(change, model) for predicate, change in self.changes.items()})

    def _formula(self, change: _PositionArguments, model: Model) -> z3.BoolRef:
        formals = change.before.formals
        positions = [z3.Int(f"k!{i}") for i in range(len(change.arrays) * len(Position))]
        arrays = [formals[array] for array in change.arrays for _ in Position]
        formula = z3.simplify(model.instantiate(change.application(formals, positions)))
        used = {variable.get_id() for variable in free_variables(formula)}
        bound = [(k, array) for k, array in zip(positions, arrays, strict=True) if k.get_id() in used]
        ids = {k.get_id() for k, _ in bound}
        parts = [(part, ids.isdisjoint(v.get_id() for v in free_variables(part))) for part in conjuncts(formula)]
        outside = [part for part, is_outside in parts if is_outside]
        inside = [part for part, is_outside in parts if not is_outside]
        inside += [z3.Or(k < 0, z3.Select(array, k) == self.sentinel) for k, array in bound]
        return conjunction([*outside, z3.Exists([k for k, _ in bound], conjunction(inside))]) if bound else formula

    def derivation(self, derivation: Derivation) -> Derivation:
        """TranslationError: the new clauses may derive more."""
        raise TranslationError("a derivation over positions of a sentinel need not be one over arrays")
