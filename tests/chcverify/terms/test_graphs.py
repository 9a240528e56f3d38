"""Graph algorithms and disjoint sets against definitions evaluated by brute force on small random graphs."""

from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.core.graphs import (
    Dominators,
    components,
    depth_first,
    is_cyclic,
    reaches,
    reverse_postorder,
    weak_topological_order,
)
from chcverify.terms.core.unionfind import UnionFind

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to seven nodes; edges may be given twice, and may be loops."""
    size = draw(st.integers(1, 7))
    node = st.integers(0, size - 1)
    return {n: draw(st.lists(node, max_size=4)) for n in range(size)}


def closure(graph: Graph, without: int | None = None) -> dict[int, set[int]]:
    """What each node reaches by at least one edge; `without` is a node that is taken away."""
    reached = {n: {m for m in graph[n] if without not in (n, m)} for n in graph}
    for middle in graph:
        for n in graph:
            if middle in reached[n]:
                reached[n] |= reached[middle]
    return reached


@given(graphs())
def test_depth_first_visits_what_the_root_reaches_in_the_recursive_order(graph: Graph) -> None:
    entered: list[int] = []
    left: list[int] = []
    retreating: set[int] = set()

    def visit(node: int, path: frozenset[int]) -> None:
        entered.append(node)
        for target in graph[node]:
            if target in path | {node}:
                retreating.add(target)
            elif target not in entered:
                visit(target, path | {node})
        left.append(node)

    visit(0, frozenset())
    search = depth_first([0], graph.__getitem__)
    assert (list(search.preorder), list(search.postorder)) == (entered, left)
    assert search.retreating == retreating
    assert set(entered) == {0} | closure(graph)[0]
    assert reverse_postorder([0], graph.__getitem__) == left[::-1]


@given(graphs())
def test_every_cycle_contains_a_target_of_a_retreating_edge(graph: Graph) -> None:
    heads = depth_first(graph, graph.__getitem__).retreating
    rest = {n: [m for m in graph[n] if m not in heads] for n in graph if n not in heads}
    assert all(n not in reached for n, reached in closure(rest).items())
    assert is_cyclic(graph, graph.__getitem__) == any(n in reached for n, reached in closure(graph).items())


@given(graphs())
def test_components_are_mutually_reachable_and_come_after_what_they_reach(graph: Graph) -> None:
    reached = closure(graph)
    found = components(graph, graph.__getitem__)
    assert sorted(node for component in found for node in component) == sorted(graph)
    for position, component in enumerate(found):
        expected = {
            n for n in graph if n == component[0] or (n in reached[component[0]] and component[0] in reached[n])
        }
        assert set(component) == expected
        for later in found[position + 1 :]:
            assert not reached[component[0]] & set(later)


@given(graphs(), st.integers(0, 6), st.integers(0, 6))
def test_paths(graph: Graph, start: int, target: int) -> None:
    start, target = start % len(graph), target % len(graph)
    assert reaches(start, target, graph.__getitem__) == (start == target or target in closure(graph)[start])


@given(graphs(), st.integers(0, 6))
def test_dominators_are_on_every_path_from_the_entry(graph: Graph, other: int) -> None:
    entries = list(dict.fromkeys((0, other % len(graph))))
    order = reverse_postorder(entries, graph.__getitem__)

    def predecessors(node: int) -> list[int | None]:
        return [*([None] if node in entries else []), *(n for n in graph if node in graph[n])]

    tree = Dominators(order, predecessors)
    for over in order:
        reached = closure(graph, without=over)
        free = {n for entry in entries if entry != over for n in ({entry} | reached[entry])}
        for node in order:
            assert tree.dominates(over, node) == (node not in free)
    assert set(tree.immediate) == set(order)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=12))
def test_union_find_gives_the_least_equivalence(pairs: list[tuple[int, int]]) -> None:
    sets: UnionFind[int] = UnionFind()
    classes = {n: {n} for n in range(9)}
    for one, other in pairs:
        kept = sets.find(other)
        assert sets.union(one, other) == kept
        merged = classes[one] | classes[other]
        for member in merged:
            classes[member] = merged
    for n in range(9):
        assert {m for m in range(9) if sets.find(n) == sets.find(m)} == classes[n]
    groups = sets.classes(range(9))
    assert [sorted(group) for group in groups.values()] == list(groups.values())
    assert {frozenset(group) for group in groups.values()} == {frozenset(members) for members in classes.values()}


@given(graphs())
def test_a_weak_topological_order_has_a_head_in_each_cycle_and_keeps_components_together(graph: Graph) -> None:
    order = weak_topological_order(graph, graph.__getitem__)
    assert sorted(order.nodes) == sorted(graph)
    place = {node: i for i, node in enumerate(order.nodes)}
    backwards = {target for node in graph for target in graph[node] if place[target] <= place[node]}
    assert backwards <= order.heads
    reached = closure(graph)
    for members in components(graph, graph.__getitem__):
        places = sorted(place[node] for node in members)
        assert places == list(range(places[0], places[0] + len(members)))
    for head in order.heads:
        assert head in reached[head]


def test_inner_loops_stand_together_before_what_follows_them() -> None:
    """1 -> 2 <-> 3, 2 -> 4 -> 1, 4 -> 5"""
    graph = {1: [2], 2: [4, 3], 3: [2], 4: [5, 1], 5: []}
    order = weak_topological_order([1], graph.__getitem__)
    assert order.nodes == (1, 2, 3, 4, 5) and order.heads == {1, 2}
