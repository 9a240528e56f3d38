"""Memory of the interpreter: objects with typed cells by bit offset, and pointers into them."""

import struct
from dataclasses import dataclass, field

from encoders.c.types import CArray, CField, CFloat, CInteger, CPointer, CRecord, CType, DataModel


class Stuck(Exception):
    """The interpreter cannot go on: the reason."""


@dataclass(eq=False)
class Object:
    """cells: bit offset -> (type, value). contents: chosen values of cells that nobody wrote. cleared: they are 0."""

    name: str
    cells: dict[int, tuple[CType, "CValue"]] = field(default_factory=dict)
    contents: dict[int, int | float] = field(default_factory=dict)
    default: int | float = 0
    cleared: bool = False
    reads: dict[int, int | float] = field(default_factory=dict)


@dataclass(frozen=True)
class Pointer:
    """offset in bits into the target; target None: null, or an invalid address if the offset is not 0."""

    target: Object | None
    offset: int = 0


@dataclass(frozen=True)
class FunctionPointer:
    function: str


CValue = int | float | Pointer | FunctionPointer
NULL_POINTER = Pointer(None)


@dataclass(frozen=True)
class Sizes:
    """Sizes of types in bits."""

    model: DataModel
    records: dict[str, tuple[CField, ...]]

    def of(self, kind: CType) -> int:
        match kind:
            case CInteger(width=width):
                return width
            case CFloat(width=80):
                return 8 * self.model.long_double
            case CFloat(width=width):
                return width
            case CPointer():
                return 8 * self.model.pointer
            case CArray(element=element, length=length):
                return (length or 0) * self.of(element)
            case CRecord(tag=tag):
                fields = self.records.get(tag, ())
                end = max((8 * f.offset + (f.bit_offset or 0) + self.of(f.type) for f in fields), default=0)
                align = max((self.align(f.type) for f in fields), default=8)
                return -(-end // align) * align
            case _:
                return 8

    def align(self, kind: CType) -> int:
        match kind:
            case CArray(element=element):
                return self.align(element)
            case CRecord(tag=tag):
                return max((self.align(f.type) for f in self.records.get(tag, ())), default=8)
            case CInteger(width=width):
                size = -(-width // 8) * 8
                return min(size, 8 * self.model.long_long_align) if size >= 64 else size
            case CFloat(width=80):
                return 8 * self.model.long_double_align
            case CFloat(width=64):
                return 8 * self.model.long_long_align
            case _:
                return self.of(kind)


def encode_bits(kind: CType, value: CValue) -> tuple[int, int]:
    """The bits of a number, as an unsigned integer, and how many there are."""
    if isinstance(kind, CInteger) and isinstance(value, int):
        return value & ((1 << kind.width) - 1), kind.width
    if isinstance(kind, CFloat) and kind.width != 80 and isinstance(value, float | int):
        raw = struct.pack("<f" if kind.width == 32 else "<d", value)
        return int.from_bytes(raw, "little"), kind.width
    raise Stuck(f"bytes of a {kind}")


def decode_bits(kind: CType, bits: int) -> CValue:
    if isinstance(kind, CInteger):
        return int(bits != 0) if kind.is_bool else kind.wrap(bits)
    if isinstance(kind, CFloat) and kind.width != 80:
        raw = bits.to_bytes(kind.width // 8, "little")
        return float(struct.unpack("<f" if kind.width == 32 else "<d", raw)[0])
    raise Stuck(f"{kind} made of bytes")


def width_of(kind: CType) -> int:
    """Bits that a cell of a scalar type covers (pointers are never split: any width serves)."""
    return kind.width if isinstance(kind, CInteger | CFloat) else 8


def store(target: Object, offset: int, kind: CType, value: CValue) -> None:
    """Writes a cell; what it overlaps is split into bytes first."""
    old = target.cells.get(offset)
    if old is None or width_of(old[0]) != width_of(kind):
        _split(target, offset, width_of(kind))
    target.cells[offset] = (kind, value)


def _split(target: Object, offset: int, width: int) -> None:
    """Splits cells that overlap [offset, offset + width) so that none reaches over its borders."""
    for start in range(offset - 127, offset + width):
        cell = target.cells.get(start)
        if cell is None or start + width_of(cell[0]) <= offset:
            continue
        bits, size = encode_bits(*cell)
        del target.cells[start]
        for i in range(0, size, 8):
            if not offset <= start + i < offset + width:
                byte = CInteger("byte", min(8, size - i), False, 1)
                target.cells[start + i] = (byte, bits >> i & ((1 << byte.width) - 1))


def load(source: Object, offset: int, kind: CType) -> CValue | None:
    """The value at an offset, None if nobody wrote there."""
    cell = source.cells.get(offset)
    if cell is not None and (cell[0] == kind or (isinstance(kind, CPointer) and isinstance(cell[0], CPointer))):
        return cell[1]
    if cell is not None and isinstance(kind, CInteger) and isinstance(cell[0], CInteger):
        value = cell[1]
        if cell[0].width == kind.width and isinstance(value, int):
            return kind.wrap(value)
    if isinstance(kind, CPointer):
        if cell is None:
            return None
        raise Stuck("pointer read from other bytes")
    width, bits, covered = width_of(kind), 0, 0
    for start in range(offset - 127, offset + width):
        part = source.cells.get(start)
        if part is None or start + width_of(part[0]) <= offset:
            continue
        raw, size = encode_bits(*part)
        low, high = max(start, offset), min(start + size, offset + width)
        bits |= (raw >> (low - start) & ((1 << (high - low)) - 1)) << (low - offset)
        covered += high - low
    if covered == 0:
        return None
    if covered < width and not source.cleared:
        raise Stuck("partly written bytes")
    return decode_bits(kind, bits)
