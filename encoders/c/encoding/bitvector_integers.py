"""C integers as bit-vectors of their width (_Bool: 8 bits, 0 or 1). Addresses are 64 bits wide."""

import z3

from encoders.c.analysis import machine_intervals
from encoders.c.analysis.regions import BYTE_CELL
from encoders.c.encoding.integer_theory import BoundedTerm, Fresh, IntegerEncoding
from encoders.c.types.c_types import CInteger

ADDRESS_BITS = 64


class BitVectors(IntegerEncoding):
    """Theory of bit-vectors."""

    name = "bv"
    has_estimates = False

    def __init__(self) -> None:
        self._constants: dict[tuple[int, int], BoundedTerm] = {}  # by value and width: each is made once

    def sort(self, kind: CInteger) -> z3.SortRef:
        return z3.BitVecSort(kind.width)

    def literal(self, value: int, kind: CInteger) -> BoundedTerm:
        return self._constant(value, kind.width)

    def _constant(self, value: int, width: int) -> BoundedTerm:
        known = self._constants.get((value, width))
        if known is None:
            known = self._constants[value, width] = BoundedTerm(z3.BitVecVal(value, width), (value, value))
        return known

    def number(self, term: z3.ExprRef, kind: CInteger) -> int:
        return kind.wrap(term.as_long())

    def in_range(self, term: z3.ExprRef, kind: CInteger) -> z3.BoolRef:
        return z3.ULE(term, z3.BitVecVal(1, kind.width)) if kind.is_bool else z3.BoolVal(True)

    def unary(self, operator: str, operand: BoundedTerm, kind: CInteger) -> BoundedTerm:
        assert operand.range is not None
        if operator == "-":
            return BoundedTerm(
                -operand.term, machine_intervals.wrap(machine_intervals.subtract((0, 0), operand.range), kind)
            )
        return BoundedTerm(
            ~operand.term, machine_intervals.wrap(machine_intervals.subtract((-1, -1), operand.range), kind)
        )

    def binary(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, fresh: Fresh) -> BoundedTerm:
        a, b = left.term, right.term
        assert left.range is not None and right.range is not None
        match operator:
            case "+":
                return BoundedTerm(a + b, machine_intervals.wrap(machine_intervals.add(left.range, right.range), kind))
            case "-":
                return BoundedTerm(
                    a - b, machine_intervals.wrap(machine_intervals.subtract(left.range, right.range), kind)
                )
            case "*":
                return BoundedTerm(
                    a * b, machine_intervals.wrap(machine_intervals.multiply(left.range, right.range), kind)
                )
            case "&":
                return BoundedTerm(
                    a & b, machine_intervals.wrap(machine_intervals.bits("&", left.range, right.range), kind)
                )
            case "|":
                return BoundedTerm(
                    a | b, machine_intervals.wrap(machine_intervals.bits("|", left.range, right.range), kind)
                )
            case "^":
                return BoundedTerm(
                    a ^ b, machine_intervals.wrap(machine_intervals.bits("^", left.range, right.range), kind)
                )
            case "/":
                result = BoundedTerm(
                    a / b if kind.signed else z3.UDiv(a, b),
                    machine_intervals.wrap(machine_intervals.divide(left.range, right.range), kind),
                )
            case _:
                result = BoundedTerm(
                    z3.SRem(a, b) if kind.signed else z3.URem(a, b),
                    machine_intervals.remainder(left.range, right.range),
                )
        if right.range[0] > 0 or right.range[1] < 0:
            return result
        return _unless(b == 0, fresh(kind), result)

    def shift(
        self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, count: CInteger, fresh: Fresh
    ) -> BoundedTerm:
        by = self.cast(right, count, kind).term if count.width <= kind.width else right.term
        operand = left.term
        if count.width > kind.width:  # shift in the wider type: the low bits agree for counts below the width
            operand = _extended(operand, kind, count.width)
        shifted = operand << by if operator == "<<" else operand >> by if kind.signed else z3.LShR(operand, by)
        if count.width > kind.width:
            shifted = z3.Extract(kind.width - 1, 0, shifted)
        assert left.range is not None and right.range is not None
        inside = machine_intervals.inside(right.range, (0, kind.width - 1))
        exact = operator == ">>" and inside
        result = BoundedTerm(
            shifted,
            machine_intervals.shift_right(left.range, right.range) if exact else machine_intervals.of_type(kind),
        )
        if inside:
            return result
        return _unless(z3.UGE(right.term, z3.BitVecVal(kind.width, count.width)), fresh(kind), result)

    def compare(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger) -> z3.BoolRef:
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

    def cast(self, operand: BoundedTerm, source: CInteger, target: CInteger) -> BoundedTerm:
        assert operand.range is not None
        bounds = machine_intervals.wrap(operand.range, target)
        if target.is_bool and not source.is_bool:
            truth = operand.term != 0
            return BoundedTerm(z3.If(truth, self.literal(1, target).term, self.literal(0, target).term), bounds, truth)
        if target.width > source.width:
            return BoundedTerm(_extended(operand.term, source, target.width), bounds, operand.truth)
        if target.width < source.width:
            return BoundedTerm(z3.Extract(target.width - 1, 0, operand.term), bounds)
        return BoundedTerm(operand.term, bounds, operand.truth)

    # --- bytes ----------------------------------------------------------------------------------------------------

    def joined(self, parts: list[BoundedTerm]) -> BoundedTerm:
        bounds = (0, (1 << 8 * len(parts)) - 1)
        if all(part.constant is not None for part in parts):
            number = sum((part.constant or 0) << 8 * i for i, part in enumerate(parts))
            return BoundedTerm(z3.BitVecVal(number, 8 * len(parts)), (number, number))
        terms = [part.term for part in reversed(parts)]
        return BoundedTerm(z3.Concat(*terms) if len(terms) > 1 else terms[0], bounds)

    def octet(self, value: BoundedTerm, index: int) -> BoundedTerm:
        if value.constant is not None:
            number = value.constant >> 8 * index & 255
            return self._constant(number, 8)
        return BoundedTerm(z3.Extract(8 * index + 7, 8 * index, value.term), (0, 255))

    def as_part(self, address: BoundedTerm) -> z3.ExprRef:
        return z3.SignExt(BYTE_CELL.width - ADDRESS_BITS, address.term)

    def as_address(self, part: z3.ExprRef) -> BoundedTerm:
        return BoundedTerm(z3.Extract(ADDRESS_BITS - 1, 0, part), machine_intervals.UNBOUNDED)

    # --- addresses ------------------------------------------------------------------------------------------------

    def address_sort(self) -> z3.SortRef:
        return z3.BitVecSort(ADDRESS_BITS)

    def address(self, value: int) -> BoundedTerm:
        return self._constant(value, ADDRESS_BITS)

    def address_number(self, term: z3.ExprRef) -> int:
        return int(term.as_signed_long())

    def advance(self, address: BoundedTerm, index: BoundedTerm, kind: CInteger | None, scale: int) -> BoundedTerm:
        assert address.range is not None and index.range is not None
        bounds = machine_intervals.add(address.range, machine_intervals.multiply(index.range, (scale, scale)))
        if bounds[0] == bounds[1]:
            return self.address(bounds[0])
        step = index.term
        if kind is not None and kind.width < ADDRESS_BITS:
            step = _extended(step, kind, ADDRESS_BITS)
        elif kind is not None and kind.width > ADDRESS_BITS:
            step = z3.Extract(ADDRESS_BITS - 1, 0, step)
        return BoundedTerm(address.term + (step if scale == 1 else step * scale), bounds)

    def distance(self, left: BoundedTerm, right: BoundedTerm, scale: int, kind: CInteger) -> BoundedTerm:
        term = left.term - right.term
        if scale != 1:
            term = term / z3.BitVecVal(scale, ADDRESS_BITS)
        if kind.width < ADDRESS_BITS:
            term = z3.Extract(kind.width - 1, 0, term)
        return BoundedTerm(term, machine_intervals.of_type(kind))


def _extended(term: z3.ExprRef, source: CInteger, width: int) -> z3.ExprRef:
    by = width - source.width
    return z3.SignExt(by, term) if source.signed else z3.ZeroExt(by, term)


def _unless(condition: z3.BoolRef, other: BoundedTerm, value: BoundedTerm) -> BoundedTerm:
    assert value.range is not None and other.range is not None
    return BoundedTerm(z3.If(condition, other.term, value.term), machine_intervals.join(value.range, other.range))
