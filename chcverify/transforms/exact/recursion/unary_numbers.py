"""Numbers in unary notation, zero and successor, as integers: in arguments, and in the fields of other datatypes.

A number becomes its size, a term of another datatype the same term with integers in it; variables of numbers are not
negative. The map is injective, so each instance of a clause gives one of the result, and P(x) := P'(map(x)) is a model
if P' is. What is known of the map is the size, a fold: models may take terms apart and compare them, but not name a
term with a number in it. A derivation comes back number by number; a negative one, which no clause has looked at,
becomes a number that does not occur otherwise.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import CellSum, Fold, Model
from chcverify.effort import MAX_BUILT
from chcverify.horn.datatypes import datatypes, sorts_of
from chcverify.horn.names import Fresh, plain
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import components
from chcverify.terms.core.traversal import (
    conjunction,
    equation,
    fold,
    has_quantifier,
    is_variable,
    name_of,
    subterms,
)
from chcverify.terms.datatype_terms import clamped, constructor_number, is_datatype, is_unary
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of


class UnaryNumbers:
    """Leaves systems as they are that have no such numbers, or have quantifiers, or datatypes within arrays."""

    name = "unary-numbers"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        sorts = _Sorts(sorts_of(system))
        if not sorts.unary or sorts.in_arrays or any(has_quantifier(c.constraint) for c in system.clauses):
            return system, Identity()
        after = {predicate: _over_integers(predicate, sorts) for predicate in system.predicates}
        try:
            clauses = tuple(_clause(clause, sorts, after) for clause in system.clauses)
        except _NotTranslated:
            return system, Identity()
        changed = HornSystem(tuple(after.values()), clauses)
        return changed, _UnaryNumbersBackTranslator(system, sorts, after)


class _NotTranslated(Exception):
    """A term has a part that has no counterpart on the other side."""


class _Sorts:
    """The sorts of a system. unary: identities of the sorts of numbers. new: for each sort that contains them, its
    counterpart, by its identity; old: the other way.
    """

    def __init__(self, used: Sequence[z3.SortRef]) -> None:
        found = datatypes(used)
        by_id = {sort.get_id(): sort for sort in found}
        self.unary = {sort.get_id(): sort for sort in found if is_unary(sort)}
        changed = {
            key: sort
            for key, sort in by_id.items()
            if key not in self.unary and any(part.get_id() in self.unary for part in datatypes([sort]))
        }
        arrays = [s for s in used if isinstance(s, z3.ArraySortRef)]
        arrays += [part for sort in found for part in _fields(sort) if isinstance(part, z3.ArraySortRef)]
        self.in_arrays = bool(datatypes(arrays))
        self.new: dict[int, z3.DatatypeSortRef] = {}
        self.old: dict[int, z3.DatatypeSortRef] = {}
        if self.unary and not self.in_arrays:
            self._declare(changed)

    def _declare(self, changed: Mapping[int, z3.DatatypeSortRef]) -> None:
        names = Fresh(name for sort in changed.values() for name in _names(sort))

        def below(key: int) -> Iterator[int]:
            return (part.get_id() for part in _fields(changed[key]) if part.get_id() in changed)

        for group in components(changed, below):  # those first that others use
            drafts = {key: z3.Datatype(names(plain(changed[key].name()))) for key in group}
            for key, draft in drafts.items():
                sort = changed[key]
                for number in range(sort.num_constructors()):
                    constructor = sort.constructor(number)
                    parts = [sort.accessor(number, i) for i in range(constructor.arity())]
                    draft.declare(
                        names(plain(constructor.name())),
                        *((names(plain(part.name())), self._field(part.range(), drafts)) for part in parts),
                    )
            for key, made in zip(drafts, z3.CreateDatatypes(*drafts.values()), strict=True):
                self.new[key], self.old[made.get_id()] = made, changed[key]

    def _field(self, sort: z3.SortRef, drafts: Mapping[int, z3.Datatype]) -> Any:
        return drafts.get(sort.get_id()) or self.of(sort)

    def of(self, sort: z3.SortRef) -> z3.SortRef:
        """The sort of the counterparts of terms of a sort."""
        if sort.get_id() in self.unary:
            return z3.IntSort()
        return self.new.get(sort.get_id(), sort)

    def is_unary(self, term: z3.ExprRef) -> bool:
        """True for a number in unary notation."""
        return term.sort().get_id() in self.unary


def _fields(sort: z3.DatatypeSortRef) -> Iterator[z3.SortRef]:
    for number in range(sort.num_constructors()):
        constructor = sort.constructor(number)
        yield from (constructor.domain(i) for i in range(constructor.arity()))


def _names(sort: z3.DatatypeSortRef) -> Iterator[str]:
    yield sort.name()
    for number in range(sort.num_constructors()):
        yield sort.constructor(number).name()
        yield from (sort.accessor(number, i).name() for i in range(sort.constructor(number).arity()))


def _over_integers(predicate: Predicate, sorts: _Sorts) -> Predicate:
    return Predicate(predicate.name, tuple(map(sorts.of, predicate.sorts)), predicate.origin, predicate.names)


def _clause(clause: Clause, sorts: _Sorts, after: Mapping[Predicate, Predicate]) -> Clause:
    reader = _Terms(sorts)

    def atom(before: Application) -> Application:
        return Application(after[before.predicate], tuple(map(reader.of, before.arguments)))

    head = None if clause.head is None else atom(clause.head)
    body = tuple(map(atom, clause.body))
    constraint = reader.of(clause.constraint)
    whole = conjunction([z3.BoolRef(constraint.as_ast(), constraint.ctx), *reader.conditions])
    return Clause(head, body, whole, clause.origin, clause.name)


class _Terms:
    """Terms of one clause. conditions: that what was a number is not negative."""

    def __init__(self, sorts: _Sorts) -> None:
        self.conditions: list[z3.BoolRef] = []
        self._sorts = sorts
        self._known: set[int] = set()
        self._before_zero = z3.FreshInt("before_zero")  # what the accessor says of zero, which may be any number

    def of(self, term: z3.ExprRef) -> z3.ExprRef:
        """The counterpart of the term."""
        return fold(term, self._visit)

    def _visit(self, term: z3.ExprRef, parts: list[z3.ExprRef]) -> z3.ExprRef:
        sort = term.sort()
        if is_variable(term):
            if self._sorts.of(sort).eq(sort):
                return term
            return self._not_negative(term, z3.Const(name_of(term), self._sorts.of(sort)))
        number = constructor_number(term) if is_datatype(term) else None
        if number is not None and self._sorts.is_unary(term):
            return parts[0] + 1 if parts else z3.IntVal(0)
        if number is not None and sort.get_id() in self._sorts.new:
            return _apply(self._sorts.new[sort.get_id()].constructor(number), *parts)
        owner = term.arg(0).sort() if len(parts) == 1 and is_datatype(term.arg(0)) else None
        if owner is not None and owner.get_id() in self._sorts.unary:
            return self._of_number(term, owner, parts[0])
        if owner is not None and owner.get_id() in self._sorts.new:
            return self._not_negative(term, _counterpart(term, owner, self._sorts.new[owner.get_id()], parts[0]))
        return _rebuilt(term, parts)

    def _of_number(self, term: z3.ExprRef, sort: z3.DatatypeSortRef, value: z3.ExprRef) -> z3.ExprRef:
        """An accessor or tester of a number."""
        if z3.is_app_of(term, z3.Z3_OP_DT_ACCESSOR):
            return self._not_negative(term, z3.If(value >= 1, value - 1, self._before_zero))
        tested = _tested(term, sort)
        return value >= 1 if sort.constructor(tested).arity() else value == 0

    def _not_negative(self, term: z3.ExprRef, new: z3.ExprRef) -> z3.ExprRef:
        if self._sorts.is_unary(term) and term.get_id() not in self._known:
            self._known.add(term.get_id())
            self.conditions.append(new >= 0)
        return new


def _counterpart(term: z3.ExprRef, old: z3.DatatypeSortRef, new: z3.DatatypeSortRef, part: z3.ExprRef) -> z3.ExprRef:
    """An accessor or tester of `new` for one of `old`, applied to a term."""
    if z3.is_app_of(term, z3.Z3_OP_DT_ACCESSOR):
        number, position = next(
            (i, j)
            for i in range(old.num_constructors())
            for j in range(old.constructor(i).arity())
            if old.accessor(i, j).eq(term.decl())
        )
        return _apply(new.accessor(number, position), part)
    return _apply(new.recognizer(_tested(term, old)), part)


def _apply(function: z3.FuncDeclRef, *arguments: z3.ExprRef) -> z3.ExprRef:
    term: z3.ExprRef = function(*arguments)
    return term


def _tested(term: z3.ExprRef, sort: z3.DatatypeSortRef) -> int:
    """The number of the constructor that a tester asks for; _NotTranslated for other terms."""
    for number in range(sort.num_constructors()):
        if sort.recognizer(number)(term.arg(0)).eq(term):
            return number
    raise _NotTranslated


def _rebuilt(term: z3.ExprRef, parts: Sequence[z3.ExprRef]) -> z3.ExprRef:
    """The term with other children; _NotTranslated where its function does not take them."""
    if all(a.eq(b) for a, b in zip(term.children(), parts, strict=True)):
        return term
    if z3.is_eq(term):
        return equation(*parts)
    if z3.is_distinct(term):
        return z3.Distinct(*parts)
    if z3.is_app_of(term, z3.Z3_OP_ITE):
        choice: z3.ExprRef = z3.If(parts[0], parts[1], parts[2])
        return choice
    if not z3.is_app(term) or any(a.sort() != b.sort() for a, b in zip(term.children(), parts, strict=True)):
        raise _NotTranslated
    result: z3.ExprRef = term.update(*parts)
    return result


@dataclass(frozen=True, eq=False)
class _UnaryNumbersBackTranslator:
    before: HornSystem
    sorts: _Sorts
    after: Mapping[Predicate, Predicate]

    def model(self, model: Model) -> Model:
        names = Fresh(_symbols(self.before, model))
        size = {
            key: z3.Function(names(f"size_{plain(s.name())}"), s, z3.IntSort()) for key, s in self.sorts.unary.items()
        }
        back = _TermsBack(self.sorts, size, model)
        try:
            formulas = {p: back.formula(p, model[self.after[p]]) for p in self.before.predicates}
            folds = [back.fold(item) for item in model.folds]
        except _NotTranslated:
            raise TranslationError("the model over integers names terms with numbers in them") from None
        own = [_size_fold(self.sorts.unary[key], function) for key, function in size.items()]
        return Model(formulas, model.definitions, (*own, *folds))

    def derivation(self, derivation: Derivation) -> Derivation:
        steps = steps_of(derivation)
        numbers = [
            term.as_long()
            for step in steps
            for root in step.arguments
            for term in subterms(root)
            if z3.is_int_value(term)
        ]
        highest = max((abs(number) for number in numbers), default=0)
        if highest > MAX_BUILT:
            raise TranslationError(f"a number as large as {highest} in unary notation")
        value = partial(self._value, unused=highest + 1)
        found = []
        for step in steps:
            head = self.before.clauses[step.clause].head
            wanted = () if head is None else head.predicate.sorts
            arguments = tuple(value(argument, sort) for argument, sort in zip(step.arguments, wanted, strict=True))
            found.append(Step(step.clause, arguments, step.premises))
        return Derivation(tuple(found))

    def _value(self, value: z3.ExprRef, wanted: z3.SortRef, unused: int) -> z3.ExprRef:
        """The value as one of the sort before. unused: from this on no number occurs."""

        def visit(term: z3.ExprRef, parts: list[z3.ExprRef]) -> z3.ExprRef:
            old = self.sorts.old.get(term.sort().get_id())
            if old is None:
                return term
            number = constructor_number(term)
            if number is None:
                raise TranslationError(f"{value} is no value")
            function = old.constructor(number)
            given = [self._number(part, function.domain(i), unused) for i, part in enumerate(parts)]
            built: z3.ExprRef = function(*given)
            return built

        return self._number(fold(value, visit), wanted, unused)

    def _number(self, value: z3.ExprRef, wanted: z3.SortRef, unused: int) -> z3.ExprRef:
        sort = self.sorts.unary.get(wanted.get_id())
        if sort is None:
            return value
        if not z3.is_int_value(value):
            raise TranslationError(f"{value} is no number")
        count = value.as_long()
        successor = next(i for i in (0, 1) if sort.constructor(i).arity())
        result: z3.ExprRef = sort.constructor(1 - successor)()
        for _ in range(count if count >= 0 else unused - count):
            result = sort.constructor(successor)(result)
        return result


def _symbols(system: HornSystem, model: Model) -> Iterator[str]:
    yield from (predicate.name for predicate in system.predicates)
    yield from (item.name for item in model.folds)
    for sort in datatypes(sorts_of(system)):
        yield from _names(sort)


def _size_fold(sort: z3.DatatypeSortRef, function: z3.FuncDeclRef) -> Fold:
    """How often the successor occurs in a number."""
    x = z3.Const("$x", sort)
    cases = []
    for number in range(2):
        parts = [sort.accessor(number, i)(x) for i in range(sort.constructor(number).arity())]
        cases.append(1 + clamped(function(parts[0]), 0, None) if parts else z3.IntVal(0))
    return Fold(function, (x,), tuple(cases))


class _TermsBack:
    """Terms of a model, over the sorts before. size: of numbers, by the identity of their sort."""

    def __init__(self, sorts: _Sorts, size: Mapping[int, z3.FuncDeclRef], model: Model) -> None:
        self._sorts, self._size = sorts, size
        self._folds = {
            item.function.get_id(): z3.Function(
                item.name, *map(self._old, _domain(item.function)), item.function.range()
            )
            for item in model.folds
        }

    def _old(self, sort: z3.SortRef) -> z3.SortRef:
        return self._sorts.old.get(sort.get_id(), sort)

    def formula(self, predicate: Predicate, formula: z3.BoolRef) -> z3.BoolRef:
        """The interpretation of a predicate of the system before, from that of its counterpart."""
        given = {}
        for new, old in zip(map(self._formal_after, predicate.formals), predicate.formals, strict=True):
            given[new.get_id()] = self._sized(old)
        result = self._of(formula, given)
        return z3.BoolRef(result.as_ast(), result.ctx)

    def _formal_after(self, formal: z3.ExprRef) -> z3.ExprRef:
        after: z3.ExprRef = z3.Const(name_of(formal), self._sorts.of(formal.sort()))
        return after

    def fold(self, item: Fold | CellSum) -> Fold | CellSum:
        """The fold over the datatype before."""
        if isinstance(item, CellSum):
            return item
        formals = tuple(z3.Const(name_of(formal), self._old(formal.sort())) for formal in item.formals)
        cases = tuple(self._of(case, {}) for case in item.cases)
        return Fold(self._folds[item.function.get_id()], formals, cases)

    def _of(self, term: z3.ExprRef, given: Mapping[int, z3.ExprRef]) -> z3.ExprRef:
        """The term with the terms that are given for variables."""

        def visit(part: z3.ExprRef, below: list[z3.ExprRef]) -> z3.ExprRef:
            if part.get_id() in given:
                return given[part.get_id()]
            old = self._sorts.old.get(part.sort().get_id())
            if z3.is_quantifier(part):
                return _requantified(part, [self._old(part.var_sort(i)) for i in range(part.num_vars())], below[0])
            if z3.is_var(part):
                return part if old is None else z3.Var(z3.get_var_index(part), old)
            if is_variable(part):
                return part if old is None else z3.Const(name_of(part), old)
            if below and part.decl().get_id() in self._folds:
                return _apply(self._folds[part.decl().get_id()], *below)
            number = None if old is None else constructor_number(part)
            if old is not None and number is not None:
                if any(old.constructor(number).domain(i).get_id() in self._sorts.unary for i in range(len(below))):
                    raise _NotTranslated
                return _apply(old.constructor(number), *below)
            owner = part.arg(0).sort() if len(below) == 1 and is_datatype(part.arg(0)) else None
            source = None if owner is None else self._sorts.old.get(owner.get_id())
            if owner is not None and source is not None:
                return self._sized(_counterpart(part, owner, source, below[0]))
            return _rebuilt(part, below)

        return fold(term, visit)

    def _sized(self, term: z3.ExprRef) -> z3.ExprRef:
        """The size of a number, any other term as it is."""
        function = self._size.get(term.sort().get_id())
        return term if function is None else clamped(function(term), 0, None)


def _requantified(term: z3.QuantifierRef, sorts: Sequence[z3.SortRef], body: z3.ExprRef) -> z3.ExprRef:
    """The quantifier with another body, and variables of these sorts."""
    count = len(sorts)
    if term.is_lambda() or not z3.is_bool(body):
        raise _NotTranslated
    kinds, names = (z3.Sort * count)(), (z3.Symbol * count)()
    for i, sort in enumerate(sorts):
        kinds[i], names[i] = sort.ast, z3.Z3_get_quantifier_bound_name(term.ctx_ref(), term.as_ast(), i)
    made = z3.Z3_mk_quantifier(
        term.ctx_ref(), term.is_forall(), 0, 0, (z3.Pattern * 0)(), count, kinds, names, body.as_ast()
    )
    return z3.QuantifierRef(made, term.ctx)


def _domain(function: z3.FuncDeclRef) -> list[z3.SortRef]:
    return [function.domain(i) for i in range(function.arity())]
