"""The composition root: one of each collaborator, over one context; no inheritance among them."""

import ast
from pathlib import Path

import encoders.c.lowering
from encoders.c.lowering.composition import INITIALISE, Lowering, declare_file, file_lowering, function_lowering
from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import Scope


def collaborators(lowering: Lowering) -> list[object]:
    return [part for name, part in vars(lowering).items() if name != "context"]


def test_collaborators_share_the_context(unit: Unit) -> None:
    lowering = function_lowering(unit, "g", Scope(unit.scope))
    parts = collaborators(lowering)
    assert len({type(part) for part in parts}) == len(parts) == 17
    for part in parts:
        assert type(part).__mro__ == (type(part), object)
        assert part.context is lowering.context
        for name, peer in vars(part).items():
            if hasattr(lowering, name):
                assert peer is getattr(lowering, name)


def test_files_and_functions(unit: Unit, tree) -> None:
    assert file_lowering(unit, unit.scope).context.is_file_scope
    assert file_lowering(unit, unit.scope).context.name == INITIALISE
    assert not function_lowering(unit, "g", Scope()).context.is_file_scope
    declare_file(unit, unit.scope, tree("int a;"))
    assert "a" in unit.scope.names


def test_nothing_is_left_to_subclasses() -> None:
    """Classes of the lowering have no bases but protocols, enumerations and exceptions; no method is a stub."""
    for path in Path(encoders.c.lowering.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Name) and node.id == "NotImplementedError"), path
            if isinstance(node, ast.ClassDef):
                bases = {ast.unparse(base) for base in node.bases}
                assert "Protocol" in bases or bases <= {"Enum", "Exception"}, f"{path}: {node.name}"
