"""The qualifiers of an object, from the syntax of its type, and those of what pointers lead to."""

from collections.abc import Callable

from pycparser import c_ast

from encoders.c.lowering.symbols import Scope, TypeName
from encoders.c.types.c_types import CArray, CFunction, CPointer, CType

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


def qualified_pointer(scope: Scope, target: CType, declarator: c_ast.Node) -> CPointer:
    """The type of pointers to objects of a type, whose qualifiers are those in the syntax."""
    found = qualifiers(scope, declarator)
    return CPointer(target, "volatile" in found, "_Atomic" in found, "const" in found)


def have_equal_constancy(left: CType, right: CType) -> bool:
    """Of two equal types: do all pointers in one lead to objects that are const where those in the other do? Only then
    are they compatible (C11 6.7.6.1p2)."""
    return _pointers_agree(left, right, lambda one, other: one.constant == other.constant)


def have_equal_volatility(left: CType, right: CType) -> bool:
    """The same of volatile and _Atomic. Types of pointers to volatile automatic variables do not say so."""
    return _pointers_agree(left, right, lambda one, other: (one.volatile, one.atomic) == (other.volatile, other.atomic))


def _pointers_agree(left: CType, right: CType, agree: Callable[[CPointer, CPointer], bool]) -> bool:
    match left, right:
        case CPointer(), CPointer():
            return agree(left, right) and _pointers_agree(left.target, right.target, agree)
        case CArray(), CArray():
            return _pointers_agree(left.element, right.element, agree)
        case CFunction(), CFunction():
            parts = zip((left.result, *left.parameters), (right.result, *right.parameters), strict=True)
            return all(_pointers_agree(one, other, agree) for one, other in parts)
    return True
