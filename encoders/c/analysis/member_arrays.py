"""Addresses that are computed inside arrays that are members of records.

Objects that are single records with pointers keep their types where pointers into their arrays of scalars are moved,
`p = s->name; p++`: the region of the array is flagged `HELD_INSIDE`. A pointer to the k-th element is k cells behind
the first, k up to the number of elements, and what leads farther is not modelled (encoding/memory/member_bounds.py).
"""

from collections.abc import Iterator

from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.regions import RegionFlag, find
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, base_of, pointer_moves, postorder
from encoders.c.cfa.inlining import InlineFrame

ComputedAddress = ir.PointerAdd | ir.AddressOf


def is_held_inside(points_to: PointsTo, pointer: ir.Expression, frame: InlineFrame) -> bool:
    """Does a pointer lead into an array of a record that pointers must not leave?"""
    return RegionFlag.HELD_INSIDE in find(points_to.target(pointer, frame)).flags


def computed_addresses(*roots: Node) -> Iterator[ComputedAddress]:
    """The moved pointers and addresses of elements below expressions and lvalues, but for those of accesses.

    An access `*(p + i)` or `p[i]` has a check of its own. lvalues among the roots are written.
    """
    nodes = list(postorder(*roots))
    computed = [node for node in nodes if isinstance(node, ComputedAddress)]
    of_accesses = {id(part) for node in nodes for part in _address_of_access(node, roots)} if computed else set()
    for node in computed:
        if isinstance(node, ir.PointerAdd):
            if id(node) not in of_accesses:
                yield node
        elif isinstance(node.lvalue, ir.FieldLValue | ir.ElementLValue):
            yield node


def _address_of_access(node: Node, roots: tuple[Node, ...]) -> list[ir.PointerAdd]:
    """The additions that compute the address that an access goes to; none for a node that is no access."""
    if isinstance(node, ir.Load):
        lvalue = node.lvalue
    elif isinstance(node, ir.LValue) and any(node is root for root in roots):
        lvalue = node
    else:
        return []
    base = base_of(lvalue)
    return pointer_moves(base.pointer)[1] if isinstance(base, ir.Dereference) else []
