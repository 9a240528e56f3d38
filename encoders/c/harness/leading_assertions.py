"""Assertions at the beginning of a function about what it is given: what the function takes for granted."""

from collections.abc import Iterable

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from encoders.c.contracts.tree_editing import nodes_of
from encoders.c.library.special_functions import ASSERT_FAILURE, ASSERTIONS

_CHANGES = ("++", "--", "p++", "p--")


def leading_assertions(definition: c_ast.FuncDef, parameters: Iterable[str]) -> list[str]:
    """The conditions, as C, that the function asserts before it does anything else, and that depend on its parameters
    alone.

    Declarations may stand before and between them, of variables without initialisers or with those that call nothing.
    """
    known = frozenset(parameters)
    found: list[str] = []
    for item in definition.body.block_items or ():
        condition = _asserted(item)
        if condition is not None and _is_about(condition, known):
            found.append(CGenerator().visit(condition))
        elif condition is None and not (isinstance(item, c_ast.Decl) and _is_harmless(item)):
            break
    return found


def _asserted(item: c_ast.Node) -> c_ast.Node | None:
    """The condition of an assertion: of <assert.h>, as it is expanded, or of a verifier."""
    if isinstance(item, c_ast.TernaryOp) and _called(item.iffalse) == ASSERT_FAILURE:
        return item.cond
    if isinstance(item, c_ast.FuncCall) and _called(item) in ASSERTIONS and item.args is not None:
        return item.args.exprs[0]
    return None


def _called(node: c_ast.Node) -> str:
    """The name of the function that a call calls; "" for others."""
    return getattr(node.name, "name", "") if isinstance(node, c_ast.FuncCall) else ""


def _is_about(condition: c_ast.Node, names: frozenset[str]) -> bool:
    """Is it an expression over variables of these names without effects?"""
    members = {id(node.field) for node in nodes_of(condition) if isinstance(node, c_ast.StructRef)}
    used = {node.name for node in nodes_of(condition) if isinstance(node, c_ast.ID) and id(node) not in members}
    return bool(used) and used <= names and _is_harmless(condition)


def _is_harmless(tree: c_ast.Node) -> bool:
    """Does it call nothing, and change nothing but what it declares?"""
    return not any(
        isinstance(node, c_ast.FuncCall | c_ast.Assignment) or (isinstance(node, c_ast.UnaryOp) and node.op in _CHANGES)
        for node in nodes_of(tree)
    )
