"""Building one function's control-flow automaton: locations, edges, and the tidying afterwards."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import field, replace

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import depth_first
from encoders.c.cfa.ir import Assign, Declare, Edge, Location, Operation, Skip, VariableLValue
from encoders.c.types.c_types import CArray, CRecord


@dataclass
class CfaBuilder:
    """Edges are appended at `current`; a location gets the coordinates of the first edge that leaves it."""

    function: str
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    origins: dict[int, Origin | None] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    current: int = 0
    block: int = 0
    """The innermost block of the source that edges are added in."""
    blocks: list[int] = field(default_factory=list)
    """The block of each edge."""
    made_in: dict[int, int] = field(default_factory=dict)
    """The block in which each location was made."""
    outer_blocks: list[int] = field(default_factory=lambda: [-1])
    """The block around each one; -1 around the function."""
    array_scopes: set[int] = field(default_factory=set)
    """The blocks that are the rest of another: from the declaration of an array of variable length on."""

    def enter_block(self) -> int:
        """Begins a block inside the present one, which is returned."""
        outer = self.block
        self.block = len(self.outer_blocks)
        self.outer_blocks.append(outer)
        return outer

    def begin_array_scope(self) -> None:
        """The rest of the present block becomes a block inside it."""
        self.enter_block()
        self.array_scopes.add(self.block)

    def location(self, origin: Origin | None = None) -> int:
        number = next(self.numbers)
        self.origins[number] = origin
        self.made_in[number] = self.block
        return number

    def edge(self, source: int, target: int, operation: Operation, origin: Origin, text: str = "") -> None:
        if self.origins[source] is None:
            self.origins[source] = origin
        self.edges.append(Edge(source, target, operation, origin, text))
        self.blocks.append(self.block)

    def emit(self, operation: Operation, origin: Origin, text: str = "") -> None:
        """One edge from the current location to a new one, which becomes current."""
        target = self.location()
        self.edge(self.current, target, operation, origin, text)
        self.current = target

    def mark(self) -> tuple[int, int]:
        """What `rollback` needs to undo all that is added from now on."""
        return len(self.edges), self.current

    def rollback(self, mark: tuple[int, int]) -> None:
        """Removes the edges that were added after `mark`, and continues where it was."""
        count, self.current = mark
        del self.edges[count:]
        del self.blocks[count:]

    def jump(self, target: int, origin: Origin) -> None:
        """Adds a jump to `target`; code that follows is unreachable until a label is placed."""
        self.edge(self.current, target, Skip(), origin)
        self.current = self.location()

    def fall_into(self, location: int, origin: Origin) -> None:
        """Adds an edge to `location`, which becomes current."""
        self.edge(self.current, location, Skip(), origin)
        self.current = location


def tidy(
    entry: int, exit: int, function: str, edges: list[Edge], origins: dict[int, Origin | None], fallback: Origin
) -> tuple[int, tuple[Location, ...], tuple[Edge, ...]]:
    """The entry, the reachable locations with their loop heads, and the edges in depth-first order, no silent steps.

    A location whose only way out is a Skip without text is the same as its successor.
    """
    outgoing: dict[int, list[Edge]] = {}
    for edge in edges:
        outgoing.setdefault(edge.source, []).append(edge)
    same = _silent(outgoing, exit)
    entry = same.get(entry, entry)
    search = depth_first([entry], _successors(outgoing, same))
    order, heads = search.preorder, search.retreating
    position = {number: index for index, number in enumerate(order)}
    kept = tuple(
        replace(edge, target=same.get(edge.target, edge.target))
        for edge in sorted(edges, key=lambda edge: position.get(edge.source, 0))
        if edge.source in position and edge.source not in same
    )
    ends = {edge.target: edge.origin for edge in kept}
    locations = tuple(
        Location(number, function, origins[number] or ends.get(number, fallback), number in heads)
        for number in [*order, *([] if exit in order else [exit])]
    )
    return entry, locations, kept


def _silent(outgoing: dict[int, list[Edge]], exit: int) -> dict[int, int]:
    """Each location that silently becomes another, with that other; a silent cycle keeps one of its locations."""
    step = {
        source: out[0].target
        for source, out in outgoing.items()
        if len(out) == 1 and isinstance(out[0].operation, Skip) and not out[0].text and source != exit
    }
    same: dict[int, int] = {}
    for start in step:
        path: dict[int, None] = {}
        here = start
        while here in step and here not in path and here not in same:
            path[here] = None
            here = step[here]
        end = same.get(here, here)
        for location in path:
            if location != end:
                same[location] = end
    return same


def _successors(outgoing: dict[int, list[Edge]], same: dict[int, int]) -> Callable[[int], list[int]]:
    """The locations that edges of a location lead to, silent ones passed."""
    return lambda location: [same.get(edge.target, edge.target) for edge in outgoing.get(location, ())]


def without_redundant_declarations(edges: list[Edge], in_memory: set[str]) -> list[Edge]:
    """Without `Declare x` directly before an assignment to all of the scalar x, if x does not live in memory."""
    assigned: dict[int, str] = {}
    count: dict[int, int] = {}
    for edge in edges:
        count[edge.source] = count.get(edge.source, 0) + 1
        operation = edge.operation
        if isinstance(operation, Assign) and isinstance(operation.lvalue, VariableLValue):
            assigned[edge.source] = operation.lvalue.variable.unique
    out = []
    for edge in edges:
        operation = edge.operation
        if (
            isinstance(operation, Declare)
            and operation.variable.unique not in in_memory
            and not isinstance(operation.variable.type, CArray | CRecord)
            and assigned.get(edge.target) == operation.variable.unique
            and count[edge.target] == 1
        ):
            edge = replace(edge, operation=Skip(), text="")
        out.append(edge)
    return out
