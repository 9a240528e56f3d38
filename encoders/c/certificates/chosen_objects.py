"""Where the objects are whose contents an edge chooses."""

from collections.abc import Callable, Mapping

import z3

from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.encoding.clause_origins import ClauseInfo
from encoders.c.encoding.encoder import Encoding
from encoders.c.encoding.initial_values import constant_of
from encoders.c.types.c_types import CType

ValueBefore = Callable[[StateVariable], z3.ExprRef | None]
"""The value of a state variable before an edge, a ground term; None if it is not known."""


def chosen_object(encoding: Encoding, edge: FlatEdge, before: ValueBefore) -> tuple[Region, CType, int] | None:
    """The region, type and address of the object that an edge declares, allocates or forgets.

    None if the operation does none of these, or if a value that decides the address is not known.
    """
    memory, operation = encoding.memory, edge.operation
    match operation:
        case ir.Declare(variable=variable):
            slot = slot_of(variable, edge.frame)
            region, kind = memory.points_to.regions.of_slot(slot), variable.type
            if memory.activation(slot) is None:
                return region, kind, memory.base(slot)
        case ir.Allocate(lvalue=lvalue):
            region = memory.points_to.regions.pointee(memory.points_to.region_of(lvalue, edge.frame))
            if region.type is None:
                return None
            kind = region.type
        case ir.Forget():
            block = encoding.objects.forgotten.of(operation, edge.frame)
            first = None if block is None else before(block.pointer)
            if block is None or first is None or block.top.type is None:
                return None
            return block.top, block.top.type, encoding.theory.address_number(first) // block.scale
        case _:
            return None
    fresh = before(memory.next_address(region))
    return None if fresh is None else (region, kind, encoding.theory.address_number(fresh) * memory.scale(region))


def chosen_by_clause(
    encoding: Encoding, info: ClauseInfo, known: Mapping[z3.ExprRef, z3.ExprRef]
) -> tuple[Region, CType, int] | None:
    """As `chosen_object`, of the edge of a clause. known: the values of the clause's variables."""
    assert info.edge is not None
    return chosen_object(encoding, info.edge, lambda variable: known.get(constant_of(encoding.theory, variable)))
