"""Terms over bit-vectors as terms over integers (`modular_integers.py`).

What has no cheap counterpart (products that wrap around, bits of two variables, foreign functions) becomes a fresh
constant about which only some facts are stated: an over-approximation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.interval import WHOLE
from chcverify.terms.bitvectors.modular_integers import (
    ORDERS,
    Number,
    arithmetic,
    bounds,
    compare,
    compare_all,
    down,
    in_range,
    is_set,
    literal,
    masked,
    negated,
    number_if,
    plain,
    plus,
    wrapped,
)
from chcverify.terms.core.sums import sum_of
from chcverify.terms.native import handles
from chcverify.terms.native.capi import Handle

FEW_BITS = 8
"""Width up to which operations on two variables are done bit by bit. Chosen by hand."""
Converted: TypeAlias = Number | z3.ExprRef
Readings = Callable[[z3.ExprRef], bool]
"""Are the bit-vectors of this term, such as a variable or a comparison, read as signed numbers?"""


class NoCounterpart(ValueError):
    """The term has something that cannot even be approximated, such as a quantifier."""


@dataclass(eq=False)
class IntegerConversion:
    """The terms of one clause, which must live as long."""

    readings: Readings
    facts: list[z3.BoolRef] = field(default_factory=list)
    """What holds of the fresh constants."""
    exact: bool = True
    """None of them approximates."""
    variables: dict[int, Number] = field(default_factory=dict)
    """What became of bit-vectors, by their handles; each is in its range, which no fact says."""
    _known: dict[Handle, Converted] = field(default_factory=dict)
    _seen: set[Handle] = field(default_factory=set)

    def of(self, root: z3.ExprRef) -> Converted:
        """Raises NoCounterpart."""
        ctx, known = handles.context_of(root), self._known
        for node, below in handles.postorder(ctx, [handles.handle(root)], self._seen):
            term = handles.wrap(node, root.ctx)
            if not z3.is_app(term):
                raise NoCounterpart("a quantifier has no counterpart over integers")
            known[node] = self._convert(term, below)
        return known[handles.handle(root)]

    def formula(self, root: z3.BoolRef) -> z3.BoolRef:
        """Raises NoCounterpart."""
        found = self.of(root)
        assert isinstance(found, z3.BoolRef)
        return found

    def argument(self, root: z3.ExprRef, signed: bool) -> z3.ExprRef:
        """The integer that a bit-vector is, read so; other terms as they become. Raises NoCounterpart."""
        found = self.of(root)
        return wrapped(found, signed).term if isinstance(found, Number) else found

    def _convert(self, term: z3.ExprRef, below: Sequence[Handle]) -> Converted:
        is_bits = isinstance(term, z3.BitVecRef)
        if not below:
            if not is_bits:
                return term
            return literal(term.as_long(), term.size()) if z3.is_bv_value(term) else self._variable(term)
        parts = [self._known[child] for child in below]
        numbers = [part for part in parts if isinstance(part, Number)]
        if is_bits or numbers:
            handler = OPERATIONS.get(term.decl().kind())
            found = None if handler is None else handler(self, term, parts)
            return self._foreign(term) if found is None else found
        terms = [part for part in parts if not isinstance(part, Number)]
        same = all(handles.handle(part) == child for part, child in zip(terms, below, strict=True))
        return term if same else term.update(*terms)

    def _variable(self, term: z3.ExprRef) -> Number:
        found = self._fresh(term.size(), self.readings(term), term.decl().name())
        self.variables[handles.handle(term)] = found
        return found

    def _fresh(self, width: int, signed: bool, name: str) -> Number:
        return Number(z3.FreshInt(name), bounds(width, signed), width)

    def _foreign(self, term: z3.ExprRef) -> Converted:
        """Any value of its sort."""
        if isinstance(term, z3.BitVecRef):
            return self._unknown(term.size(), self.readings(term))
        self.exact = False
        unknown: z3.ExprRef = z3.FreshConst(term.sort(), "any")
        return unknown

    def _unknown(self, width: int, signed: bool) -> Number:
        """Any number."""
        self.exact = False
        found = self._fresh(width, signed, "any")
        self.facts += in_range(found)
        return found

    # operations that may have no exact counterpart

    def product(self, term: z3.BitVecRef, parts: Sequence[Number]) -> Number:
        """Products of variables are exact where they do not wrap around."""
        signed, width = self.readings(term), term.size()
        least, most = bounds(width, signed)
        result = parts[0]
        for part in parts[1:]:
            if result.constant is not None or part.constant is not None:
                result = arithmetic(z3.Z3_OP_MUL, [result, part])
                continue
            result = arithmetic(z3.Z3_OP_MUL, [wrapped(result, signed), wrapped(part, signed)])
            low, high = result.interval
            whole, other = result.term, self._unknown(width, signed).term
            assert low is not None and high is not None  # of wrapped numbers
            if low < least:
                result = Number(z3.If(whole < least, other, result.term), (least, max(high, most)), width)
            if high > most:
                result = Number(z3.If(whole > most, other, result.term), (least, most), width)
        return result

    def both(self, left: Number, right: Number) -> Number:
        """Bitwise and."""
        width = left.width
        if left.constant is not None:
            left, right = right, left
        if right.constant is not None:
            return masked(left, right.constant % (1 << width))
        if width <= FEW_BITS:
            bits = [z3.If(z3.And(is_set(left, i), is_set(right, i)), 1 << i, 0) for i in range(width)]
            return Number(sum_of(bits), bounds(width, signed=False), width)
        found = self._unknown(width, signed=False)
        self.facts += [found.term <= wrapped(part, signed=False).term for part in (left, right)]
        return found

    def either(self, left: Number, right: Number) -> Number:
        """Bitwise or: what is in both counts once."""
        return _difference(_sum(left, right), self.both(left, right))

    def one(self, left: Number, right: Number) -> Number:
        """Bitwise exclusive or: what is in both does not count."""
        return _difference(_sum(left, right), _times(self.both(left, right), 2))

    def shifted(self, shift: "Shift", term: z3.BitVecRef, value: Number, count: Number) -> Number:
        """The shift by a constant count, at most the width."""
        width = value.width
        by = wrapped(count, signed=False)
        if by.constant is not None:
            return shift(value, min(by.constant, width))
        low, high = by.interval
        assert low is not None and high is not None
        high = min(high, width)
        if high - low >= MAX_ALTERNATIVES:
            return self._unknown(width, self.readings(term))
        result = shift(value, high)
        for k in range(high - 1, low - 1, -1):
            result = number_if(by.term == k, shift(value, k), result)
        return result

    def divided(self, term: z3.BitVecRef, left: Number, right: Number) -> Number:
        """Quotients and remainders of all kinds; by zero as in SMT-LIB."""
        kind = term.decl().kind()
        signed = kind in _SIGNED_DIVISIONS
        number, by = wrapped(left, signed), wrapped(right, signed).constant
        if by is None:
            return self._unknown(left.width, signed) if signed else self._divided_by_variable(kind, left, right)
        if by == 0:
            if kind in _WITHOUT_ZERO:
                return self._unknown(left.width, signed)
            return _by_zero(kind, number)
        operation = z3.Z3_OP_IDIV if kind in _QUOTIENTS else z3.Z3_OP_MOD
        result = arithmetic(operation, [number, plain(abs(by))])
        if kind in _FLOOR:
            return result if by > 0 else number_if(result.term == 0, literal(0, left.width), plus(result, by))
        low = number.interval[0]
        if low is None or low < 0:  # towards zero
            below = negated(arithmetic(operation, [negated(number), plain(abs(by))]))
            result = number_if(number.term >= 0, result, below)
        return negated(result) if kind in _QUOTIENTS and by < 0 else result

    def _divided_by_variable(self, kind: int, left: Number, right: Number) -> Number:
        """The quotient or remainder by a variable, for unsigned numbers; only its bounds are stated."""
        found, most = self._unknown(left.width, signed=False), bounds(left.width, signed=False)[1]
        number, by = wrapped(left, signed=False).term, wrapped(right, signed=False).term
        if kind in _QUOTIENTS:
            regular, by_zero = found.term <= number, found.term == most
        else:
            regular, by_zero = z3.And(found.term <= number, found.term < by), found.term == number
        self.facts.append(z3.Or(by == 0, regular))
        if kind not in _WITHOUT_ZERO:
            self.facts.append(z3.Or(by != 0, by_zero))
        return found


_QUOTIENTS = {z3.Z3_OP_BUDIV, z3.Z3_OP_BUDIV_I, z3.Z3_OP_BSDIV, z3.Z3_OP_BSDIV_I}
_FLOOR = {z3.Z3_OP_BSMOD, z3.Z3_OP_BSMOD_I}
_REMAINDERS = {z3.Z3_OP_BUREM, z3.Z3_OP_BUREM_I, z3.Z3_OP_BSREM, z3.Z3_OP_BSREM_I} | _FLOOR
_SIGNED_DIVISIONS = {z3.Z3_OP_BSDIV, z3.Z3_OP_BSDIV_I, z3.Z3_OP_BSREM, z3.Z3_OP_BSREM_I} | _FLOOR
_WITHOUT_ZERO = {z3.Z3_OP_BUDIV_I, z3.Z3_OP_BSDIV_I, z3.Z3_OP_BUREM_I, z3.Z3_OP_BSREM_I, z3.Z3_OP_BSMOD_I}
"""z3's own, which leave division by zero open."""


def _by_zero(kind: int, number: Number) -> Number:
    if kind == z3.Z3_OP_BSDIV:
        return number_if(number.term >= 0, literal(-1, number.width), literal(1, number.width))
    return literal(-1, number.width) if kind == z3.Z3_OP_BUDIV else number


Shift = Callable[[Number, int], Number]


def _left(number: Number, by: int) -> Number:
    return _times(number, 1 << by) if by < number.width else literal(0, number.width)


def _logical(number: Number, by: int) -> Number:
    return down(wrapped(number, signed=False), by)


def _arithmetical(number: Number, by: int) -> Number:
    return down(wrapped(number, signed=True), by)


def _sum(*numbers: Number) -> Number:
    return arithmetic(z3.Z3_OP_ADD, numbers)


def _difference(left: Number, right: Number) -> Number:
    return arithmetic(z3.Z3_OP_SUB, [left, right])


def _times(number: Number, factor: int) -> Number:
    return arithmetic(z3.Z3_OP_MUL, [number, plain(factor)])


def _inverted(number: Number) -> Number:
    return plus(negated(number), -1)


def _resized(number: Number, width: int) -> Number:
    """The same integer for another width."""
    return Number(number.term, number.interval, width)


def _extracted(number: Number, high: int, low: int) -> Number:
    return _resized(down(number, low), high - low + 1)


def _concatenated(numbers: Sequence[Number]) -> Number:
    """Only the topmost may stay congruent."""
    result = numbers[0]
    for number in numbers[1:]:
        width = result.width + number.width
        moved = _times(_resized(result, width), 1 << number.width)
        result = _sum(moved, wrapped(number, signed=False))
    return result


def _folded(operation: Callable[[Number, Number], Number], parts: Sequence[Number]) -> Number:
    result = parts[0]
    for part in parts[1:]:
        result = operation(result, part)
    return result


def _division(conversion: IntegerConversion, term: z3.BitVecRef, parts: Sequence[Number]) -> Number:
    return conversion.divided(term, *parts)


def _order(conversion: IntegerConversion, term: z3.BoolRef, parts: Sequence[Number]) -> z3.BoolRef:
    return compare(term.decl().kind(), *parts)


def _equality(conversion: IntegerConversion, term: z3.BoolRef, parts: Sequence[Number]) -> z3.BoolRef:
    return compare_all(term.decl().kind(), parts, conversion.readings(term))


def _rotated(number: Number, by: int) -> Number:
    by %= number.width
    if not by:
        return number
    top = number.width - by
    return _concatenated([_extracted(number, top - 1, 0), _extracted(number, number.width - 1, top)])


def _rotated_by(number: Number, count: Number, sign: int) -> Number | None:
    by = wrapped(count, signed=False).constant
    return None if by is None else _rotated(number, sign * by)


def _bit(condition: z3.BoolRef) -> Number:
    return number_if(condition, literal(1, 1), plain(0))


Operation = Callable[[IntegerConversion, Any, Any], Converted | None]
OPERATIONS: Mapping[int, Operation] = {
    z3.Z3_OP_ITE: lambda c, t, p: None if len(p) != 3 else number_if(*p),
    z3.Z3_OP_EQ: _equality,
    z3.Z3_OP_DISTINCT: _equality,
    **dict.fromkeys(
        ORDERS,
        _order,
    ),
    **dict.fromkeys(_QUOTIENTS | _REMAINDERS, _division),
    z3.Z3_OP_BADD: lambda c, t, p: _sum(*p),
    z3.Z3_OP_BSUB: lambda c, t, p: _folded(_difference, p),
    z3.Z3_OP_BNEG: lambda c, t, p: negated(*p),
    z3.Z3_OP_BMUL: lambda c, t, p: c.product(t, p),
    z3.Z3_OP_BNOT: lambda c, t, p: _inverted(*p),
    z3.Z3_OP_BAND: lambda c, t, p: _folded(c.both, p),
    z3.Z3_OP_BOR: lambda c, t, p: _folded(c.either, p),
    z3.Z3_OP_BXOR: lambda c, t, p: _folded(c.one, p),
    z3.Z3_OP_BNAND: lambda c, t, p: _inverted(_folded(c.both, p)),
    z3.Z3_OP_BNOR: lambda c, t, p: _inverted(_folded(c.either, p)),
    z3.Z3_OP_BXNOR: lambda c, t, p: _inverted(c.one(*p)) if len(p) == 2 else None,
    z3.Z3_OP_BSHL: lambda c, t, p: c.shifted(_left, t, *p),
    z3.Z3_OP_BLSHR: lambda c, t, p: c.shifted(_logical, t, *p),
    z3.Z3_OP_BASHR: lambda c, t, p: c.shifted(_arithmetical, t, *p),
    z3.Z3_OP_CONCAT: lambda c, t, p: _concatenated(p),
    z3.Z3_OP_EXTRACT: lambda c, t, p: _extracted(*p, *t.params()),
    z3.Z3_OP_ZERO_EXT: lambda c, t, p: _resized(wrapped(p[0], signed=False), t.size()),
    z3.Z3_OP_SIGN_EXT: lambda c, t, p: _resized(wrapped(p[0], signed=True), t.size()),
    z3.Z3_OP_REPEAT: lambda c, t, p: _concatenated(p * t.params()[0]),
    z3.Z3_OP_ROTATE_LEFT: lambda c, t, p: _rotated(p[0], t.params()[0]),
    z3.Z3_OP_ROTATE_RIGHT: lambda c, t, p: _rotated(p[0], -t.params()[0]),
    z3.Z3_OP_EXT_ROTATE_LEFT: lambda c, t, p: _rotated_by(p[0], p[1], 1),
    z3.Z3_OP_EXT_ROTATE_RIGHT: lambda c, t, p: _rotated_by(p[0], p[1], -1),
    z3.Z3_OP_BCOMP: lambda c, t, p: _bit(compare_all(z3.Z3_OP_EQ, p, c.readings(t))),
    z3.Z3_OP_BIT2BOOL: lambda c, t, p: is_set(p[0], t.params()[0]),
    z3.Z3_OP_BV2INT: lambda c, t, p: wrapped(p[0], signed=False).term,
    z3.Z3_OP_SBV2INT: lambda c, t, p: wrapped(p[0], signed=True).term,
    z3.Z3_OP_INT2BV: lambda c, t, p: Number(p[0], WHOLE, t.size()),
}
"""By kind: from the term and what its children became; None for what is foreign after all."""
