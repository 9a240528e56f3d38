"""Pointers behind the ends of objects: they may be equal to pointers to the starts of others."""

from encoders.c.analysis.regions import Region, RegionFlag, find
from encoders.c.analysis.storage import OBJECT_STRIDE, Memory
from encoders.c.encoding.integer_theory import BoundedTerm


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
