"""Sentinels: an array that loops read up to a sentinel, such as the 0 of a string, becomes positions of the sentinel.

P(x, a) is read as: there are k and l with P'(x, k, l), where a[k] and a[l] are the sentinel unless k or l is NOWHERE.
A loop that reads up to the sentinel stays below k, so that its bounds are a matter of linear arithmetic. In each
clause the positions for an array of the head follow from the body's and from what the clause stores and reads:

    k: the body's, if the sentinel is still there; else the last place where the clause stores it; else one where the
       clause reads it.
    l: the last place where the clause stores the sentinel; else one where it must have read it; else the body's, if
       the sentinel is still there.

What a program writes into a string does not change k; the end of a string that grows, and that which `strlen` has
found, is l. Both are functions: hence if P' is a model of the new clauses, the formula with "there are" is one of the
old ones. The new clauses may derive more, for they forget all other cells of these arrays: a derivation does not come
back.

The end of a string as a number of its own is from Dor, Rodeh, Sagiv: CSSV (PLDI 2003); cells in place of arrays are
from Monniaux, Gonnord: Cell morphing (SAS 2016), there at all indices and not at one that exists.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from chcverify.transforms.abstractions.cell_morphing import push_reads, without_reads
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
        """The sentinel is the first such number: 0, then those that most clauses compare cells with. Loops are clauses
        from a predicate to itself, as in reduced systems; without a loop up to a sentinel nothing changes."""
        plain = [_PlainClause.of(clause) for clause in system.clauses]
        found = _found(plain)
        if found is None:
            return system, Identity()
        arrays = _arrays_like(found.arrays, plain)
        changes = {predicate: _PositionArguments.of(predicate, arrays) for predicate in system.predicates}
        clauses = tuple(_PositionClause(clause, changes, found.number).clause() for clause in plain)
        changed = HornSystem(tuple(changes[predicate].after for predicate in system.predicates), clauses)
        return changed, _SentinelBackTranslator(changes, found.number)


def has_sentinels(system: HornSystem) -> bool:
    """True if a loop of the reduced system reads an array of integers up to a sentinel."""
    return _found([_PlainClause.of(clause) for clause in system.clauses]) is not None


def _is_cells(sort: z3.SortRef) -> bool:
    return isinstance(sort, z3.ArraySortRef) and sort.domain() == z3.IntSort() and sort.range() == z3.IntSort()


@dataclass(frozen=True, eq=False)
class _PlainClause:
    """A clause without equations that define arrays, whose constraint reads array variables only."""

    clause: Clause
    body: Sequence[Application]
    head: Application | None
    parts: Sequence[z3.BoolRef]

    @classmethod
    def of(cls, clause: Clause) -> "_PlainClause":
        definitions, rest = definitions_in(conjuncts(clause.constraint), arrays_only=True)

        def plain(argument: z3.ExprRef) -> z3.ExprRef:
            return substitute(argument, definitions)

        parts = [push_reads(substitute(part, definitions)) for part in rest]
        head = None if clause.head is None else _mapped(clause.head, plain)
        return cls(clause, [_mapped(atom, plain) for atom in clause.body], head, parts)

    @property
    def heads(self) -> tuple[Application, ...]:
        """The head, if the clause is no query."""
        return () if self.head is None else (self.head,)

    def reads(self) -> Iterator[tuple[z3.ExprRef, z3.ArithRef]]:
        """The arrays of integers with the indices at which the clause reads them."""
        return _reads([*self.parts, *(argument for atom in (*self.body, *self.heads) for argument in atom.arguments)])

    def reads_of(self, sentinel: z3.IntNumRef) -> Iterator[tuple[z3.ExprRef, z3.ArithRef]]:
        """The arrays with the indices at which the constraint says that they hold the sentinel."""
        for part in self.parts:
            if z3.is_eq(part):
                for cell, value in (part.children(), reversed(part.children())):
                    if value.eq(sentinel) and z3.is_select(cell):
                        yield from _reads([cell])

    def compared(self) -> Iterator[int]:
        """The numbers that the constraint equates with something about a cell."""
        for term in subterms(*self.parts):
            if z3.is_eq(term):
                for cell, value in (term.children(), reversed(term.children())):
                    if z3.is_int_value(value) and any(True for _ in _reads([cell])):
                        yield value.as_long()

    def excluding(self, sentinel: z3.IntNumRef) -> Iterator[tuple[int, bool]]:
        """The arrays, by their ids, of which the constraint says that a cell is not the sentinel; and does it say which
        number it is?"""
        for part in self.parts:
            reads = list(_reads([part]))
            if len(reads) == 1:
                array, place = reads[0]
                if z3.is_false(z3.simplify(substitute(part, [(z3.Select(array, place), sentinel)]))):
                    yield array.get_id(), z3.is_eq(part)


def _reads(roots: Sequence[z3.ExprRef]) -> Iterator[tuple[z3.ExprRef, z3.ArithRef]]:
    for term in subterms(*roots):
        if z3.is_select(term) and _is_cells(term.arg(0).sort()) and is_variable(term.arg(0)):
            yield term.arg(0), term.arg(1)


_ArrayVariable = tuple[int, int]
"""The number of a clause, and the id of a variable in it."""
_Argument = tuple[str, int]
"""The name of a predicate and a position."""


@dataclass(frozen=True, eq=False)
class _Sentinel:
    """A sentinel, and arrays that loops read up to it."""

    number: z3.IntNumRef
    arrays: frozenset[_ArrayVariable]


def _found(clauses: Sequence[_PlainClause]) -> _Sentinel | None:
    """The first number up to which a loop reads an array; None without one.

    Each round of the loop must read a cell that is not this number, which need not be one other number in all rounds:
    that is no search for a sentinel, and a matter of all cells.
    """
    loops: dict[Predicate, list[int]] = {}
    for number, plain in enumerate(clauses):
        for head in plain.heads:
            if any(atom.predicate == head.predicate for atom in plain.body):
                loops.setdefault(head.predicate, []).append(number)
    tally = Counter(value for plain in clauses for value in set(plain.compared()))
    for value in dict.fromkeys((0, *(value for value, _ in tally.most_common()))):
        sentinel = z3.IntVal(value)
        arrays: set[_ArrayVariable] = set()
        for numbers in loops.values():
            read = [(number, list(clauses[number].excluding(sentinel))) for number in numbers]
            if all(found for _, found in read) and not all(is_fixed for _, found in read for _, is_fixed in found):
                arrays.update((number, array) for number, found in read for array, _ in found)
        if arrays:
            return _Sentinel(sentinel, frozenset(arrays))
    return None


def _arrays_like(arrays: Iterable[_ArrayVariable], clauses: Sequence[_PlainClause]) -> frozenset[_Argument]:
    """The arguments that may be one of these arrays, before or after stores."""
    classes: UnionFind[_Argument | _ArrayVariable] = UnionFind()
    arguments: dict[_Argument, None] = {}
    for number, plain in enumerate(clauses):
        for atom in (*plain.body, *plain.heads):
            for position, argument in enumerate(atom.arguments):
                if _is_cells(argument.sort()):
                    arguments[atom.predicate.name, position] = None
                    for variable in _bases(argument):
                        classes.union((atom.predicate.name, position), (number, variable.get_id()))
    wanted = {classes.find(array) for array in arrays}
    return frozenset(argument for argument in arguments if classes.find(argument) in wanted)


def _bases(array: z3.ExprRef) -> list[z3.ExprRef]:
    """The variables that an array is before stores, in any case of a choice."""
    found, work = dict[int, z3.ExprRef](), [array]
    while work:
        term = work.pop()
        if z3.is_store(term):
            work.append(term.arg(0))
        elif z3.is_app_of(term, z3.Z3_OP_ITE):
            work += term.children()[1:]
        elif is_variable(term):
            found[term.get_id()] = term
    return list(found.values())


@dataclass(frozen=True, eq=False)
class _PositionArguments:
    """The change of a predicate: its arguments without some arrays, then the positions for each of these."""

    before: Predicate
    after: Predicate
    kept: tuple[int, ...]
    arrays: tuple[int, ...]

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
    """One clause over positions."""

    def __init__(
        self, plain: _PlainClause, changes: Mapping[Predicate, _PositionArguments], sentinel: z3.IntNumRef
    ) -> None:
        self.plain, self.changes, self.sentinel = plain, changes, sentinel
        self._parts = list(plain.parts)
        self._known: dict[int, dict[Position, z3.ArithRef]] = {}
        """The positions that the body gives, by the ids of array variables."""
        self.body = [self._body_atom(atom) for atom in plain.body]
        self._read = list(plain.reads())
        self._found = list(plain.reads_of(sentinel))
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
        for array, place in self._read:
            for position in self._known.get(array.get_id(), {}).values():
                there = z3.And(place == position, position >= 0)
                yield z3.Implies(there, z3.Select(array, place) == self.sentinel)

    def _head_atom(self, atom: Application) -> Application:
        change = self.changes[atom.predicate]
        arrays = [atom.arguments[i] for i in change.arrays]
        return change.application(
            atom.arguments, [self._position(array, position) for array in arrays for position in Position]
        )

    def _position(self, array: z3.ExprRef, position: Position) -> z3.ArithRef:
        bases = {base.get_id() for base in _bases(array)}
        known, found = self._known.get(array.get_id()), [place for base, place in self._found if base.get_id() in bases]
        if known is not None and (position is Position.KEPT or not found):
            return known[position]
        before = [self._known[base][position] for base in sorted(bases) if base in self._known]
        stored = [term.arg(1) for term in reversed(list(subterms(array))) if z3.is_store(term)][:MAX_ALTERNATIVES]
        read = [place for base, place in self._read if base.get_id() in bases][:MAX_ALTERNATIVES]
        ordered = [*before, *stored] if position is Position.KEPT else [*stored, *found, *before]
        new = z3.FreshInt("end")
        self._parts.append(new == self._first(array, [*ordered, *read]))
        return new

    def _first(self, array: z3.ExprRef, places: Iterable[z3.ArithRef]) -> z3.ArithRef:
        """The first of the places where the array holds the sentinel, else NOWHERE."""
        found: z3.ArithRef = NOWHERE
        for place in reversed(list({place.get_id(): place for place in places}.values())):
            found = z3.If(z3.And(place >= 0, self._holds(array, place)), place, found)
        return found

    def _holds(self, array: z3.ExprRef, place: z3.ArithRef) -> z3.BoolRef:
        """Does the array hold the sentinel at the place, which is not NOWHERE?"""
        stores = []
        while z3.is_store(array):
            stores.append(array)
            array = array.arg(0)
        is_known = any(place.eq(position) for position in self._known.get(array.get_id(), {}).values())
        holds = z3.BoolVal(True) if is_known else z3.Select(array, place) == self.sentinel
        for store in reversed(stores):
            holds = z3.If(place == store.arg(1), store.arg(2) == self.sentinel, holds)
        return holds

    def clause(self) -> Clause:
        """The clause, without array variables that are only read."""
        heads = () if self.head is None else (self.head,)
        atoms = [_mapped(atom, push_reads) for atom in (*self.body, *heads)]
        constraint = push_reads(conjunction(self._parts))
        values, congruence = without_reads([constraint, *(a for atom in atoms for a in atom.arguments)])
        made = [_mapped(atom, lambda argument: substitute(argument, values)) for atom in atoms]
        head = None if self.head is None else made.pop()
        whole = conjunction([*conjuncts(substitute(constraint, values)), *congruence])
        return Clause(head, tuple(made), whole, self.plain.clause.origin, self.plain.clause.name)


def _mapped(atom: Application, change: Callable[[z3.ExprRef], z3.ExprRef]) -> Application:
    return Application(atom.predicate, tuple(map(change, atom.arguments)))


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
