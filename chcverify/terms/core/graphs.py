"""Orders, components and dominators of directed graphs. A graph is a function from a node to its successors.

All walks are iterative and deterministic: they depend on the order of the roots and of the successors alone. Successors
may be given more than once; a function of successors is called once for each node.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)
Successors = Callable[[N], Iterable[N]]


@dataclass(frozen=True)
class DepthFirst(Generic[N]):
    """A depth-first search from the roots; nodes that the roots do not reach are missing.

    preorder and postorder: the nodes as they are entered and left. retreating: the targets of edges to a node on the
    path of the search; every cycle contains one of them.
    """

    preorder: tuple[N, ...]
    postorder: tuple[N, ...]
    retreating: frozenset[N]


def depth_first(roots: Iterable[N], successors: Successors[N]) -> DepthFirst[N]:
    """A depth-first search from one root after the other."""
    preorder: list[N] = []
    postorder: list[N] = []
    retreating: set[N] = set()
    on_path: dict[N, bool] = {}  # of every node that was entered
    for root in roots:
        if root in on_path:
            continue
        stack: list[tuple[N, Iterator[N]]] = []
        entered: N | None = root
        while entered is not None or stack:
            if entered is not None:
                on_path[entered] = True
                preorder.append(entered)
                stack.append((entered, iter(successors(entered))))
                entered = None
            node, rest = stack[-1]
            for successor in rest:
                if successor not in on_path:
                    entered = successor
                    break
                if on_path[successor]:
                    retreating.add(successor)
            else:
                on_path[node] = False
                postorder.append(node)
                stack.pop()
    return DepthFirst(tuple(preorder), tuple(postorder), frozenset(retreating))


def reverse_postorder(roots: Iterable[N], successors: Successors[N]) -> list[N]:
    """The nodes that the roots reach; without cycles, each stands before its successors."""
    return list(reversed(depth_first(roots, successors).postorder))


def components(roots: Iterable[N], successors: Successors[N]) -> list[list[N]]:
    """The strongly connected components that the roots reach, each after those that it reaches.

    Tarjan: Depth-first search and linear graph algorithms (1972). Within a component, nodes stand as they were entered.
    """
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    open_nodes: list[N] = []
    position: dict[N, int] = {}  # in open_nodes
    found: list[list[N]] = []
    work: list[tuple[N, Iterator[N]]] = []

    def enter(node: N) -> None:
        index[node] = low[node] = len(index)
        position[node] = len(open_nodes)
        open_nodes.append(node)
        work.append((node, iter(successors(node))))

    def leave(node: N) -> None:
        work.pop()
        if work:
            above = work[-1][0]
            low[above] = min(low[above], low[node])
        if low[node] == index[node]:
            component = open_nodes[position[node] :]
            del open_nodes[position[node] :]
            for member in component:
                del position[member]
            found.append(component)

    for root in roots:
        if root not in index:
            enter(root)
        while work:
            node, rest = work[-1]
            for successor in rest:
                if successor not in index:
                    enter(successor)
                    break
                if successor in position:
                    low[node] = min(low[node], index[successor])
            else:
                leave(node)
    return found


@dataclass(frozen=True)
class WeakTopologicalOrder(Generic[N]):
    """Nodes in an order in which the members of each strongly connected component stand together, its head first, and
    the others in such an order again; components stand before those that they reach.

    nodes: that the roots reach. heads: every cycle contains one of them.
    """

    nodes: tuple[N, ...]
    heads: frozenset[N]


def weak_topological_order(roots: Iterable[N], successors: Successors[N]) -> WeakTopologicalOrder[N]:
    """Bourdoncle: Efficient chaotic iteration strategies with widenings (FMPA 1993)."""
    following: dict[N, tuple[N, ...]] = {}

    def all_successors(node: N) -> tuple[N, ...]:
        if node not in following:
            following[node] = tuple(successors(node))
        return following[node]

    order: list[N] = []
    heads: set[N] = set()
    work = components(roots, all_successors)
    while work:
        head, *others = work.pop()
        order.append(head)
        if others:
            inside = set(others)
            first = [node for node in following[head] if node in inside]
            within = {node: [s for s in following[node] if s in inside] for node in others}
            work += components([*first, *others], within.__getitem__)
        if others or head in following[head]:
            heads.add(head)
    return WeakTopologicalOrder(tuple(order), frozenset(heads))


def is_cyclic(roots: Iterable[N], successors: Successors[N]) -> bool:
    """True if the roots reach a cycle."""
    return bool(depth_first(roots, successors).retreating)


def reaches(start: N, target: N, successors: Successors[N]) -> bool:
    """True if there is a path, possibly without edges, from the one node to the other."""
    seen, stack = {start}, [start]
    while stack:
        node = stack.pop()
        if node == target:
            return True
        for successor in successors(node):
            if successor not in seen:
                seen.add(successor)
                stack.append(successor)
    return False


class Dominators(Generic[N]):
    """The dominator tree below an entry that is no node of the graph.

    Cooper, Harvey, Kennedy: A simple, fast dominance algorithm (2001).

    order: the nodes in a reverse postorder of the graph. predecessors: those of a node, None for the entry; those that
    are not in `order` are unreachable and left out.
    """

    def __init__(self, order: Sequence[N], predecessors: Callable[[N], Iterable[N | None]]) -> None:
        self.number: Mapping[N, int] = {node: i for i, node in enumerate(order)}
        self.immediate: dict[N, N | None] = {}
        """The immediate dominator of each node; None is the entry."""
        before = {
            node: [source for source in predecessors(node) if source is None or source in self.number] for node in order
        }
        changed = True
        while changed:
            changed = False
            for node in order:
                sources = [s for s in before[node] if s is None or s in self.immediate]
                best = sources[0]
                for source in sources[1:]:
                    best = self._common(best, source)
                if node not in self.immediate or self.immediate[node] != best:
                    self.immediate[node], changed = best, True

    def _common(self, one: N | None, other: N | None) -> N | None:
        """The closest common ancestor in the tree as far as it is built."""
        while one != other:
            if one is None or other is None:
                return None
            if self.number[one] > self.number[other]:
                one = self.immediate[one]
            else:
                other = self.immediate[other]
        return one

    def dominates(self, over: N, node: N) -> bool:
        """True if every path from the entry to `node` passes `over`."""
        at: N | None = node
        while at is not None and self.number[at] > self.number[over]:
            at = self.immediate[at]
        return at == over
