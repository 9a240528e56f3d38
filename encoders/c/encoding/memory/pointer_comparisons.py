"""Comparisons of pointers: by the objects that they point into, and those whose result is open."""

from collections.abc import Callable, Iterator

import z3

from encoders.c.analysis.regions import Region, RegionFlag, find, is_part_of
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import Slot
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.memory.unknown_pointers import is_unknown
from encoders.c.library.model_files import are_copies, is_literal


def is_uncertain(
    memory: Memory,
    theory: IntegerEncoding,
    node: ir.Binary,
    regions: tuple[Region, Region],
    pointers: tuple[BoundedTerm, BoundedTerm],
    truth: z3.BoolRef,
) -> z3.BoolRef:
    """When the result of a comparison of pointers into these regions may be another one than `truth`.

    That is where just one pointer is unknown, or both are and may lead to different regions, or one is the end of an
    object, or leads to an object whose address another one has got since, or they lead to equal string literals of two
    files. Null differs from all others.
    """
    (one, two), (a, b) = regions, pointers
    sides = [is_unknown(memory, theory, region, x) for region, x in zip(regions, pointers, strict=True)]
    unknown = [z3.BoolVal(False) if side is None else side for side in sides]
    apart = unknown[0] != unknown[1] if find(one) is find(two) else z3.Or(unknown)
    meet = node.operator not in ir.OBJECT_COMPARISONS and may_meet(memory, regions, pointers)
    reuse = node.reuse
    if any(pointer.constant is not None for pointer in pointers):  # it leads to a variable
        reuse &= ~ir.AddressReuse.HEAP
    reused = _may_be_reused(memory, reuse, regions)
    copies = z3.BoolVal(False)
    if node.operator not in ir.OBJECT_COMPARISONS:
        copies = _lead_to_copies(memory, theory, regions, pointers)
    if all(map(z3.is_false, [*unknown, copies])) and not meet and not reused:
        return z3.BoolVal(False)
    null = theory.address(NULL).term
    # (meet or (reused and not truth) or apart or copies) and a != null and b != null
    return z3.And(z3.Or(meet, z3.And(reused, z3.Not(truth)), apart, copies), a.term != null, b.term != null)


def is_one_object(
    memory: Memory,
    theory: IntegerEncoding,
    node: ir.Binary,
    region: Region,
    pointers: tuple[BoundedTerm, BoundedTerm],
    apart: z3.BoolRef | None,
) -> z3.BoolRef:
    """The formula that two pointers into a region point into one object, or, for SAME_OBJECT, that both are null.

    node: the comparison, SAME_OBJECT or SHARED_OBJECT. apart: the formula that the pointers point into different
    objects; None if they never do.
    """
    together = [] if apart is None else [z3.Not(apart)]
    if node.operator == ir.SHARED_OBJECT:  # null, and what is made from it by addition, lies below all objects
        lowest = theory.address(-(OBJECT_STRIDE // 2) * memory.scale(region))
        # lowest < a and lowest < b and a, b lie in one object
        return z3.simplify(z3.And([*(theory.address_less(lowest, each, strict=True) for each in pointers), *together]))
    are_null = [pointer.term == theory.address(NULL).term for pointer in pointers]
    # (a = null and b = null) or (a != null and b != null and a, b lie in one object)
    return z3.simplify(z3.Or(z3.And(are_null), z3.And([*map(z3.Not, are_null), *together])))


def _may_be_reused(memory: Memory, reuse: ir.AddressReuse, regions: tuple[Region, Region]) -> bool:
    """May of two pointers into these regions one lead to an object that is gone, and the other to one at its address?

    reuse: which objects may have the address of one that is gone, where the pointers are compared.
    """
    one, two = regions
    if ir.AddressReuse.HEAP in reuse and all(is_part_of(region, RegionFlag.ALLOCATED) for region in regions):
        return True
    if ir.AddressReuse.STACK not in reuse:
        return False
    return any(_has_escaping(memory, gone) and _has_locals(newer) for gone, newer in ((one, two), (two, one)))


def _lead_to_copies(
    memory: Memory, theory: IntegerEncoding, regions: tuple[Region, Region], pointers: tuple[BoundedTerm, BoundedTerm]
) -> z3.BoolRef:
    """The formula that two pointers lead to equal string literals of two files."""
    one, two = ([slot for slot in _objects(region) if is_literal(slot.variable.unique)] for region in regions)
    inside = _is_in(memory, theory, regions[0], pointers[0]), _is_in(memory, theory, regions[1], pointers[1])
    pairs = ((a, b) for a in one for b in two if are_copies(a.variable.unique, b.variable.unique))
    # one of: a in x and b in y, for equal literals x and y
    return z3.simplify(z3.Or([z3.And(inside[0](first), inside[1](second)) for first, second in pairs]))


def _is_in(
    memory: Memory, theory: IntegerEncoding, region: Region, pointer: BoundedTerm
) -> Callable[[Slot], z3.BoolRef]:
    """The formula that a pointer into a region leads to the object of a slot, no larger than half of the distance."""
    scale = memory.scale(region)

    def formula(slot: Slot) -> z3.BoolRef:
        start = memory.base(slot) // (memory.scale(memory.points_to.regions.of_slot(slot)) or 1) * scale
        first, behind = theory.address(start), theory.address(start + OBJECT_STRIDE // 2 * scale)
        # start <= pointer and pointer < start + stride / 2
        above = theory.address_less(first, pointer, strict=False)
        return z3.And(above, theory.address_less(pointer, behind, strict=True))

    return formula


def _has_locals(region: Region) -> bool:
    return any(slot.variable.function is not None for slot in _objects(region))


def _has_escaping(memory: Memory, region: Region) -> bool:
    """Does the address of a local variable outlive its block?"""
    functions = memory.flat.program.functions
    for slot in _objects(region):
        owner = slot.variable.function
        if owner in functions and slot.variable.unique in functions[owner].escaping:
            return True
    return False


def _objects(region: Region) -> Iterator[Slot]:
    """The variables that live in a region, and those among members from which pointers lead to the records around."""
    work = [find(region)]
    while work:
        node = work.pop()
        yield from (slot for slot, _ in node.objects)
        work += [child for child in map(find, node.fields.values()) if RegionFlag.CONTAINED in child.flags]


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
