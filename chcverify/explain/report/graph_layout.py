"""Layered drawing of directed graphs (Sugiyama, Tagawa and Toda, IEEE Trans. SMC 11, 1981).

Cycles are broken by turning arrows round, nodes get layers by longest paths, arrows over several layers get a bend in
each, layers are ordered by barycentres, and positions minimise the distance to neighbours without overlaps.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass

Point = tuple[float, float]

_GAP_X, _GAP_Y = 22.0, 34.0  # between boxes of a layer, between layers


@dataclass(frozen=True)
class Placed:
    """A graph with places for its parts."""

    centres: list[Point]
    """Of the boxes, in the order given."""
    paths: list[list[Point]]
    """Of the arrows, from box to box."""
    width: float
    """Of the whole drawing."""
    height: float
    """Of the whole drawing."""


def place_nodes(sizes: Sequence[tuple[float, float]], arrows: Sequence[tuple[int, int]]) -> Placed:
    """Boxes (width, height) and arrows between them, by index, no self-loops; the first boxes come first."""
    turned = _back_arrows(len(sizes), arrows)
    forward = [(b, a) if number in turned else (a, b) for number, (a, b) in enumerate(arrows)]
    layer = _layers(len(sizes), forward)
    boxes = list(sizes)
    chains = []
    for source, target in forward:
        chain = [source]
        for between in range(layer[source] + 1, layer[target]):
            chain.append(len(boxes))
            boxes.append((2.0, 0.0))
            layer.append(between)
        chains.append([*chain, target])
    links = [link for chain in chains for link in pairwise(chain)]
    rows = _ordered(layer, links)
    xs = _horizontal(rows, boxes, links)
    left = min((x - boxes[v][0] / 2 for v, x in enumerate(xs)), default=0.0)
    ys, height = _vertical(rows, boxes)
    points = [(x - left, y) for x, y in zip(xs, ys, strict=True)]
    paths = [_path(chain, points, boxes, number in turned) for number, chain in enumerate(chains)]
    width = max((points[v][0] + boxes[v][0] / 2 for v in range(len(boxes))), default=0.0)
    return Placed(points[: len(sizes)], paths, width, height)


def _back_arrows(count: int, arrows: Sequence[tuple[int, int]]) -> set[int]:
    """The numbers of arrows that lead back on the path of a depth-first search; without them there is no cycle."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, (source, target) in enumerate(arrows):
        out[source].append((number, target))
    state = [0] * count  # 0 unseen, 1 on the path, 2 done
    back: set[int] = set()
    for root in range(count):
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(out[root]))]
        while stack:
            node, rest = stack[-1]
            for number, target in rest:
                if state[target] == 1:
                    back.add(number)
                elif state[target] == 0:
                    state[target] = 1
                    stack.append((target, iter(out[target])))
                    break
            else:
                state[node] = 2
                stack.pop()
    return back


def _layers(count: int, arrows: Iterable[tuple[int, int]]) -> list[int]:
    """The length of the longest path to each node of the acyclic graph."""
    out: list[list[int]] = [[] for _ in range(count)]
    entering = [0] * count
    for source, target in arrows:
        out[source].append(target)
        entering[target] += 1
    layer = [0] * count
    ready = [node for node in range(count) if not entering[node]]
    while ready:
        node = ready.pop()
        for target in out[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            entering[target] -= 1
            if not entering[target]:
                ready.append(target)
    return layer


def _ordered(layer: Sequence[int], links: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The nodes of each layer, in the order with the fewest crossings that the sweeps came by."""
    rows: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for node, height in enumerate(layer):
        rows[height].append(node)
    above, below = _neighbours(len(layer), links)
    best, fewest = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(MAX_ALTERNATIVES):
        downwards = sweep % 2 == 0
        for row in rows[1:] if downwards else reversed(rows[:-1]):
            near = above if downwards else below
            position = {node: index for other in rows for index, node in enumerate(other)}
            row.sort(key=lambda node: _mean([position[n] for n in near[node]], position[node]))
        if (count := _crossings(rows, below)) < fewest:
            best, fewest = [list(row) for row in rows], count
    return best


def _neighbours(count: int, links: Iterable[tuple[int, int]]) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for source, target in links:
        below[source].append(target)
        above[target].append(source)
    return above, below


def _crossings(rows: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    total = 0
    for row, following in pairwise(rows):
        position = {node: index for index, node in enumerate(following)}
        ends = [end for node in row for end in sorted(position[target] for target in below[node])]
        total += sum(later < end for index, end in enumerate(ends) for later in ends[index + 1 :])
    return total


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _horizontal(
    rows: Sequence[Sequence[int]], boxes: Sequence[tuple[float, float]], links: Sequence[tuple[int, int]]
) -> list[float]:
    """Each node near the mean of its neighbours, as near as the order of its row and the gaps allow."""
    above, below = _neighbours(len(boxes), links)
    xs = [0.0] * len(boxes)
    for row in rows:
        _spread(row, boxes, xs, [0.0] * len(row))
    for sweep in range(2 * MAX_ALTERNATIVES):
        near = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            _spread(row, boxes, xs, [_mean([xs[n] for n in near[node]], xs[node]) for node in row])
    return xs


def _spread(row: Sequence[int], boxes: Sequence[tuple[float, float]], xs: list[float], wished: Sequence[float]) -> None:
    """Least squares to the wished positions in order and without overlap: pooling of adjacent violators."""
    offset, offsets = 0.0, []
    for left, right in zip([None, *row], row, strict=False):
        offset += 0.0 if left is None else (boxes[left][0] + boxes[right][0]) / 2 + _GAP_X
        offsets.append(offset)
    pools: list[list[float]] = []  # sum of wishes and count of nodes that move together
    for wish, shift in zip(wished, offsets, strict=True):
        pools.append([wish - shift, 1.0])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] >= pools[-1][0] / pools[-1][1]:
            total, count = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += count
    means = [total / count for total, count in pools for _ in range(int(count))]
    for node, mean, shift in zip(row, means, offsets, strict=True):
        xs[node] = mean + shift


def _vertical(rows: Sequence[Sequence[int]], boxes: Sequence[tuple[float, float]]) -> tuple[list[float], float]:
    ys = [0.0] * len(boxes)
    top = 0.0
    for row in rows:
        height = max(boxes[node][1] for node in row)
        for node in row:
            ys[node] = top + height / 2
        top += height + _GAP_Y
    return ys, max(0.0, top - _GAP_Y)


def _path(
    chain: Sequence[int], points: Sequence[Point], boxes: Sequence[tuple[float, float]], turned: bool
) -> list[Point]:
    """From the lower edge of the upper box to the upper edge of the lower one, through the bends."""
    first, last = chain[0], chain[-1]
    start = (points[first][0], points[first][1] + boxes[first][1] / 2)
    end = (points[last][0], points[last][1] - boxes[last][1] / 2)
    path = [start, *(points[node] for node in chain[1:-1]), end]
    return path[::-1] if turned else path
