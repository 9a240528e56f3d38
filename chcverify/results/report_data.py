"""The data of a report: graphs, clauses, model and derivation as plain values and texts."""

from collections.abc import Collection, Mapping
from dataclasses import field

from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class GraphNode:
    """A box of a graph."""

    key: str
    """A name that no other box of the graph has."""
    lines: tuple[str, ...]
    """The lines of its text."""
    kind: str = ""
    """One of "entry", "exit", "loop", "error", "junction", "truth", or empty."""
    places: tuple[int, ...] = ()
    """The source lines that it stands for."""
    link: str = ""
    """The id of what explains it; "" if nothing does."""


@dataclass(frozen=True)
class GraphEdge:
    """From node to node, by key. link: as of nodes."""

    source: str
    target: str
    label: str = ""
    link: str = ""


@dataclass(frozen=True)
class Graph:
    title: str
    nodes: tuple[GraphNode, ...]
    arrows: tuple[GraphEdge, ...]


@dataclass(frozen=True)
class ClauseText:
    """A clause for people. place: `file:line` or "". text: shortened where it is long."""

    number: int
    name: str
    position: str
    text: str


@dataclass(frozen=True)
class Interpretation:
    """The interpretation of a predicate. atom: the predicate on its formal arguments."""

    predicate: str
    atom: str
    position: str
    text: str


@dataclass(frozen=True)
class CycleText:
    """Clauses used in a cycle `count` times. links: the number of the clause and its fact over n, the iteration."""

    count: int
    links: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class DerivationLine:
    """The fact that a clause derives from those of the premises (numbers of earlier lines).

    cycle: where many uses of clauses are one line; the fact is then the last one's, and clause the last link's.
    """

    number: int
    clause: int
    fact: str
    premises: tuple[int, ...]
    cycle: CycleText | None = None


@dataclass(frozen=True)
class ReportData:
    """The data of one report.

    omitted: parts that were too large to be shown, a sentence each. variables: the names that each function
    declares, and under "" those of variables that outlive calls.
    """

    graphs: tuple[Graph, ...] = ()
    clauses: tuple[ClauseText, ...] = ()
    model: tuple[Interpretation, ...] = ()
    derivation: tuple[DerivationLine, ...] = ()
    omitted: tuple[str, ...] = ()
    variables: Mapping[str, Collection[str]] = field(default_factory=dict)
