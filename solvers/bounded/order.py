"""The order in which the clause graph is unrolled: loops within loops, and what is acyclic in topological order.

A hierarchical ordering as in Bourdoncle, Efficient chaotic iteration strategies with widenings, 1993: all clauses lead
from an element to a later one, or within a loop to its first.
"""

from collections.abc import Hashable, Mapping, Sequence, Set
from typing import TypeVar

from chcverify.quick_dataclass import dataclass

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class OrderedLoop:
    """A strongly connected component."""

    elements: "tuple[Order, ...]"
    """Its elements in hierarchical order without the edges to the first vertex, which is the head."""


Order = Hashable | OrderedLoop


def hierarchical(vertices: Sequence[T], successors: Mapping[T, Sequence[T]]) -> tuple[Order, ...]:
    """The vertices in hierarchical order; those that come first among `vertices` become heads."""
    rank = {vertex: i for i, vertex in enumerate(vertices)}
    return _ordered(vertices, successors, set(vertices), rank)


def _ordered(
    vertices: Sequence[T], successors: Mapping[T, Sequence[T]], within: Set[T], rank: Mapping[T, int]
) -> tuple[Order, ...]:
    out: list[Order] = []
    for component in reversed(_components(vertices, successors, within)):
        head = component[0] if len(component) == 1 else _head(component, successors, within, rank)
        if len(component) == 1 and head not in successors[head]:
            out.append(head)
            continue
        rest = sorted((vertex for vertex in component if vertex != head), key=rank.__getitem__)
        out.append(OrderedLoop((head, *_ordered(rest, successors, set(rest), rank))))
    return tuple(out)


def _head(component: Sequence[T], successors: Mapping[T, Sequence[T]], within: Set[T], rank: Mapping[T, int]) -> T:
    """The first vertex that is entered from outside; if there is none, the first of all."""
    inside = set(component)
    entered = {t for v in within - inside for t in successors[v] if t in inside}
    return min(entered or inside, key=rank.__getitem__)


def _components(vertices: Sequence[T], successors: Mapping[T, Sequence[T]], within: Set[T]) -> list[list[T]]:
    """The strongly connected components, later ones first (Tarjan, without recursion)."""
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    on_path: set[T] = set()
    path: list[T] = []
    out: list[list[T]] = []
    for root in vertices:
        if root in index:
            continue
        work = [(root, iter(successors[root]))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            vertex, rest = work[-1]
            new = next((t for t in rest if t in within and (t not in index or t in on_path)), None)
            if new is not None and new in index:
                low[vertex] = min(low[vertex], index[new])
            elif new is not None:
                index[new] = low[new] = len(index)
                path.append(new)
                on_path.add(new)
                work.append((new, iter(successors[new])))
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[vertex])
                if low[vertex] == index[vertex]:
                    component = path[path.index(vertex) :]
                    del path[-len(component) :]
                    on_path.difference_update(component)
                    out.append(component)
    return out
