"""Positions of a program's assertions for people: not in functions that only assert their argument."""

from typing import TYPE_CHECKING

from chcverify.horn.system import Origin
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.encoding.clause_origins import ClauseKind

if TYPE_CHECKING:
    from encoders.c.encoding.encoder import Encoding

_ASSERTING = (ir.Assume, ir.ReachError, ir.Skip, ir.Call)


def assertions(encoding: "Encoding") -> tuple[Origin, ...]:
    """The origin of each violation: its own, or that of the call where its function does nothing but assert."""
    edges = (info.edge for info in encoding.infos if info.kind is ClauseKind.VIOLATION)
    return tuple(_origin(edge) for edge in edges if edge is not None)


def _origin(edge: FlatEdge) -> Origin:
    origin, frame = edge.edge.origin, edge.frame
    while frame.call is not None and frame.parent is not None and _only_asserts(frame.function):
        origin, frame = frame.call.origin, frame.parent
    return origin


def _only_asserts(function: ir.FunctionCfa) -> bool:
    return all(isinstance(edge.operation, _ASSERTING) for edge in function.edges)
