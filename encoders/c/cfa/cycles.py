"""The edges of a function that a run may pass more than once."""

from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatFunction


class Cycles:
    """The edges that may be passed more than once; rarely asked for, so searched on demand."""

    def __init__(self, function: FlatFunction) -> None:
        self.function = function
        self._outgoing: dict[int, list[int]] | None = None

    def contains(self, edge: FlatEdge) -> bool:
        """True if a path leads from the edge back to it."""
        if self._outgoing is None:
            self._outgoing = {}
            for other in self.function.edges:
                self._outgoing.setdefault(other.source, []).append(other.target)
        seen, stack = {edge.target}, [edge.target]
        while stack:
            number = stack.pop()
            if number == edge.source:
                return True
            for target in self._outgoing.get(number, ()):
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        return False

    def lives_again(self, declaration: FlatEdge) -> bool:
        """True if a path leads from a declaration to one of the same variable before its lifetime ends."""
        operation, frame = declaration.operation, declaration.frame
        assert isinstance(operation, ir.Declare)
        outgoing: dict[int, list[FlatEdge]] = {}
        for edge in self.function.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        seen, stack = {declaration.target}, [declaration.target]
        while stack:
            for edge in outgoing.get(stack.pop(), ()):
                does = edge.operation if edge.frame is frame else None
                if isinstance(does, ir.Declare) and does.variable == operation.variable:
                    return True
                is_end = isinstance(does, ir.EndLifetimes) and operation.variable in does.variables
                if not is_end and edge.target not in seen:
                    seen.add(edge.target)
                    stack.append(edge.target)
        return False
