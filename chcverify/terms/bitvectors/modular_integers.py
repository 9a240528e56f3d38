"""Bit-vectors by integers that are congruent to them.

A bit-vector of width w is an integer term modulo 2^w, with an interval around that term: sums, products and low bits
need nothing more. Only where the number itself matters (orders, quotients, extensions) the integer is wrapped around
into the signed or unsigned range, and only as far as the interval asks for it. All operations here are exact.
"""

from collections.abc import Callable, Mapping, Sequence

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.interval import Interval, apply, hull
from chcverify.terms.core.sums import sum_of
from chcverify.terms.core.traversal import conjunction, disjunction

MAX_PIECES = 3
"""Of the number line, each shifted by another multiple of 2^w; beyond them, mod."""


@dataclass(frozen=True, eq=False)
class Number:
    """A bit-vector of `width` bits by an integer term that is congruent to it modulo 2^width and in the interval."""

    term: z3.ArithRef
    interval: Interval
    width: int

    @property
    def constant(self) -> int | None:
        return self.interval[0] if self.interval[0] == self.interval[1] else None


def bounds(width: int, signed: bool) -> tuple[int, int]:
    """The least and the greatest number of that width."""
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)


def literal(value: int, width: int) -> Number:
    """Of all congruent integers the one nearest to 0."""
    value %= 1 << width
    value -= (1 << width) * (value >> width - 1)
    return Number(z3.IntVal(value), (value, value), width)


def wrapped(number: Number, signed: bool) -> Number:
    """The number of the bit-vector, read as signed or unsigned."""
    low, high = number.interval
    least, most = bounds(number.width, signed)
    size, term = 1 << number.width, number.term
    if number.constant is not None:
        value = (number.constant - least) % size + least
        return Number(z3.IntVal(value), (value, value), number.width)
    if low is not None and high is not None:
        first, last = (low - least) // size, (high - least) // size
        if last - first < MAX_PIECES:
            result = _minus(term, first * size)
            for k in range(first + 1, last + 1):
                result = z3.If(term >= least + k * size, _minus(term, k * size), result)
            inside = (low - first * size, high - first * size) if first == last else (least, most)
            return Number(result, inside, number.width)
    result, around = term, _minus(_minus(term, least) % size, -least)
    if low is None or low < least:
        result = z3.If(term >= least, result, around)
    if high is None or high > most:
        result = z3.If(term <= most, result, around)
    return Number(result, (least, most), number.width)


def _minus(term: z3.ArithRef, value: int) -> z3.ArithRef:
    return term - value if value > 0 else term + -value if value < 0 else term


def in_range(number: Number) -> list[z3.BoolRef]:
    """Both bounds of the number's interval."""
    low, high = number.interval
    return [number.term >= low, number.term <= high]


def number_if(condition: z3.BoolRef, yes: Number, no: Number) -> Number:
    return Number(z3.If(condition, yes.term, no.term), hull(yes.interval, no.interval), yes.width)


def plain(value: int) -> Number:
    return Number(z3.IntVal(value), (value, value), 0)


def plus(number: Number, value: int) -> Number:
    return arithmetic(z3.Z3_OP_ADD, [number, plain(value)])


def negated(number: Number) -> Number:
    return arithmetic(z3.Z3_OP_UMINUS, [number])


_TERMS: Mapping[int, Callable[..., z3.ArithRef]] = {
    z3.Z3_OP_ADD: lambda *terms: sum_of(terms),
    z3.Z3_OP_SUB: lambda left, right: left - right,
    z3.Z3_OP_MUL: lambda left, right: left * right,
    z3.Z3_OP_UMINUS: lambda term: -term,
    z3.Z3_OP_IDIV: lambda left, right: left / right,
    z3.Z3_OP_MOD: lambda left, right: left % right,
}


def arithmetic(kind: int, numbers: Sequence[Number], width: int | None = None) -> Number:
    """An integer operation of z3's, as wide as the first number."""
    interval = apply(kind, [number.interval for number in numbers])
    width = numbers[0].width if width is None else width
    if interval[0] is not None and interval[0] == interval[1]:
        return Number(z3.IntVal(interval[0]), interval, width)
    return Number(_TERMS[kind](*(number.term for number in numbers)), interval, width)


def masked(number: Number, mask: int) -> Number:
    """Bitwise and: a sum over the mask's runs of ones, or the number without those of zeros."""
    ones, zeros = _runs(mask, number.width), _runs(~mask, number.width)
    if len(zeros) < len(ones):
        return arithmetic(z3.Z3_OP_SUB, [number, masked(number, ~mask % (1 << number.width))])
    parts = [sliced(number, low, high) for low, high in ones]
    return arithmetic(z3.Z3_OP_ADD, parts) if parts else literal(0, number.width)


def _runs(mask: int, width: int) -> list[tuple[int, int]]:
    """(low, high) of each run of ones, high excluded."""
    found, start = [], None
    for i in range(width + 1):
        one = i < width and mask >> i & 1
        if one and start is None:
            start = i
        elif not one and start is not None:
            found.append((start, i))
            start = None
    return found


def sliced(number: Number, low: int, high: int) -> Number:
    """The bits from low to high, high excluded, at their positions; those up to the top may exceed the width."""
    if high == number.width:
        rest = arithmetic(z3.Z3_OP_MOD, [number, plain(1 << low)])
        return arithmetic(z3.Z3_OP_SUB, [number, rest]) if low else number
    bits = arithmetic(z3.Z3_OP_MOD, [down(number, low), plain(1 << high - low)])
    return arithmetic(z3.Z3_OP_MUL, [bits, plain(1 << low)]) if low else bits


def down(number: Number, count: int) -> Number:
    """Without the lowest bits; congruent modulo as many bits as are left."""
    down = arithmetic(z3.Z3_OP_IDIV, [number, plain(1 << count)]) if count else number
    return Number(down.term, down.interval, number.width)


def is_set(number: Number, bit: int) -> z3.BoolRef:
    """The top bit is a sign, others take a remainder."""
    if bit == number.width - 1:
        found = wrapped(number, signed=True)
        low, high = found.interval
        if low is not None and low >= 0:
            return z3.BoolVal(False)
        return z3.BoolVal(True) if high is not None and high < 0 else found.term < 0
    return arithmetic(z3.Z3_OP_MOD, [down(number, bit), plain(2)]).term == 1


def compare(kind: int, left: Number, right: Number) -> z3.BoolRef:
    """An order of bit-vectors. Where one side is a number, the multiples of 2^w between make cases of linear bounds."""
    signed, order = ORDERS[kind]
    least, most = bounds(left.width, signed)
    for number, other, flipped in ((left, right, False), (right, left, True)):
        if other.constant is None or _inside(number, signed):
            continue
        value = wrapped(other, signed).constant
        assert value is not None
        upwards = (kind in _UPWARDS) != flipped
        strict = kind in _STRICT
        inside = (value + strict, most) if upwards else (least, value - strict)
        found = _within(number, *inside)
        if found is not None:
            return found
    return order(wrapped(left, signed).term, wrapped(right, signed).term)


def _within(number: Number, low: int, high: int) -> z3.BoolRef | None:
    """The formula "the number modulo 2^w is between the bounds"; None where that takes too many cases."""
    (least, most), size = number.interval, 1 << number.width
    if low > high:
        return z3.BoolVal(False)
    if least is None or most is None:
        return None
    first, last = -((high - least) // size), (most - low) // size  # high + k * size >= least, low + k * size <= most
    if last - first >= MAX_PIECES:
        return None
    cases = []
    for k in range(first, last + 1):
        parts = [number.term >= low + k * size] if low + k * size > least else []
        parts += [number.term <= high + k * size] if high + k * size < most else []
        cases.append(conjunction(parts))
    return disjunction(cases)


def _inside(number: Number, signed: bool) -> bool:
    low, high = number.interval
    least, most = bounds(number.width, signed)
    return low is not None and high is not None and least <= low and high <= most


def compare_all(kind: int, numbers: Sequence[Number], signed: bool) -> z3.BoolRef:
    if kind == z3.Z3_OP_EQ:
        return equal(numbers[0], numbers[1], signed)
    return z3.Distinct(*(wrapped(number, signed).term for number in numbers))


def equal(left: Number, right: Number, signed: bool) -> z3.BoolRef:
    """Congruence, by the reading in which one side is a number as it stands, or by the multiples that differ."""
    for number, other in ((left, right), (right, left)):
        if other.constant is not None and not _inside(number, signed) and not _inside(number, not signed):
            found = _within(number, other.constant, other.constant)
            if found is not None:
                return found
    for reading in (signed, not signed):
        if _inside(left, reading) or _inside(right, reading):
            a, b = wrapped(left, reading), wrapped(right, reading)
            return _same(b, a) if a.constant is not None else _same(a, b)
    size = 1 << left.width
    distance = arithmetic(z3.Z3_OP_SUB, [left, right])
    low, high = distance.interval
    if low is not None and high is not None and high // size + (-low // size) < MAX_PIECES:
        return z3.Or([left.term == _minus(right.term, -k * size) for k in range(-(-low // size), high // size + 1)])
    return z3.Or(left.term == right.term, distance.term % size == 0)


def _same(left: Number, right: Number) -> z3.BoolRef:
    """Equality; x div n = c as bounds of x."""
    if right.constant is None or not z3.is_idiv(left.term) or not z3.is_int_value(left.term.arg(1)):
        return left.term == right.term
    inside, by = left.term.arg(0), left.term.arg(1).as_long()
    return z3.And(inside >= right.constant * by, inside < (right.constant + 1) * by)


ORDERS: Mapping[int, tuple[bool, Callable[[z3.ArithRef, z3.ArithRef], z3.BoolRef]]] = {
    z3.Z3_OP_SLEQ: (True, lambda a, b: a <= b),
    z3.Z3_OP_SLT: (True, lambda a, b: a < b),
    z3.Z3_OP_SGEQ: (True, lambda a, b: a >= b),
    z3.Z3_OP_SGT: (True, lambda a, b: a > b),
    z3.Z3_OP_ULEQ: (False, lambda a, b: a <= b),
    z3.Z3_OP_ULT: (False, lambda a, b: a < b),
    z3.Z3_OP_UGEQ: (False, lambda a, b: a >= b),
    z3.Z3_OP_UGT: (False, lambda a, b: a > b),
}
_UPWARDS = {z3.Z3_OP_SGEQ, z3.Z3_OP_SGT, z3.Z3_OP_UGEQ, z3.Z3_OP_UGT}
_STRICT = {z3.Z3_OP_SLT, z3.Z3_OP_SGT, z3.Z3_OP_ULT, z3.Z3_OP_UGT}
