"""Statements and conditions as one line of C, for traces and invariants."""

from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from chcverify.display_limits import LINE_CHARACTERS


class _Generator(CGenerator):  # type: ignore[misc]
    """pycparser's generator; GNU statement expressions and initialiser lists are abbreviated."""

    def visit_Compound(self, node: Any) -> str:
        return "({ ... })"

    def visit_TernaryOp(self, node: Any) -> str:
        if node.iftrue is not None:
            return str(super().visit_TernaryOp(node))
        return f"({self.visit(node.cond)}) ?: ({self.visit(node.iffalse)})"

    def visit_InitList(self, node: Any) -> str:
        text = ", ".join(self.visit(part) for part in node.exprs[:8])
        return text + ", ..." if len(node.exprs) > 8 else text


def source_text(node: c_ast.Node, maximum: int | None = LINE_CHARACTERS) -> str:
    """The node as the user may have written it, on one line, shortened beyond `maximum` characters."""
    text = " ".join(_Generator().visit(node).split())
    return text if maximum is None or len(text) <= maximum else text[: maximum - 4] + " ..."
