"""The values of static objects when the program starts."""

import pytest

from encoders.c.cfa.ir import Assign, Clear, Declare
from encoders.c.lowering.composition import Lowering, file_lowering
from encoders.c.lowering.context import Unit
from encoders.c.lowering.file_scope.static_initialisers import StaticInitialisers
from encoders.c.source.source_errors import SourceError


@pytest.fixture
def file(unit: Unit) -> Lowering:
    return file_lowering(unit, unit.scope)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int v;", [Assign]),
        ("int v[2];", [Clear]),
        ("int v[2] = {1, 2};", [Clear, Assign, Assign]),
        ("extern int *v;", [Declare]),
        ("int v = 3;", [Assign]),
        ('char v[] = "ab";', [Clear, Assign, Assign]),
    ],
)
def test_initial_values(file: Lowering, tree, text: str, expected: list[type]) -> None:
    file.external_declarations.declare_file(tree(text))
    symbol = file.context.scope.names["v"]
    file.static_objects.global_variable(symbol)
    StaticInitialisers(file.context, file.side_effects, file.types, file.assignments).initialise_global(symbol)
    assert [type(edge.operation) for edge in file.context.cfa.edges] == expected
    assert [found.subject for found in file.context.unit.assumptions.values()] == ["v"] * ("*v" in text)


def test_calls_are_not_constant(file: Lowering, tree) -> None:
    file.external_declarations.declare_file(tree("int g(void); int v = g();"))
    symbol = file.context.scope.names["v"]
    file.static_objects.global_variable(symbol)
    with pytest.raises(SourceError, match="not constant"):
        file.static_initialisers.initialise_global(symbol)
