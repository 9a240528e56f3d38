"""The integers that a function uses as numbers of elements of a pointer, by the form of its body."""

from collections.abc import Iterator

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from encoders.c.contracts.tree_editing import nodes_of


def tied_by_use(definition: c_ast.FuncDef) -> set[tuple[str, str]]:
    """Pairs of a pointer and an integer, `p` and `n` or `v->data` and `v->capacity`, as they are written.

    They belong together if `p[i]` stands in the function and i is compared with n (`i < n`, `n > i`, `i != n`, or with
    `>=`, `<=` and `==`, which are the negations of these).
    """
    return {(pointer, size) for pointer, _, size in bounded_indices(definition)}


def bounded_indices(definition: c_ast.FuncDef) -> set[tuple[str, str, str]]:
    """Pointer, index and size of `tied_by_use`. The index of `p[i++]` is i."""
    bounds = list(_bounds(definition))
    write = CGenerator().visit
    indexed = {
        (write(node.name), write(_index(node.subscript)))
        for node in nodes_of(definition)
        if isinstance(node, c_ast.ArrayRef)
    }
    return {(pointer, index, size) for pointer, index in indexed for bounded, size in bounds if bounded == index}


def _index(subscript: c_ast.Node) -> c_ast.Node:
    """The index without what changes it behind its use."""
    if isinstance(subscript, c_ast.UnaryOp) and subscript.op in ("p++", "p--"):
        operand: c_ast.Node = subscript.expr
        return operand
    return subscript


def _bounds(definition: c_ast.FuncDef) -> Iterator[tuple[str, str]]:
    """The indices of comparisons with what they are below of."""
    write = CGenerator().visit
    for node in nodes_of(definition):
        if not isinstance(node, c_ast.BinaryOp) or not all(map(_is_named, (node.left, node.right))):
            continue
        if node.op in ("<", ">=", "!=", "=="):
            yield write(node.left), write(node.right)
        if node.op in (">", "<=", "!=", "=="):
            yield write(node.right), write(node.left)


def _is_named(node: c_ast.Node) -> bool:
    """Is it a variable, or a member?"""
    return isinstance(node, c_ast.ID | c_ast.StructRef)
