"""Anchors: variables that lead to one block for as long as they live, such as the head of a circular list.

A block that an anchor leads to is not lost, whatever else leads there. So links that lead back to it need no place in
an order of the blocks: the other links of a circular list lead upwards. Read off the program's text; a wrong answer
costs proofs, nothing else.
"""

from collections.abc import Iterator, Mapping

from encoders.c.analysis.counting_loops import cycles
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import without_casts
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatProgram, Leave, Slot


def anchors(flat: FlatProgram, cells: Mapping[Slot, StateVariable], live: Mapping[int, int]) -> frozenset[Slot]:
    """The variables that get one value other than null, outside of loops, and are read in or behind a loop that stores
    links.

    cells: of the variables in question. live: the variables that the program may read, of each location.
    """
    loops = [cycle for function in flat.functions.values() for cycle in cycles(function.edges)]
    repeated = {edge for loop in loops for edge in loop}
    kept = 0
    for edge in repeated:
        kept |= live[edge.source] if _stores(edge) else 0
    once: set[Slot] = set()
    more: set[Slot] = set()
    for edge in flat.edges():
        for slot in _assigned(edge):
            (more if edge in repeated or slot in once else once).add(slot)
    return frozenset(slot for slot, cell in cells.items() if slot in once - more and kept >> cell.index & 1)


def _stores(edge: FlatEdge) -> bool:
    return isinstance(edge.operation, ir.Assign) and not isinstance(edge.operation.lvalue, ir.VariableLValue)


def _assigned(edge: FlatEdge) -> Iterator[Slot]:
    """The variables to which an edge assigns, but for null."""
    match edge.operation:
        case ir.Assign(lvalue=ir.VariableLValue(variable=variable), value=value) if not _is_null(value):
            yield slot_of(variable, edge.frame)
        case ir.Allocate(lvalue=ir.VariableLValue(variable=variable)):
            yield slot_of(variable, edge.frame)
        case Enter(callee=callee):
            yield from (slot_of(parameter, callee) for parameter in callee.function.parameters)
        case Leave(lvalue=ir.VariableLValue(variable=variable)):
            yield slot_of(variable, edge.frame)
        case _:
            pass


def _is_null(value: ir.Expression) -> bool:
    value = without_casts(value)
    return isinstance(value, ir.Constant)
