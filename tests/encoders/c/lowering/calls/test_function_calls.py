"""Calls by what is known of the function."""

import pytest

from encoders.c.cfa.ir import Assume, Call, Constant, Load, Nondet, ReachError, Trap, Variable, VariableLValue
from encoders.c.lowering.calls.failing_allocations import FailingAllocations
from encoders.c.lowering.calls.function_calls import CallLowering, is_counter, uncast
from encoders.c.lowering.calls.stream_calls import StreamCalls
from encoders.c.lowering.checks.library_accesses import LibraryAccesses
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.environment import Surroundings, UndefinedFunctions
from encoders.c.lowering.symbols import LocalVariable
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import CHAR, INT, CFunction, CPointer


@pytest.fixture
def calls(context: LoweringContext, peers, tree) -> CallLowering:
    file = tree("int g(int a) { return a; } int h(int *a); void reach_error(void); int *k(void);")
    outer, context.scope = context.scope, context.unit.scope
    peers.external_declarations.declare_file(file)
    context.scope = outer
    context.unit.surroundings = Surroundings(functions=UndefinedFunctions.PURE)
    accesses = LibraryAccesses(context, peers.expressions)
    return CallLowering(
        context,
        peers.side_effects,
        peers.expressions,
        peers.special_calls,
        peers.external_calls,
        peers.variadics,
        FailingAllocations(context, peers.side_effects, peers.expressions),
        accesses,
        peers.jumps,
        StreamCalls(context, peers.side_effects, peers.expressions),
    )


def operations(calls: CallLowering) -> list[object]:
    return [edge.operation for edge in calls.context.cfa.edges]


def test_functions_with_a_body(calls: CallLowering, expression) -> None:
    x = VariableLValue(Variable("f::x", "x", INT, "f"), INT)
    assert calls.call_into(expression("g(1)"), x) == Load(x, INT)
    assert operations(calls) == [Call(x, "g", (Constant(1, INT),))]
    assert "g" in calls.context.unit.wanted
    with pytest.raises(SourceError, match="too few arguments"):
        calls.call(expression("g()"), True)


def test_violations(calls: CallLowering, expression) -> None:
    calls.call(expression("reach_error()"), False)
    assert operations(calls) == [ReachError("reach_error")]


def test_functions_without_a_body_return_anything(calls: CallLowering, expression) -> None:
    assert calls.call(expression("h(p)"), True).type == INT
    assert [type(operation) for operation in operations(calls)] == [Nondet]


def test_pointers_from_functions_without_a_body_are_null_or_not_modelled(calls: CallLowering, expression) -> None:
    assert calls.call(expression("k()"), True).value == 0
    kinds = [type(operation) for operation in operations(calls)]
    assert kinds == [Nondet, Assume, Assume, Trap]


def test_calls_through_pointers_are_resolved_later(calls: CallLowering, expression) -> None:
    kind = CPointer(CFunction(INT, (INT,)))
    calls.context.scope.names["q"] = LocalVariable(Variable("f::q", "q", kind, "f"))
    calls.call(expression("q(3)"), True)
    (call,) = calls.context.indirect
    assert call.arguments == (Constant(3, INT),) and call.type == kind.target
    with pytest.raises(SourceError, match="not a function"):
        calls.call(expression("x(3)"), True)


def test_casts_and_counters(expression) -> None:
    assert uncast(expression("(char *)(void *)p")).name == "p"
    assert is_counter(CPointer(INT)) and not is_counter(CPointer(CHAR))
