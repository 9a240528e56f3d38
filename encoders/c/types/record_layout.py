"""Sizes, alignments and record layouts as gcc chooses them on i386 and x86-64 System V."""

from dataclasses import field

from chcverify.quick_dataclass import dataclass
from encoders.c.types.c_types import (
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

LARGEST_OBJECT = 1 << 46
"""Bytes, for pointers of 64 bits: processors address 2^47 bytes. Clauses follow no index farther than this: it could be
taken for one to the next object."""
SEPARATE_CELLS = 64
"""Cells of an object that are copied, set, read or forgotten one by one, and have variables of their own where they are
only accessed at constant addresses; larger objects are treated as a whole. Chosen by hand."""


class IncompleteType(Exception):
    """The size of an incomplete type is needed. `tag` is that of a record; it is empty for other types."""

    def __init__(self, kind: CType) -> None:
        super().__init__(str(kind))
        self.tag = kind.tag if isinstance(kind, CRecord) else ""


@dataclass(frozen=True)
class Member:
    """A declared member."""

    name: str
    """Empty for an unnamed bit-field."""
    type: CType
    width: int | None = None
    """Bits of a bit-field; None for other members."""
    aligned: int = 0
    """The alignment in bytes that an attribute or _Alignas asks for; 0 for none."""
    packed: bool = False
    type_align: int = 0
    """The alignment in bytes of a typedef's name that has one of its own; 0 for none."""
    volatile: bool = False
    atomic: bool = False
    constant: bool = False


@dataclass(frozen=True)
class Rules:
    """The rules for a whole record from attributes and pragmas; alignments in bytes, 0 for none."""

    packed: bool = False
    aligned: int = 0
    pack: int = 0


@dataclass(frozen=True)
class RecordLayout:
    """The layout of a record."""

    fields: tuple[CField, ...]
    size: int
    align: int
    """In bytes, as the size is."""
    user_aligned: bool = False
    """An attribute gives the alignment."""
    field_aligns: tuple[int, ...] = ()
    """Of each field, in bytes."""


@dataclass
class RecordLayouts:
    """Sizes under one data model; knows the records that have been completed."""

    model: DataModel
    records: dict[str, RecordLayout] = field(default_factory=dict)

    def size(self, kind: CType) -> int:
        """The size of a type in bytes; 1 for void and functions, as gcc has it. Raises IncompleteType."""
        if isinstance(kind, CInteger):
            byte_offsets = (kind.width + 7) // 8
            return 1 << (byte_offsets - 1).bit_length()  # a value of a wide bit-field's own width has a whole register
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

    def holds_pointers(self, kind: CType, incomplete: bool = False) -> bool:
        """Is a pointer in an object of the type? incomplete: the answer for a record that is not completed."""
        work = [kind]
        while work:
            each = work.pop()
            if isinstance(each, CPointer):
                return True
            if isinstance(each, CArray):
                work.append(each.element)
            elif isinstance(each, CRecord) and each.tag in self.records:
                work += [field.type for field in self.records[each.tag].fields]
            elif isinstance(each, CRecord) and incomplete:
                return True
        return False

    def is_flag(self, kind: CType) -> bool:
        """Is it what gcc's <stdatomic.h> makes atomic_flag of, which only atomic functions access?"""
        fields = self.records[kind.tag].fields if isinstance(kind, CRecord) and kind.tag in self.records else ()
        return len(fields) == 1 and fields[0].name == "__val" and isinstance(fields[0].type, CInteger)

    def complete(self, kind: CRecord, members: list[Member], rules: Rules | None = None) -> None:
        """Lay out the members of a record and make it complete. Raises IncompleteType for a member without a size."""
        placing = _Placing(self, kind.is_union, rules or Rules())
        for position, member in enumerate(members):
            flexible = isinstance(member.type, CArray) and member.type.length is None
            if flexible and position != len(members) - 1:
                raise IncompleteType(member.type)
            placing.add(member, 0 if flexible else self.size(member.type))
        self.records[kind.tag] = placing.finished()

    def type_alignment(self, kind: CType, named: int = 0) -> tuple[int, bool]:
        """The alignment of a type in bytes (gcc's TYPE_ALIGN), and True if an attribute gives it.

        named: the alignment of the typedef's name, or 0.
        """
        if named:
            return named, True
        element = kind
        while isinstance(element, CArray):
            element = element.element
        if isinstance(element, CRecord):
            layout = self.record(element)
            return layout.align, layout.user_aligned
        return self.align(element, in_record=False), False

    def limited(self, kind: CType, align: int) -> int:
        """On i386 integers, pointers and double in records are aligned to 4 bytes at most (in bytes)."""
        while isinstance(kind, CArray):
            kind = kind.element
        narrow = self.model.long_long_align == 4 and not isinstance(kind, CRecord | CVoid | CFunction)
        return min(align, 4) if narrow else align


class _Placing:
    """Lays out one record member by member, as gcc's stor-layout.cc does: positions and alignments in bits."""

    def __init__(self, layout: RecordLayouts, is_union: bool, rules: Rules) -> None:
        self.layout, self.is_union, self.rules = layout, is_union, rules
        self.fields: list[CField] = []
        self.field_aligns: list[int] = []
        self.next = self.end = 0
        self.align = max(8, 8 * rules.aligned)
        self.user_aligned = rules.aligned > 0

    def add(self, member: Member, size: int) -> None:
        """Puts the next member, whose type has `size` bytes, behind the others.

        Complexity over 15: follows gcc's `place_field` step by step.
        """
        type_align, asked = self.layout.type_alignment(member.type, member.type_align)
        type_align *= 8
        packed = (member.packed or self.rules.packed) and (member.width is not None or type_align > 8)
        start = 0 if self.is_union else self.next
        align, whole, user = self._field_align(member, type_align, asked, packed, start)
        start = -(-start // align) * align
        if member.width is None:
            bits = 8 * size
            self.align, self.user_aligned = max(self.align, align), self.user_aligned or user
        else:
            bits, unit = member.width, type_align if asked else 8 * self.layout.limited(member.type, type_align // 8)
            if bits and not (whole or packed or self.rules.pack) and _crosses(start, bits, unit, size):
                start = -(-start // unit) * unit
            self._raise_for_bits(member, unit, asked, packed)
            if member.aligned and member.name:
                self.align, self.user_aligned = max(self.align, align), True
        self.next = start + bits
        self.end = max(self.end, self.next)
        if member.name:
            self.fields.append(_field(member, start, 8 * size))
            self.field_aligns.append(max(1, align // 8))

    def _field_align(
        self, member: Member, type_align: int, asked: bool, packed: bool, start: int
    ) -> tuple[int, bool, bool]:
        """The alignment of a member: (bits, True for a bit-field that is a whole machine word, True if asked for).

        type_align: of its type, in bits; asked: by an attribute. start: the first bit that is free. Complexity over 15:
        follows gcc's `update_alignment_for_field` step by step.
        """
        align, user, whole = max(1, 8 * member.aligned), member.aligned > 0, False
        is_empty = member.width == 0
        packed = packed and not is_empty
        if is_empty or (member.width is None and not (packed and user)):
            if type_align > align:
                align, user = type_align, asked
        elif _is_whole_word(member.width, packed, start):
            align, whole = max(align, member.width or 0), True
        if packed and not member.aligned:
            align = min(align, 8)
        if not packed and not user:
            align = 8 * self.layout.limited(member.type, align // 8) if align >= 8 else align
        if self.rules.pack and not is_empty:
            align = min(align, 8 * self.rules.pack)
        return align, whole, user

    def _raise_for_bits(self, member: Member, unit: int, asked: bool, packed: bool) -> None:
        """A named bit-field gives its type's alignment to the record."""
        if not member.name:
            return
        if self.rules.pack:
            unit = min(unit, 8 * self.rules.pack)
        elif packed:
            unit = min(unit, 8)
        self.align, self.user_aligned = max(self.align, unit), self.user_aligned or asked

    def finished(self) -> RecordLayout:
        size = -(-self.end // self.align) * self.align // 8
        return RecordLayout(tuple(self.fields), size, self.align // 8, self.user_aligned, tuple(self.field_aligns))


def _crosses(start: int, bits: int, unit: int, size: int) -> bool:
    """True if a bit-field from bit `start` on covers more units than its type, of `size` bytes, has. unit: in bits."""
    return (start % unit + bits + unit - 1) // unit > 8 * size // unit


def _is_whole_word(width: int | None, packed: bool, start: int) -> bool:
    """True if a bit-field of so many bits from bit `start` on is a machine word on its boundary."""
    return width in (8, 16, 32, 64) and not (packed and width > 8) and start % width == 0


def _field(member: Member, start: int, unit: int) -> CField:
    """The field of a member that begins at bit `start`. unit: bits of the declared type.

    A bit-field is in the unit that it does not cross, else at its first byte.
    """
    if member.width is None:
        return CField(
            member.name,
            member.type,
            start // 8,
            volatile=member.volatile,
            atomic=member.atomic,
            constant=member.constant,
        )
    assert isinstance(member.type, CInteger)
    offset = start // unit * unit if start % unit + member.width <= unit else start // 8 * 8
    return CField(member.name, bit_type(member.type, member.width), offset // 8, start - offset, member.volatile)


def unnamed(position: int) -> str:
    """The name of an anonymous record's member: unlike all others in the same record."""
    return f"<{position}>"


def is_unnamed(name: str) -> bool:
    return name.startswith("<")


def bit_type(kind: CInteger, width: int) -> CInteger:
    """The type of a bit-field: the declared type, narrowed."""
    if kind.width == width:
        return kind
    return CInteger(f"{kind.name}:{width}", width, kind.signed, kind.rank, is_bit_field=True)
