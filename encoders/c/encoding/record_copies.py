"""Copies of records and other aggregates, cell by cell."""

from collections.abc import Callable
from typing import Protocol

import z3

from encoders.c.analysis.regions import BYTE_CELL, flattened
from encoders.c.analysis.storage import Memory, ScalarStorage
from encoders.c.cfa import ir
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.encoding.expression_terms import ExpressionTranslator
from encoders.c.encoding.integer_theory import BoundedTerm
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import UCHAR, CArray, CRecord, CType

ValueOf = Callable[[CType], BoundedTerm]
UNROLLED_CELLS = 64  # cells of an aggregate that are copied or set one by one


class CellStore(Protocol):
    """The part of the translation of an edge that copies use; implemented by `edge_semantics.EdgeTranslator`."""

    def is_live(self, leaf: ScalarStorage) -> bool: ...

    def put(
        self, located: LocatedCell, kind: CType, value: ValueOf, written: list[z3.ExprRef] | None = None
    ) -> None: ...

    def cell(self, leaf: ScalarStorage, address: BoundedTerm, factor: int, offset: int) -> LocatedCell: ...

    def written(self, located: LocatedCell, kind: CType) -> list[z3.ExprRef] | None: ...


class RecordCopies:
    """The copies of one edge. reader: of the state before. into: what stores the cells. one_layout: target and source
    must be laid out alike."""

    def __init__(
        self, memory: Memory, reader: ExpressionTranslator, edge: ir.Edge, into: CellStore, one_layout: bool
    ) -> None:
        self.memory, self.reader, self.edge, self.into, self.one_layout = memory, reader, edge, into, one_layout

    def copy(self, into: LocatedCell, source: LocatedCell, kind: CType) -> None:
        """Copies an aggregate, cell by cell; all reads are from the state before."""
        targets, sources = (list(self.memory.parts(side.region, kind)) for side in (into, source))
        layouts = [
            [leaf.type == BYTE_CELL or leaf.region.bytes for leaf, _, _ in leaves] for leaves in (targets, sources)
        ]
        if layouts[0] != layouts[1] and self.one_layout:
            raise Unsupported(self.edge.origin, "copy of a record into memory that is laid out differently")
        if layouts[0] != layouts[1]:
            self._copy_members(into, source, kind)
            return
        for (target, factor, count), (origin, other_factor, _) in zip(targets, sources, strict=True):
            if not self.into.is_live(target):
                continue
            if count is None or count > UNROLLED_CELLS:
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
            unit, count = flattened(kind)
            if count != 1:
                work += self._element_copies(into, source, unit, count)
            elif isinstance(unit, CRecord):
                work += self._field_copies(into, source, unit)
            else:
                copied += 1
                self._copy_scalar(into, source, unit, copied)

    def _element_copies(
        self, into: LocatedCell, source: LocatedCell, unit: CType, count: int | None
    ) -> list[tuple[LocatedCell, LocatedCell, CType]]:
        """The copies of an array's elements: (target, source, type of the element). count: of the elements."""
        if count is None or count > UNROLLED_CELLS:
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
        self.into.put(into, cell_type, lambda _: value)
