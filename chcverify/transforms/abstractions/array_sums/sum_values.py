"""The sums over cells in one clause as numbers: what is known of them, given the body's.

For each array variable, summand and parameters there is a table of bounds with the number of each. What the laws of
such sums (`certificate/kernel/recursion/cell_sums.py`) say of numbers in one table is a condition of the clause.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, free_variables, is_variable, substitute, subterms
from chcverify.transforms.abstractions.array_sums.summands import CELL, PLACE, as_sum

_ZERO = z3.IntVal(0)


@dataclass(eq=False)
class _Table:
    """The sums of one array variable with one summand. given: bounds with the numbers of the body. made: those of
    numbers that were introduced, about which all is known that the others say. used: the bounds that were asked for."""

    array: z3.ArrayRef
    summand: z3.ArithRef
    given: list[tuple[z3.ArithRef, z3.ArithRef]] = field(default_factory=list)
    made: list[tuple[z3.ArithRef, z3.ArithRef]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    def value(self, bound: z3.ArithRef, conditions: list[z3.BoolRef]) -> z3.ArithRef:
        """The sum below the bound."""
        self.used.add(bound.get_id())
        entries = [*self.given, *self.made]
        distances = [as_sum(bound - other) for other, _ in entries]
        for wanted in (0, 1, -1):
            for distance, (other, value) in zip(distances, entries, strict=True):
                if z3.is_int_value(distance) and distance.as_long() == wanted:
                    return self._neighbour(other, value, wanted)
        value = z3.FreshInt("sum")
        conditions += self._relations(bound, value, entries)
        self.made.append((bound, value))
        return value

    def relations(self) -> Iterator[z3.BoolRef]:
        """What is known of the body's numbers, if some of them were not asked for: later clauses do not know them."""
        if all(bound.get_id() in self.used for bound, _ in self.given):
            return
        for i, (bound, value) in enumerate(self.given):
            yield from self._relations(bound, value, self.given[:i])

    def _relations(
        self, bound: z3.ArithRef, value: z3.ArithRef, entries: Sequence[tuple[z3.ArithRef, z3.ArithRef]]
    ) -> Iterator[z3.BoolRef]:
        yield z3.Implies(bound <= 0, value == 0)
        for other, known in entries:
            distance = as_sum(bound - other)
            if not z3.is_int_value(distance):
                yield z3.Implies(distance == 0, value == known)
            elif abs(distance.as_long()) <= 1:
                yield value == self._neighbour(other, known, distance.as_long())

    def _neighbour(self, bound: z3.ArithRef, value: z3.ArithRef, distance: int) -> z3.ArithRef:
        """The sum below bound + distance, from that below the bound; distance: -1, 0 or 1."""
        if distance == 0:
            return value
        place = as_sum(bound if distance > 0 else bound - 1)
        summand = _at(self.summand, z3.Select(self.array, place), place)
        return value + distance * _choice(_holds(place >= 0), summand, _ZERO)


class SumValues:
    """Summands are over CELL and PLACE, the parameters replaced. conditions: what is known of the numbers so far."""

    def __init__(self) -> None:
        self.conditions: list[z3.BoolRef] = []
        self._tables: dict[tuple[int, int], _Table] = {}
        self._found: dict[tuple[int, int, int], tuple[z3.ArithRef, tuple[z3.ExprRef, ...]]] = {}  # with what it is of

    def assume(self, array: z3.ArrayRef, summand: z3.ArithRef, bound: z3.ArithRef, value: z3.ArithRef) -> None:
        """The sum below the bound has this value."""
        if is_variable(array):
            self._table(array, summand).given.append((bound, value))
        else:
            self.conditions.append(self.value(array, summand, bound) == value)

    def relate_unused(self) -> None:
        """Adds what is known of numbers of the body that do not go on."""
        for table in self._tables.values():
            self.conditions += table.relations()

    def value(self, array: z3.ArrayRef, summand: z3.ArithRef, bound: z3.ArithRef) -> z3.ArithRef:
        """A term for the sum below the bound."""
        bound = as_sum(bound)
        if z3.is_int_value(bound) and bound.as_long() <= 0:
            return _ZERO
        key = array.get_id(), summand.get_id(), bound.get_id()
        if key not in self._found:
            self._found[key] = self._computed(array, summand, bound), (array, summand, bound)
        return self._found[key][0]

    def _computed(self, array: z3.ArrayRef, summand: z3.ArithRef, bound: z3.ArithRef) -> z3.ArithRef:
        """That below the stores, and what each store changes."""
        changes = []
        while z3.is_app_of(array, z3.Z3_OP_STORE):
            base, place, cell = array.children()
            growth = _at(summand, cell, place) - _at(summand, z3.Select(base, place), place)
            inside = conjunction([_holds(place >= 0), _holds(as_sum(place - bound) < 0)])
            changes.append(_choice(inside, growth, _ZERO))
            array = base
        total = self._below_stores(array, summand, bound)
        for change in reversed(changes):
            total = total + change
        return total

    def _below_stores(self, array: z3.ArrayRef, summand: z3.ArithRef, bound: z3.ArithRef) -> z3.ArithRef:
        if z3.is_app_of(array, z3.Z3_OP_ITE):
            condition, yes, no = array.children()
            return _choice(condition, self.value(yes, summand, bound), self.value(no, summand, bound))
        if z3.is_app_of(array, z3.Z3_OP_CONST_ARRAY) and not _depends_on_index(summand):
            each = z3.simplify(_at(summand, array.arg(0), PLACE))
            if z3.is_int_value(each):
                return each * _choice(bound >= 0, bound, _ZERO)
        if not is_variable(array):
            return z3.FreshInt("sum")
        return self._table(array, summand).value(bound, self.conditions)

    def _table(self, array: z3.ArrayRef, summand: z3.ArithRef) -> _Table:
        return self._tables.setdefault((array.get_id(), summand.get_id()), _Table(array, summand))


def _at(summand: z3.ArithRef, cell: z3.ExprRef, place: z3.ExprRef) -> z3.ArithRef:
    return substitute(summand, [(CELL, cell), (PLACE, place)])


def _choice(condition: z3.BoolRef, yes: z3.ArithRef, no: z3.ArithRef) -> z3.ArithRef:
    chosen: z3.ArithRef = z3.If(condition, yes, no)
    return chosen


def _holds(formula: z3.BoolRef) -> z3.BoolRef:
    """True or false where that is plain."""
    simplified: z3.BoolRef = z3.simplify(formula)
    return simplified if not free_variables(simplified) else formula


def _depends_on_index(summand: z3.ArithRef) -> bool:
    return any(term.eq(PLACE) for term in subterms(summand))


def with_values(summand: z3.ArithRef, pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ArithRef | None:
    """The summand with terms for its parameters; None if one has no term."""
    closed = substitute(summand, pairs)
    given = {old.get_id() for old, _ in pairs}
    used = [v for v in free_variables(summand) if not v.eq(CELL) and not v.eq(PLACE)]
    return closed if all(v.get_id() in given for v in used) else None
