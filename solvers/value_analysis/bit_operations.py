"""Operations of bit-vectors on finite unions of intervals of their unsigned numbers."""

from collections.abc import Callable, Sequence

import z3

from solvers.value_analysis import value_sets
from solvers.value_analysis.value_sets import Pieces, signed, unsigned

Values = Sequence[Pieces]
"""What each argument may be."""
Numbers = Sequence[int]
Operation = Callable[[Values, Numbers, int, Numbers], Pieces]
"""Of the arguments, their widths, the width of the result and the parameters of the operation."""
Reversal = Callable[[Pieces, Values, Numbers, int, Numbers], Values]
"""What the arguments may be, by the result and what they were; then as an Operation."""


def _anything(width: int) -> Pieces:
    return ((0, (1 << width) - 1),)


def _add(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    found = values[0]
    for value in values[1:]:
        found = unsigned(value_sets.total(found, value), width)
    return found


def _subtract(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    found = values[0]
    for value in values[1:]:
        found = unsigned(value_sets.total(found, value_sets.negative(value)), width)
    return found


def _negate(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    return unsigned(value_sets.negative(values[0]), width)


def _multiply(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    found = values[0]
    for value in values[1:]:
        plain = value_sets.times(found, value)
        if plain[-1][1] >> width:  # as signed numbers, it may not leave the range
            plain = value_sets.times(signed(found, width), signed(value, width))
        found = unsigned(plain, width)
    return found


def _divide(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    one, other = values
    return value_sets.quotient(one, other) if other[0][0] > 0 else _anything(width)


def _remainder(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    one, other = values
    return value_sets.remainder(one, other) if other[0][0] > 0 else value_sets.of(0, one[-1][1])


def _signed(divide: Callable[[Pieces, Pieces], Pieces]) -> Operation:
    """The signed operation whose result for positive numbers is `divide`, for positive divisors: the sign of the result
    is that of the dividend."""

    def operation(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
        one, other = (signed(value, width) for value in values)
        if not other or other[0][0] <= 0:
            return _anything(width)
        positive = value_sets.meet(one, value_sets.of(0, value_sets.FAR))
        negative = value_sets.negative(value_sets.meet(one, value_sets.of(-value_sets.FAR, -1)))
        parts = divide(positive, other), value_sets.negative(divide(negative, other))
        return unsigned(value_sets.join(*parts), width)

    return operation


def _and(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    constants = [value_sets.constant(value) for value in values]
    if all(number is not None for number in constants):
        found = -1
        for number in constants:
            found &= number or 0
        return value_sets.of(found, found)
    for value, mask in ((values[0], constants[-1]), (values[-1], constants[0])):
        if len(values) == 2 and mask is not None and mask & (mask + 1) == 0:
            return value_sets.modulo(value, mask + 1)
    return value_sets.of(0, min(value[-1][1] for value in values))


def _or(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    numbers = [value_sets.constant(value) for value in values]
    if all(number is not None for number in numbers):
        found = 0
        for number in numbers:
            found |= number or 0
        return value_sets.of(found, found)
    highest = max(value[-1][1] for value in values)
    return value_sets.of(max(value[0][0] for value in values), (1 << highest.bit_length()) - 1)


def _xor(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    numbers = [value_sets.constant(value) for value in values]
    if all(number is not None for number in numbers):
        found = 0
        for number in numbers:
            found ^= number or 0
        return value_sets.of(found, found)
    return value_sets.of(0, (1 << max(value[-1][1] for value in values).bit_length()) - 1)


def _not(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    return value_sets.total(value_sets.negative(values[0]), value_sets.of((1 << width) - 1, (1 << width) - 1))


def _shift_left(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    low, high = values[1][0][0], values[1][-1][1]
    if high >= width:
        return _anything(width)
    return unsigned(value_sets.times(values[0], value_sets.of(1 << low, 1 << high)), width)


def _shift_right(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    low, high = min(values[1][0][0], width), min(values[1][-1][1], width)
    return value_sets.united((a >> high, b >> low) for a, b in values[0])


def _shift_signed(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    low, high = min(values[1][0][0], width), min(values[1][-1][1], width)
    found = []
    for a, b in signed(values[0], width):
        corners = (a >> low, a >> high, b >> low, b >> high)
        found.append((min(corners), max(corners)))
    return unsigned(value_sets.united(found), width)


def _extract(values: Values, widths: Numbers, width: int, parameters: Numbers) -> Pieces:
    low = parameters[1]
    return unsigned(value_sets.united((a >> low, b >> low) for a, b in values[0]), width)


def _concatenate(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    found = values[0]
    for value, low in zip(values[1:], widths[1:], strict=True):
        found = value_sets.total(value_sets.scaled(found, 1 << low), value)
    return found


def _extend(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    return values[0]


def _extend_signed(values: Values, widths: Numbers, width: int, _: Numbers) -> Pieces:
    return unsigned(signed(values[0], widths[0]), width)


# --- from results to arguments ------------------------------------------------------------------------------------


def _add_back(result: Pieces, values: Values, widths: Numbers, width: int, _: Numbers) -> Values:
    if len(values) != 2:
        return values
    one, other = values
    return [
        unsigned(value_sets.total(result, value_sets.negative(other)), width),
        unsigned(value_sets.total(result, value_sets.negative(one)), width),
    ]


def _subtract_back(result: Pieces, values: Values, widths: Numbers, width: int, _: Numbers) -> Values:
    if len(values) != 2:
        return values
    one, other = values
    return [
        unsigned(value_sets.total(result, other), width),
        unsigned(value_sets.total(one, value_sets.negative(result)), width),
    ]


def _extend_back(result: Pieces, values: Values, widths: Numbers, width: int, _: Numbers) -> Values:
    return [result]


def _extend_signed_back(result: Pieces, values: Values, widths: Numbers, width: int, _: Numbers) -> Values:
    return [unsigned(signed(result, width), widths[0])]


def _multiply_back(result: Pieces, values: Values, widths: Numbers, width: int, _: Numbers) -> Values:
    """By a constant, where the product is no larger than the largest number, or the constant is 1."""
    factors = [value_sets.constant(value) for value in values]
    if len(values) != 2 or (factors[0] is None) == (factors[1] is None):
        return values
    position = 0 if factors[1] is not None else 1
    factor, open_ = factors[1 - position], values[position]
    if not factor or not open_ or open_[-1][1] * factor >> width:
        return values
    quotients = ((-(-low // factor), high // factor) for low, high in result)
    found = value_sets.united((low, high) for low, high in quotients if low <= high)
    return [found, values[1]] if position == 0 else [values[0], found]


def _extract_back(result: Pieces, values: Values, widths: Numbers, width: int, parameters: Numbers) -> Values:
    """Of the lowest bits, where each piece has only one value of the others."""
    if parameters[1] != 0 or any(low >> width != high >> width for low, high in values[0]):
        return values
    starts = dict.fromkeys(low >> width << width for low, _ in values[0])
    return [value_sets.united((start + low, start + high) for start in starts for low, high in result)]


def _concatenate_back(result: Pieces, values: Values, widths: Numbers, width: int, _: Numbers) -> Values:
    """From the highest part on, up to the first that is no constant."""
    found, rest, left = list(values), width, result
    for position, (value, own) in enumerate(zip(values, widths, strict=True)):
        rest -= own
        found[position] = value_sets.meet(value, value_sets.united((low >> rest, high >> rest) for low, high in left))
        known = value_sets.constant(found[position])
        if known is None:
            break
        left = value_sets.meet(left, value_sets.of(known << rest, (known + 1 << rest) - 1))
        left = value_sets.total(left, value_sets.of(-(known << rest), -(known << rest)))
    return found


BIT_OPERATIONS: dict[int, Operation] = {
    z3.Z3_OP_BADD: _add,
    z3.Z3_OP_BSUB: _subtract,
    z3.Z3_OP_BNEG: _negate,
    z3.Z3_OP_BMUL: _multiply,
    z3.Z3_OP_BUDIV: _divide,
    z3.Z3_OP_BUREM: _remainder,
    z3.Z3_OP_BSDIV: _signed(value_sets.quotient),
    z3.Z3_OP_BSREM: _signed(value_sets.remainder),
    z3.Z3_OP_BAND: _and,
    z3.Z3_OP_BOR: _or,
    z3.Z3_OP_BXOR: _xor,
    z3.Z3_OP_BNOT: _not,
    z3.Z3_OP_BSHL: _shift_left,
    z3.Z3_OP_BLSHR: _shift_right,
    z3.Z3_OP_BASHR: _shift_signed,
    z3.Z3_OP_EXTRACT: _extract,
    z3.Z3_OP_CONCAT: _concatenate,
    z3.Z3_OP_ZERO_EXT: _extend,
    z3.Z3_OP_SIGN_EXT: _extend_signed,
}
BIT_REVERSALS: dict[int, Reversal] = {
    z3.Z3_OP_BADD: _add_back,
    z3.Z3_OP_BSUB: _subtract_back,
    z3.Z3_OP_BMUL: _multiply_back,
    z3.Z3_OP_ZERO_EXT: _extend_back,
    z3.Z3_OP_SIGN_EXT: _extend_signed_back,
    z3.Z3_OP_EXTRACT: _extract_back,
    z3.Z3_OP_CONCAT: _concatenate_back,
}
