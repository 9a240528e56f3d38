"""Parts of syntax trees whose classes pycparser leaves open, and statements and conditions as one line of C, for traces
and invariants."""

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from chcverify.display_limits import LINE_CHARACTERS


def function_declarator(declaration: c_ast.Decl) -> c_ast.FuncDecl:
    """The declarator of a function: a definition has no other one."""
    declarator = declaration.type
    assert isinstance(declarator, c_ast.FuncDecl)
    return declarator


def parameters_of(declaration: c_ast.Decl) -> list[c_ast.Node]:
    """The parameters of a function, as its declaration or definition writes them."""
    arguments = function_declarator(declaration).args
    return [] if arguments is None else arguments.params


def arguments_of(call: c_ast.FuncCall) -> list[c_ast.Node]:
    """The arguments of a call."""
    return [] if call.args is None else call.args.exprs


def named_declarator(declarator: c_ast.Node) -> c_ast.TypeDecl:
    """The innermost part of a declarator, which holds the declared name."""
    while not isinstance(declarator, c_ast.TypeDecl):
        assert isinstance(declarator, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl)
        declarator = declarator.type
    return declarator


class _Generator(CGenerator):
    """pycparser's generator; GNU statement expressions and initialiser lists are abbreviated."""

    def visit_Compound(self, node: c_ast.Compound) -> str:
        return "({ ... })"

    def visit_TernaryOp(self, n: c_ast.TernaryOp) -> str:
        if n.iftrue is not None:
            return super().visit_TernaryOp(n)
        return f"({self.visit(n.cond)}) ?: ({self.visit(n.iffalse)})"

    def visit_InitList(self, node: c_ast.InitList) -> str:
        text = ", ".join(self.visit(part) for part in node.exprs[:8])
        return text + ", ..." if len(node.exprs) > 8 else text


def source_text(node: c_ast.Node, maximum: int | None = LINE_CHARACTERS) -> str:
    """The node as the user may have written it, on one line, shortened beyond `maximum` characters."""
    text = " ".join(_Generator().visit(node).split())
    return text if maximum is None or len(text) <= maximum else text[: maximum - 4] + " ..."
