"""Layered drawings: every arrow leads downwards or was turned round, no box covers another."""

from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.explain.report.graph_layout import place_nodes
from chcverify.explain.report.svg import graph_svg
from chcverify.results.report_data import Graph, GraphEdge, GraphNode

GRAPHS = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.floats(5, 200), st.floats(5, 60)), min_size=n, max_size=n),
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda a: a[0] != a[1]), max_size=20),
    )
)


@settings(max_examples=150, deadline=None)
@given(GRAPHS)
def test_boxes_do_not_overlap_and_all_is_inside(graph):
    sizes, arrows = graph
    placed = place_nodes(sizes, arrows)
    boxes = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for (x, y), (w, h) in zip(placed.centres, sizes, strict=True)]
    for left, top, right, bottom in boxes:
        assert left >= -0.01 and top >= -0.01
        assert right <= placed.width + 0.01 and bottom <= placed.height + 0.01
    for number, a in enumerate(boxes):
        for b in boxes[:number]:
            assert a[2] <= b[0] + 0.01 or b[2] <= a[0] + 0.01 or a[3] <= b[1] + 0.01 or b[3] <= a[1] + 0.01


@settings(max_examples=100, deadline=None)
@given(GRAPHS)
def test_paths_lead_from_box_to_box(graph):
    sizes, arrows = graph
    placed = place_nodes(sizes, arrows)
    for (source, target), path in zip(arrows, placed.paths, strict=True):
        for end, node in ((path[0], source), (path[-1], target)):
            (x, y), height = placed.centres[node], sizes[node][1]
            assert abs(end[0] - x) < 0.01 and abs(abs(end[1] - y) - height / 2) < 0.01


def test_acyclic_graphs_lead_downwards():
    placed = place_nodes([(10, 10)] * 4, [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)])
    heights = [y for _, y in placed.centres]
    assert heights[0] < heights[1] == heights[2] < heights[3]


def test_a_crossing_that_can_be_avoided_is_avoided():
    # 0 -> 3, 1 -> 2: drawn in the given order the two would cross
    placed = place_nodes([(10, 10)] * 4, [(0, 3), (1, 2)])
    (a, _), (b, _), (c, _), (d, _) = placed.centres
    assert (a < b) == (d < c)


def test_no_graph():
    assert place_nodes([], []).width == 0.0


def test_svg_escapes_and_draws_loops_and_links():
    nodes = (GraphNode("a", ("x < 1", "<script>"), "loop", (3,)), GraphNode("b", ("b",), link="fact-1"))
    svg = graph_svg(Graph("<t>", nodes, (GraphEdge("a", "a", "self"), GraphEdge("a", "b", "i & j", "clause-0"))), "g0")
    assert "<script>" not in svg and "&lt;script&gt;" in svg and "i &amp; j" in svg
    assert svg.count('class="edge"') == 2
    assert 'href="#clause-0"' in svg and 'href="#fact-1"' in svg and 'data-places="3"' in svg
