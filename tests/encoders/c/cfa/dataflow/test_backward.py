"""Backward fixpoints against round-robin iteration, on random graphs."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from encoders.c.cfa.dataflow.backward import backward

LOCATIONS, BITS = 5, 4


@dataclass(frozen=True)
class ReadingEdge:
    """reads, writes: bit sets of variables."""

    source: int
    target: int
    reads: int
    writes: int


numbers, masks = st.integers(0, LOCATIONS - 1), st.integers(0, 2**BITS - 1)
graphs = st.lists(st.builds(ReadingEdge, numbers, numbers, masks, masks), max_size=12)


def live_before(edge: ReadingEdge, after: int) -> int:
    return (after & ~edge.writes) | edge.reads


@given(graphs, st.lists(masks, min_size=LOCATIONS, max_size=LOCATIONS))
def test_as_round_robin_iteration(edges: list[ReadingEdge], least: list[int]) -> None:
    expected = dict(enumerate(least))
    for _ in range(LOCATIONS * BITS):
        for edge in edges:
            expected[edge.source] |= live_before(edge, expected[edge.target])
    assert backward(edges, dict(enumerate(least)), live_before) == expected


def test_sets_of_names() -> None:
    edges = [ReadingEdge(0, 1, 0, 1), ReadingEdge(1, 2, 2, 0)]
    names = {1: frozenset({"a"}), 2: frozenset({"b"}), 0: frozenset[str]()}

    def before(edge: ReadingEdge, after: frozenset[str]) -> frozenset[str]:
        return names[edge.reads] | (after - names[edge.writes])

    least = {0: frozenset[str](), 1: frozenset[str](), 2: frozenset({"a"})}
    assert backward(edges, least, before) == {0: {"b"}, 1: {"a", "b"}, 2: {"a"}}
