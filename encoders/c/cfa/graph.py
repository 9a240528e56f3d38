"""Control-flow automata as graphs of basic blocks, for reports."""

from collections import Counter
from collections.abc import Sequence

from chcverify.display_limits import IN_A_LIST, IN_A_PICTURE
from chcverify.results.report_data import Graph, GraphEdge, GraphNode
from encoders.c.cfa.ir import Assume, Declare, Edge, FunctionCfa, Location, Program, ReachError

_MAX_LINE_CHARACTERS = 44  # characters of a line in a box


def control_flow(program: Program) -> tuple[Graph, ...]:
    """One graph for each function that has statements and is not too large, in the order of the program."""
    graphs = []
    for function in program.functions.values():
        if function.edges and function.name != program.initialise:
            graph = _function(function)
            if len(graph.nodes) <= IN_A_PICTURE:
                graphs.append(graph)
    return tuple(graphs[:IN_A_LIST])


def _function(function: FunctionCfa) -> Graph:
    """The graph of a function's basic blocks."""
    leaving: dict[int, list[Edge]] = {}
    for edge in function.edges:
        leaving.setdefault(edge.source, []).append(edge)
    starts = _block_starts(function, leaving)
    nodes, arrows = [], []
    for location in function.locations:
        start = location.number
        if start not in starts:
            continue
        block, end = _block(start, leaving, starts)
        out = leaving.get(end, [])
        nodes.append(_node(function, location, _kind(function, location, block), block, out))
        question = _question(out)
        arrows += [GraphEdge(str(start), str(edge.target), _label(edge, bool(question))) for edge in out]
    keys = {node.key for node in nodes}
    return Graph(f"{function.name}()", tuple(nodes), tuple(arrow for arrow in arrows if arrow.target in keys))


def _block_starts(function: FunctionCfa, leaving: dict[int, list[Edge]]) -> set[int]:
    """The locations at which blocks begin: entry, loop heads, joins, targets of branches; the exit if it is reached."""
    entering = Counter(edge.target for edge in function.edges)
    entering[function.entry] += 1
    starts = {function.entry, *(location.number for location in function.locations if location.is_loop_head)}
    starts |= {location for location, count in entering.items() if count > 1}
    starts |= {edge.target for edge in function.edges if len(leaving[edge.source]) > 1}
    return starts | {function.exit} if entering[function.exit] else starts - {function.exit}


def _kind(function: FunctionCfa, location: Location, block: list[Edge]) -> str:
    """The kind of a node: "loop", "error", "entry", "exit" or ""."""
    if location.is_loop_head:
        return "loop"
    if any(isinstance(edge.operation, ReachError) for edge in block):
        return "error"
    if location.number == function.entry:
        return "entry"
    return "exit" if location.number == function.exit else ""


def _block(start: int, leaving: dict[int, list[Edge]], starts: set[int]) -> tuple[list[Edge], int]:
    """The edges that follow one another from `start` on, and the location from which control leaves the block."""
    block: list[Edge] = []
    here = start
    while len(out := leaving.get(here, [])) == 1 and not isinstance(out[0].operation, Assume):
        block.append(out[0])
        if out[0].target in starts:
            break
        here = out[0].target
    return block, here


def _node(function: FunctionCfa, at: Location, kind: str, block: list[Edge], out: list[Edge]) -> GraphNode:
    """The box of a block at a location. out: the edges that leave the block."""
    shown = [edge for edge in block if edge.text and not isinstance(edge.operation, Declare)]
    lines = [f"{edge.origin.line}  {_cut(edge.text)}" for edge in shown]
    if asked := _question(out):
        lines.append(f"{out[0].origin.line}  {_cut(asked)} ?")
    if len(lines) > IN_A_LIST:
        lines = [*lines[: IN_A_LIST - 2], f"… {len(lines) - IN_A_LIST + 1} more", lines[-1]]
    if not lines:
        lines = [f"end of {function.name}" if at.number == function.exit else f"{at.origin.line}"]
    edges = [*shown, *(edge for edge in out if isinstance(edge.operation, Assume))]
    return GraphNode(str(at.number), tuple(lines), kind, tuple(sorted({edge.origin.line for edge in edges})))


def _question(out: Sequence[Edge]) -> str:
    """The condition, if control branches on whether one holds."""
    texts = {edge.text for edge in out if isinstance(edge.operation, Assume)}
    return texts.pop() if len(texts) == 1 and len(out) == 2 else ""


def _label(edge: Edge, asked: bool) -> str:
    """The label of an arrow: the answer to the block's question, or the edge's condition if there is no question."""
    if not isinstance(edge.operation, Assume):
        return ""
    if asked:
        return "yes" if edge.operation.holds else "no"
    return _cut(edge.text if edge.operation.holds else f"not ({edge.text})")


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_LINE_CHARACTERS else text[: _MAX_LINE_CHARACTERS - 1] + "…"
