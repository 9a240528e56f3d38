"""Which expressions need operations on edges; the built-in functions are replaced."""

from types import SimpleNamespace

import pytest
from pycparser import c_ast

from chcverify.results.checks import CheckKind
from encoders.c.lowering.operators.side_effects import SideEffects

CONSTANT = SimpleNamespace(builtins=SimpleNamespace(is_constant_call=lambda node: node.name.name == "constant"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("x + 1", False), ("x = 1", True), ("x++", True), ("g(x)", True), ("constant(x)", False), ("sizeof(x++)", False)],
)
def test_effects(context, expression, text: str, expected: bool) -> None:
    effects = SideEffects(context, CONSTANT)
    node = expression(text)
    assert effects.has_effects(node) is expected
    assert effects.has_effects(c_ast.UnaryOp("!", node)) is expected


def test_checked_operations_are_effects(context, expression) -> None:
    context.unit.checks = frozenset({CheckKind.OVERFLOW})
    effects = SideEffects(context, CONSTANT)
    assert effects.has_effects(expression("x + 1"))
    assert not effects.has_effects(expression("x & 1"))
    assert not effects.has_effects(None)
