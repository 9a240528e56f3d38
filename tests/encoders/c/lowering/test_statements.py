"""Control flow; declarations with linkage are replaced."""

from types import SimpleNamespace

import pytest

from encoders.c.cfa.ir import Assume, Constant, Declare
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.file_scope.named_constants import NamedConstants
from encoders.c.lowering.statements import StatementLowering
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import INT, VOID


@pytest.fixture
def lowered(context: LoweringContext, peers) -> StatementLowering:
    seen: list[str] = []
    later = SimpleNamespace(
        external_declarations=SimpleNamespace(declare_external=lambda node: seen.append(node.name)), seen=seen
    )
    constants = NamedConstants(context, peers.side_effects, peers.expressions)
    return StatementLowering(
        context, peers.side_effects, peers.types, peers.expressions, peers.assignments, constants, peers.labels, later
    )


def successors(lowered: StatementLowering, location: int) -> list[int]:
    return [edge.target for edge in lowered.context.cfa.edges if edge.source == location]


def test_loops_lead_back_to_their_head(lowered: StatementLowering, statements) -> None:
    lowered.statement(statements("while (x) { if (y) break; continue; }")[0])
    (head,) = successors(lowered, lowered.context.entry)
    assert len(successors(lowered, head)) == 2
    assert sum(edge.target == head for edge in lowered.context.cfa.edges) == 3  # from before, continue, the body's end
    assert lowered.breaks == lowered.continues == []


def test_switches(lowered: StatementLowering, statements) -> None:
    lowered.statement(statements("switch (x) { case 1: case 3 ... 5: y = 1; break; default: y = 2; }")[0])
    texts = [edge.text for edge in lowered.context.cfa.edges if isinstance(edge.operation, Assume)]
    assert texts == ["x == 1", "3 <= x <= 5", "x: no other case"]
    with pytest.raises(SourceError, match="not within a switch"):
        lowered.statement(statements("case 1: ;")[0])
    with pytest.raises(SourceError, match="duplicate case"):
        lowered.statement(statements("switch (x) { case 1: case 1: ; }")[0])


def test_labels_are_checked_at_the_end(lowered: StatementLowering, statements) -> None:
    for node in statements("goto later; later: ;"):
        lowered.statement(node)
    lowered.labels.check()
    lowered.statement(statements("goto nowhere;")[0])
    with pytest.raises(SourceError, match="'nowhere' used but not defined"):
        lowered.labels.check()


def test_declarations(lowered: StatementLowering, statements) -> None:
    for node in statements("int a = 1; extern int b; int c(void);"):
        lowered.statement(node)
    assert [variable.name for variable in lowered.context.locals] == ["a"]
    assert isinstance(lowered.context.cfa.edges[0].operation, Declare)
    assert lowered.lowering.seen == ["b", "c"]
    with pytest.raises(SourceError, match="redeclaration of 'a'"):
        lowered.statement(statements("int a;")[0])


def test_statement_expressions(lowered: StatementLowering, expression) -> None:
    assert lowered.statement_expression(expression("({ int a = 1; 5; })")) == Constant(5, INT)
    assert lowered.statement_expression(expression("({ x = 1; ; })")).type == VOID
    assert "a" not in lowered.context.scope.names
