"""Formulas about sums of machine words, weakened: how a sum is computed from its variables does not matter.

Circuits for a hundred sums x - y + c are a hard question where the answer hardly depends on them: y = x, so x - y is 0
and z - x is z - y; and from 3 <= x - y follows 2 <= x - y, unless that wraps around. So x - y becomes an integer
d(x, y) of which little is known: that it depends on x and y alone, its range, d(x, y) = 0 exactly if x = y, and
d(y, x) = -d(x, y). What a comparison says of x - y + c modulo 2^w is that d(x, y) is in one or two intervals. The
values of bit-vectors give values to all of these, so what satisfies the formula satisfies the weaker one, too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from chcverify.terms.bitvectors.modular_sums import ModularSum
from chcverify.terms.core.traversal import conjunction, fold, is_variable, kind_of

_BOOLEAN = frozenset(
    (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES, z3.Z3_OP_XOR, z3.Z3_OP_ITE, z3.Z3_OP_EQ)
)
# For each comparison: is it signed, are its sides exchanged in left <= right, and is that negated?
_ORDERS = {
    z3.Z3_OP_SLEQ: (True, False, False),
    z3.Z3_OP_SGEQ: (True, True, False),
    z3.Z3_OP_SLT: (True, True, True),
    z3.Z3_OP_SGT: (True, False, True),
    z3.Z3_OP_ULEQ: (False, False, False),
    z3.Z3_OP_UGEQ: (False, True, False),
    z3.Z3_OP_ULT: (False, True, True),
    z3.Z3_OP_UGT: (False, False, True),
}


class OtherOperations(Exception):
    """The formula is about more than comparisons of sums of variables."""


@dataclass(frozen=True, eq=False)
class _Word:
    """sign * term + constant modulo 2^width. term: an integer, the signed value of a sum; None for 0."""

    sign: int
    term: z3.ArithRef | None
    constant: int
    width: int

    @property
    def least(self) -> int:
        """The least signed number."""
        return -(1 << self.width - 1)

    def signed(self, value: int) -> int:
        """The signed number that is congruent to the value."""
        return (value - self.least) % (1 << self.width) + self.least

    def within(self, low: int, high: int) -> z3.BoolRef:
        """Is the word one of low, low + 1, ..., high modulo 2^width?"""
        low, high = low - self.constant, high - self.constant
        if self.sign < 0:
            low, high = -high, -low
        if self.term is None:
            return z3.BoolVal((-low) % (1 << self.width) <= (high - low) % (1 << self.width))
        first, last = self.signed(low), self.signed(high)
        if first == last:
            return self.term == first
        bounds = (self.term >= first, self.term <= last)
        return z3.And(bounds) if first <= last else z3.Or(bounds)

    def value(self, is_signed: bool) -> z3.ArithRef:
        """The number that the word is, read as signed or unsigned."""
        size, constant = 1 << self.width, self.signed(self.constant)
        if self.term is None:
            return z3.IntVal(constant if is_signed else constant % size)
        if is_signed and not constant and self.sign > 0:
            return self.term
        least = self.least if is_signed else 0
        # Two signed numbers: their sum is at least -size and less than size.
        total = self.sign * self.term + constant
        result: z3.ArithRef = z3.If(total < least, total + size, z3.If(total >= least + size, total - size, total))
        return result


class WordsApart:
    """Weaker formulas, in which equal sums are the same integers, and what is known of these."""

    def __init__(self) -> None:
        self._facts: list[z3.BoolRef] = []
        self._variables: dict[int, tuple[z3.ExprRef, z3.ArithRef]] = {}  # by id; keeps the variable alive
        self._functions: dict[tuple[int, ...], z3.FuncDeclRef] = {}
        self._sums: dict[tuple[int, frozenset[tuple[int, int]]], z3.ArithRef] = {}

    def weaker(self, formula: z3.BoolRef) -> z3.BoolRef:
        """Follows from the formula, together with the facts, for some values of what is new. Raises OtherOperations."""
        result = fold(formula, self._visit)
        assert result is not None
        return result

    def new_facts(self) -> list[z3.BoolRef]:
        """What is known of each of the integers, as far as it was not returned before."""
        found, self._facts = self._facts, []
        return found

    def _visit(self, term: z3.ExprRef, parts: list[z3.BoolRef | None]) -> z3.BoolRef | None:
        """The weaker formula; None for bit-vectors, which comparisons read as sums."""
        kind = kind_of(term)
        if z3.is_bv(term):
            return None
        if not z3.is_bool(term):
            raise OtherOperations
        if kind in _ORDERS:
            is_signed, is_exchanged, is_negated = _ORDERS[kind]
            left, right = map(self._word, reversed(term.children()) if is_exchanged else term.children())
            order = self._order(left, right, is_signed)
            return z3.Not(order) if is_negated else order
        if kind in (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT) and term.num_args() == 2 and z3.is_bv(term.arg(0)):
            equal = self._word(term.arg(0) - term.arg(1)).within(0, 0)
            return equal if kind == z3.Z3_OP_EQ else z3.Not(equal)
        if is_variable(term) or kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return term
        if kind in _BOOLEAN:
            return _rebuilt(kind, term, [part for part in parts if part is not None])
        raise OtherOperations

    def _order(self, left: _Word, right: _Word, is_signed: bool) -> z3.BoolRef:
        """left <= right"""
        least = left.least if is_signed else 0
        if right.term is None:
            return left.within(least, right.constant)
        if left.term is None:
            return right.within(left.constant, least - 1)
        return left.value(is_signed) <= right.value(is_signed)

    def _word(self, term: z3.BitVecRef) -> _Word:
        total = ModularSum.of(term)
        for key in total.factors:
            variable = total.terms[key]
            if not is_variable(variable):
                raise OtherOperations
            if key not in self._variables:
                value = z3.FreshInt("word")
                self._variables[key] = variable, value
                self._know_range(value, total.width)
        factors, width = total.factors, total.width
        if not factors:
            return _Word(1, None, total.constant, width)
        # One of a sum and its negative: the factor of the first variable is positive as a signed number.
        sign = 1 if factors[min(factors)] < 1 << width - 1 else -1
        positive = {key: sign * factor % (1 << width) for key, factor in factors.items()}
        return _Word(sign, self._sum(positive, width), total.constant, width)

    def _sum(self, factors: Mapping[int, int], width: int) -> z3.ArithRef:
        """The signed value of the sum. factors: by the ids of variables."""
        key = width, frozenset(factors.items())
        if key not in self._sums:
            self._sums[key] = self._new_sum(factors, width)
        return self._sums[key]

    def _new_sum(self, factors: Mapping[int, int], width: int) -> z3.ArithRef:
        """The variable itself, or the application of a function that the factors name."""
        ordered = sorted(factors)
        arguments, shape = [self._variables[key][1] for key in ordered], [factors[key] for key in ordered]
        if shape == [1]:
            return arguments[0]
        function = self._functions.get((width, *shape))
        if function is None:
            function = z3.FreshFunction(*[z3.IntSort()] * (len(shape) + 1))
            self._functions[width, *shape] = function
        value: z3.ArithRef = function(*arguments)
        self._know_range(value, width)
        if len(shape) == 2 and shape[0] == shape[1]:
            self._facts.append(value == function(*reversed(arguments)))
        if shape == [1, (1 << width) - 1]:
            least = -(1 << width - 1)
            self._facts.append((value == 0) == (arguments[0] == arguments[1]))
            self._facts.append(function(*reversed(arguments)) == z3.If(value == least, least, -value))
        return value

    def _know_range(self, value: z3.ArithRef, width: int) -> None:
        half = 1 << width - 1
        self._facts += [value >= -half, value < half]


_MAKE: dict[int, Callable[[list[z3.BoolRef]], z3.BoolRef]] = {z3.Z3_OP_AND: z3.And, z3.Z3_OP_OR: z3.Or}


def _rebuilt(kind: int, term: z3.BoolRef, parts: list[z3.BoolRef]) -> z3.BoolRef:
    if len(parts) != term.num_args():
        raise OtherOperations  # a choice between bit-vectors, or an equation of other sorts
    make = _MAKE.get(kind)
    return term.decl()(*parts) if make is None else make(parts)


def weaker(formula: z3.BoolRef) -> z3.BoolRef | None:
    """A formula over integers that has a solution if the formula has one; None if it is about other operations."""
    words = WordsApart()
    try:
        result = words.weaker(formula)
    except OtherOperations:
        return None
    return conjunction([result, *words.new_facts()])
