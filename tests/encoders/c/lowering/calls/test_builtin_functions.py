"""Built-in functions of gcc."""

import math

import pytest

from encoders.c.cfa.ir import Constant, Trap
from encoders.c.lowering.calls.builtin_functions import BuiltinLowering
from encoders.c.lowering.context import LoweringContext
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import INT


@pytest.fixture
def builtins(context: LoweringContext, peers) -> BuiltinLowering:
    return BuiltinLowering(context, peers.side_effects, peers.types, peers.lvalues, peers.expressions)


def lowered(builtins: BuiltinLowering, node):
    return builtins.builtin(node, node.name.name, list(node.args.exprs) if node.args else [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("__builtin_popcount(7)", 3),
        ('__builtin_strlen("four")', 4),
        ("__builtin_constant_p(x)", 0),
        ("__builtin_constant_p(3)", 1),
        ('__builtin_constant_p((const char *)"text")', 1),
        ("__builtin_constant_p(1.5 + 2)", 1),
        ("__builtin_constant_p((void *)0)", 1),
        ("__builtin_constant_p(&x)", 0),
        ("__builtin_constant_p(g(7))", 0),
        ("__builtin_inf()", math.inf),
        ("__builtin_types_compatible_p(int, int)", 1),
        ("__builtin_choose_expr(1, 5, x)", 5),
    ],
)
def test_constants(builtins: BuiltinLowering, expression, text: str, value: float) -> None:
    found = lowered(builtins, expression(text))
    assert isinstance(found, Constant) and found.value == value


def test_offsets_of_members(builtins: BuiltinLowering, peers, tree, expression) -> None:
    peers.types.type_of(tree("struct s { char c; struct { int a[3]; } in; } v;").ext[-1])
    node = expression("__builtin_offsetof(struct s, in.a[2])")
    assert lowered(builtins, node).value == 12
    with pytest.raises(SourceError, match="no member named 'none'"):
        lowered(builtins, expression("__builtin_offsetof(struct s, none)"))


def test_which_calls_are_constant(builtins: BuiltinLowering, expression) -> None:
    assert builtins.is_constant_call(expression("__builtin_popcount(7)"))
    assert not builtins.is_constant_call(expression("__builtin_popcount(x)"))
    assert not builtins.is_constant_call(expression("g(7)"))
    assert lowered(builtins, expression("g(7)")) is None


def test_overflow_builtins_store_the_wrapped_result(builtins: BuiltinLowering, expression) -> None:
    found = lowered(builtins, expression("__builtin_add_overflow(x, y, p)"))
    assert found is not None and found.type == INT
    assert [edge.operation.lvalue.type.width for edge in builtins.context.cfa.edges[-2:]] == [128, 32]


def test_roots_of_negative_numbers_where_errno_is_read(builtins: BuiltinLowering, expression) -> None:
    builtins.context.unit.reads_errno = True
    lowered(builtins, expression("__builtin_sqrt(x)"))
    assert any(isinstance(edge.operation, Trap) for edge in builtins.context.cfa.edges)
