"""The ends of the lowering's temporaries: they hold parts of expressions, and nobody can use these afterwards.

A pointer in such a variable must not keep a block from being lost. Backward liveness of one function at a time.
"""

from encoders.c.cfa import ir
from encoders.c.cfa.dataflow.backward import backward
from encoders.c.cfa.expression_walk import Node, postorder, roots
from encoders.c.types.c_types import CFloat, CInteger

Names = frozenset[str]


def dying_temporaries(function: ir.FunctionCfa) -> dict[int, tuple[str, ...]]:
    """The unique names of the temporaries that end at an edge, by the identity of the edge; other edges are left out.

    Those are the ones that were live before the edge or are written by it, and that nobody reads before writing them
    from there on.
    """
    effects = {id(edge): _effects(edge.operation) for edge in function.edges}
    if not any(read or written for read, written in effects.values()):
        return {}
    least: dict[int, Names] = {location.number: frozenset() for location in function.locations}

    def before(edge: ir.Edge, after: Names) -> Names:
        read, written = effects[id(edge)]
        return read | (after - written)

    live = backward(function.edges, least, before)
    ends = {id(edge): (live[edge.source] | effects[id(edge)][1]) - live[edge.target] for edge in function.edges}
    return {edge: tuple(sorted(names)) for edge, names in ends.items() if names}


def _effects(operation: ir.Operation) -> tuple[Names, Names]:
    """The temporaries that an operation reads, and those that it writes whole."""
    lvalue = getattr(operation, "lvalue", None)
    is_check = isinstance(operation, ir.CheckAccess | ir.CheckWritten)
    whole = lvalue if isinstance(lvalue, ir.VariableLValue) and not is_check else None
    parts: list[Node] = [root for root in roots(operation) if root is not whole]
    read = {
        node.variable.unique
        for node in postorder(*parts)
        if isinstance(node, ir.VariableLValue) and _is_counted(node.variable)
    }
    written = {whole.variable.unique} if whole is not None and _is_counted(whole.variable) else set()
    return frozenset(read), frozenset(written)


def _is_counted(variable: ir.Variable) -> bool:
    """True for temporaries that can hold pointers and that no pointer leads to."""
    is_own = variable.temporary and not variable.address_taken and variable.name != ir.RESULT
    return is_own and not isinstance(variable.type, CInteger | CFloat)
