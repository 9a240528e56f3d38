"""C integers as mathematical ones (exact linear integer arithmetic where the program is linear).

Values are range-bounded Ints. A wrap term stands only where intervals do not exclude overflow: a case distinction
where at most one period is left over, else mod. Masks and shifts by constants are div and mod.
"""

import z3

from encoders.c.encoding import interval
from encoders.c.encoding.interval import Interval
from encoders.c.encoding.theory import Fresh, Inexpressible, Value
from encoders.c.types import INT, CInteger

MAX_RUNS = 4  # runs of ones that a constant mask may have to be split into div and mod terms


class LinearIntegers:
    """Theory of Ints."""

    name = "lia"

    def sort(self, kind: CInteger) -> z3.SortRef:
        return z3.IntSort()

    def literal(self, value: int, kind: CInteger) -> Value:
        return Value(z3.IntVal(value), (value, value))

    def number(self, term: z3.ExprRef, kind: CInteger) -> int:
        return kind.wrap(term.as_long())

    def in_range(self, term: z3.ExprRef, kind: CInteger) -> z3.BoolRef:
        return z3.And(term >= kind.minimum, term <= kind.maximum)

    # --- arithmetic -----------------------------------------------------------------------------------------------

    def unary(self, operator: str, operand: Value, kind: CInteger) -> Value:
        assert operand.range is not None
        if operator == "-":
            return self._wrapped(-operand.term, interval.subtract((0, 0), operand.range), kind)
        # ~x = -x - 1 in two's complement
        return self._wrapped(-operand.term - 1, interval.subtract((-1, -1), operand.range), kind)

    def binary(self, operator: str, left: Value, right: Value, kind: CInteger, fresh: Fresh) -> Value:
        assert left.range is not None and right.range is not None
        match operator:
            case "+":
                return self._wrapped(left.term + right.term, interval.add(left.range, right.range), kind)
            case "-":
                return self._wrapped(left.term - right.term, interval.subtract(left.range, right.range), kind)
            case "*":
                return self._wrapped(left.term * right.term, interval.multiply(left.range, right.range), kind)
            case "/" | "%":
                return self._division(operator, left, right, kind, fresh)
            case _:
                return self._bits(operator, left, right, kind)

    def shift(self, operator: str, left: Value, right: Value, kind: CInteger, count: CInteger, fresh: Fresh) -> Value:
        assert left.range is not None
        by = right.constant
        if by is None:
            raise Inexpressible(f"{operator} by a variable")
        if not 0 <= by < kind.width:
            return fresh(kind)
        if operator == "<<":
            return self._wrapped(left.term * (1 << by), interval.multiply(left.range, (1 << by, 1 << by)), kind)
        # div by a positive constant is floor division: the arithmetic shift
        return Value(left.term / (1 << by) if by else left.term, interval.shift_right(left.range, (by, by)))

    def compare(self, operator: str, left: Value, right: Value, kind: CInteger) -> z3.BoolRef:
        return _COMPARE[operator](left.term, right.term)

    def cast(self, operand: Value, source: CInteger, target: CInteger) -> Value:
        assert operand.range is not None
        if target.is_bool and not interval.inside(operand.range, (0, 1)):
            truth = operand.term != 0
            return Value(z3.If(truth, z3.IntVal(1), z3.IntVal(0)), interval.wrap(operand.range, target), truth)
        if interval.inside(operand.range, interval.of_type(target)):
            return operand
        return self._wrapped(operand.term, operand.range, target)

    def _wrapped(self, term: z3.ExprRef, bounds: Interval, kind: CInteger) -> Value:
        """The value of the type congruent to a term whose value is within bounds."""
        low, high = interval.of_type(kind)
        period = 1 << kind.width
        if interval.inside(bounds, (low, high)):
            return Value(term, bounds)
        after = interval.wrap(bounds, kind)
        if bounds[0] >= low - period and bounds[1] <= high + period:
            result = term
            if bounds[0] < low:
                result = z3.If(term < low, term + period, result)
            if bounds[1] > high:
                result = z3.If(term > high, term - period, result)
            return Value(result, after)
        if low == 0:
            return Value(term % period, after)
        return Value((term - low) % period + low, after)

    def _division(self, operator: str, left: Value, right: Value, kind: CInteger, fresh: Fresh) -> Value:
        assert left.range is not None and right.range is not None
        if right.constant == 0:
            return fresh(kind)
        quotient = _truncated(left, right)
        if operator == "/":
            bounds = interval.divide(left.range, right.range)
            result = self._wrapped(quotient, bounds, kind)  # MIN / -1 wraps
        elif left.range[0] >= 0 and right.range[0] > 0:
            result = Value(left.term % right.term, interval.remainder(left.range, right.range))
        elif right.constant is not None:
            result = Value(_signed_remainder(left, abs(right.constant)), interval.remainder(left.range, right.range))
        else:
            term = left.term - right.term * quotient
            result = Value(term, interval.remainder(left.range, right.range))
        if right.range[0] > 0 or right.range[1] < 0:
            return result
        other = fresh(kind)
        assert result.range is not None and other.range is not None
        return Value(z3.If(right.term == 0, other.term, result.term), interval.join(result.range, other.range))

    # --- bits -----------------------------------------------------------------------------------------------------

    def _bits(self, operator: str, left: Value, right: Value, kind: CInteger) -> Value:
        assert left.range is not None and right.range is not None
        if left.constant is not None:
            left, right = right, left
        assert left.range is not None and right.range is not None
        bounds = interval.bits(operator, left.range, right.range)
        if right.constant is not None:
            term = _masked(left, right.constant)
            if operator == "|":
                term = left.term + right.constant - term  # x | c = x + c - (x & c)
            elif operator == "^":
                term = left.term + right.constant - 2 * term  # x ^ c = x + c - 2 (x & c)
            if kind.signed or right.constant >= 0:
                return Value(term, interval.meet(bounds, interval.of_type(kind)) or bounds)
        if interval.inside(left.range, (0, 1)) and interval.inside(right.range, (0, 1)):
            a, b = left.term == 1, right.term == 1
            truth = z3.And(a, b) if operator == "&" else z3.Or(a, b) if operator == "|" else z3.Xor(a, b)
            return Value(z3.If(truth, z3.IntVal(1), z3.IntVal(0)), (0, 1), truth)
        raise Inexpressible(f"{operator} of two variables")

    # --- bytes ----------------------------------------------------------------------------------------------------

    def joined(self, parts: list[Value]) -> Value:
        if all(part.constant is not None for part in parts):
            return _int(sum((part.constant or 0) << 8 * i for i, part in enumerate(parts)))
        terms = [part.term * (1 << 8 * i) if i else part.term for i, part in enumerate(parts) if part.constant != 0]
        return Value(z3.Sum(terms) if len(terms) > 1 else terms[0], (0, (1 << 8 * len(parts)) - 1))

    def octet(self, value: Value, index: int) -> Value:
        assert value.range is not None
        if value.constant is not None:
            return _int(value.constant >> 8 * index & 255)
        low, high = value.range[0] >> 8 * index, value.range[1] >> 8 * index
        term = value.term / (1 << 8 * index) if index else value.term
        return Value(term, (low, high)) if high < 256 else Value(term % 256, (0, 255))

    def as_part(self, address: Value) -> z3.ExprRef:
        return address.term

    def as_address(self, part: z3.ExprRef) -> Value:
        return Value(part, interval.UNBOUNDED)

    # --- addresses ------------------------------------------------------------------------------------------------

    def address_sort(self) -> z3.SortRef:
        return z3.IntSort()

    def address(self, value: int) -> Value:
        return Value(z3.IntVal(value), (value, value))

    def address_number(self, term: z3.ExprRef) -> int:
        return int(term.as_long())

    def advance(self, address: Value, index: Value, kind: CInteger | None, scale: int) -> Value:
        assert address.range is not None and index.range is not None
        bounds = interval.add(address.range, interval.multiply(index.range, (scale, scale)))
        if bounds[0] == bounds[1]:
            return self.address(bounds[0])
        step = index.term * scale if scale != 1 else index.term
        return Value(step if address.constant == 0 else address.term + step, bounds)

    def scaled(self, address: Value, factor: int) -> Value:
        assert address.range is not None
        bounds = interval.multiply(address.range, (factor, factor))
        if factor == 1:
            return address
        return self.address(bounds[0]) if bounds[0] == bounds[1] else Value(address.term * factor, bounds)

    def distance(self, left: Value, right: Value, scale: int, kind: CInteger) -> Value:
        assert left.range is not None and right.range is not None
        bounds = interval.subtract(left.range, right.range)
        term = left.term - right.term
        if scale != 1:
            bounds, term = interval.divide(bounds, (scale, scale)), _truncated(Value(term, bounds), _int(scale))
        return self._wrapped(term, bounds, kind)

    def address_less(self, left: Value, right: Value, strict: bool) -> z3.BoolRef:
        return left.term < right.term if strict else left.term <= right.term


_COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _int(value: int) -> Value:
    return LinearIntegers().literal(value, INT)


def _truncated(left: Value, right: Value) -> z3.ExprRef:
    """The quotient toward zero from z3's Euclidean div, which floors for positive divisors."""
    assert left.range is not None and right.range is not None
    x, y = left.term, right.term
    if right.range[0] <= 0:
        if right.range[1] < 0:
            return -_truncated(left, Value(-y, (-right.range[1], -right.range[0])))
        positive = _truncated(left, Value(y, (1, max(right.range[1], 1))))
        negative = _truncated(left, Value(-y, (1, max(-right.range[0], 1))))
        return positive if right.range[0] == 0 else z3.If(y > 0, positive, -negative)
    if left.range[0] >= 0:
        return x / y
    if left.range[1] <= 0:
        return -((-x) / y)
    return z3.If(x >= 0, x / y, -((-x) / y))


def _signed_remainder(left: Value, divisor: int) -> z3.ExprRef:
    """The remainder with the dividend's sign, by mod alone."""
    assert left.range is not None
    x = left.term
    if left.range[1] <= 0:
        return -((-x) % divisor)
    return z3.If(x >= 0, x % divisor, -((-x) % divisor))


def _masked(value: Value, mask: int) -> z3.ExprRef:
    """x & mask for a constant mask, two's complement: one div-mod term for each run of ones."""
    if mask < 0:
        return value.term - _masked(value, ~mask)
    terms, low, runs = [], 0, 0
    while mask >> low:
        if not (mask >> low) & 1:
            low += 1
            continue
        high = low
        while (mask >> high) & 1:
            high += 1
        runs += 1
        part = value.term if low == 0 else value.term / (1 << low)
        terms.append((part % (1 << (high - low))) * (1 << low) if low else part % (1 << high))
        low = high
    if runs > MAX_RUNS:
        raise Inexpressible(f"mask {mask:#x}")
    return z3.Sum(terms) if terms else z3.IntVal(0)
