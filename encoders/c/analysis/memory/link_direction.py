"""The direction of links: do blocks lead to those that were allocated before them, or after them?

Read off the program's text: of two variables, the one with fewer copies between it and an allocation holds the newer
block. A wrong answer costs proofs, nothing else: see docs/c.md, lost blocks.
"""

from collections.abc import Iterator, Mapping, Sequence

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import find
from encoders.c.analysis.storage import Memory, ScalarStorage
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import without_casts
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatProgram, InlineFrame, Leave, Slot

Copy = tuple[Slot, Slot, int]
"""The target and the source of a copy between variables, and by how much it is more than one."""


def upward_locations(
    flat: FlatProgram,
    memory: Memory,
    leaves: Sequence[ScalarStorage],
    live: Mapping[int, int],
    fixed: frozenset[Slot] = frozenset(),
) -> frozenset[int]:
    """The locations, by number, from which on mostly those links are followed that lead from older to newer blocks.

    leaves: the storage of links. live: the variables that the program may read, of each location. fixed: anchors. Where
    no link is followed any more the direction is that of a location before. Where as many stores let older blocks lead
    to newer ones as the other way, it is that of the links that are followed most.
    """
    arrays = {leaf.array.index: n for leaf, n in _votes(flat, memory, leaves, fixed).items() if leaf.array is not None}
    if not arrays:
        return frozenset()
    most = max(arrays, key=lambda index: sum(mask >> index & 1 for mask in live.values()))
    upward: dict[int, bool] = {}
    for number, mask in live.items():
        read = [n for index, n in arrays.items() if mask >> index & 1]
        if read:
            upward[number] = (sum(read) or arrays[most]) > 0
    edges, changed = list(flat.edges()), True
    while changed:
        changed = False
        for edge in edges:
            if edge.source in upward and edge.target not in upward:
                upward[edge.target] = upward[edge.source]
                changed = True
    return frozenset(number for number, is_upward in upward.items() if is_upward)


def unordered_stores(
    flat: FlatProgram, memory: Memory, leaf: ScalarStorage, fixed: frozenset[Slot] = frozenset()
) -> dict[FlatEdge, bool] | None:
    """The stores of links, True for those where the block that is led to is the newer one; None if no order is needed.

    None is needed if all links lead in one direction of the allocations.

    They do if each store makes a new block lead to another one, or each makes another one lead to a new one.
    The block of an anchor (fixed) is none.
    """
    stores = list(_stores(flat, memory, [leaf], fixed))
    ages = [(store.holder, store.held) for store in stores if store.holder or store.held]
    if all(min(pair) == 0 for pair in ages) and len({holder == 0 for holder, _ in ages}) < 2:
        return None
    return {store.edge: store.held < store.holder for store in stores}


def _votes(
    flat: FlatProgram, memory: Memory, leaves: Sequence[ScalarStorage], fixed: frozenset[Slot]
) -> dict[ScalarStorage, int]:
    """By how many more stores to each leaf let an older block lead to a newer one than a newer one to an older one."""
    votes = dict.fromkeys(leaves, 0)
    for store in _stores(flat, memory, leaves, fixed):
        votes[store.leaf] += (store.holder > store.held) - (store.holder < store.held)
    return votes


@dataclass(frozen=True, eq=False)
class _Store:
    """A store to a link through a pointer. holder, held: the ages of the block with it and of that it leads to."""

    edge: FlatEdge
    leaf: ScalarStorage
    holder: float
    held: float


def _stores(
    flat: FlatProgram, memory: Memory, leaves: Sequence[ScalarStorage], fixed: frozenset[Slot]
) -> Iterator[_Store]:
    """The stores to links, but those of null."""
    ages = _ages(flat)
    by_region = {find(leaf.region): leaf for leaf in leaves}
    for edge in flat.edges():
        operation = edge.operation
        if not isinstance(operation, ir.Assign) or not isinstance(operation.lvalue, ir.FieldLValue):
            continue
        base = operation.lvalue.base
        if not isinstance(base, ir.Dereference):
            continue
        leaf = by_region.get(find(memory.points_to.region_of(operation.lvalue, edge.frame)))
        if leaf is not None:
            holder, held = (_age(ages, fixed, side, edge.frame) for side in (base.pointer, operation.value))
            if holder is not None and held is not None:
                yield _Store(edge, leaf, holder, held)


def _age(ages: dict[Slot, int], fixed: frozenset[Slot], value: ir.Expression, frame: InlineFrame) -> float | None:
    """The copies between a value and an allocation: infinite for anchors and what is no variable, None for null."""
    value = without_casts(value)
    if isinstance(value, ir.Constant):
        return None
    slot = _slot(value, frame)
    return float("inf") if slot is None or slot in fixed else ages.get(slot, float("inf"))


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
            source = _slot(without_casts(value), frame)
            if source is not None:
                yield slot_of(variable, frame), source, 0 if variable.temporary or source.variable.temporary else 1
        case Enter(callee=callee, arguments=arguments):
            for parameter, value in zip(callee.function.parameters, arguments, strict=True):
                source = _slot(without_casts(value), frame)
                if source is not None:
                    yield slot_of(parameter, callee), source, 1
        case Leave(callee=callee, lvalue=ir.VariableLValue(variable=variable)) if callee.function.result is not None:
            yield slot_of(variable, frame), slot_of(callee.function.result, callee), 1
        case _:
            pass


def _slot(value: ir.Expression, frame: InlineFrame) -> Slot | None:
    """The variable whose value an expression is."""
    if isinstance(value, ir.Load) and isinstance(value.lvalue, ir.VariableLValue):
        return slot_of(value.lvalue.variable, frame)
    return None
