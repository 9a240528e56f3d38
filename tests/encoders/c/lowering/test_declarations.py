"""Types as declarations write them; the expressions in them are replaced by their literals' values."""

from types import SimpleNamespace

import pytest
from pycparser import c_ast

from encoders.c.cfa.ir import Constant
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.symbols import EnumConstant
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import CHAR, INT, UINT, CArray, CFunction, CPointer, CRecord


class _Literals:
    """Expressions that are integer literals."""

    def value(self, node: c_ast.Constant) -> Constant:
        return Constant(int(node.value), INT)


@pytest.fixture
def types(context: LoweringContext) -> TypeLowering:
    later = SimpleNamespace(expressions=_Literals(), builtins=None)
    return TypeLowering(context, SideEffects(context, later), later)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int *v;", CPointer(INT)),
        ("char v[3];", CArray(CHAR, 3)),
        ("char *v[2][3];", CArray(CArray(CPointer(CHAR), 3), 2)),
        ("int (*v)(char);", CPointer(CFunction(INT, (CHAR,)))),
        ("int v(char a[4]);", CFunction(INT, (CPointer(CHAR),))),
        ("volatile unsigned *v;", CPointer(UINT, True)),
    ],
)
def test_declarators(types: TypeLowering, tree, text: str, expected: object) -> None:
    assert types.type_of(tree(text).ext[-1]) == expected


def test_records_are_laid_out(types: TypeLowering, tree) -> None:
    kind = types.type_of(tree("struct s { char c; int i; } v;").ext[-1])
    assert isinstance(kind, CRecord) and types.context.unit.layout.size(kind) == 8
    assert not types.holds_pointers(kind)
    assert types.holds_pointers(types.type_of(tree("struct t { int *p; } v;").ext[-1]))


def test_enumerators_are_declared(types: TypeLowering, tree) -> None:
    assert types.type_of(tree("enum e { A, B = 7, C } v;").ext[-1]) == UINT
    assert types.context.scope.names["C"] == EnumConstant(8, INT)


def test_negative_lengths_and_false_assertions_are_errors(types: TypeLowering, tree) -> None:
    with pytest.raises(SourceError, match="static assertion failed"):
        types.static_assertion(tree('_Static_assert(0, "");').ext[-1])
    with pytest.raises(SourceError, match="'unknown' is not a type"):
        types.type_of(c_ast.IdentifierType(["unknown"]))
