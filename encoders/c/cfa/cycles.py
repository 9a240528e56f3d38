"""The edges of a function that a run may pass more than once."""

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
