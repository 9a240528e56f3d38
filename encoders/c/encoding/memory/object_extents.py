"""Sizes of arrays of variable length, and addresses of variables that have fixed ones, as terms."""

from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.types.c_types import CInteger, CType


def declared_bytes(length: BoundedTerm, kind: CType, theory: IntegerEncoding, unit: int) -> BoundedTerm:
    """The size of an array of variable length in bytes. kind: of its length. unit: bytes of an element."""
    assert isinstance(kind, CInteger)
    return theory.advance(theory.address(0), length, kind, unit)


def slot_address(memory: Memory, theory: IntegerEncoding, variable: ir.Variable, frame: InlineFrame) -> BoundedTerm:
    """The address of a variable that has a fixed one, in its top region."""
    slot = slot_of(variable, frame)
    scale = memory.scale(memory.points_to.regions.of_slot(slot)) or 1
    return theory.address(memory.base(slot) // scale)
