"""A clause over numbers that is implied by, or weaker than, a clause over datatypes: terms become their components.

A positive occurrence of a formula is weakened and a negative one strengthened, so every instance of the clause gives an
instance of the result.
"""

from collections.abc import Sequence

import z3

from chcverify.terms.core.traversal import conjunction, disjunction, is_variable, subterms
from chcverify.terms.datatype_terms import constructor_number, is_datatype, is_enumeration
from chcverify.transforms.abstractions.catamorphisms.components import (
    DatatypeSlot,
    Template,
    case_value,
)
from chcverify.transforms.abstractions.catamorphisms.possible_values import PossibleValues

Values = tuple[z3.ArithRef, ...]


class TermAbstraction:
    """The numbers for the terms of one clause.

    ghosts: values for the parameters of components, some tuples of integers: each component with parameters is used
    with each of them. conditions: what is known of the numbers that were introduced.
    """

    def __init__(
        self, template: Template, ghosts: Sequence[tuple[z3.ArithRef, ...]], possible: PossibleValues | None = None
    ) -> None:
        self.conditions: list[z3.BoolRef] = []
        self._possible = possible or PossibleValues(template)
        self._template = template
        self._ghosts = ghosts
        self._values: dict[int, tuple[z3.ExprRef, Values]] = {}
        self._fields: dict[tuple[int, int], list[z3.ExprRef | Values]] = {}
        self._slots: dict[int, tuple[DatatypeSlot, ...]] = {}

    def slots(self, sort: z3.SortRef) -> tuple[DatatypeSlot, ...]:
        """The components of terms of this sort, in the order of their values."""
        key = sort.get_id()
        if key not in self._slots:
            found: list[DatatypeSlot] = []
            for component in self._template.of_sort(sort):
                count = component.parameters
                given = {tuple(v.get_id() for v in g[:count]): g[:count] for g in self._ghosts if len(g) >= count}
                found += [DatatypeSlot(component, ghost) for ghost in given.values()]
            self._slots[key] = tuple(found)
        return self._slots[key]

    def selected(self, term: z3.ExprRef, ghost: tuple[z3.ArithRef, ...]) -> Values:
        """The values of a term's components, those with parameters for this ghost."""
        values = zip(self.slots(term.sort()), self.values(term), strict=True)
        return tuple(value for slot, value in values if all(map(_eq, slot.parameters, ghost)))

    def values(self, term: z3.ExprRef) -> Values:
        """The numbers for a term of a datatype."""
        if term.get_id() not in self._values:
            self._values[term.get_id()] = term, self._computed(term)
        return self._values[term.get_id()][1]

    def _computed(self, term: z3.ExprRef) -> Values:
        number = constructor_number(term)
        if number is not None:
            return self._built(term.sort(), number, [self._argument(part) for part in term.children()])
        if z3.is_app_of(term, z3.Z3_OP_ITE):
            condition = self.exact(term.arg(0))
            both = zip(self.values(term.arg(1)), self.values(term.arg(2)), strict=True)
            return tuple(z3.If(condition, a, b) for a, b in both)
        if z3.is_app_of(term, z3.Z3_OP_DT_ACCESSOR):
            found = self._field(term)
            assert isinstance(found, tuple)
            return found
        return self.fresh(term.sort(), str(term.decl().name()) if is_variable(term) else "any")

    def fresh(self, sort: z3.SortRef, name: str) -> Values:
        """New numbers within the components' ranges."""
        found = []
        for slot in self.slots(sort):
            value = z3.FreshConst(z3.IntSort(), f"{name}.{slot.component.fold.name}")
            self.conditions.append(slot.bounds(value))
            found.append(value)
        if isinstance(sort, z3.DatatypeSortRef) and len(found) > 1:
            slots = self.slots(sort)
            for ghost in self._ghosts:
                chosen = tuple(v for s, v in zip(slots, found, strict=True) if all(map(_eq, s.parameters, ghost)))
                self.conditions.append(self._possible.relation(sort, ghost, chosen))
        return tuple(found)

    def _built(self, sort: z3.DatatypeSortRef, number: int, arguments: Sequence[z3.ExprRef | Values]) -> Values:
        constructor = sort.constructor(number)
        below = [self.slots(constructor.domain(i)) for i in range(constructor.arity())]
        return tuple(case_value(slot, number, arguments, below) for slot in self.slots(sort))

    def _argument(self, term: z3.ExprRef) -> z3.ExprRef | Values:
        return self.values(term) if is_datatype(term) else self.term(term)

    def _field(self, access: z3.ExprRef) -> z3.ExprRef | Values:
        """The numbers for an accessor of a term; any, if the term is built by another constructor."""
        term, function = access.arg(0), access.decl()
        sort = term.sort()
        number, position = next(
            (i, j)
            for i in range(sort.num_constructors())
            for j in range(sort.constructor(i).arity())
            if sort.accessor(i, j).eq(function)
        )
        if (term.get_id(), number) not in self._fields:
            parts = self._any_fields(sort, number)
            built = self._same(self.values(term), self._built(sort, number, parts))
            others = [self._is_built(term, other) for other in range(sort.num_constructors()) if other != number]
            self.conditions.append(disjunction([built, *others]))
            self._fields[term.get_id(), number] = parts
        return self._fields[term.get_id(), number][position]

    def _any_fields(self, sort: z3.DatatypeSortRef, number: int) -> list[z3.ExprRef | Values]:
        constructor, parts = sort.constructor(number), list[z3.ExprRef | Values]()
        for i in range(constructor.arity()):
            part = constructor.domain(i)
            new = self.fresh(part, "field") if isinstance(part, z3.DatatypeSortRef) else z3.FreshConst(part, "field")
            parts.append(new)
        return parts

    def _is_built(self, term: z3.ExprRef, number: int) -> z3.BoolRef:
        """The term's numbers are those of some term that is built by the constructor of this number."""
        sort = term.sort()
        return self._same(self.values(term), self._built(sort, number, self._any_fields(sort, number)))

    @staticmethod
    def _same(left: Values, right: Values) -> z3.BoolRef:
        return conjunction(a == b for a, b in zip(left, right, strict=True))

    def term(self, term: z3.ExprRef) -> z3.ExprRef:
        """A term of another sort, its parts that are about datatypes replaced."""
        if not _mentions_datatypes(term):
            return term
        if z3.is_bool(term):
            return self.exact(term)
        if z3.is_app_of(term, z3.Z3_OP_DT_ACCESSOR):
            found = self._field(term)
            assert isinstance(found, z3.ExprRef)
            return found
        parts = term.children()
        if z3.is_quantifier(term) or any(is_datatype(part) for part in parts):
            other: z3.ExprRef = z3.FreshConst(term.sort(), "any")
        else:
            other = term.decl()(*(self.term(part) for part in parts))
        return other

    def exact(self, formula: z3.BoolRef) -> z3.BoolRef:
        """A truth value that is the formula's if that is known, else any between its strongest and weakest reading."""
        if not _mentions_datatypes(formula):
            return formula
        value: z3.BoolRef = z3.FreshConst(z3.BoolSort(), "any")
        weaker, stronger = self.formula(formula, True), self.formula(formula, False)
        self.conditions.append(conjunction([z3.Implies(value, weaker), z3.Implies(stronger, value)]))
        return value

    def formula(self, formula: z3.BoolRef, weaken: bool) -> z3.BoolRef:
        """The formula over numbers: implied by it (weaken), or implying it."""
        if not _mentions_datatypes(formula):
            return formula
        parts = formula.children()
        if z3.is_not(formula):
            return z3.Not(self.formula(parts[0], not weaken))
        if z3.is_and(formula):
            return conjunction(self.formula(part, weaken) for part in parts)
        if z3.is_or(formula):
            return disjunction(self.formula(part, weaken) for part in parts)
        if z3.is_implies(formula):
            return z3.Or(z3.Not(self.formula(parts[0], not weaken)), self.formula(parts[1], weaken))
        if z3.is_app_of(formula, z3.Z3_OP_ITE):
            condition, yes, no = self.exact(parts[0]), self.formula(parts[1], weaken), self.formula(parts[2], weaken)
            return z3.And(z3.Or(z3.Not(condition), yes), z3.Or(condition, no))
        return self._atom(formula, parts, weaken)

    def _atom(self, formula: z3.BoolRef, parts: Sequence[z3.ExprRef], weaken: bool) -> z3.BoolRef:
        if z3.is_eq(formula) and is_datatype(parts[0]):
            return self._equality(parts[0], parts[1], weaken)
        if z3.is_distinct(formula) and is_datatype(parts[0]):
            pairs = [(a, b) for i, a in enumerate(parts) for b in parts[:i]]
            return conjunction(z3.Not(self._equality(a, b, not weaken)) for a, b in pairs)
        if z3.is_app_of(formula, z3.Z3_OP_DT_IS) or z3.is_app_of(formula, z3.Z3_OP_DT_RECOGNISER):
            return self._recogniser(formula, parts[0], weaken)
        if z3.is_quantifier(formula) or any(is_datatype(part) for part in parts):
            return z3.BoolVal(weaken)
        atom: z3.BoolRef = formula.decl()(*(self.term(part) for part in parts))
        return atom

    def _equality(self, left: z3.ExprRef, right: z3.ExprRef, weaken: bool) -> z3.BoolRef:
        """Equal terms have equal numbers; equal numbers mean equal terms where constructors have no arguments."""
        if weaken or is_enumeration(left.sort()):
            return self._same(self.values(left), self.values(right))
        for term, other in ((left, right), (right, left)):
            number = constructor_number(other)
            if number is not None and not other.num_args():
                return self._built_by(term, number, weaken)
        return z3.BoolVal(False)

    def _recogniser(self, formula: z3.BoolRef, term: z3.ExprRef, weaken: bool) -> z3.BoolRef:
        sort = term.sort()
        numbers = range(sort.num_constructors())
        number = next((i for i in numbers if sort.recognizer(i)(term).eq(formula)), None)
        return z3.BoolVal(weaken) if number is None else self._built_by(term, number, weaken)

    def _built_by(self, term: z3.ExprRef, number: int, weaken: bool) -> z3.BoolRef:
        """That the term is built by the constructor of this number."""
        if weaken:
            return self._is_built(term, number)
        others = (other for other in range(term.sort().num_constructors()) if other != number)
        return z3.Not(disjunction(self._is_built(term, other) for other in others))


def _mentions_datatypes(term: z3.ExprRef) -> bool:
    return any(part.sort().kind() == z3.Z3_DATATYPE_SORT for part in subterms(term))


def _eq(left: z3.ExprRef, right: z3.ExprRef) -> bool:
    return bool(left.eq(right))
