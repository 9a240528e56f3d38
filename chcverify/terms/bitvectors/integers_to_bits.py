"""Formulas over integers that stand for bit-vectors as formulas over these bit-vectors, exactly.

Every integer term becomes a signed bit-vector that is wide enough for all its values, so nothing overflows. No
conversion between bit-vectors and integers is left: solvers can check the result bit by bit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import z3

from chcverify.terms.arithmetic.interval import DENIED, Interval, apply, is_empty, restricted
from chcverify.terms.core.traversal import fold

MAX_BITS = 1024
"""Bits of one term; products of many variables exceed it. Chosen by hand."""


class NoBits(ValueError):
    """The formula has something that is no function of bit-vectors here: what."""


@dataclass(frozen=True, eq=False)
class Bits:
    """A signed bit-vector and the bounded interval of its number."""

    term: z3.BitVecRef
    low: int
    high: int

    @property
    def interval(self) -> Interval:
        return self.low, self.high


def over_bits(
    formula: z3.BoolRef,
    variables: Mapping[int, tuple[z3.BitVecRef, bool]],
    adapt: Callable[[z3.ExprRef, Bits], Bits] = lambda term, bits: bits,
    applied: Callable[[z3.ExprRef, Bits], Bits | None] = lambda term, argument: None,
) -> z3.BoolRef:
    """variables: for the identity of an integer constant the bit-vector and whether it is read as signed.

    applied: the value of a function of one integer at the argument; None for a function that it does not know. adapt:
    called with each integer term and its bits, children first; may return others for the same number. Raises NoBits.
    """

    def visit(term: z3.ExprRef, parts: list[Bits | z3.ExprRef]) -> Bits | z3.ExprRef:
        if not z3.is_app(term):
            raise NoBits("a quantifier")
        if term.get_id() in variables:
            return adapt(term, _variable(*variables[term.get_id()]))
        if z3.is_int_value(term):
            return adapt(term, value_bits(term.as_long()))
        if not parts:
            return term
        terms = [part for part in parts if not isinstance(part, Bits)]
        if len(terms) == len(parts):
            same = all(part.eq(child) for part, child in zip(terms, term.children(), strict=True))
            return term if same else term.update(*terms)
        if len(parts) == 1 and isinstance(parts[0], Bits) and (value := applied(term, parts[0])) is not None:
            return adapt(term, value)
        handler = _OPERATIONS.get(term.decl().kind())
        if handler is None or not all(isinstance(part, Bits) or z3.is_bool(part) for part in parts):
            raise NoBits(f"{term.decl().name()} over integers")
        found = handler(term, parts)
        return adapt(term, found) if isinstance(found, Bits) else found

    found = fold(formula, visit)
    assert isinstance(found, z3.BoolRef)
    return found


def _variable(term: z3.BitVecRef, signed: bool) -> Bits:
    size = term.size()
    if signed:
        return Bits(term, -(1 << size - 1), (1 << size - 1) - 1)
    return Bits(z3.ZeroExt(1, term), 0, (1 << size) - 1)


def value_bits(value: int) -> Bits:
    return Bits(z3.BitVecVal(value, width(value, value)), value, value)


def width(low: int, high: int) -> int:
    """The bits of signed numbers from low to high."""
    found = max(low.bit_length() if low >= 0 else (-low - 1).bit_length(), high.bit_length() if high >= 0 else 0) + 1
    if found > MAX_BITS:
        raise NoBits(f"numbers of more than {MAX_BITS} bits")
    return found


def resized(bits: Bits, size: int) -> z3.BitVecRef:
    """Sign-extended, or without the bits above."""
    missing = size - bits.term.size()
    if bits.low == bits.high:
        return z3.BitVecVal(bits.low, size)
    if missing > 0:
        return z3.SignExt(missing, bits.term)
    return z3.Extract(size - 1, 0, bits.term) if missing else bits.term


def _arithmetic(kind: int, parts: Sequence[Bits], make: Callable[..., z3.BitVecRef]) -> Bits:
    """Modulo 2^width of the result, what the operands have above does not matter."""
    low, high = apply(kind, [part.interval for part in parts])
    assert low is not None and high is not None
    if low == high:
        return value_bits(low)
    size = width(low, high)
    return Bits(make(*(resized(part, size) for part in parts)), low, high)


def _sum(term: z3.ArithRef, parts: Sequence[Bits]) -> Bits:
    result = parts[0]
    for part in parts[1:]:
        result = _arithmetic(z3.Z3_OP_ADD, [result, part], lambda a, b: a + b)
    return result


def _difference(term: z3.ArithRef, parts: Sequence[Bits]) -> Bits:
    result = parts[0]
    for part in parts[1:]:
        result = _arithmetic(z3.Z3_OP_SUB, [result, part], lambda a, b: a - b)
    return result


def _negative(term: z3.ArithRef, parts: Sequence[Bits]) -> Bits:
    return _arithmetic(z3.Z3_OP_UMINUS, parts, lambda a: -a)


def _product(term: z3.ArithRef, parts: Sequence[Bits]) -> Bits:
    result = parts[0]
    for part in parts[1:]:
        if -1 in (result.low, part.low) and (result.low == result.high or part.low == part.high):
            factor, other = (result, part) if result.low == result.high == -1 else (part, result)
            if factor.low == factor.high == -1:
                result = _negative(term, [other])
                continue
        result = _arithmetic(z3.Z3_OP_MUL, [result, part], lambda a, b: a * b)
    return result


def _divided(term: z3.ArithRef, parts: Sequence[Bits]) -> Bits:
    """Rounded so that the remainder is not negative."""
    number, by = parts
    if by.low != by.high:
        return _divided_by_variable(term, number, by)
    if by.low == 0:
        raise NoBits("a quotient by zero")
    rest = _remainder(term, parts)
    if by.low < 0:
        return _negative(term, [_divided(term, [number, value_bits(-by.low)])])
    low, high = number.low // by.low, number.high // by.low
    if low == high:
        return value_bits(low)
    size = max(number.term.size(), width(by.low, by.low))
    # truncation towards zero does nothing to a multiple
    whole = resized(number, size + 1) - resized(rest, size + 1)
    return Bits(whole / z3.BitVecVal(by.low, size + 1), low, high)


def _remainder(term: z3.ArithRef, parts: Sequence[Bits]) -> Bits:
    number, by = parts[0], abs(parts[1].low)
    if parts[1].low != parts[1].high:
        return _remainder_by_variable(term, number, parts[1])
    if by == 0:
        raise NoBits("a remainder by zero")
    if by == 1:
        return value_bits(0)
    if number.low // by == number.high // by:
        return _sum(term, [number, value_bits(-(number.low // by) * by)])
    if by & by - 1 == 0:
        size = by.bit_length() - 1
        return Bits(z3.ZeroExt(1, resized(number, size)), 0, by - 1)
    size = max(number.term.size(), width(by, by))
    return Bits(resized(number, size) % z3.BitVecVal(by, size), 0, by - 1)


def _remainder_by_variable(term: z3.ArithRef, number: Bits, by: Bits) -> Bits:
    """By what is never zero: from 0 to |by| - 1."""
    by = _positive(term, by)
    size = max(number.term.size(), by.term.size())
    # the remainder that has the divisor's sign
    return Bits(resized(number, size) % resized(by, size), 0, by.high - 1)


def _divided_by_variable(term: z3.ArithRef, number: Bits, by: Bits) -> Bits:
    rest = _remainder_by_variable(term, number, by)
    if by.high < 0:
        return _negative(term, [_divided_by_variable(term, number, _positive(term, by))])
    ends = [end // divisor for end in (number.low, number.high) for divisor in (by.low, by.high)]
    size = max(number.term.size(), by.term.size()) + 1
    # truncation towards zero does nothing to a multiple
    whole = resized(number, size) - resized(rest, size)
    return Bits(whole / resized(by, size), min(ends), max(ends))


def _positive(term: z3.ArithRef, by: Bits) -> Bits:
    """|by|."""
    if by.low <= 0 <= by.high:
        raise NoBits("a quotient by what may be zero")
    return by if by.low > 0 else _negative(term, [by])


def _choice(term: z3.ArithRef, parts: Sequence[Bits | z3.BoolRef]) -> Bits:
    condition, yes, no = parts
    assert not isinstance(condition, Bits) and isinstance(yes, Bits) and isinstance(no, Bits)
    low, high = min(yes.low, no.low), max(yes.high, no.high)
    size = width(low, high)
    return Bits(z3.If(condition, resized(yes, size), resized(no, size)), low, high)


def _compared(term: z3.BoolRef, parts: Sequence[Bits]) -> z3.BoolRef:
    left, right = parts
    kind = term.decl().kind()
    distance = apply(z3.Z3_OP_SUB, [left.interval, right.interval])
    if is_empty(restricted(distance, kind, 0)):
        return z3.BoolVal(False)
    if kind in DENIED and is_empty(restricted(distance, DENIED[kind], 0)):
        return z3.BoolVal(True)
    size = max(width(left.low, left.high), width(right.low, right.high))
    return _COMPARISONS[kind](resized(left, size), resized(right, size))


def _distinct(term: z3.BoolRef, parts: Sequence[Bits]) -> z3.BoolRef:
    size = max(width(part.low, part.high) for part in parts)
    return z3.Distinct(*(resized(part, size) for part in parts))


_COMPARISONS: Mapping[int, Callable[[z3.BitVecRef, z3.BitVecRef], z3.BoolRef]] = {
    z3.Z3_OP_LE: lambda a, b: a <= b,
    z3.Z3_OP_LT: lambda a, b: a < b,
    z3.Z3_OP_GE: lambda a, b: a >= b,
    z3.Z3_OP_GT: lambda a, b: a > b,
    z3.Z3_OP_EQ: lambda a, b: a == b,
}
_OPERATIONS: Mapping[int, Callable[..., Bits | z3.BoolRef]] = {
    z3.Z3_OP_ADD: _sum,
    z3.Z3_OP_SUB: _difference,
    z3.Z3_OP_UMINUS: _negative,
    z3.Z3_OP_MUL: _product,
    z3.Z3_OP_IDIV: _divided,
    z3.Z3_OP_MOD: _remainder,
    z3.Z3_OP_ITE: _choice,
    z3.Z3_OP_DISTINCT: _distinct,
    **dict.fromkeys(_COMPARISONS, _compared),
}
