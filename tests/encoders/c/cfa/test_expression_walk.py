"""Walks over expressions and operations, and what replaces their parts."""

from dataclasses import fields
from typing import get_args

import pytest

from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Replacement, children, postorder, roots, with_children, with_roots
from encoders.c.types.c_types import INT, CArray, CField, CPointer

X = ir.Variable("x", "x", INT)
Y = ir.Variable("y", "y", INT)
PLACE = ir.VariableLValue(X, INT)
VALUE = ir.Load(PLACE, INT)
OTHER = ir.Constant(7, INT)
RECORD = ir.VariableLValue(ir.Variable("r", "r", CArray(INT, 2)), CArray(INT, 2))
NODES = [
    PLACE,
    ir.Dereference(VALUE, INT),
    ir.FieldLValue(RECORD, CField("m", INT, 0), INT),
    ir.ElementLValue(RECORD, VALUE, INT),
    OTHER,
    VALUE,
    ir.AddressOf(PLACE, CPointer(INT)),
    ir.FunctionAddress("f", CPointer(INT)),
    ir.Unary("-", VALUE, INT),
    ir.Binary("+", VALUE, OTHER, INT),
    ir.PointerAdd(VALUE, OTHER, CPointer(INT)),
    ir.PointerDifference(VALUE, OTHER, INT),
    ir.Cast(VALUE, INT),
    ir.Conditional(VALUE, OTHER, VALUE, INT),
]
OPERATIONS = [
    ir.Skip(),
    ir.Assign(PLACE, VALUE),
    ir.Assume(VALUE, True),
    ir.Nondet(PLACE, "why"),
    ir.Declare(X, VALUE),
    ir.Declare(X),
    ir.Clear(PLACE),
    ir.Allocate(PLACE, VALUE, False),
    ir.Call(PLACE, "f", (VALUE, OTHER)),
    ir.Call(None, "f", ()),
    ir.ReachError("why"),
    ir.Trap("why"),
    ir.OpenCheck("why", CheckKind.NULL),
    ir.LoopInvariant(VALUE, "x > 0"),
    ir.Havoc("f", (VALUE,)),
    ir.Forget(VALUE),
    ir.EndStream(VALUE),
    ir.CheckAccess(PLACE),
    ir.CheckAccess(PLACE, VALUE),
    ir.CheckWritten(PLACE),
    ir.Release(VALUE),
    ir.EndLifetimes((X,)),
    ir.CheckBlocks(True),
    ir.CreateThread(PLACE, "f", (VALUE,)),
    ir.JoinThread(VALUE, PLACE),
    ir.JoinThread(VALUE, None),
    ir.ExitThread(VALUE),
    ir.AtomicBegin(VALUE),
    ir.AtomicBegin(),
    ir.AtomicEnd(),
    ir.CurrentThread(PLACE),
]
SAME = Replacement(lambda term: term, lambda term: term, lambda term: term)
NEW_VALUE, NEW_PLACE = ir.Constant(9, INT), ir.VariableLValue(Y, INT)
CHANGED = Replacement(lambda term: NEW_VALUE, lambda term: NEW_PLACE, lambda term: Y)


def test_every_kind_is_here() -> None:
    assert {type(node) for node in NODES} == {*get_args(ir.Expression), *get_args(ir.LValue)}
    assert {type(operation) for operation in OPERATIONS} == set(get_args(ir.Operation))


@pytest.mark.parametrize("node", NODES, ids=lambda node: type(node).__name__)
def test_children_are_all_terms_of_a_node(node: ir.Expression | ir.LValue) -> None:
    terms = (*get_args(ir.Expression), *get_args(ir.LValue))
    assert list(children(node)) == [part for f in fields(node) if isinstance(part := getattr(node, f.name), terms)]
    assert with_children(node, SAME) == node
    new = with_children(node, CHANGED)
    assert type(new) is type(node) and len(children(new)) == len(children(node))
    assert all(child in (NEW_VALUE, NEW_PLACE) for child in children(new))


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_roots_are_all_terms_of_an_operation(operation: ir.Operation) -> None:
    assert with_roots(operation, SAME) == operation
    new = with_roots(operation, CHANGED)
    assert type(new) is type(operation) and len(roots(new)) == len(roots(operation))
    assert all(root in (NEW_VALUE, NEW_PLACE) for root in roots(new))
    if isinstance(new, ir.EndLifetimes):
        assert new.variables == (Y,)
    if isinstance(new, ir.Declare):
        assert new.variable is Y


def test_parts_come_before_wholes_and_once() -> None:
    whole = ir.Binary("+", VALUE, VALUE, INT)
    assert list(postorder(whole)) == [PLACE, VALUE, whole]
    assert list(postorder(whole, skip={id(VALUE)})) == [whole]
