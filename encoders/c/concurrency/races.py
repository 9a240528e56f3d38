"""When two accesses to memory conflict: one of them writes, not both are atomic, and they share a byte.

One of an interrupt handler conflicts with one of what it interrupts unless both are to atomic objects or to volatile
ones as narrow as sig_atomic_t (C11 5.1.2.3 paragraph 5), or the latter is in an atomic section.
"""

from collections.abc import Sequence

import z3

from encoders.c.analysis.regions import top_of
from encoders.c.analysis.storage import Memory
from encoders.c.concurrency.step_paths import StepAccess
from encoders.c.types.c_types import CArray, CRecord


def may_conflict(
    memory: Memory, one: StepAccess, two: StepAccess, renaming: Sequence[tuple[z3.ExprRef, z3.ExprRef]]
) -> z3.BoolRef | None:
    """The condition under which two accesses conflict; None if they never do.

    renaming: of the state that the second access is over. Whole records, bytes and bit-fields, which share bytes with
    their neighbours, conflict wherever they may be in one region.
    """
    if not (one.writes or two.writes) or _are_ordered(one, two):
        return None
    if top_of(one.located.region) is not top_of(two.located.region):
        return None
    is_whole = any(isinstance(access.type, CRecord | CArray) or access.is_bit_field for access in (one, two))
    if is_whole or one.located.region.bytes or two.located.region.bytes:
        return z3.BoolVal(True)
    if memory.leaf(one.located.region) is not memory.leaf(two.located.region):
        return None
    condition = one.located.address.term == z3.substitute(two.located.address.term, *renaming)
    simple = z3.simplify(condition)
    return None if z3.is_false(simple) else simple


def _are_ordered(one: StepAccess, two: StepAccess) -> bool:
    """True if the accesses are no data race whatever they access."""
    if not (one.interrupts or two.interrupts):
        return one.is_atomic and two.is_atomic
    if one.interrupts and two.interrupts:  # handlers do not interrupt each other
        return True
    interrupted = two if one.interrupts else one
    is_excluded = interrupted.in_section and not interrupted.is_uninterrupted
    return is_excluded or (one.is_uninterrupted and two.is_uninterrupted)
