"""Graphs as SVG that takes its colours from the page's style."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from chcverify.explain.report.graph_layout import Point, place_nodes
from chcverify.results.report_data import Graph, GraphNode

_CHARACTER, _LINE = 7.0, 16.0  # width and height of a character of the graph's font, in pixels
_PADDING = 9.0
_MARGIN = 3 * _PADDING  # room for loops at the right and for the arrow heads


def graph_svg(graph: Graph, identity: str) -> str:
    """The graph as an <svg> element; `identity` is unique on the page."""
    index = {node.key: number for number, node in enumerate(graph.nodes)}
    sizes = [_size(node) for node in graph.nodes]
    arrows: list[tuple[int, int]] = []
    parts: list[tuple[int, ...]] = []  # for each arrow its one or two pieces: a label is a box on the way
    for arrow in graph.arrows:
        source, target = index[arrow.source], index[arrow.target]
        if source == target:
            parts.append(())
        elif arrow.label:
            parts.append((len(arrows), len(arrows) + 1))
            arrows += [(source, len(sizes)), (len(sizes), target)]
            sizes.append((len(arrow.label) * _CHARACTER + 6, _LINE))
        else:
            parts.append((len(arrows),))
            arrows.append((source, target))
    placed = place_nodes(sizes, arrows)
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN / 2
    body = []
    label = len(graph.nodes)
    for arrow, pieces in zip(graph.arrows, parts, strict=True):
        if pieces:
            body.append(_line([placed.paths[piece] for piece in pieces], identity))
            centre = placed.centres[label] if arrow.label else (0.0, 0.0)
        else:
            size, (x, y) = sizes[index[arrow.source]], placed.centres[index[arrow.source]]
            body.append(_loop(x + size[0] / 2, y, identity))
            centre = (x + size[0] / 2 + 20, y)
        if arrow.label:
            body.append(_linked(_text(centre, [arrow.label], "label"), arrow.link))
            label += bool(pieces)
    body += [_box(node, sizes[number], placed.centres[number]) for number, node in enumerate(graph.nodes)]
    return (
        f'<svg width="{width:.0f}" height="{height:.0f}" viewBox="{-_MARGIN} {-_MARGIN / 2} {width:.0f} {height:.0f}"'
        f' role="group" aria-label="{escape(graph.title)}: {len(graph.nodes)} nodes">'
        f'<defs><marker id="{identity}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"'
        f' orient="auto-start-reverse"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>{"".join(body)}</svg>'
    )


def _size(node: GraphNode) -> tuple[float, float]:
    if node.kind == "junction":
        return 26.0, 20.0
    return max(map(len, node.lines)) * _CHARACTER + 2 * _PADDING, len(node.lines) * _LINE + _PADDING


def _box(node: GraphNode, size: tuple[float, float], centre: Point) -> str:
    (width, height), (x, y) = size, centre
    places = " ".join(map(str, node.places))
    rect = f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" rx="5"/>'
    kind = f" {node.kind}" if node.kind else ""
    inside = rect + _text(centre, node.lines, "", width - 2 * _PADDING)
    return _linked(f'<g class="node{kind}" data-places="{places}">{inside}</g>', node.link)


def _text(centre: Point, lines: Sequence[str], kind: str, width: float | None = None) -> str:
    """Centred, or with a width as a block whose lines begin at its left."""
    single = width is None or len(lines) == 1
    x, anchor = (centre[0], "middle") if width is None or single else (centre[0] - width / 2, "start")
    top = centre[1] - (len(lines) - 1) * _LINE / 2 + 4
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{top + number * _LINE:.1f}">{escape(text)}</tspan>' for number, text in enumerate(lines)
    )
    return f'<text{f" class={kind!r}" if kind else ""} text-anchor="{anchor}" xml:space="preserve">{spans}</text>'


def _linked(element: str, link: str) -> str:
    return f'<a href="#{escape(link)}">{element}</a>' if link else element


def _line(pieces: Sequence[Sequence[Point]], identity: str) -> str:
    """Vertical where it meets a row, curved between rows. The pieces follow one another; a box hides the joint."""
    path = [point for piece in pieces for point in piece]
    d = f"M{path[0][0]:.1f} {path[0][1]:.1f}"
    for (x, y), (u, v) in pairwise(path):
        middle = (y + v) / 2
        d += f"C{x:.1f} {middle:.1f} {u:.1f} {middle:.1f} {u:.1f} {v:.1f}"
    return f'<path class="edge" d="{d}" marker-end="url(#{identity}-head)"/>'


def _loop(x: float, y: float, identity: str) -> str:
    d = f"M{x:.1f} {y - 6:.1f}C{x + 24:.1f} {y - 16:.1f} {x + 24:.1f} {y + 16:.1f} {x:.1f} {y + 6:.1f}"
    return f'<path class="edge" d="{d}" marker-end="url(#{identity}-head)"/>'
