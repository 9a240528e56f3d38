"""Sizes of the types of a lowered program, in bits."""

from collections.abc import Iterable, Mapping
from dataclasses import field

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import Program
from encoders.c.types.c_types import CArray, CField, CFloat, CInteger, CPointer, CRecord, CType, DataModel


@dataclass(frozen=True)
class Sizes:
    """Sizes of types in bits."""

    model: DataModel
    records: dict[str, tuple[CField, ...]]
    record_sizes: Mapping[str, int] = field(default_factory=dict)

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
            case CRecord(tag=tag) if tag in self.record_sizes:
                return 8 * self.record_sizes[tag]
            case CRecord(tag=tag):
                fields = self.records.get(tag, ())
                end = max((8 * f.offset + (f.bit_offset or 0) + self.of(f.type) for f in fields), default=0)
                align = max((self.align(f.type) for f in fields), default=8)
                return -(-end // align) * align
            case _:
                return 8

    def extent(self, kind: CType) -> int | None:
        """The bits of an object of the type; None for arrays of variable length and flexible members."""
        inner: CType | None = kind
        while isinstance(inner, CArray | CRecord):
            if isinstance(inner, CArray):
                if not inner.length:
                    return None
                inner = inner.element
            else:
                fields = self.records.get(inner.tag, ())
                inner = fields[-1].type if fields and not inner.is_union else None
        return self.of(kind)

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


def sizes_of(program: Program) -> Sizes:
    return Sizes(program.data_model, program.records, program.record_sizes)


def uncovered(width: int, covered: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The bits from 0 to `width` outside of some ranges, as ranges within a byte each.

    covered: the ranges, as first bit and number of bits; so is what is returned.
    """
    out: list[tuple[int, int]] = []
    at = 0
    for start, size in [*sorted(covered), (width, 0)]:
        while at < min(start, width):
            end = min(start, width, at // 8 * 8 + 8)
            out.append((at, end - at))
            at = end
        at = max(at, start + size)
    return tuple(out)
