"""C floating point in z3's FP theory, round to nearest even. long double is x87's: 15 exponent, 64 mantissa bits."""

from fractions import Fraction

import z3

from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding, NotLinear
from encoders.c.types.c_types import CFloat, CInteger

_SORTS = {32: (8, 24), 64: (11, 53), 80: (15, 64)}


def sort(kind: CFloat) -> z3.SortRef:
    return z3.FPSort(*_SORTS[kind.width])


def literal(value: float | Fraction, kind: CFloat) -> z3.ExprRef:
    if isinstance(value, Fraction):
        return z3.simplify(z3.fpToFP(z3.RNE(), z3.RealVal(value), sort(kind)))
    return z3.simplify(z3.fpToFP(z3.RNE(), z3.FPVal(value, z3.Float64()), sort(kind)))


def binary(operator: str, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
    function = {"+": z3.fpAdd, "-": z3.fpSub, "*": z3.fpMul, "/": z3.fpDiv}[operator]
    return function(z3.RNE(), a, b)


def unary(operator: str, term: z3.ExprRef) -> z3.ExprRef:
    """- or the correctly rounded square root"""
    return z3.fpSqrt(z3.RNE(), term) if operator == "sqrt" else z3.fpNeg(term)


def compare(operator: str, a: z3.ExprRef, b: z3.ExprRef) -> z3.BoolRef:
    """IEEE comparison: with NaN all are false but !=."""
    match operator:
        case "==":
            return z3.fpEQ(a, b)
        case "!=":
            return z3.Not(z3.fpEQ(a, b))
        case "<":
            return z3.fpLT(a, b)
        case "<=":
            return z3.fpLEQ(a, b)
        case ">":
            return z3.fpGT(a, b)
        case _:
            return z3.fpGEQ(a, b)


def convert(term: z3.ExprRef, target: CFloat) -> z3.ExprRef:
    return term if term.sort() == sort(target) else z3.fpToFP(z3.RNE(), term, sort(target))


def from_integer(value: BoundedTerm, kind: CInteger, target: CFloat, theory: IntegerEncoding) -> z3.ExprRef:
    if theory.name != "bv":
        raise NotLinear("conversion of an integer to floating point")
    if kind.signed:
        return z3.fpSignedToFP(z3.RNE(), value.term, sort(target))
    return z3.fpUnsignedToFP(z3.RNE(), value.term, sort(target))


def to_integer(term: z3.ExprRef, kind: CInteger, theory: IntegerEncoding, other: z3.ExprRef) -> z3.ExprRef:
    """Truncation; `other` where the truncated value is not in the type's range."""
    if theory.name != "bv":
        raise NotLinear("conversion of floating point to an integer")
    fits = z3.And(_above(term, kind.minimum - 1), _below(term, kind.maximum + 1))
    bits = z3.BitVecSort(kind.width)
    converted = z3.fpToSBV(z3.RTZ(), term, bits) if kind.signed else z3.fpToUBV(z3.RTZ(), term, bits)
    return z3.If(fits, converted, other)


def _above(term: z3.ExprRef, bound: int) -> z3.BoolRef:
    """The formula term > bound, for 0 or a negated power of 2, less 1: none lies between what a sort cannot hold and
    the next whole number."""
    if bound.bit_length() <= term.sort().sbits():
        return z3.fpGT(term, _whole(bound, term.sort()))
    return z3.fpGEQ(term, _whole(bound + 1, term.sort()))


def _below(term: z3.ExprRef, power: int) -> z3.BoolRef:
    """The formula term < power, for a power of 2; of one that is too large for the sort, that the term is finite."""
    return z3.fpLT(term, _whole(power, term.sort()))


def _whole(value: int, kind: z3.SortRef) -> z3.ExprRef:
    """A whole number in a sort of floating-point numbers, rounded."""
    return z3.simplify(z3.fpToFP(z3.RNE(), z3.RealVal(value), kind))
