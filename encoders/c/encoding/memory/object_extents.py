"""Sizes of arrays of variable length, addresses of variables that have fixed ones, and places of members."""

import z3

from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region, find, flattened
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import InlineFrame, Slot
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.types.c_types import CInteger, CRecord, CType


def declared_bytes(length: BoundedTerm, kind: CType, theory: IntegerEncoding, unit: int) -> BoundedTerm:
    """The size of an array of variable length in bytes. kind: of its length. unit: bytes of an element."""
    assert isinstance(kind, CInteger)
    return theory.advance(theory.address(0), length, kind, unit)


def slot_address(memory: Memory, theory: IntegerEncoding, variable: ir.Variable, frame: InlineFrame) -> BoundedTerm:
    """The address of a variable that has a fixed one, in its top region."""
    slot = slot_of(variable, frame)
    scale = memory.scale(memory.points_to.regions.of_slot(slot)) or 1
    return theory.address(memory.base(slot) // scale)


def bytes_before(memory: Memory, slot: Slot) -> int:
    """The bytes from the beginning of a record to a variable that lives among the members of such records.

    Pointers there count from the beginning of the record that would be around the variable.
    """
    node, total = find(memory.points_to.regions.of_slot(slot)), 0
    while node.parent is not None:
        total, node = total + member_offset(memory, node), find(node.parent)
    return total


def member_offset(memory: Memory, member: Region) -> int:
    """The bytes before a member in its record."""
    record = None if member.parent is None else find(member.parent).type
    kind = None if record is None else flattened(record)[0]
    if not isinstance(kind, CRecord) or kind.is_union:
        return 0
    fields = memory.flat.program.records.get(kind.tag, ())
    return next((each.offset for each in fields if each.name == member.key), 0)


def divided(theory: IntegerEncoding, value: BoundedTerm, divisor: int) -> tuple[BoundedTerm, BoundedTerm]:
    """Quotient and remainder, which is not negative."""
    assert value.range is not None
    by = theory.address(divisor).term
    if theory.name == "lia":
        remainder: z3.ExprRef = value.term % by
    else:
        remainder = z3.URem(z3.SRem(value.term, by) + by, by)
    rest = BoundedTerm(remainder, (0, divisor - 1))
    whole = theory.advance(value, rest, None, -1)
    low, high = value.range
    return BoundedTerm(whole.term / by, (low // divisor, high // divisor)), rest
