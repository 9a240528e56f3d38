"""Accesses that are in no object at all, wherever objects are.

Clauses follow one object of a region: of an access to another one they do not know where it ends. So a pointer that is
moved along an object that they do not follow, `while (*p) p++`, would come to the next one, which may not be
allocated, as if it were null. But all objects begin at multiples of one distance and, where `are_objects_limited`, are
much smaller than that. So an access whose place is farther from the last multiple is in no object: if all choices of
the tracked object are looked at, one of them shows the violation. What the clauses say of the others can leave it out.
"""

import z3

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.analysis.abstract_evaluation import AbstractEvaluator
from encoders.c.analysis.interval_analysis import IntervalAnalysis
from encoders.c.analysis.memory.tracked_objects import TrackedObjects
from encoders.c.analysis.regions import Region, find
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.types.c_types import CArray
from encoders.c.types.record_layout import LARGEST_OBJECT


def are_objects_limited(memory: Memory, objects: TrackedObjects, ranges: IntervalAnalysis) -> bool:
    """True if intervals show that no object of the program is larger than LARGEST_OBJECT bytes, and runs end at
    violations: at all of them, or at accesses of which others decide whether they are within bounds."""
    program = memory.flat.program
    if not program.checks >= DEREFERENCES:  # of an access in no object, any of these may be what fails
        return False
    ends = program.ends_at_violations or any(check.kind is CheckKind.BOUNDS for check in program.assumed)
    if not ends or any(objects.is_given(top) for top, _ in objects.all()):
        return False
    sizes = memory.points_to.regions.sizes
    living = (slot.variable.type for top, _ in objects.all() for slot in memory.living(top))
    if any(sizes.of(kind) // 8 > LARGEST_OBJECT for kind in living):
        return False
    for edge in memory.flat.edges():
        known, made = ranges.at.get(edge.source), _made(edge.operation, sizes)
        if known is None or made is None:
            continue
        count, unit = made
        if AbstractEvaluator(memory, edge.frame, known).value(count)[1] * unit > LARGEST_OBJECT:
            return False
    return True


def _made(operation: object, sizes: Sizes) -> tuple[ir.Expression, int] | None:
    """The size of the object that an operation creates, as an expression and the number of bytes by which it is
    multiplied. None if the operation creates no object, or one whose type is of constant size."""
    match operation:
        case ir.Allocate(size=size):
            return size, 1
        case ir.Declare(variable=ir.Variable(type=CArray(element=kind)), length=length) if length is not None:
            return length, sizes.of(kind) // 8
        case _:
            return None


def is_in_one_object(pointer: BoundedTerm, distance: int) -> bool:
    """Does a pointer lead to one object of limited size, or to its end, whatever its value?

    distance: of objects, in the unit of the pointer.
    """
    assert pointer.range is not None
    first, last = pointer.range
    return last - first // distance * distance <= LARGEST_OBJECT


def is_counted_in_cells(region: Region) -> bool:
    """Is the place of a cell of the region, in bytes, its number times a constant, and another constant?"""
    whole: Region | None = find(region)
    while whole is not None:
        if (whole.factor or 1) != 1:
            return False
        whole = None if whole.parent is None else find(whole.parent)
    return True


def is_behind_object(theory: IntegerEncoding, place: BoundedTerm, distance: int, width: BoundedTerm) -> z3.BoolRef:
    """The condition that `width` bytes at a place are not among the first LARGEST_OBJECT behind a multiple of a
    distance. place, distance: in bytes; of bit-vectors the distance is a power of two."""
    by = theory.address(distance).term
    rest = place.term % by if theory.name == "lia" else z3.URem(place.term, by)
    end = theory.advance(BoundedTerm(rest, (0, distance - 1)), width, None, 1)
    return theory.address_less(theory.address(LARGEST_OBJECT), end, strict=True)
