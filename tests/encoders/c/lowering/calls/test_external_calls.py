"""What functions without a body do."""

import pytest

from encoders.c.cfa.ir import Havoc
from encoders.c.lowering.calls.external_calls import ExternalCalls
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.environment import Surroundings, UndefinedFunctions
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import INT, CFunction


@pytest.fixture
def external(context: LoweringContext, peers) -> ExternalCalls:
    return ExternalCalls(context, peers.types, peers.static_objects, peers.expressions)


def called(external: ExternalCalls, node) -> str:
    symbol = FunctionSymbol("g", CFunction(INT, (), variadic=True), node)
    return external.call_elsewhere(node, "g", symbol, list(node.args.exprs))


@pytest.mark.parametrize(
    ("mode", "edges", "reason"),
    [
        (UndefinedFunctions.PURE, 0, ""),
        (UndefinedFunctions.HAVOC, 1, ""),
        (UndefinedFunctions.REFUSE, 0, "call of g, which has no body"),
    ],
)
def test_choices(external: ExternalCalls, expression, mode: UndefinedFunctions, edges: int, reason: str) -> None:
    external.context.unit.surroundings = Surroundings(functions=mode)
    assert called(external, expression("g(p, x)")) == reason
    assert len(external.context.cfa.edges) == edges
    assert bool(external.context.unit.assumptions) == (mode != UndefinedFunctions.REFUSE)


def test_string_literals_are_not_changed(external: ExternalCalls, expression) -> None:
    external.context.unit.surroundings = Surroundings(functions=UndefinedFunctions.HAVOC)
    called(external, expression('g("text", p, x)'))
    (edge,) = external.context.cfa.edges
    assert isinstance(edge.operation, Havoc) and len(edge.operation.arguments) == 1


def test_pointers_as_numbers_are_not_modelled(external: ExternalCalls, expression) -> None:
    external.context.unit.surroundings = Surroundings(functions=UndefinedFunctions.HAVOC)
    assert "pointer as a number" in called(external, expression("g((long)p)"))
