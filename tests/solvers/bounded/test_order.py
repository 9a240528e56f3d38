"""The hierarchical ordering: what must be executed before what."""

import random

from solvers.bounded.order import Order, OrderedLoop, hierarchical


def flat(elements: tuple[Order, ...]) -> list[Order]:
    return [v for e in elements for v in (flat(e.elements) if isinstance(e, OrderedLoop) else [e])]


def loops_around(elements: tuple[Order, ...], vertex: Order) -> list[OrderedLoop]:
    """The loops that the vertex is in, outermost first."""
    for element in elements:
        if isinstance(element, OrderedLoop) and vertex in flat(element.elements):
            return [element, *loops_around(element.elements, vertex)]
    return []


def test_loops_within_loops() -> None:
    successors = {0: [1], 1: [2, 5], 2: [3], 3: [2, 4], 4: [1], 5: []}
    assert hierarchical(list(successors), successors) == (0, OrderedLoop((1, OrderedLoop((2, 3)), 4)), 5)


def test_a_vertex_that_leads_to_itself() -> None:
    assert hierarchical([0, 1], {0: [0, 1], 1: []}) == (OrderedLoop((0,)), 1)


def test_random_graphs() -> None:
    """Every edge leads to a later vertex, or to the head of a loop that both ends are in."""
    generator = random.Random(5)
    for _ in range(200):
        size = generator.randint(1, 12)
        successors = {v: [generator.randrange(size) for _ in range(generator.randint(0, 3))] for v in range(size)}
        order = hierarchical(list(range(size)), successors)
        place = {vertex: i for i, vertex in enumerate(flat(order))}
        assert sorted(place) == list(range(size))
        for source, targets in successors.items():
            for target in targets:
                around = [loop for loop in loops_around(order, source) if flat(loop.elements)[0] == target]
                assert place[source] < place[target] or around
