"""Evaluation for all iterations of a cycle at once: values that are affine in the number n of the iteration.

Each value has a limit: a comparison of affine values keeps its truth value up to an iteration that is computed exactly,
and everything computed from it is valid up to the same limit.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import z3

from chcverify.quick_dataclass import dataclass
from solvers.acceleration.run_values import Affine, Array, ConstantArray, Filled, Number, Stored, Value, affine, parts

UNBOUNDED_ITERATIONS = 1 << 200  # more iterations than any cycle is taken


@dataclass(frozen=True, slots=True)
class ParametricValue:
    """A value that is valid for the iterations 0 <= n < limit. value None: not affine, limit 0."""

    value: Value | None
    limit: int = UNBOUNDED_ITERATIONS


UNKNOWN = ParametricValue(None, 0)


def _limit(operands: Sequence[ParametricValue]) -> int:
    return min((operand.limit for operand in operands), default=UNBOUNDED_ITERATIONS)


def _numbers(operands: Sequence[ParametricValue]) -> list[tuple[Number, Number]] | None:
    found = [None if operand.value is None else parts(operand.value) for operand in operands]
    known = [pair for pair in found if pair is not None]
    return known if len(known) == len(found) else None


def _add(*operands: ParametricValue) -> ParametricValue:
    numbers = _numbers(operands)
    if numbers is None:
        return UNKNOWN
    return ParametricValue(affine(sum(a for a, _ in numbers), sum(b for _, b in numbers)), _limit(operands))


def _scale(operand: ParametricValue, factor: Number) -> ParametricValue:
    numbers = _numbers([operand])
    return (
        UNKNOWN
        if numbers is None
        else ParametricValue(affine(numbers[0][0] * factor, numbers[0][1] * factor), operand.limit)
    )


def _minus(operand: ParametricValue) -> ParametricValue:
    return _scale(operand, -1)


def _sub(first: ParametricValue, *others: ParametricValue) -> ParametricValue:
    return _add(first, *map(_minus, others))


def _mul(*operands: ParametricValue) -> ParametricValue:
    numbers = _numbers(operands)
    if numbers is None or sum(1 for _, slope in numbers if slope) > 1:
        return UNKNOWN
    start, slope = numbers[0]
    for a, b in numbers[1:]:
        start, slope = start * a, slope * a + start * b
    return ParametricValue(affine(start, slope), _limit(operands))


def _mod(operand: ParametricValue, divisor: ParametricValue) -> ParametricValue:
    """The residue modulo c of start + b * n: affine with the slope of least magnitude until it leaves 0..c-1."""
    numbers = _numbers([operand, divisor])
    if numbers is None or numbers[1][1]:
        return UNKNOWN
    (a, b), (c, _) = numbers
    if not c:
        return ParametricValue(0, _limit([operand, divisor])) if not b else UNKNOWN
    c = c if c > 0 else -c
    rest, step = a % c, (b + c // 2) % c - c // 2
    limit = UNBOUNDED_ITERATIONS if not step else math.ceil(Fraction(c - rest, step)) if step > 0 else rest // -step + 1
    return ParametricValue(affine(rest, step), min(limit, operand.limit, divisor.limit))


def _idiv(operand: ParametricValue, divisor: ParametricValue) -> ParametricValue:
    numbers = _numbers([operand, divisor])
    if numbers is None or numbers[1][1]:
        return UNKNOWN
    c = numbers[1][0]
    if not c:
        return ParametricValue(0, _limit([operand, divisor])) if not numbers[0][1] else UNKNOWN
    multiple = _numbers([_sub(operand, rest := _mod(operand, divisor))])
    assert multiple is not None
    (a, b) = multiple[0]
    return ParametricValue(affine(a // c, b // c), rest.limit)


def _divide(operand: ParametricValue, divisor: ParametricValue) -> ParametricValue:
    numbers = _numbers([divisor])
    if numbers is None or numbers[0][1] or not numbers[0][0]:
        return UNKNOWN
    scaled = _scale(operand, 1 / Fraction(numbers[0][0]))
    return ParametricValue(scaled.value, min(scaled.limit, divisor.limit))


def _at_most(left: ParametricValue, right: ParametricValue, strictly: bool = False) -> ParametricValue:
    """The truth value of left <= right (or <) and its range: left - right = a + b * n."""
    numbers = _numbers([_sub(left, right)])
    if numbers is None:
        return UNKNOWN
    a, b = numbers[0]
    holds = a < 0 if strictly else a <= 0
    limit = UNBOUNDED_ITERATIONS
    if holds and b > 0:  # until a + b * n > 0, or >= 0
        limit = math.ceil(Fraction(-a) / b) if strictly else math.floor(Fraction(-a) / b) + 1
    elif not holds and b < 0:  # until a + b * n < 0, or <= 0
        limit = math.floor(Fraction(a) / -b) + 1 if strictly else math.ceil(Fraction(a) / -b)
    return ParametricValue(holds, min(limit, left.limit, right.limit))


def _equal(left: ParametricValue, right: ParametricValue) -> ParametricValue:
    """Equality up to the iteration at which it changes; unknown unless decided by numbers, Booleans or identity."""
    numbers, limit = _numbers([left, right]), _limit([left, right])
    if numbers is None:
        if left.value is None or right.value is None:
            return UNKNOWN
        if isinstance(left.value, bool) and isinstance(right.value, bool):
            return ParametricValue(left.value == right.value, limit)
        return ParametricValue(True, limit) if left.value is right.value else UNKNOWN
    a, b = numbers[0][0] - numbers[1][0], numbers[0][1] - numbers[1][1]
    if not b:
        return ParametricValue(a == 0, limit)
    root = Fraction(-a) / b
    meets = root.denominator == 1 and root >= 0
    return (
        ParametricValue(True, min(limit, 1))
        if not a
        else ParametricValue(False, min(limit, int(root)) if meets else limit)
    )


def _not(operand: ParametricValue) -> ParametricValue:
    return ParametricValue(not operand.value, operand.limit) if isinstance(operand.value, bool) else UNKNOWN


def _and(*operands: ParametricValue) -> ParametricValue:
    """The conjunction; false as long as one operand is false, even if others are unknown."""
    false = [operand.limit for operand in operands if operand.value is False]
    if false:
        return ParametricValue(False, max(false))
    return ParametricValue(True, _limit(operands)) if all(operand.value is True for operand in operands) else UNKNOWN


def _or(*operands: ParametricValue) -> ParametricValue:
    return _not(_and(*map(_not, operands)))


def _distinct(*operands: ParametricValue) -> ParametricValue:
    return _and(*(_not(_equal(a, b)) for i, a in enumerate(operands) for b in operands[:i]))


def _choice(condition: ParametricValue, then: ParametricValue, otherwise: ParametricValue) -> ParametricValue:
    if not isinstance(condition.value, bool):
        return UNKNOWN
    branch = then if condition.value else otherwise
    return ParametricValue(branch.value, min(branch.limit, condition.limit))


def _store(array: ParametricValue, index: ParametricValue, value: ParametricValue) -> ParametricValue:
    if array.value is None or index.value is None or value.value is None:
        return UNKNOWN
    assert isinstance(array.value, ConstantArray | Stored | Filled)
    return ParametricValue(Stored(array.value, index.value, value.value), _limit([array, index, value]))


def _select(array: ParametricValue, index: ParametricValue) -> ParametricValue:
    """The element of the array at the index: descends through the writes, deciding at each one whether it hits."""
    limit = _limit([array, index])
    node = array.value
    while limit and node is not None and index.value is not None:
        assert isinstance(node, ConstantArray | Stored | Filled)
        if isinstance(node, ConstantArray):
            return ParametricValue(node.value, limit)
        inside, value = _cell(node, index)
        if not isinstance(inside.value, bool):
            return UNKNOWN
        limit = min(limit, inside.limit)
        if inside.value:
            return ParametricValue(value.value, min(limit, value.limit))
        node = node.below
    return UNKNOWN


def _cell(node: Stored | Filled, index: ParametricValue) -> tuple[ParametricValue, ParametricValue]:
    """The truth value of "the write covers the index", with its limit, and the written value."""
    if isinstance(node, Stored):
        return _equal(index, ParametricValue(node.index)), ParametricValue(node.value)
    distance = _sub(index, ParametricValue(node.start))
    rest = _mod(distance, ParametricValue(node.step))
    m = _idiv(distance, ParametricValue(node.step))
    hit = _and(
        _equal(rest, ParametricValue(0)),
        _at_most(ParametricValue(0), m),
        _at_most(m, ParametricValue(node.count), strictly=True),
    )
    return hit, _add(ParametricValue(node.value), _scale(m, node.slope)) if node.slope else ParametricValue(node.value)


def _to_int(operand: ParametricValue) -> ParametricValue:
    numbers = _numbers([operand])
    if numbers is None or any(Fraction(part).denominator != 1 for part in numbers[0]):
        return UNKNOWN
    return ParametricValue(affine(int(numbers[0][0]), int(numbers[0][1])), operand.limit)


def constant_array(value: ParametricValue) -> ParametricValue:
    """The array with this value everywhere, if the value does not depend on the iteration."""
    return (
        UNKNOWN
        if value.value is None or isinstance(value.value, Affine)
        else ParametricValue(ConstantArray(value.value), value.limit)
    )


OPERATIONS: Mapping[int, Callable[..., ParametricValue]] = {
    z3.Z3_OP_ADD: _add,
    z3.Z3_OP_SUB: _sub,
    z3.Z3_OP_UMINUS: _minus,
    z3.Z3_OP_MUL: _mul,
    z3.Z3_OP_IDIV: _idiv,
    z3.Z3_OP_MOD: _mod,
    z3.Z3_OP_DIV: _divide,
    z3.Z3_OP_LE: _at_most,
    z3.Z3_OP_GE: lambda a, b: _at_most(b, a),
    z3.Z3_OP_LT: lambda a, b: _at_most(a, b, strictly=True),
    z3.Z3_OP_GT: lambda a, b: _at_most(b, a, strictly=True),
    z3.Z3_OP_EQ: _equal,
    z3.Z3_OP_IFF: _equal,
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_XOR: _distinct,
    z3.Z3_OP_NOT: _not,
    z3.Z3_OP_AND: _and,
    z3.Z3_OP_OR: _or,
    z3.Z3_OP_IMPLIES: lambda a, b: _or(_not(a), b),
    z3.Z3_OP_ITE: _choice,
    z3.Z3_OP_SELECT: _select,
    z3.Z3_OP_STORE: _store,
    z3.Z3_OP_CONST_ARRAY: constant_array,
    z3.Z3_OP_TO_REAL: lambda operand: operand,
    z3.Z3_OP_TO_INT: _to_int,
}
"""Evaluation of z3's operations on parametric values; the same operations as in `concrete_operations`."""
__all__ = ["OPERATIONS", "UNBOUNDED_ITERATIONS", "UNKNOWN", "Array", "ParametricValue"]
