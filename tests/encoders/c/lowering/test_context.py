"""The context: temporaries, held values, scopes, and lowering for types alone."""

import pytest
from pycparser import c_ast

from encoders.c.cfa.ir import Assign, Constant, Dereference, Load, Variable, VariableLValue
from encoders.c.lowering.context import LoweringContext, reads_memory
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import INT, CPointer, CRecord

NODE = c_ast.ID("x")
X = VariableLValue(Variable("f::x", "x", INT), INT)


def test_names_are_unique(context: LoweringContext) -> None:
    assert [context.unique("i") for _ in range(3)] == ["f::i", "f::i#2", "f::i#3"]
    assert context.temporary(INT) != context.temporary(INT)
    assert [variable.temporary for variable in context.locals] == [True, True]


def test_a_held_value_is_a_temporary_and_held_once(context: LoweringContext) -> None:
    held = context.held(Load(X, INT), NODE)
    assert isinstance(held, Load) and held.lvalue != X
    assert [edge.operation for edge in context.cfa.edges] == [Assign(held.lvalue, Load(X, INT))]
    assert context.held(held, NODE) is held
    assert context.held(Constant(1, INT), NODE) == Constant(1, INT)
    assert len(context.cfa.edges) == 1


def test_a_variable_named_like_a_temporary_is_held(context: LoweringContext) -> None:
    dollar = Load(VariableLValue(Variable(context.unique("$"), "$", INT), INT), INT)
    assert context.held(dollar, NODE) != dollar


def test_a_held_lvalue_keeps_its_address(context: LoweringContext) -> None:
    pointer = Load(VariableLValue(Variable("f::p", "p", CPointer(INT)), CPointer(INT)), CPointer(INT))
    held = context.held_lvalue(Dereference(pointer, INT), NODE)
    assert isinstance(held, Dereference) and held.pointer != pointer
    assert context.held_lvalue(X, NODE) is X


def test_nothing_remains_of_what_is_not_evaluated(context: LoweringContext) -> None:
    edges = context.cfa.edges
    with context.unevaluated():
        context.held(Load(X, INT), NODE)
        assert context.text(NODE) == ""
    assert context.cfa.edges is edges and not edges and not context.locals


def test_a_block_ends_with_its_names(context: LoweringContext) -> None:
    outer = context.scope
    with context.block():
        assert context.scope.parent is outer
    assert context.scope is outer


def test_sizes_of_incomplete_types_are_errors(context: LoweringContext) -> None:
    assert context.size_of(INT, NODE) == 4
    with pytest.raises(SourceError, match="incomplete type"):
        context.size_of(CRecord("nowhere", False), NODE)


def test_reading_memory() -> None:
    assert reads_memory(Load(X, INT))
    assert not reads_memory(Constant(1, INT))
