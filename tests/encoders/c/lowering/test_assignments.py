"""Assignments and initialisers; calls are replaced."""

from types import SimpleNamespace

import pytest
from automata_text import operation_text

from encoders.c.cfa.ir import Assign, Clear, Constant, Load, Variable, VariableLValue
from encoders.c.lowering.assignments import AssignmentLowering
from encoders.c.lowering.context import LoweringContext
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import CHAR, INT, CArray


@pytest.fixture
def assignments(context: LoweringContext, peers) -> AssignmentLowering:
    """Where a call's result goes into the lvalue directly."""
    later = SimpleNamespace(calls=SimpleNamespace(call_into=lambda node, lvalue: Load(lvalue, lvalue.type)))
    return AssignmentLowering(
        context, peers.side_effects, peers.types, peers.static_objects, peers.lvalues, peers.expressions, later
    )


def operations(assignments: AssignmentLowering) -> list[str]:
    return [operation_text(edge.operation) for edge in assignments.context.cfa.edges]


def test_assignments(assignments: AssignmentLowering, expression) -> None:
    assert assignments.assignment(expression("x = y"), False).type == INT
    assignments.assignment(expression("x *= 2"), False)
    assignments.step(expression("x--"), False)
    assert operations(assignments) == ["f::x = f::y", "f::x = (f::x * 2)", "f::x = (f::x - 1)"]


def test_the_value_of_an_assignment_of_null_is_null_and_not_what_is_read(
    assignments: AssignmentLowering, expression
) -> None:
    assert isinstance(assignments.assignment(expression("p = 0"), True), Constant)
    assert isinstance(assignments.assignment(expression("p = &x"), True), Load)
    assert isinstance(assignments.assignment(expression("x = 0"), True), Load)


def test_the_value_before_a_step_is_held(assignments: AssignmentLowering, expression) -> None:
    before = assignments.step(expression("x++"), True)
    assert isinstance(before, Load) and before.lvalue.variable.temporary
    assert len(operations(assignments)) == 2


def test_calls_that_store_their_result_are_not_assigned_again(assignments: AssignmentLowering, expression) -> None:
    assignments.assignment(expression("x = g(y)"), False)
    assert operations(assignments) == []


def test_rvalues_cannot_be_assigned(assignments: AssignmentLowering, expression) -> None:
    with pytest.raises(SourceError, match="lvalue required"):
        assignments.assignment(expression("x + 1 = 2"), False)


def test_aggregates_are_cleared_first(assignments: AssignmentLowering, statements) -> None:
    kind = CArray(INT, 4)
    declared = statements("int a[4] = {1, [2] = 3};")[0]
    assignments.initialise(VariableLValue(Variable("f::a", "a", kind), kind), declared.init, "a", declared)
    edges = assignments.context.cfa.edges
    assert [type(edge.operation) for edge in edges] == [Clear, Assign, Assign]
    assert [edge.text for edge in edges[1:]] == ["a[0] = 1", "a[2] = 3"]


@pytest.mark.parametrize(
    ("text", "length"), [('"abc"', 4), ("{1, 2, 3}", 3), ("{[5] = 1, 2}", 7), ("{[1 ... 3] = 1}", 4)]
)
def test_initialisers_give_lengths(assignments: AssignmentLowering, statements, text: str, length: int) -> None:
    init = statements(f"char a[] = {text};")[0].init
    assert assignments.array_length(CArray(CHAR, None), init) == length
    assert operations(assignments) == []


def test_strings_initialise_characters(assignments: AssignmentLowering, expression) -> None:
    kind = CArray(CHAR, 3)
    lvalue = VariableLValue(Variable("f::s", "s", kind), kind)
    assert assignments.initialise_string(lvalue, expression('"ab"'), "s")
    values = [edge.operation.value for edge in assignments.context.cfa.edges]
    assert values == [Constant(97, CHAR), Constant(98, CHAR)]
    assert not assignments.initialise_string(lvalue, expression("x"), "s")
