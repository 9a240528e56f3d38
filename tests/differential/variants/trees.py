"""Syntax trees of tasks: from text, to text, and the walks that transformations share."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from encoders.c.source.parser import parse, with_deep_stack
from encoders.c.source.preprocessor import preprocess, read_source
from encoders.c.types.c_types import DataModel

_LAYOUT = re.compile(r"\b_*(?:packed|aligned|mode|vector_size|transparent_union)_*\b")


class NoVariant(Exception):
    """The text of this program cannot be written again from its tree."""


def tree_of(path: Path, model: DataModel) -> c_ast.FileAST:
    """The tree of the file, without what the parser declares in front of it. NoVariant where attributes, which trees do
    not have, change the layout of objects."""
    text = preprocess(read_source(path), str(path), model)
    if _LAYOUT.search(text):
        raise NoVariant(f"{path}: attributes about layout")

    def parsed() -> c_ast.FileAST:
        before = len(parse("", str(path), model)[0].ext)
        tree = parse(text, str(path), model)[0]
        tree.ext = tree.ext[before:]
        return tree

    return with_deep_stack(parsed)


def text_of(tree: c_ast.FileAST) -> str:
    """The program as C. NoVariant for nodes that pycparser does not write."""
    try:
        return with_deep_stack(lambda: str(CGenerator().visit(tree)))
    except (AttributeError, TypeError) as error:
        raise NoVariant(str(error)) from error


def nodes(root: c_ast.Node) -> Iterator[c_ast.Node]:
    """All nodes below the root, and the root, parents first."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for _, child in reversed(node.children()))


def of_type(root: c_ast.Node, *kinds: type) -> list[Any]:
    """The nodes of these types, in the order of the text."""
    return [node for node in nodes(root) if isinstance(node, kinds)]


def replace(root: c_ast.Node, change: Callable[[c_ast.Node], c_ast.Node]) -> int:
    """Puts change(node) where each node below the root was, children last; the number of those that it changed."""
    changed = 0
    stack = [root]
    while stack:
        node = stack.pop()
        for name in node.__slots__:
            value = getattr(node, name, None)
            if isinstance(value, c_ast.Node):
                new = change(value)
                changed += new is not value
                setattr(node, name, new)
                stack.append(new)
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, c_ast.Node):
                        value[i] = change(item)
                        changed += value[i] is not item
                        stack.append(value[i])
    return changed


def functions(tree: c_ast.FileAST) -> list[c_ast.FuncDef]:
    """The functions with bodies."""
    return [node for node in tree.ext if isinstance(node, c_ast.FuncDef)]


def addressed(root: c_ast.Node) -> frozenset[str]:
    """The names whose address is taken by `&`."""
    taken = of_type(root, c_ast.UnaryOp)
    return frozenset(node.expr.name for node in taken if node.op == "&" and isinstance(node.expr, c_ast.ID))
