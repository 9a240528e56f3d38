"""C integers as mathematical ones (exact linear integer arithmetic where the program is linear).

Values are range-bounded Ints. A wrap term stands only where intervals do not exclude overflow: a case distinction
where at most one period is left over, else mod. Masks and shifts by constants are div and mod.
"""

import z3

from chcverify.effort import MAX_COMBINED
from chcverify.terms.core.sums import sum_of
from encoders.c.analysis import machine_intervals
from encoders.c.analysis.machine_intervals import Interval
from encoders.c.encoding.integer_theory import BoundedTerm, Fresh, IntegerEncoding, NotLinear
from encoders.c.types.c_types import INT, CInteger


class LinearIntegers(IntegerEncoding):
    """Theory of Ints."""

    name = "lia"
    has_estimates = False

    def sort(self, kind: CInteger) -> z3.SortRef:
        return z3.IntSort()

    def literal(self, value: int, kind: CInteger) -> BoundedTerm:
        return BoundedTerm(z3.IntVal(value), (value, value))

    def number(self, term: z3.ExprRef, kind: CInteger) -> int:
        return kind.wrap(term.as_long())

    def in_range(self, term: z3.ExprRef, kind: CInteger) -> z3.BoolRef:
        return z3.And(term >= kind.minimum, term <= kind.maximum)

    # --- arithmetic -----------------------------------------------------------------------------------------------

    def unary(self, operator: str, operand: BoundedTerm, kind: CInteger) -> BoundedTerm:
        assert operand.range is not None
        if operator == "-":
            return self._wrapped(-operand.term, machine_intervals.subtract((0, 0), operand.range), kind)
        # ~x = -x - 1 in two's complement
        return self._wrapped(-operand.term - 1, machine_intervals.subtract((-1, -1), operand.range), kind)

    def binary(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, fresh: Fresh) -> BoundedTerm:
        assert left.range is not None and right.range is not None
        match operator:
            case "+":
                return self._wrapped(left.term + right.term, machine_intervals.add(left.range, right.range), kind)
            case "-":
                return self._wrapped(left.term - right.term, machine_intervals.subtract(left.range, right.range), kind)
            case "*":
                return self._wrapped(left.term * right.term, machine_intervals.multiply(left.range, right.range), kind)
            case "/" | "%":
                return self._division(operator, left, right, kind, fresh)
            case _:
                return self._bits(operator, left, right, kind)

    def shift(
        self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, count: CInteger, fresh: Fresh
    ) -> BoundedTerm:
        assert left.range is not None
        by = right.constant
        if by is None:
            raise NotLinear(f"{operator} by a variable")
        if not 0 <= by < kind.width:
            return fresh(kind)
        if operator == "<<":
            return self._wrapped(
                left.term * (1 << by), machine_intervals.multiply(left.range, (1 << by, 1 << by)), kind
            )
        # div by a positive constant is floor division: the arithmetic shift
        return BoundedTerm(
            left.term / (1 << by) if by else left.term, machine_intervals.shift_right(left.range, (by, by))
        )

    def compare(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger) -> z3.BoolRef:
        return _COMPARE[operator](left.term, right.term)

    def cast(self, operand: BoundedTerm, source: CInteger, target: CInteger) -> BoundedTerm:
        assert operand.range is not None
        if target.is_bool and not machine_intervals.inside(operand.range, (0, 1)):
            truth = operand.term != 0
            return BoundedTerm(
                z3.If(truth, z3.IntVal(1), z3.IntVal(0)), machine_intervals.wrap(operand.range, target), truth
            )
        if machine_intervals.inside(operand.range, machine_intervals.of_type(target)):
            return operand
        return self._wrapped(operand.term, operand.range, target)

    def _wrapped(self, term: z3.ExprRef, bounds: Interval, kind: CInteger) -> BoundedTerm:
        """The value of the type congruent to a term whose value is within bounds."""
        low, high = machine_intervals.of_type(kind)
        period = 1 << kind.width
        if machine_intervals.inside(bounds, (low, high)):
            return BoundedTerm(term, bounds)
        after = machine_intervals.wrap(bounds, kind)
        if bounds[0] >= low - period and bounds[1] <= high + period:
            result = term
            if bounds[0] < low:
                result = z3.If(term < low, term + period, result)
            if bounds[1] > high:
                result = z3.If(term > high, term - period, result)
            return BoundedTerm(result, after)
        if low == 0:
            return BoundedTerm(term % period, after)
        return BoundedTerm((term - low) % period + low, after)

    def _division(
        self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, fresh: Fresh
    ) -> BoundedTerm:
        assert left.range is not None and right.range is not None
        if right.constant == 0:
            return fresh(kind)
        quotient = _truncated(left, right)
        if operator == "/":
            bounds = machine_intervals.divide(left.range, right.range)
            result = self._wrapped(quotient, bounds, kind)  # MIN / -1 wraps
        elif left.range[0] >= 0 and right.range[0] > 0:
            result = BoundedTerm(left.term % right.term, machine_intervals.remainder(left.range, right.range))
        elif right.constant is not None:
            result = BoundedTerm(
                _signed_remainder(left, abs(right.constant)), machine_intervals.remainder(left.range, right.range)
            )
        else:
            term = left.term - right.term * quotient
            result = BoundedTerm(term, machine_intervals.remainder(left.range, right.range))
        if right.range[0] > 0 or right.range[1] < 0:
            return result
        other = fresh(kind)
        assert result.range is not None and other.range is not None
        return BoundedTerm(
            z3.If(right.term == 0, other.term, result.term), machine_intervals.join(result.range, other.range)
        )

    # --- bits -----------------------------------------------------------------------------------------------------

    def _bits(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger) -> BoundedTerm:
        assert left.range is not None and right.range is not None
        if left.constant is not None:
            left, right = right, left
        assert left.range is not None and right.range is not None
        bounds = machine_intervals.bits(operator, left.range, right.range)
        if right.constant is not None:
            term = _masked(left, right.constant)
            if operator == "|":
                term = left.term + right.constant - term  # x | c = x + c - (x & c)
            elif operator == "^":
                term = left.term + right.constant - 2 * term  # x ^ c = x + c - 2 (x & c)
            if kind.signed or right.constant >= 0:
                return BoundedTerm(term, machine_intervals.meet(bounds, machine_intervals.of_type(kind)) or bounds)
        if machine_intervals.inside(left.range, (0, 1)) and machine_intervals.inside(right.range, (0, 1)):
            a, b = left.term == 1, right.term == 1
            truth = z3.And(a, b) if operator == "&" else z3.Or(a, b) if operator == "|" else z3.Xor(a, b)
            return BoundedTerm(z3.If(truth, z3.IntVal(1), z3.IntVal(0)), (0, 1), truth)
        raise NotLinear(f"{operator} of two variables")

    # --- bytes ----------------------------------------------------------------------------------------------------

    def joined(self, parts: list[BoundedTerm]) -> BoundedTerm:
        if all(part.constant is not None for part in parts):
            return _int(sum((part.constant or 0) << 8 * i for i, part in enumerate(parts)))
        terms = [part.term * (1 << 8 * i) if i else part.term for i, part in enumerate(parts) if part.constant != 0]
        return BoundedTerm(sum_of(terms), (0, (1 << 8 * len(parts)) - 1))

    def octet(self, value: BoundedTerm, index: int) -> BoundedTerm:
        assert value.range is not None
        if value.constant is not None:
            return _int(value.constant >> 8 * index & 255)
        low, high = value.range[0] >> 8 * index, value.range[1] >> 8 * index
        term = value.term / (1 << 8 * index) if index else value.term
        return BoundedTerm(term, (low, high)) if high < 256 else BoundedTerm(term % 256, (0, 255))

    def as_part(self, address: BoundedTerm) -> z3.ExprRef:
        return address.term

    def as_address(self, part: z3.ExprRef) -> BoundedTerm:
        return BoundedTerm(part, machine_intervals.UNBOUNDED)

    # --- addresses ------------------------------------------------------------------------------------------------

    def address_sort(self) -> z3.SortRef:
        return z3.IntSort()

    def address(self, value: int) -> BoundedTerm:
        return BoundedTerm(z3.IntVal(value), (value, value))

    def address_number(self, term: z3.ExprRef) -> int:
        return int(term.as_long())

    def advance(self, address: BoundedTerm, index: BoundedTerm, kind: CInteger | None, scale: int) -> BoundedTerm:
        assert address.range is not None and index.range is not None
        bounds = machine_intervals.add(address.range, machine_intervals.multiply(index.range, (scale, scale)))
        if bounds[0] == bounds[1]:
            return self.address(bounds[0])
        step = index.term * scale if scale != 1 else index.term
        return BoundedTerm(step if address.constant == 0 else address.term + step, bounds)

    def distance(self, left: BoundedTerm, right: BoundedTerm, scale: int, kind: CInteger) -> BoundedTerm:
        assert left.range is not None and right.range is not None
        bounds = machine_intervals.subtract(left.range, right.range)
        term = left.term - right.term
        if scale != 1:
            bounds, term = (
                machine_intervals.divide(bounds, (scale, scale)),
                _truncated(BoundedTerm(term, bounds), _int(scale)),
            )
        return self._wrapped(term, bounds, kind)


_COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _int(value: int) -> BoundedTerm:
    return LinearIntegers().literal(value, INT)


def _truncated(left: BoundedTerm, right: BoundedTerm) -> z3.ExprRef:
    """The quotient toward zero from z3's Euclidean div, which floors for positive divisors."""
    assert left.range is not None and right.range is not None
    x, y = left.term, right.term
    if right.range[0] <= 0:
        if right.range[1] < 0:
            return -_truncated(left, BoundedTerm(-y, (-right.range[1], -right.range[0])))
        positive = _truncated(left, BoundedTerm(y, (1, max(right.range[1], 1))))
        negative = _truncated(left, BoundedTerm(-y, (1, max(-right.range[0], 1))))
        return positive if right.range[0] == 0 else z3.If(y > 0, positive, -negative)
    if left.range[0] >= 0:
        return x / y
    if left.range[1] <= 0:
        return -((-x) / y)
    return z3.If(x >= 0, x / y, -((-x) / y))


def _signed_remainder(left: BoundedTerm, divisor: int) -> z3.ExprRef:
    """The remainder with the dividend's sign, by mod alone."""
    assert left.range is not None
    x = left.term
    if left.range[1] <= 0:
        return -((-x) % divisor)
    return z3.If(x >= 0, x % divisor, -((-x) % divisor))


def _masked(value: BoundedTerm, mask: int) -> z3.ExprRef:
    """The term x & mask for a constant mask, two's complement: one div-mod term for each run of ones."""
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
    if runs > MAX_COMBINED:
        raise NotLinear(f"mask {mask:#x}")
    return sum_of(terms)
