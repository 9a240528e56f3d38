"""Copies of records and other aggregates, cell by cell."""

from collections.abc import Callable
from typing import Protocol

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.regions import BYTE_CELL, flattened
from encoders.c.analysis.storage import Memory, ScalarStorage
from encoders.c.cfa import ir
from encoders.c.cfa.type_sizes import sizes_of, uncovered
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.encoding.expression_terms import ExpressionTranslator
from encoders.c.encoding.integer_theory import BoundedTerm
from encoders.c.encoding.memory.written_terms import WrittenPart
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import UCHAR, CArray, CRecord, CType
from encoders.c.types.record_layout import SEPARATE_CELLS

ValueOf = Callable[[CType], BoundedTerm]
UNROLLED_BYTES = 1024
"""Bytes of a record that are set one by one where memory is an array of bytes. Chosen by hand."""


@dataclass
class UnboundedClear(Unsupported):
    """A block that is zero among others that are not has too many cells to be set one by one. unit: see
    `clearing_loops`."""

    unit: CType


def units_within(program: ir.Program, kind: CType, size: int) -> int:
    """The objects of a type that may begin in memory of `size` bytes, however records are padded."""
    bits = max(8, sizes_of(program).of(kind))
    if isinstance(kind, CRecord):
        bits = max((8 * member.offset for member in program.records.get(kind.tag, ())), default=0) + 8
    return -(-8 * size // bits)


class CellStore(Protocol):
    """The part of the translation of an edge that copies use; implemented by `edge_semantics.EdgeTranslator`."""

    def is_live(self, leaf: ScalarStorage) -> bool: ...

    def put(
        self, located: LocatedCell, kind: CType, value: ValueOf, written: list[WrittenPart] | None = None
    ) -> None: ...

    def cell(self, leaf: ScalarStorage, address: BoundedTerm, factor: int, offset: int) -> LocatedCell: ...

    def written(self, located: LocatedCell, kind: CType) -> list[WrittenPart] | None: ...


class RecordCopies:
    """The copies of one edge. reader: of the state before. into: what stores the cells. is_marked: it also keeps what
    was written."""

    def __init__(
        self, memory: Memory, reader: ExpressionTranslator, edge: ir.Edge, into: CellStore, is_marked: bool
    ) -> None:
        self.memory, self.reader, self.edge, self.into, self.is_marked = memory, reader, edge, into, is_marked

    def copy(self, into: LocatedCell, source: LocatedCell, kind: CType) -> None:
        """Copies an aggregate, cell by cell; all reads are from the state before."""
        targets, sources = (list(self.memory.parts(side.region, kind)) for side in (into, source))
        layouts = [
            [leaf.type == BYTE_CELL or leaf.region.bytes for leaf, _, _ in leaves] for leaves in (targets, sources)
        ]
        if layouts[0] != layouts[1]:
            self._copy_members(into, source, kind)
            return
        for (target, factor, count), (origin, other_factor, _) in zip(targets, sources, strict=True):
            if not self.into.is_live(target):
                continue
            if count is None or count > SEPARATE_CELLS:
                raise Unsupported(self.edge.origin, f"copy of an aggregate with {count or 'unknown many'} cells")
            for i in range(count):
                cell = self.into.cell(target, into.address, factor, i)
                other = self.into.cell(origin, source.address, other_factor, i)
                value = self.reader.load(other, target.type, (self.edge, origin.region.label, i))
                terms = self.into.written(other, target.type)
                self.into.put(cell, target.type, lambda _, value=value: value, terms)  # type: ignore[misc]

    def _copy_members(self, into: LocatedCell, source: LocatedCell, kind: CType) -> None:
        """Copies an aggregate that is laid out differently in target and source, scalar by scalar."""
        work: list[tuple[LocatedCell, LocatedCell, CType]] = [(into, source, kind)]
        copied = 0
        while work:
            into, source, kind = work.pop()
            if isinstance(kind, CRecord) and into.region.bytes and not source.region.bytes:
                self._leave_padding_open(into, kind)
            unit, count = flattened(kind)
            if count != 1:
                work += self._element_copies(into, source, unit, count)
            elif isinstance(unit, CRecord):
                work += self._field_copies(into, source, unit)
            else:
                copied += 1
                self._copy_scalar(into, source, unit, copied)

    def _leave_padding_open(self, into: LocatedCell, record: CRecord) -> None:
        """The bytes of the target that are no member's hold anything: those of the source are not kept."""
        sizes = self.memory.points_to.regions.sizes
        members = [
            (8 * member.offset + (member.bit_offset or 0), sizes.of(member.type))
            for member in self.memory.flat.program.records.get(record.tag, ())
        ]
        for number in sorted({bit // 8 for bit, _ in uncovered(sizes.of(record), members)}):
            parts = [WrittenPart(z3.BoolVal(False))] if self.is_marked else None
            value = self.reader.undetermined(UCHAR, (self.edge, "padding", number))
            self.into.put(self.reader.moved(into, number), UCHAR, lambda _, value=value: value, parts)  # type: ignore[misc]

    def _element_copies(
        self, into: LocatedCell, source: LocatedCell, unit: CType, count: int | None
    ) -> list[tuple[LocatedCell, LocatedCell, CType]]:
        """The copies of an array's elements: (target, source, type of the element). count: of the elements."""
        if count is None or count > SEPARATE_CELLS:
            raise Unsupported(self.edge.origin, f"copy of an aggregate with {count or 'unknown many'} cells")
        regions = self.memory.points_to.regions
        cells = ((p, regions.cells(p.region, unit) or 0) for p in (into, source))
        parts = [[self.reader.moved(cell, i * size) for i in range(count)] for cell, size in cells]
        return [(one, two, unit) for one, two in zip(*parts, strict=True)]

    def _field_copies(
        self, into: LocatedCell, source: LocatedCell, record: CRecord
    ) -> list[tuple[LocatedCell, LocatedCell, CType]]:
        """The copies of a record's members, or of the bytes of a union: (target, source, type)."""
        regions = self.memory.points_to.regions
        whole = CArray(UCHAR, regions.sizes.of(record) // 8)
        if record.is_union and into.region.bytes and source.region.bytes:
            return [(into, source, whole)]
        members = self.memory.flat.program.records.get(record.tag, ())
        if record.is_union and regions.is_uniform(record):
            members = members[:1]
        elif record.is_union:  # the bytes are in the region of the members
            first = self.memory.flat.program.records[record.tag][0]
            return [(self.reader.field(into, record, first), self.reader.field(source, record, first), whole)]
        return [(self.reader.field(into, record, m), self.reader.field(source, record, m), m.type) for m in members]

    def _copy_scalar(self, into: LocatedCell, source: LocatedCell, kind: CType, number: int) -> None:
        """Copies a scalar. number: which of the edge's copies it is, in the key of values that are undetermined."""
        raw = kind == UCHAR and into.region.pointers and source.region.pointers
        cell_type = BYTE_CELL if raw else kind
        value = self.reader.load(source, cell_type, (self.edge, source.region.label, number))
        self.into.put(into, cell_type, lambda _: value, self.into.written(source, cell_type))
