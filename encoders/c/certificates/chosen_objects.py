"""Where the objects are whose contents a clause chooses."""

from collections.abc import Mapping

import z3

from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region
from encoders.c.cfa import ir
from encoders.c.encoding.clause_origins import ClauseInfo
from encoders.c.encoding.encoder import Encoding
from encoders.c.encoding.initial_values import constant_of
from encoders.c.types.c_types import CType


def chosen_object(
    encoding: Encoding, info: ClauseInfo, known: Mapping[z3.ExprRef, z3.ExprRef]
) -> tuple[Region, CType, int] | None:
    """The region, type and address of the object that an edge declares, allocates or forgets; None if there is none.

    known: the values of the clause's variables.
    """
    assert info.edge is not None
    memory, operation, frame = encoding.memory, info.edge.operation, info.edge.frame
    regions = memory.points_to.regions
    if isinstance(operation, ir.Forget):
        return _of_forgotten(encoding, info, operation, known)
    if isinstance(operation, ir.Declare):
        slot = slot_of(operation.variable, frame)
        region, kind = regions.of_slot(slot), operation.variable.type
        if memory.activation(slot) is None:
            return region, kind, memory.base(slot)
    elif isinstance(operation, ir.Allocate):
        region = regions.pointee(memory.points_to.region_of(operation.lvalue, frame))
        if region.type is None:
            return None
        kind = region.type
    else:
        return None
    fresh = known.get(constant_of(encoding.theory, memory.next_address(region)))
    return None if fresh is None else (region, kind, encoding.theory.address_number(fresh) * memory.scale(region))


def _of_forgotten(
    encoding: Encoding, info: ClauseInfo, operation: ir.Forget, known: Mapping[z3.ExprRef, z3.ExprRef]
) -> tuple[Region, CType, int] | None:
    assert info.edge is not None
    block = encoding.objects.forgotten.of(operation, info.edge.frame)
    first = None if block is None else known.get(constant_of(encoding.theory, block.pointer))
    if block is None or first is None or block.top.type is None:
        return None
    return block.top, block.top.type, encoding.theory.address_number(first) // block.scale
