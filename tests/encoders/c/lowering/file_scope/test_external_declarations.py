"""Declarations with linkage."""

import pytest

from encoders.c.lowering.composition import file_lowering
from encoders.c.lowering.context import LoweringContext, Unit
from encoders.c.lowering.file_scope.external_declarations import ExternalDeclarations
from encoders.c.lowering.file_scope.named_constants import NamedConstants
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, InvalidSymbol, TypeName
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import INT, CArray


@pytest.fixture
def declarations(unit: Unit) -> ExternalDeclarations:
    peers = file_lowering(unit, unit.scope)
    constants = NamedConstants(peers.context, peers.side_effects, peers.expressions)
    return ExternalDeclarations(peers.context, peers.types, peers.assignments, constants)


def test_each_kind_of_declaration(declarations: ExternalDeclarations, unit: Unit, tree) -> None:
    declarations.declare_file(tree("typedef int number; number g; static int s[] = {1, 2}; int f(int a) { return a; }"))
    names = unit.scope.names
    assert names["number"] == TypeName(INT)
    assert isinstance(names["g"], GlobalVariable) and names["g"].external and names["g"].initialiser is None
    assert names["s"].type == CArray(INT, 2) and not names["s"].external
    assert isinstance(names["f"], FunctionSymbol) and names["f"].definition is not None


def test_declarations_of_one_name_are_one_symbol(declarations: ExternalDeclarations, unit: Unit, tree) -> None:
    declarations.declare_file(tree("extern int a[]; int a[3]; int f(); int f(int b);"))
    assert unit.scope.names["a"].type == CArray(INT, 3)
    assert unit.scope.names["f"].type.parameters == (INT,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int a; char a;", "conflicting types for 'a'"),
        ("int a = 1; int a = 2;", "redefinition of 'a'"),
        ("int f(void) { return 0; } int f(void) { return 1; }", "redefinition of 'f'"),
        ("int a; int a(void);", "redeclared as different kind of symbol"),
        ("void a;", "declared void"),
    ],
)
def test_errors(declarations: ExternalDeclarations, tree, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        declarations.declare_file(tree(text))


def test_what_is_not_modelled_is_an_error_where_it_is_used(declarations, unit: Unit, tree) -> None:
    declarations.declare_file(tree("_Complex long double c;"))
    assert isinstance(unit.scope.names["c"], InvalidSymbol)


def test_declarations_in_blocks_enter_the_file_scope(context: LoweringContext, peers, tree) -> None:
    peers.external_declarations.declare_external(tree("extern int g;").ext[-1])
    assert context.scope.names["g"] is context.unit.scope.names["g"]
