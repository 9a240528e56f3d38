"""Operators and conversions; assignments, calls and statements inside expressions are replaced."""

from types import SimpleNamespace

import pytest

from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import (
    Assume,
    Binary,
    Cast,
    Conditional,
    Constant,
    Expression,
    Load,
    PointerDifference,
    ReachError,
    VariableLValue,
)
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import CHAR, INT, LP64, VOID, CPointer, long_type

STEP, CALL = Constant(41, INT), Constant(42, INT)


@pytest.fixture
def expressions(context: LoweringContext, peers) -> ExpressionLowering:
    later = SimpleNamespace(
        assignments=SimpleNamespace(step=lambda node, wanted: STEP),
        calls=SimpleNamespace(call=lambda node, wanted: CALL),
        statements=SimpleNamespace(),
    )
    here = SimpleNamespace()
    lvalues = LValueLowering(context, peers.side_effects, peers.types, peers.static_objects, here)
    here.expressions = ExpressionLowering(
        context, peers.side_effects, peers.types, lvalues, peers.expressions.checks, later
    )
    return here.expressions


def test_operators_have_operands_of_one_type(expressions: ExpressionLowering, expression) -> None:
    total = expressions.value(expression("x + 1L"))
    assert isinstance(total, Binary) and total.type == long_type(LP64) == total.left.type
    assert isinstance(total.left, Cast)
    less = expressions.value(expression("x < y"))
    assert less.type == INT


def test_constants_are_folded(expressions: ExpressionLowering, expression) -> None:
    assert expressions.value(expression("2 * (3 + 4) == 14 ? 'a' : 0")) == Constant(97, INT)
    assert expressions.value(expression("sizeof x")).value == 4


def test_pointers(expressions: ExpressionLowering, expression) -> None:
    assert isinstance(expressions.value(expression("p - p")), PointerDifference)
    assert expressions.value(expression("&*p")) == expressions.value(expression("p"))
    assert expressions.value(expression("&x")).type == CPointer(INT)
    with pytest.raises(SourceError, match="invalid operands"):
        expressions.value(expression("p + p"))


def test_pure_conditionals_stay_expressions(expressions: ExpressionLowering, expression) -> None:
    assert isinstance(expressions.value(expression("x ? y : 3")), Conditional)
    assert not expressions.context.cfa.edges


def test_other_constructs_go_to_their_collaborators(expressions: ExpressionLowering, expression) -> None:
    assert expressions.value(expression("x++")) is STEP
    assert expressions.value(expression("g(x)")) is CALL


def test_the_left_operand_is_held_before_effects(expressions: ExpressionLowering, expression) -> None:
    expressions.value(expression("*p + g(x)"))
    assert len(expressions.context.cfa.edges) == 1
    expressions.value(expression("x + g(x)"))  # a plain variable is read afterwards
    assert len(expressions.context.cfa.edges) == 1


def test_overflow_is_checked_where_asked_for(expressions: ExpressionLowering, expression) -> None:
    expressions.context.unit.checks = frozenset({CheckKind.OVERFLOW})
    expressions.value(expression("x + y"))
    kinds = [type(edge.operation) for edge in expressions.context.cfa.edges]
    assert kinds == [Assume, ReachError, Assume]


def test_conversions(expressions: ExpressionLowering, expression) -> None:
    node = expression("x")
    x: Expression = expressions.value(node)
    assert isinstance(x, Load) and isinstance(x.lvalue, VariableLValue)
    assert expressions.converted(x, INT, node) is x
    assert expressions.converted(Constant(300, INT), CHAR, node) == Constant(44, CHAR)
    with pytest.raises(SourceError, match="incompatible types in conversion"):
        expressions.converted(Constant(1.0, expressions.value(expression("1.0")).type), CPointer(VOID), node)
