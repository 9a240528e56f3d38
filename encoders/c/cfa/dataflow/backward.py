"""Least fixpoints of backward analyses, as of the live variables of each location."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

Facts = TypeVar("Facts", int, frozenset[str])
"""A set: of names, or of bits."""


class _Edge(Protocol):
    @property
    def source(self) -> int: ...

    @property
    def target(self) -> int: ...


Edge = TypeVar("Edge", bound=_Edge)


def backward(
    edges: Iterable[Edge], least: Mapping[int, Facts], before: Callable[[Edge, Facts], Facts]
) -> dict[int, Facts]:
    """The facts of each location: the least sets that contain what each edge needs before it.

    edges: of one automaton. least: what each location has in any case; its keys are all locations, those near the exit
    last, so that few locations are visited twice. before: what holds before an edge if the given facts hold after it;
    more facts after an edge must not mean fewer before it.
    """
    incoming: dict[int, list[Edge]] = {}
    for edge in edges:
        incoming.setdefault(edge.target, []).append(edge)
    found = dict(least)
    work = deque(reversed(found))
    queued = set(work)
    while work:
        location = work.popleft()
        queued.discard(location)
        for edge in incoming.get(location, ()):
            joined = found[edge.source] | before(edge, found[location])
            if joined != found[edge.source]:
                found[edge.source] = joined
                if edge.source not in queued:
                    queued.add(edge.source)
                    work.append(edge.source)
    return found
