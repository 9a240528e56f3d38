"""Names, literals, subscripts and members; operands are replaced by names alone."""

from types import SimpleNamespace

import pytest
from pycparser import c_ast

from encoders.c.cfa.ir import Constant, Dereference, Load, Nondet, PointerAdd, Variable, VariableLValue
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.environment import Surroundings, VolatileReads
from encoders.c.lowering.lvalues import LValueLowering, is_address, is_missing, is_volatile, name_of
from encoders.c.lowering.symbols import EnumConstant, FunctionSymbol, InvalidSymbol
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import CHAR, INT, VOID, CArray, CFunction, CPointer


class _Names:
    """Operands that are names or literals, as the tested object lowers them."""

    def __init__(self) -> None:
        self.lvalues: LValueLowering | None = None

    def any_operand(self, node):
        return self.lvalues.named(node) if hasattr(node, "name") else self.lvalues.literal(node)

    operand = any_operand

    def scalar(self, node):
        return self.lvalues.decayed(self.any_operand(node))

    value = scalar


@pytest.fixture
def lvalues(context: LoweringContext, peers) -> LValueLowering:
    names = _Names()
    later = SimpleNamespace(expressions=names)
    names.lvalues = LValueLowering(context, peers.side_effects, peers.types, peers.static_objects, later)
    return names.lvalues


def test_names(lvalues: LValueLowering, context: LoweringContext, expression) -> None:
    context.scope.names["A"] = EnumConstant(5, INT)
    context.scope.names["bad"] = InvalidSymbol(SourceError(context.origin(expression("x")), "not this"))
    assert isinstance(lvalues.named(expression("x")), VariableLValue)
    assert lvalues.named(expression("A")) == Constant(5, INT)
    with pytest.raises(SourceError, match="undeclared"):
        lvalues.named(expression("nothing"))
    with pytest.raises(SourceError, match="not this"):
        lvalues.named(expression("bad"))


def test_literals(lvalues: LValueLowering, expression) -> None:
    assert lvalues.literal(expression("'a'")) == Constant(97, INT)
    assert lvalues.literal(expression("1.5")).value == 1.5
    text = lvalues.literal(expression('"ab"'))
    assert text.type == CArray(CHAR, 3)
    assert lvalues.literal(expression('"ab"')) == text  # equal literals share one object


def test_subscripts_of_pointers(lvalues: LValueLowering, expression) -> None:
    element = lvalues.subscript(expression("p[2]"))
    assert isinstance(element, Dereference) and isinstance(element.pointer, PointerAdd)
    assert lvalues.subscript(expression("2[p]")) == element
    assert name_of(Dereference(element.pointer.pointer, INT)) == "*p"
    with pytest.raises(SourceError, match="neither array nor pointer"):
        lvalues.subscript(expression("x[1]"))


def test_volatile_reads_have_any_value_where_asked_for(lvalues: LValueLowering, context: LoweringContext) -> None:
    lvalue = VariableLValue(Variable("v", "v", INT, volatile=True), INT)
    assert is_volatile(lvalue)
    assert lvalues.read(lvalue) == Load(lvalue, INT)  # no expression was begun
    context.latest = c_ast.ID("v")
    context.unit.surroundings = Surroundings(volatile=VolatileReads.FRESH)
    assert lvalues.read(lvalue) != Load(lvalue, INT)
    assert [type(edge.operation) for edge in context.cfa.edges] == [Nondet]


def test_weak_functions_and_addresses(lvalues: LValueLowering, expression) -> None:
    weak = FunctionSymbol("own", CFunction(VOID, ()), expression("x"))
    assert not is_missing(weak)
    weak.weak = True
    assert is_missing(weak)
    assert not is_address(Constant(0, CPointer(INT)))
