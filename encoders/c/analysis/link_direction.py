"""The direction of links: do blocks lead to those that were allocated before them, or after them?

Read off the program's text: of two variables, the one with fewer copies between it and an allocation holds the newer
block. A wrong answer costs proofs, nothing else: see docs/c.md, lost blocks.
"""

from collections.abc import Iterator, Sequence

from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import find
from encoders.c.analysis.storage import Memory, ScalarStorage
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatProgram, InlineFrame, Leave, Slot

Copy = tuple[Slot, Slot, int]
"""The target and the source of a copy between variables, and by how much it is more than one."""


def leads_upward(flat: FlatProgram, memory: Memory, leaves: Sequence[ScalarStorage]) -> bool:
    """True if most stores to the leaves let an older block lead to a newer one."""
    ages = _ages(flat)
    regions = {find(leaf.region) for leaf in leaves}
    votes = 0
    for edge in flat.edges():
        operation = edge.operation
        if not isinstance(operation, ir.Assign) or not isinstance(operation.lvalue, ir.FieldLValue):
            continue
        base = operation.lvalue.base
        if not isinstance(base, ir.Dereference):
            continue
        if find(memory.points_to.region_of(operation.lvalue, edge.frame)) in regions:
            holder, held = (_age(ages, side, edge.frame) for side in (base.pointer, operation.value))
            if holder is not None and held is not None:
                votes += (holder > held) - (holder < held)
    return votes > 0


def _age(ages: dict[Slot, int], value: ir.Expression, frame: InlineFrame) -> float | None:
    """The copies between a value and an allocation: infinite for what is no variable, None for null."""
    value = _plain(value)
    if isinstance(value, ir.Constant):
        return None
    slot = _slot(value, frame)
    return float("inf") if slot is None else ages.get(slot, float("inf"))


def _ages(flat: FlatProgram) -> dict[Slot, int]:
    """For each variable the least number of copies between it and an allocation."""
    ages: dict[Slot, int] = {}
    copies: list[Copy] = []
    for edge in flat.edges():
        if isinstance(edge.operation, ir.Allocate) and isinstance(edge.operation.lvalue, ir.VariableLValue):
            ages[slot_of(edge.operation.lvalue.variable, edge.frame)] = 0
        copies += _copies(edge)
    changed = True
    while changed:
        changed = False
        for target, source, distance in copies:
            if source in ages and ages[source] + distance < ages.get(target, len(copies) + 1):
                ages[target] = ages[source] + distance
                changed = True
    return ages


def _copies(edge: FlatEdge) -> Iterator[Copy]:
    """The copies between variables that an edge makes."""
    frame = edge.frame
    match edge.operation:
        case ir.Assign(lvalue=ir.VariableLValue(variable=variable), value=value):
            source = _slot(_plain(value), frame)
            if source is not None:
                yield slot_of(variable, frame), source, 0 if variable.temporary or source.variable.temporary else 1
        case Enter(callee=callee, arguments=arguments):
            for parameter, value in zip(callee.function.parameters, arguments, strict=True):
                source = _slot(_plain(value), frame)
                if source is not None:
                    yield slot_of(parameter, callee), source, 1
        case Leave(callee=callee, lvalue=ir.VariableLValue(variable=variable)) if callee.function.result is not None:
            yield slot_of(variable, frame), slot_of(callee.function.result, callee), 1
        case _:
            pass


def _plain(value: ir.Expression) -> ir.Expression:
    while isinstance(value, ir.Cast):
        value = value.operand
    return value


def _slot(value: ir.Expression, frame: InlineFrame) -> Slot | None:
    """The variable whose value an expression is."""
    if isinstance(value, ir.Load) and isinstance(value.lvalue, ir.VariableLValue):
        return slot_of(value.lvalue.variable, frame)
    return None
