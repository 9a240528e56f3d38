"""The qualifiers of an object, from the syntax of its type, and those of what pointers lead to."""

from collections.abc import Callable

from pycparser import c_ast

from encoders.c.lowering.symbols import Scope, TypeName
from encoders.c.types.c_types import CArray, CFunction, CPointer, CType

_DECLARATION = c_ast.Typename | c_ast.Decl | c_ast.Typedef
_INNER = _DECLARATION | c_ast.TypeDecl | c_ast.ArrayDecl


def qualifiers(scope: Scope, node: c_ast.Node) -> frozenset[str]:
    """The qualifiers of an object of the type, or of each element of an array of it, with those of a typedef's name.

    A declaration's own list has the qualifiers before the declarator (`const` of `const int *p`), which are those of
    the pointer's target; the innermost declarator repeats them.
    """
    found: set[str] = set()
    while not isinstance(node, c_ast.IdentifierType):
        if not isinstance(node, _DECLARATION):
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
    """Do the pointers in two equal types lead to const objects at the same places? Only then are the types compatible
    (C11 6.7.6.1p2)."""
    return _pointers_agree(left, right, lambda one, other: one.constant == other.constant)


def have_equal_volatility(left: CType, right: CType) -> bool:
    """Do the pointers in two equal types lead to volatile objects, and to atomic ones, at the same places?

    An answer of False does not show that the types differ: the address of a volatile automatic variable has a type
    without the qualifier here.
    """
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
