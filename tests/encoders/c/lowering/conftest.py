"""What tests of one collaborator need: a context, syntax trees, and peers in the stead of those not tested."""

from collections.abc import Callable

import pytest
from pycparser import c_ast

from encoders.c.cfa.ir import Variable
from encoders.c.lowering.composition import Lowering, declare_file
from encoders.c.lowering.context import LoweringContext, Unit
from encoders.c.lowering.symbols import LocalVariable, Scope
from encoders.c.source.attributes import Attributes
from encoders.c.source.parser import parse
from encoders.c.types.c_types import INT, LP64, CPointer
from encoders.c.types.record_layout import RecordLayouts


@pytest.fixture
def unit() -> Unit:
    return Unit("test.c", RecordLayouts(LP64), Attributes(), declare_file)


@pytest.fixture
def context(unit: Unit) -> LoweringContext:
    """Of a function `f` with the locals `int x, y, *p`."""
    result = LoweringContext(unit, "f", Scope(unit.scope))
    for name, kind in (("x", INT), ("y", INT), ("p", CPointer(INT))):
        result.scope.names[name] = LocalVariable(Variable(f"f::{name}", name, kind, "f"))
    return result


@pytest.fixture
def peers(context: LoweringContext) -> Lowering:
    """The real collaborators over the context."""
    return Lowering(context)


@pytest.fixture
def tree(unit: Unit) -> Callable[[str], c_ast.FileAST]:
    """The syntax tree of a file; what its attributes are is entered into the unit."""

    def parsed(text: str) -> c_ast.FileAST:
        result, attributes = parse(text, "test.c")
        unit.attributes.update(attributes)
        result.ext = [node for node in result.ext if node.coord is None or node.coord.file == "test.c"]
        return result

    return parsed


@pytest.fixture
def statements(tree: Callable[[str], c_ast.FileAST]) -> Callable[[str], list[c_ast.Node]]:
    """The statements of a function body."""
    return lambda text: list(tree(f"void f(void) {{ {text} }}").ext[-1].body.block_items or ())


@pytest.fixture
def expression(statements: Callable[[str], list[c_ast.Node]]) -> Callable[[str], c_ast.Node]:
    """The syntax tree of one expression."""
    return lambda text: statements(f"return {text};")[0].expr
