"""C integers as bit-vectors of their width (_Bool: 8 bits, 0 or 1). Addresses are 64 bits wide."""

import z3

from encoders.c.encoding import interval
from encoders.c.encoding.regions import PART
from encoders.c.encoding.theory import Fresh, Value
from encoders.c.types import CInteger

ADDRESS_BITS = 64


class BitVectors:
    """Theory of bit-vectors."""

    name = "bv"

    def sort(self, kind: CInteger) -> z3.SortRef:
        return z3.BitVecSort(kind.width)

    def literal(self, value: int, kind: CInteger) -> Value:
        return Value(z3.BitVecVal(value, kind.width), (value, value))

    def number(self, term: z3.ExprRef, kind: CInteger) -> int:
        return kind.wrap(term.as_long())

    def in_range(self, term: z3.ExprRef, kind: CInteger) -> z3.BoolRef:
        return z3.ULE(term, z3.BitVecVal(1, kind.width)) if kind.is_bool else z3.BoolVal(True)

    def unary(self, operator: str, operand: Value, kind: CInteger) -> Value:
        assert operand.range is not None
        if operator == "-":
            return Value(-operand.term, interval.wrap(interval.subtract((0, 0), operand.range), kind))
        return Value(~operand.term, interval.wrap(interval.subtract((-1, -1), operand.range), kind))

    def binary(self, operator: str, left: Value, right: Value, kind: CInteger, fresh: Fresh) -> Value:
        a, b = left.term, right.term
        assert left.range is not None and right.range is not None
        match operator:
            case "+":
                return Value(a + b, interval.wrap(interval.add(left.range, right.range), kind))
            case "-":
                return Value(a - b, interval.wrap(interval.subtract(left.range, right.range), kind))
            case "*":
                return Value(a * b, interval.wrap(interval.multiply(left.range, right.range), kind))
            case "&":
                return Value(a & b, interval.wrap(interval.bits("&", left.range, right.range), kind))
            case "|":
                return Value(a | b, interval.wrap(interval.bits("|", left.range, right.range), kind))
            case "^":
                return Value(a ^ b, interval.wrap(interval.bits("^", left.range, right.range), kind))
            case "/":
                result = Value(
                    a / b if kind.signed else z3.UDiv(a, b),
                    interval.wrap(interval.divide(left.range, right.range), kind),
                )
            case _:
                result = Value(
                    z3.SRem(a, b) if kind.signed else z3.URem(a, b), interval.remainder(left.range, right.range)
                )
        if right.range[0] > 0 or right.range[1] < 0:
            return result
        return _unless(b == 0, fresh(kind), result)

    def shift(self, operator: str, left: Value, right: Value, kind: CInteger, count: CInteger, fresh: Fresh) -> Value:
        by = self.cast(right, count, kind).term if count.width <= kind.width else right.term
        operand = left.term
        if count.width > kind.width:  # shift in the wider type: the low bits agree for counts below the width
            operand = _extended(operand, kind, count.width)
        shifted = operand << by if operator == "<<" else operand >> by if kind.signed else z3.LShR(operand, by)
        if count.width > kind.width:
            shifted = z3.Extract(kind.width - 1, 0, shifted)
        assert left.range is not None and right.range is not None
        inside = interval.inside(right.range, (0, kind.width - 1))
        exact = operator == ">>" and inside
        result = Value(shifted, interval.shift_right(left.range, right.range) if exact else interval.of_type(kind))
        if inside:
            return result
        return _unless(z3.UGE(right.term, z3.BitVecVal(kind.width, count.width)), fresh(kind), result)

    def compare(self, operator: str, left: Value, right: Value, kind: CInteger) -> z3.BoolRef:
        a, b = left.term, right.term
        match operator:
            case "==":
                return a == b
            case "!=":
                return a != b
            case "<":
                return a < b if kind.signed else z3.ULT(a, b)
            case "<=":
                return a <= b if kind.signed else z3.ULE(a, b)
            case ">":
                return a > b if kind.signed else z3.UGT(a, b)
            case _:
                return a >= b if kind.signed else z3.UGE(a, b)

    def cast(self, operand: Value, source: CInteger, target: CInteger) -> Value:
        assert operand.range is not None
        bounds = interval.wrap(operand.range, target)
        if target.is_bool and not source.is_bool:
            truth = operand.term != 0
            return Value(z3.If(truth, self.literal(1, target).term, self.literal(0, target).term), bounds, truth)
        if target.width > source.width:
            return Value(_extended(operand.term, source, target.width), bounds, operand.truth)
        if target.width < source.width:
            return Value(z3.Extract(target.width - 1, 0, operand.term), bounds)
        return Value(operand.term, bounds, operand.truth)

    # --- bytes ----------------------------------------------------------------------------------------------------

    def joined(self, parts: list[Value]) -> Value:
        bounds = (0, (1 << 8 * len(parts)) - 1)
        if all(part.constant is not None for part in parts):
            number = sum((part.constant or 0) << 8 * i for i, part in enumerate(parts))
            return Value(z3.BitVecVal(number, 8 * len(parts)), (number, number))
        terms = [part.term for part in reversed(parts)]
        return Value(z3.Concat(*terms) if len(terms) > 1 else terms[0], bounds)

    def octet(self, value: Value, index: int) -> Value:
        if value.constant is not None:
            number = value.constant >> 8 * index & 255
            return Value(z3.BitVecVal(number, 8), (number, number))
        return Value(z3.Extract(8 * index + 7, 8 * index, value.term), (0, 255))

    def as_part(self, address: Value) -> z3.ExprRef:
        return z3.SignExt(PART.width - ADDRESS_BITS, address.term)

    def as_address(self, part: z3.ExprRef) -> Value:
        return Value(z3.Extract(ADDRESS_BITS - 1, 0, part), interval.UNBOUNDED)

    # --- addresses ------------------------------------------------------------------------------------------------

    def address_sort(self) -> z3.SortRef:
        return z3.BitVecSort(ADDRESS_BITS)

    def address(self, value: int) -> Value:
        return Value(z3.BitVecVal(value, ADDRESS_BITS), (value, value))

    def address_number(self, term: z3.ExprRef) -> int:
        return int(term.as_signed_long())

    def advance(self, address: Value, index: Value, kind: CInteger | None, scale: int) -> Value:
        assert address.range is not None and index.range is not None
        bounds = interval.add(address.range, interval.multiply(index.range, (scale, scale)))
        if bounds[0] == bounds[1]:
            return self.address(bounds[0])
        step = index.term
        if kind is not None and kind.width < ADDRESS_BITS:
            step = _extended(step, kind, ADDRESS_BITS)
        elif kind is not None and kind.width > ADDRESS_BITS:
            step = z3.Extract(ADDRESS_BITS - 1, 0, step)
        return Value(address.term + step * scale, bounds)

    def scaled(self, address: Value, factor: int) -> Value:
        assert address.range is not None
        bounds = interval.multiply(address.range, (factor, factor))
        if factor == 1:
            return address
        return self.address(bounds[0]) if bounds[0] == bounds[1] else Value(address.term * factor, bounds)

    def distance(self, left: Value, right: Value, scale: int, kind: CInteger) -> Value:
        term = left.term - right.term
        if scale != 1:
            term = term / z3.BitVecVal(scale, ADDRESS_BITS)
        if kind.width < ADDRESS_BITS:
            term = z3.Extract(kind.width - 1, 0, term)
        return Value(term, interval.of_type(kind))

    def address_less(self, left: Value, right: Value, strict: bool) -> z3.BoolRef:
        return left.term < right.term if strict else left.term <= right.term


def _extended(term: z3.ExprRef, source: CInteger, width: int) -> z3.ExprRef:
    by = width - source.width
    return z3.SignExt(by, term) if source.signed else z3.ZeroExt(by, term)


def _unless(condition: z3.BoolRef, other: Value, value: Value) -> Value:
    assert value.range is not None and other.range is not None
    return Value(z3.If(condition, other.term, value.term), interval.join(value.range, other.range))
