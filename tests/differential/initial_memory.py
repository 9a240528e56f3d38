"""The bytes that static objects have when the program starts, as the front end initialises them."""

import math
import struct
from fractions import Fraction

from encoders.c.cfa import ir
from encoders.c.lowering.composition import Lowering, file_lowering
from encoders.c.lowering.symbols import GlobalVariable, Scope
from encoders.c.types.c_types import CArray, CFloat, CInteger, CPointer, CType
from encoders.c.types.record_layout import RecordLayouts

UNKNOWN = -1
"""A byte that only a run computes, such as a floating-point number that no integer holds, converted to one."""


class InitialMemory:
    """Objects by name; None for each byte of an address."""

    def __init__(self, layout: RecordLayouts) -> None:
        self.layout = layout
        self.objects: dict[str, list[int | None]] = {}

    def run(self, lowering: Lowering) -> None:
        """Execute the operations on the edges in their order; only initialisations by constants can be executed."""
        for edge in lowering.context.cfa.edges:
            operation = edge.operation
            if isinstance(operation, ir.Clear):
                byte_offsets, start, _ = self._located(operation.lvalue)
                size = self._width(operation.lvalue.type) // 8
                byte_offsets[start // 8 : start // 8 + size] = [0] * size
            elif isinstance(operation, ir.Assign):
                self._assign(operation.lvalue, operation.value)

    def _assign(self, lvalue: ir.LValue, value: ir.Expression) -> None:
        byte_offsets, start, width = self._located(lvalue)
        byte_offsets.extend([0] * ((start + width + 7) // 8 - len(byte_offsets)))  # elements of a flexible array
        if isinstance(value, ir.Load):
            source, first, _ = self._located(value.lvalue)
            byte_offsets[start // 8 : (start + width) // 8] = source[first // 8 : (first + width) // 8]
        elif isinstance(value, ir.Constant):
            if UNKNOWN in byte_offsets[start // 8 : (start + width + 7) // 8]:
                return
            bits = encoded(value.value, value.type)
            whole = start % 8 + width
            old = sum(
                (octet or 0) << 8 * n for n, octet in enumerate(byte_offsets[start // 8 : (start + width + 7) // 8])
            )
            mask = ((1 << width) - 1) << start % 8
            new = old & ~mask | (bits << start % 8) & mask
            byte_offsets[start // 8 : (start + width + 7) // 8] = list(new.to_bytes((whole + 7) // 8, "little"))
        elif isinstance(value.type, CPointer) and not _from_number(value):
            byte_offsets[start // 8 : (start + width) // 8] = [None] * (width // 8)
        else:
            byte_offsets[start // 8 : (start + width + 7) // 8] = [UNKNOWN] * (-(-(start % 8 + width) // 8))

    def _located(self, lvalue: ir.LValue) -> tuple[list[int | None], int, int]:
        """(the object's bytes, first bit, width in bits)."""
        kind = lvalue.type
        width = self._width(kind)
        if isinstance(lvalue, ir.VariableLValue):
            name = lvalue.variable.name
            return self.objects.setdefault(name, [0] * self.layout.size(kind)), 0, width
        if isinstance(lvalue, ir.FieldLValue):
            byte_offsets, start, _ = self._located(lvalue.base)
            if lvalue.field.bit_offset is not None and isinstance(kind, CInteger) and kind.is_bool:
                width = 1
            return byte_offsets, start + 8 * lvalue.field.offset + (lvalue.field.bit_offset or 0), width
        if isinstance(lvalue, ir.ElementLValue) and isinstance(lvalue.index, ir.Constant):
            byte_offsets, start, _ = self._located(lvalue.base)
            return byte_offsets, start + 8 * int(lvalue.index.value) * self.layout.size(kind), width
        raise ValueError(f"no static place: {lvalue}")

    def _width(self, kind: CType) -> int:
        """In bits; 0 for a flexible array, whose elements lie behind the object's own bytes."""
        if isinstance(kind, CArray) and kind.length is None:
            return 0
        return kind.width if isinstance(kind, CInteger) and not kind.is_bool else 8 * self.layout.size(kind)


def _from_number(value: ir.Expression) -> bool:
    """Is it an integer that became a pointer? It has no representation here."""
    return isinstance(value, ir.Cast) and isinstance(value.operand.type, CInteger)


def initial_bytes(lowering: Lowering, symbol: GlobalVariable) -> list[int | None]:
    """The contents of one object. Raises what the front end raises."""
    part = file_lowering(lowering.context.unit, Scope(lowering.context.scope))
    lowering.context.unit.used_globals.clear()
    part.static_objects.global_variable(symbol)
    part.static_initialisers.initialise_global(symbol)
    memory = InitialMemory(lowering.context.unit.layout)
    memory.run(part)
    return memory.objects.get(symbol.name, [0] * lowering.context.unit.layout.size(symbol.type))


def encoded(value: int | float | Fraction, kind: CType) -> int:
    """The bits of a constant of scalar type, as a number that is not negative."""
    if isinstance(kind, CFloat):
        if kind.width == 80:
            return _extended(value)
        return int.from_bytes(struct.pack("<f" if kind.width == 32 else "<d", float(value)), "little")
    width = kind.width if isinstance(kind, CInteger) else 64
    return int(value) & ((1 << width) - 1)


def _extended(value: int | float | Fraction) -> int:
    """x87's format of 80 bits."""
    sign = (1 << 79) if math.copysign(1, value) < 0 else 0
    if isinstance(value, float) and not math.isfinite(value):
        return sign | 0x7FFF << 64 | 1 << 63
    exact = abs(Fraction(value))
    if exact == 0:
        return sign
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if Fraction(2) ** exponent > exact:
        exponent -= 1
    exponent = max(exponent, -16382)
    mantissa = int(exact / Fraction(2) ** (exponent - 63))
    return sign | (exponent + 16383 if mantissa >> 63 else 0) << 64 | mantissa
