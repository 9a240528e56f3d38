"""Operations that C defines for some values only, and whose values the clauses of termination need not follow.

The clauses keep what decides how a run goes on, and what overflows and accesses are about. A value that only a division
or a shift uses is left out: a state that recurs in the clauses then says nothing about the divisor.
"""

from collections.abc import Iterable

from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, postorder, roots
from encoders.c.types.c_types import CFloat, CInteger

_DIVISIONS = frozenset({"/", "%"})
_SHIFTS = frozenset({"<<", ">>"})


def is_undefined_for_some_values(edges: Iterable[ir.Edge]) -> bool:
    """True if an edge has a division, shift, conversion or difference of pointers that some operands have no result
    of."""
    distinct = {id(edge): edge for edge in edges}
    return any(
        _is_partial(node) for edge in distinct.values() for root in roots(edge.operation) for node in postorder(root)
    )


def _is_partial(node: Node) -> bool:
    match node:
        case ir.Binary(operator=operator, right=right, type=CInteger() as kind) if operator in _DIVISIONS | _SHIFTS:
            if operator == "<<" and kind.signed:
                return True
            least = 0 if operator in _SHIFTS else 1
            most = kind.width - 1 if operator in _SHIFTS else kind.maximum
            return not (isinstance(right, ir.Constant) and least <= right.value <= most)
        case ir.Cast(operand=operand, type=CInteger()):
            return isinstance(operand.type, CFloat)
        case ir.PointerDifference():
            return True
    return False
