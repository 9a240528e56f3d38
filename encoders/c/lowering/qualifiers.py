"""The qualifiers of an object, from the syntax of its type."""

from pycparser import c_ast

from encoders.c.lowering.symbols import Scope, TypeName

_INNER = c_ast.Typename | c_ast.Decl | c_ast.TypeDecl | c_ast.ArrayDecl | c_ast.Typedef


def qualifiers(scope: Scope, node: c_ast.Node) -> frozenset[str]:
    """Of an object of the type, or of each element of an array of it; those of a typedef's name included."""
    found: set[str] = set()
    while not isinstance(node, c_ast.IdentifierType):
        found.update(getattr(node, "quals", None) or ())
        if isinstance(node, c_ast.TypeOf) and isinstance(node.expr, c_ast.Typename):
            node = node.expr
        elif isinstance(node, _INNER):
            node = node.type
        else:
            return frozenset(found)
    symbol = scope.find(node.names[0]) if len(node.names) == 1 else None
    return frozenset(found) | (symbol.qualifiers if isinstance(symbol, TypeName) else frozenset())
