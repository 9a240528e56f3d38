"""What is behind the ends of objects: pointers there may be equal to pointers to the starts of others."""

from encoders.c.analysis.regions import Region, RegionFlag, find
from encoders.c.analysis.storage import OBJECT_STRIDE, Memory
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.encoding.integer_theory import BoundedTerm
from encoders.c.types.c_types import CRecord


def may_meet(memory: Memory, regions: tuple[Region, Region], pointers: tuple[BoundedTerm, BoundedTerm]) -> bool:
    """May pointers into two objects be equal, as one may be the end of its object (C11 6.5.9p6)?

    Of pointers into one region that are not both known on sight it is assumed that they are not.
    """
    strides = [OBJECT_STRIDE * memory.scale(region) for region in regions]
    known = [pointer.constant for pointer in pointers]
    one, two = known
    if find(regions[0]) is find(regions[1]) and (one is None or two is None or one // strides[0] == two // strides[1]):
        return False
    return any(
        bool(find(region).flags & RegionFlag.POINTER_ARITHMETIC) if place is None else place % stride > 0
        for region, place, stride in zip(regions, known, strides, strict=True)
    )


def is_trailing(memory: Memory, part: ir.FieldLValue, frame: InlineFrame) -> bool:
    """Is an array the end of single objects, so that behind it lie more of its elements, and nothing else?"""
    region, kind = memory.points_to.region_of(part.base, frame), part.base.type
    if not isinstance(kind, CRecord) or kind.is_union or region.parent is not None:
        return False
    if region.flags & (RegionFlag.POINTER_ARITHMETIC | RegionFlag.GROWN):
        return False
    sizes, members = memory.points_to.regions.sizes, memory.flat.program.records.get(kind.tag, ())
    if not members or members[-1].name != part.field.name or any(count != 1 for _, count in region.objects):
        return False
    return 8 * part.field.offset + sizes.of(part.type) == sizes.of(kind)
