"""Sizes, alignments and record layouts as gcc chooses them on i386 and x86-64 System V."""

from dataclasses import dataclass, field

from encoders.c.types import (
    CArray,
    CField,
    CFloat,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
    CVoid,
    DataModel,
)


class IncompleteType(Exception):
    """The size of an incomplete type was asked for; `tag` of a record, "" for others."""

    def __init__(self, kind: CType) -> None:
        super().__init__(str(kind))
        self.tag = kind.tag if isinstance(kind, CRecord) else ""


@dataclass(frozen=True)
class Member:
    """A declared member: width for bit-fields (name "" if unnamed), None otherwise."""

    name: str
    type: CType
    width: int | None = None
    volatile: bool = False


@dataclass(frozen=True)
class RecordLayout:
    fields: tuple[CField, ...]
    size: int
    align: int


@dataclass
class Layout:
    """Sizes under one data model; knows the records that have been completed."""

    model: DataModel
    records: dict[str, RecordLayout] = field(default_factory=dict)

    def size(self, kind: CType) -> int:
        """sizeof in bytes; gcc's 1 for void and functions. Raises IncompleteType."""
        if isinstance(kind, CInteger):
            octets = (kind.width + 7) // 8
            return 1 << (octets - 1).bit_length()  # a value of a wide bit-field's own width has a whole register
        if isinstance(kind, CFloat):
            return {32: 4, 64: 8, 80: self.model.long_double}[kind.width]
        if isinstance(kind, CPointer):
            return self.model.pointer
        if isinstance(kind, CArray):
            if kind.length is None:
                raise IncompleteType(kind)
            return kind.length * self.size(kind.element)
        if isinstance(kind, CRecord):
            return self.record(kind).size
        return 1

    def align(self, kind: CType, in_record: bool = True) -> int:
        """_Alignof in bytes (gcc's minimum alignment inside records, or the preferred one outside)."""
        if isinstance(kind, CArray):
            return self.align(kind.element, in_record)
        if isinstance(kind, CRecord):
            return self.record(kind).align
        if isinstance(kind, CFloat) and kind.width == 80:
            return self.model.long_double_align
        if isinstance(kind, CVoid | CFunction):
            return 1
        size = self.size(kind)
        return min(size, self.model.long_long_align) if in_record and size == 8 else size

    def record(self, kind: CRecord) -> RecordLayout:
        if kind.tag not in self.records:
            raise IncompleteType(kind)
        return self.records[kind.tag]

    def is_complete(self, kind: CType) -> bool:
        if isinstance(kind, CArray):
            return kind.length is not None and self.is_complete(kind.element)
        return not isinstance(kind, CVoid | CFunction) and (not isinstance(kind, CRecord) or kind.tag in self.records)

    def complete(self, kind: CRecord, members: list[Member], packed: bool = False) -> None:
        """Lay out the members of a record and make it complete."""
        build = self._union if kind.is_union else self._struct
        self.records[kind.tag] = build(members, packed)

    def _struct(self, members: list[Member], packed: bool) -> RecordLayout:
        fields: list[CField] = []
        bits, align = 0, 1  # the next free bit; the record's alignment
        for position, member in enumerate(members):
            kind, own = member.type, 1 if packed else self.align(member.type)
            if member.width is not None:
                bits = self._place_bits(member, fields, bits, packed)
                align = max(align, own if member.name else 1)
                continue
            flexible = isinstance(kind, CArray) and kind.length is None
            if flexible and position != len(members) - 1:
                raise IncompleteType(kind)
            offset = -(-bits // (8 * own)) * own
            fields.append(CField(member.name, kind, offset, volatile=member.volatile))
            bits = 8 * (offset + (0 if flexible else self.size(kind)))
            align = max(align, own)
        size = -(-bits // (8 * align)) * align
        return RecordLayout(tuple(fields), size, align)

    def _place_bits(self, member: Member, fields: list[CField], bits: int, packed: bool) -> int:
        """System V: a bit-field may not cross a boundary of its declared type; width 0 closes the unit."""
        kind, width = member.type, member.width
        assert isinstance(kind, CInteger) and width is not None
        unit = 8 * self.size(kind)
        align = 8 * self.align(kind)
        if width == 0:
            return -(-bits // align) * align
        if not packed and bits // align * align + unit < bits + width:
            bits = -(-bits // align) * align
        if member.name:
            offset = bits // align * align // 8 if not packed else bits // 8
            fields.append(CField(member.name, bit_type(kind, width), offset, bits - 8 * offset, member.volatile))
        return bits + width

    def _union(self, members: list[Member], packed: bool) -> RecordLayout:
        fields: list[CField] = []
        size, align = 0, 1
        for member in members:
            own = 1 if packed else self.align(member.type)
            if member.width is None:
                fields.append(CField(member.name, member.type, 0, volatile=member.volatile))
                size = max(size, self.size(member.type))
                align = max(align, own)
            elif member.name:
                assert isinstance(member.type, CInteger)
                fields.append(CField(member.name, bit_type(member.type, member.width), 0, 0, member.volatile))
                size, align = max(size, -(-member.width // 8)), max(align, own)
        return RecordLayout(tuple(fields), -(-size // align) * align, align)


def unnamed(position: int) -> str:
    """The name of an anonymous record's member: unlike all others in the same record."""
    return f"<{position}>"


def is_unnamed(name: str) -> bool:
    return name.startswith("<")


def bit_type(kind: CInteger, width: int) -> CInteger:
    """The type of a bit-field: the declared type, narrowed."""
    return kind if kind.width == width else CInteger(f"{kind.name}:{width}", width, kind.signed, kind.rank)
