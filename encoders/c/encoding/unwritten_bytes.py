"""What objects may hold before anybody writes them, in memory that is bytes and parts of pointers.

What nobody wrote is bytes, so that two reads of a number give the same. Where a pointer is declared, its cells may hold
any pointer as well, since reads of one that are bytes are not modelled. The members of unions are not restricted.
"""

from collections.abc import Iterator

import z3

from chcverify.terms.core.traversal import conjunction
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.encoding.byte_memory import CellTranslator, holds_pointer, is_byte
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.types.c_types import CArray, CPointer, CRecord, CType

MAX_BYTES = 256
"""Bytes of an object that are restricted, each by a conjunct of the clause that declares it. Chosen by hand: the
structures of a library have at most some 200, and longer objects are buffers, which seldom hold pointers."""


def unwritten(
    translator: CellTranslator, contents: z3.ExprRef, located: LocatedCell, kind: CType
) -> Iterator[z3.BoolRef]:
    """The constraints on a declared object of this type that begins at an lvalue. contents: the array that it is in."""
    theory, sizes = translator.theory, translator.memory.points_to.regions.sizes

    def cell(offset: int) -> z3.ExprRef:
        return z3.Select(contents, translator.moved(located, offset).address.term)

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
