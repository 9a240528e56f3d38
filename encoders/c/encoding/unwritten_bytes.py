"""What objects may hold before anybody writes them, in memory that is bytes and parts of pointers.

What nobody wrote is bytes, so that two reads of a number give the same. Where a pointer is declared, its cells may hold
any pointer as well, since reads of one that are bytes are not modelled. The members of unions are not restricted.
"""

from collections.abc import Iterator, Mapping

import z3

from chcverify.terms.core.traversal import conjunction
from encoders.c.analysis.regions import BYTE_CELL, Region, find, flattened
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.encoding.byte_memory import CellTranslator, holds_pointer, is_byte
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.types.c_types import CArray, CPointer, CRecord, CType

MAX_BYTES = 256
"""Bytes of an object that are restricted, each by a conjunct or a cell of the clause that declares it. Chosen by hand:
the structures of a library have at most some 200, and longer objects are buffers, which seldom hold pointers."""


def unwritten(
    translator: CellTranslator, fresh: Mapping[StateVariable, z3.ExprRef], located: LocatedCell, kind: CType
) -> Iterator[z3.BoolRef]:
    """The constraints on a declared object of this type that begins at an lvalue.

    fresh: the unknown contents of the arrays in which the object is alone.
    """
    for leaf, factor, part in _byte_parts(translator.memory, located.region, kind):
        if leaf.array is not None and leaf.array in fresh:
            start = LocatedCell(leaf.region, translator.theory.scaled(located.address, factor))
            yield from _contents(translator, fresh[leaf.array], start, part)


def _byte_parts(memory: Memory, region: Region, kind: CType) -> Iterator[tuple[ScalarStorage, int, CType]]:
    """The parts of an object that are bytes and parts of pointers, and in no array: (leaf, f, type of the part) if the
    part begins at f times the address of the object."""
    work = [(find(region), kind, 1)]
    while work:
        region, kind, factor = work.pop()
        if region.bytes:
            if (leaf := memory.leaf(region)).type == BYTE_CELL:
                yield leaf, factor, kind
            continue
        unit, count = flattened(kind)
        if count != 1 or not isinstance(unit, CRecord) or unit.is_union:
            continue
        for member in memory.flat.program.records.get(unit.tag, ()):
            child = memory.points_to.regions.of_field(region, member, unit.is_union)
            if child.factor:
                work.append((child, member.type, factor * child.factor))


def _contents(
    translator: CellTranslator, contents: z3.ExprRef, start: LocatedCell, kind: CType
) -> Iterator[z3.BoolRef]:
    """The constraints on an object of this type that begins at a cell of an array."""
    theory, sizes = translator.theory, translator.memory.points_to.regions.sizes

    def cell(offset: int) -> z3.ExprRef:
        return z3.Select(contents, translator.moved(start, offset).address.term)

    open_bytes: set[int] = set()
    for offset, part in _pointers_and_unions(sizes, kind):
        size = sizes.of(part) // 8
        if offset + size > MAX_BYTES:
            break
        open_bytes.update(range(offset, offset + size))
        if isinstance(part, CPointer):
            cells = [cell(offset + i) for i in range(size)]
            yield z3.Or(conjunction([is_byte(theory, each) for each in cells]), holds_pointer(theory, part, cells))
    for offset in range(min(sizes.of(kind) // 8, MAX_BYTES)):
        if offset not in open_bytes:
            yield is_byte(theory, cell(offset))


def _pointers_and_unions(sizes: Sizes, kind: CType) -> Iterator[tuple[int, CType]]:
    """The pointers and unions of an object with their offsets in bytes, in their order."""
    work: list[tuple[int, CType]] = [(0, kind)]
    while work:
        offset, part = work.pop()
        if offset >= MAX_BYTES:
            continue
        if isinstance(part, CPointer) or (isinstance(part, CRecord) and part.is_union):
            yield offset, part
        elif isinstance(part, CRecord):
            members = sizes.records.get(part.tag, ())
            work += [(offset + member.offset, member.type) for member in reversed(members)]
        elif isinstance(part, CArray):
            size = sizes.of(part.element) // 8
            count = min(part.length or 0, MAX_BYTES)
            work += [(offset + i * size, part.element) for i in reversed(range(count))]
