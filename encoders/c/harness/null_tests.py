"""Which functions' results a program takes for pointers that may be null, by what it does with them."""

from collections.abc import Iterator

from pycparser import c_ast

from encoders.c.contracts.tree_editing import nodes_of
from encoders.c.source.syntax_trees import source_text


def possibly_null(body: c_ast.Node) -> set[str]:
    """The functions whose results the body of a function compares, uses as conditions, or returns; directly, or by the
    name of the variable or member that they are assigned to.

    `if ((p = make()) == NULL)`, `p = make(); if (!p)` and `return make();` count; `make()->key` does not.
    """
    nodes = list(nodes_of(body))
    results: dict[str, set[str]] = {}
    for node in nodes:
        for target, value in _assigned(node):
            if (name := _called(value)) is not None:
                results.setdefault(target, set()).add(name)
    found: set[str] = set()
    for tested in (tested for node in nodes for tested in _tested(node)):
        tested = _plain(tested)
        if isinstance(tested, c_ast.Assignment):
            tested = _plain(tested.rvalue)
        name = _called(tested)
        if name is not None:
            found.add(name)
        elif isinstance(tested, c_ast.ID | c_ast.StructRef | c_ast.ArrayRef | c_ast.UnaryOp):
            found |= results.get(source_text(tested, None), set())
    return found


def _assigned(node: c_ast.Node) -> Iterator[tuple[str, c_ast.Node]]:
    """(lvalue, value) of an initialisation or an assignment."""
    match node:
        case c_ast.Decl(name=str(name), init=c_ast.Node() as value):
            yield name, value
        case c_ast.Assignment(op="=", lvalue=lvalue, rvalue=value):
            yield source_text(lvalue, None), value


def _tested(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The expressions of which a node asks if they are null, or that it gives to the caller."""
    match node:
        case c_ast.If(cond=cond) | c_ast.While(cond=cond) | c_ast.DoWhile(cond=cond) | c_ast.TernaryOp(cond=cond):
            yield cond
        case c_ast.For(cond=c_ast.Node() as cond):
            yield cond
        case c_ast.BinaryOp(op="==" | "!=" | "&&" | "||", left=left, right=right):
            yield left
            yield right
        case c_ast.UnaryOp(op="!", expr=operand):
            yield operand
        case c_ast.Return(expr=c_ast.Node() as value):
            yield value


def _plain(node: c_ast.Node) -> c_ast.Node:
    """The expression without casts around it."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return node


def _called(value: c_ast.Node) -> str | None:
    """The function whose result a value is; None for other values."""
    value = _plain(value)
    return value.name.name if isinstance(value, c_ast.FuncCall) and isinstance(value.name, c_ast.ID) else None
