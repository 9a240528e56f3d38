"""Bodies of functions, and the calls that stand for functions without one."""

import pytest

from encoders.c.cfa.ir import RESULT, Assign, Call, Declare, ReachError
from encoders.c.lowering.composition import Lowering, file_lowering, function_lowering
from encoders.c.lowering.context import Unit
from encoders.c.lowering.functions import FunctionLowering
from encoders.c.lowering.symbols import Scope
from encoders.c.source.source_errors import SourceError


def lowered(unit: Unit, tree, text: str, name: str = "g", forwarder: bool = False) -> Lowering:
    file_lowering(unit, unit.scope).external_declarations.declare_file(tree(text))
    symbol = unit.scope.names[name]
    peers = function_lowering(unit, name, Scope(unit.scope))
    functions = FunctionLowering(
        peers.context,
        peers.types,
        peers.expressions,
        peers.special_calls,
        peers.calls,
        peers.variadics,
        peers.statements,
        peers.jumps,
    )
    (functions.lower_forwarder if forwarder else functions.lower_body)(symbol)
    return peers


def test_parameters_result_and_end(unit: Unit, tree) -> None:
    context = lowered(unit, tree, "int g(int a, int *b) { return a; }").context
    assert [variable.name for variable in context.parameters] == ["a", "b"]
    assert context.result is not None and context.result.name == RESULT
    assert [edge.target == context.exit for edge in context.cfa.edges].count(True) == 2
    last = [edge for edge in context.cfa.edges if isinstance(edge.operation, Declare)]
    assert [edge.text for edge in last] == ["end of function without return"]


def test_main_returns_zero_at_its_end(unit: Unit, tree) -> None:
    context = lowered(unit, tree, "int main(void) { }", "main").context
    assert isinstance(context.cfa.edges[0].operation, Assign) and context.cfa.edges[0].text == "return 0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void g(int a, int a) { }", "redefinition of parameter 'a'"),
        ("void g(int a) { int a; }", "'a' redeclared"),
        ("void g(void) { goto x; }", "label 'x' used but not defined"),
    ],
)
def test_errors(unit: Unit, tree, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        lowered(unit, tree, text)


def test_variadic_functions_have_two_parameters_more(unit: Unit, tree) -> None:
    context = lowered(unit, tree, "int g(int a, ...) { return a; }").context
    assert [variable.name for variable in context.parameters] == ["a", "<arguments>", "<count>"]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [("void reach_error(void);", "reach_error", ReachError), ("int abs(int a);", "abs", Call)],
)
def test_forwarders_do_what_a_call_does(unit: Unit, tree, text: str, name: str, expected: type) -> None:
    context = lowered(unit, tree, text, name, forwarder=True).context
    assert isinstance(context.cfa.edges[0].operation, expected)
    assert len(context.parameters) == (name == "abs")
