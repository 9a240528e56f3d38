"""Declarations of arrays of variable length."""

from collections.abc import Iterator

from pycparser import c_ast

from encoders.c.cfa.ir import Assume, Constant, Declare, Expression, Variable
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.conversions import binary, convert, pointer_integer
from encoders.c.lowering.symbols import LocalVariable, VariableLength
from encoders.c.types.c_types import INT, CInteger, CType


def require_no_initializer(context: LoweringContext, node: c_ast.Decl) -> None:
    """Raises InputError or Unsupported if the declaration has an initializer (C11 6.7.9p3; C23 allows an empty one)."""
    if isinstance(node.init, c_ast.InitList) and not node.init.exprs:
        raise context.refuse(node, f"initializer of '{node.name}', whose size is not constant")
    if node.init is not None:
        raise context.error(node, "variable-sized object may not be initialized")


def declare_array(context: LoweringContext, node: c_ast.Decl, variable: Variable, kind: VariableLength) -> None:
    """Emits the declaration; where ends of runs are asked for, no run goes on with an array that is larger than memory.

    Its size would wrap around, and accesses within it would count as outside. Such a run has no meaning, and no other
    end either. The array lives until control leaves the scope of its declaration, be it by a jump back over it (C11
    6.2.4p7); other variables of the block live on there.
    """
    origin = context.origin(node)
    if context.unit.assumptions_block:
        index = pointer_integer(context.unit.model)
        for condition in _fits(kind, index.maximum // context.size_of(kind.scalar, node), index):
            context.cfa.emit(Assume(condition, True), origin, f"{node.name} fits into memory")
        context.unit.assume("allocation", node.name, "fits into memory", origin)
    context.cfa.begin_array_scope()
    context.cfa.emit(Declare(variable, kind.total), origin, f"{variable.type} {node.name}")


def require_no_rows(context: LoweringContext, *nodes: c_ast.Node) -> None:
    """Raises Unsupported where one of the expressions points to arrays of variable length, as whose values there are
    but pointers to their scalars."""
    for node in nodes:
        if _dimensions(context, node) > 1:
            raise context.refuse(node, "arithmetic on a pointer to a variable length array")


def _dimensions(context: LoweringContext, node: c_ast.Node | None) -> int:
    """The dimensions of the array of variable length that an expression is, or that its value points into; else 0."""
    less = 0
    while isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
        less += 1
        node = node.name if isinstance(node, c_ast.ArrayRef) else node.expr
    found = 0
    match node:
        case c_ast.ID():
            symbol = context.scope.find(node.name)
            kind: CType | VariableLength | None = symbol.lengths if isinstance(symbol, LocalVariable) else None
            while isinstance(kind, VariableLength):
                found, kind = found + 1, kind.element
        case c_ast.TernaryOp():
            found = max(_dimensions(context, part) for part in (node.iftrue, node.iffalse))
        case c_ast.ExprList():
            found = _dimensions(context, node.exprs[-1])
        case c_ast.Compound(block_items=[*_, last]):
            found = _dimensions(context, last)
    return max(0, found - less)


def _fits(kind: VariableLength, most: int, index: CInteger) -> Iterator[Expression]:
    """For each dimension, the innermost first: length <= most / stride, where a stride of 0 counts as 1.

    most: elements. index: the type of lengths and strides.
    """
    if isinstance(kind.element, VariableLength):
        yield from _fits(kind.element, most, index)
    is_empty = convert(binary("==", kind.stride, Constant(0, index), INT), index)
    bound = binary("/", Constant(most, index), binary("+", kind.stride, is_empty, index), index)
    yield binary("<=", kind.length, bound, INT)
