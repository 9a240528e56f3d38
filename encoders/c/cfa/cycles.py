"""The edges of a function that a run may pass more than once."""

from functools import cached_property

from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatFunction


class Cycles:
    """The edges that may be passed more than once; rarely asked for, so searched on demand."""

    def __init__(self, function: FlatFunction) -> None:
        self.function = function

    @cached_property
    def _outgoing(self) -> dict[int, list[FlatEdge]]:
        """The edges that leave each location."""
        found: dict[int, list[FlatEdge]] = {}
        for edge in self.function.edges:
            found.setdefault(edge.source, []).append(edge)
        return found

    def contains(self, edge: FlatEdge) -> bool:
        """True if a path leads from the edge back to it."""
        seen, stack = {edge.target}, [edge.target]
        while stack:
            number = stack.pop()
            if number == edge.source:
                return True
            for other in self._outgoing.get(number, ()):
                if other.target not in seen:
                    seen.add(other.target)
                    stack.append(other.target)
        return False

    def lives_again(self, declaration: FlatEdge) -> bool:
        """True if a path leads from a declaration to one of the same variable before its lifetime ends."""
        operation, frame = declaration.operation, declaration.frame
        assert isinstance(operation, ir.Declare)
        seen, stack = {declaration.target}, [declaration.target]
        while stack:
            for edge in self._outgoing.get(stack.pop(), ()):
                does = edge.operation if edge.frame is frame else None
                if isinstance(does, ir.Declare) and does.variable == operation.variable:
                    return True
                is_end = isinstance(does, ir.EndLifetimes) and operation.variable in does.variables
                if not is_end and edge.target not in seen:
                    seen.add(edge.target)
                    stack.append(edge.target)
        return False
