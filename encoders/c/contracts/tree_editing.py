"""Syntax trees of annotations: generated code at a position of the source, and all nodes of a tree."""

from collections.abc import Iterator, Sequence

from pycparser import c_ast
from pycparser.c_parser import Coord

from chcverify.horn.system import Origin
from encoders.c.source.parser import parse
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import DataModel


def nodes_of(tree: c_ast.Node) -> Iterator[c_ast.Node]:
    """All nodes, wholes before their parts."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for _, child in node.children())


def expression_at(text: str, typedefs: Sequence[str], origin: Origin, model: DataModel) -> c_ast.Node:
    """The syntax tree of an expression, all of it at one position. Raises Unsupported for what is no expression."""
    body = statements_at(f"{text};", typedefs, origin, model)
    if len(body) != 1:
        raise Unsupported(origin, "an annotation that is no predicate")
    return body[0]


def statements_at(text: str, typedefs: Sequence[str], origin: Origin, model: DataModel) -> list[c_ast.Node]:
    """The syntax trees of statements, all of them at one position. Raises Unsupported for what are none."""
    prelude = "".join(f"typedef int {name};" for name in typedefs)
    try:
        tree, _ = parse(f"{prelude} void f(void) {{ {text} }}", origin.file, model)
    except SourceError as error:
        raise Unsupported(origin, f"an annotation that is no predicate ({error.message})") from None
    made = tree.ext[-1]
    assert isinstance(made, c_ast.FuncDef)
    body = made.body.block_items or []
    position = Coord(origin.file, origin.line, origin.column)
    for statement in body:
        for node in nodes_of(statement):
            node.coord = position
    return body
