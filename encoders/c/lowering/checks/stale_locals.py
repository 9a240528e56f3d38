"""Variables whose address may be used after their block has ended: where no check excludes it, they hold any value."""

from collections.abc import Sequence

from encoders.c.cfa import ir
from encoders.c.cfa.builder import CfaBuilder
from encoders.c.cfa.expression_walk import base_of, postorder


def stale_locals(builder: CfaBuilder, edges: Sequence[ir.Edge], result: ir.Variable | None) -> frozenset[str]:
    """The unique names of the variables whose address is copied to what outlives their block.

    What outlives a block is memory, a global variable, the result, or a variable of a block around it. Addresses that
    are only passed to calls are left out. builder: that of the function, with the blocks of its edges. result: the
    variable of its result.
    """
    blocks = _blocks(builder)
    copies = [(edge.operation.lvalue, edge.operation.value) for edge in edges if isinstance(edge.operation, ir.Assign)]
    held: dict[str, set[str]] = {}  # the variables whose addresses a variable may hold, by its name
    found: set[str] = set()
    changed = True
    while changed:
        changed = False
        for lvalue, value in copies:
            addresses = _addresses(value, held)
            own = lvalue.variable if isinstance(lvalue, ir.VariableLValue) else None
            if own is not None and own.function is not None:
                known = held.setdefault(own.unique, set())
                changed |= not addresses <= known
                known |= addresses
            for name in addresses - found:
                if own is None or own.function is None or own == result or _outlives(blocks, own.unique, name):
                    found.add(name)
    return frozenset(found)


def _addresses(value: ir.Expression, held: dict[str, set[str]]) -> set[str]:
    """The local variables to which the value of an expression may point."""
    found: set[str] = set()
    for part in postorder(value):
        if isinstance(part, ir.AddressOf):
            lvalue: ir.LValue = part.lvalue
            lvalue = base_of(lvalue)
            if isinstance(lvalue, ir.VariableLValue) and lvalue.variable.function is not None:
                found.add(lvalue.variable.unique)
        elif isinstance(part, ir.Load) and isinstance(part.lvalue, ir.VariableLValue):
            found |= held.get(part.lvalue.variable.unique, set())
    return found


def _blocks(builder: CfaBuilder) -> dict[str, tuple[int, ...]]:
    """For each variable that is declared, the blocks around its declaration, the innermost first."""
    found: dict[str, tuple[int, ...]] = {}
    for edge, block in zip(builder.edges, builder.blocks, strict=True):
        if isinstance(edge.operation, ir.Declare) and edge.operation.variable.unique not in found:
            around = []
            while block >= 0:
                around.append(block)
                block = builder.outer_blocks[block]
            found[edge.operation.variable.unique] = tuple(around)
    return found


def _outlives(blocks: dict[str, tuple[int, ...]], one: str, other: str) -> bool:
    """True if the block of the other variable may end before that of the one."""
    around = blocks.get(one, (0,))
    return other in blocks and blocks[other][0] not in around
