"""Named constants of C23."""

import pytest
from pycparser import c_ast

from encoders.c.cfa.ir import Constant
from encoders.c.lowering.file_scope.named_constants import NamedConstants
from encoders.c.source.parser import parse
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import CHAR, INT, CArray, CType


def declared(peers, text: str, kind: CType) -> dict[str, Constant]:
    tree, _ = parse(text.replace("constexpr", "__chcverify_constexpr"), "p.c")
    node = tree.ext[-1]
    assert isinstance(node, c_ast.Decl)
    NamedConstants(peers.context, peers.side_effects, peers.expressions).declare(node, "name", kind)
    return peers.context.unit.constants


def test_scalars_are_named(peers) -> None:
    assert declared(peers, "constexpr int a = 2 + 3;", INT) == {"name": Constant(5, INT)}


@pytest.mark.parametrize("text, kind", [("int a = 5;", INT), ("constexpr int a[] = {1};", CArray(INT, 1))])
def test_other_objects_are_not(peers, text: str, kind: CType) -> None:
    assert declared(peers, text, kind) == {}


@pytest.mark.parametrize("text", ["constexpr char a = 300;", "constexpr char a = 1.5;"])
def test_values_that_do_not_fit_are_errors(peers, text: str) -> None:
    with pytest.raises(SourceError, match="does not hold"):
        declared(peers, text, CHAR)
