"""The checks of a program: what its edges can violate."""

from collections.abc import Iterator

from chcverify.results.checks import DEREFERENCES, Check, CheckKind
from encoders.c.cfa import ir


def checks_of(program: ir.Program) -> tuple[Check, ...]:
    """Returns the checks of a program that are not assumed to hold, by position and kind."""
    edges = (edge for function in program.functions.values() for edge in function.edges)
    found = {check for edge in edges for check in checks_of_edge(edge, program.checks)}
    return tuple(sorted(found - program.assumed))


def checks_of_edge(edge: ir.Edge, kinds: frozenset[CheckKind]) -> Iterator[Check]:
    """The checks of these kinds that an edge makes, in the order in which a run decides them."""
    match edge.operation:
        case ir.ReachError(what=what, kind=kind):
            yield Check(edge.origin, kind, edge.text or what)
        case ir.CheckAccess():
            for kind in (CheckKind.NULL, CheckKind.LIFETIME, CheckKind.BOUNDS):
                if kind in kinds & DEREFERENCES:
                    yield Check(edge.origin, kind, edge.text)
        case ir.Release() if CheckKind.FREE in kinds:
            yield Check(edge.origin, CheckKind.FREE, edge.text)
        case ir.CheckBlocks() if CheckKind.CLEANUP in kinds:
            yield Check(edge.origin, CheckKind.CLEANUP, edge.text)
        case _:
            return


def error_check(edge: ir.Edge) -> Check:
    """The check of an edge that is a violation."""
    assert isinstance(edge.operation, ir.ReachError)
    return Check(edge.origin, edge.operation.kind, edge.text or edge.operation.what)
