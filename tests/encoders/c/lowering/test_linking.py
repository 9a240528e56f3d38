"""The last pass: calls through pointers, and the variables whose address is taken."""

from encoders.c.cfa.expression_walk import in_memory
from encoders.c.cfa.ir import (
    AddressOf,
    Assign,
    Assume,
    Binary,
    Call,
    Constant,
    Declare,
    ElementLValue,
    Expression,
    Load,
    Skip,
    Trap,
    Variable,
    VariableLValue,
)
from encoders.c.lowering.composition import file_lowering, function_lowering
from encoders.c.lowering.context import Unit
from encoders.c.lowering.linking import AddressTakenMarker, called_through_pointers, resolve_indirect
from encoders.c.lowering.symbols import Scope
from encoders.c.types.c_types import INT, CArray, CPointer

A = Variable("a", "a", CArray(INT, 2))
X = Variable("x", "x", INT)


def lowered(unit: Unit, tree, text: str):
    file_lowering(unit, unit.scope).external_declarations.declare_file(tree(text))
    lowering = function_lowering(unit, "g", Scope(unit.scope))
    lowering.functions.lower_body(unit.scope.names["g"])
    return lowering.context


def test_variables_in_memory(unit: Unit, tree) -> None:
    context = lowered(unit, tree, "void g(void) { int a, b[2], c[2], *p = &a; c[1] = 2; p = b; }")
    assert in_memory(context.cfa.edges) == {"g::a", "g::b"}


def test_marking_leaves_other_terms_as_they_are() -> None:
    marker = AddressTakenMarker({"a"})
    element = ElementLValue(VariableLValue(A, A.type), Constant(0, INT), INT)
    plain = Load(VariableLValue(X, INT), INT)
    assert marker.expression(plain) is plain
    marked = marker.expression(AddressOf(element, CPointer(INT)))
    assert marked.lvalue.base.variable.address_taken and not A.address_taken
    assert marked.lvalue.index is element.index
    assert marker.operation(Declare(A)) == Declare(marker.variable(A))
    assert marker.operation(Assign(element, plain)) == Assign(marker.lvalue(element), plain)
    assert marker.operation(Skip()) == Skip()


def test_shared_terms_are_marked_once() -> None:
    marker = AddressTakenMarker({"a"})
    term: Expression = Load(ElementLValue(VariableLValue(A, A.type), Constant(0, INT), INT), INT)
    for _ in range(200):  # 2 ** 200 paths
        term = Binary("+", term, term, INT)
    marked = marker.expression(term)
    assert marked.left is marked.right


def test_calls_through_pointers_branch_over_functions_of_the_type(unit: Unit, tree) -> None:
    text = "int f(int a) { return a; } void h(void) { } void g(int (*p)(int)) { p = f; p(1); void (*q)(void) = h; }"
    context = lowered(unit, tree, text)
    assert called_through_pointers(unit, {"g": context}) == []
    resolve_indirect(unit, context)
    assert [edge.operation.function for edge in context.cfa.edges if isinstance(edge.operation, Call)] == ["f"]


def test_calls_that_reach_no_function_are_traps(unit: Unit, tree) -> None:
    context = lowered(unit, tree, "void g(int (*p)(int)) { p(1); }")
    resolve_indirect(unit, context)
    assert isinstance(context.cfa.edges[-1].operation, Trap)
    assert not any(isinstance(edge.operation, Assume) for edge in context.cfa.edges)
