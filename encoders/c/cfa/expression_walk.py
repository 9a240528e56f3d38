"""Iterative walks over expressions and lvalues of the control-flow automata."""

from collections.abc import Iterator

from encoders.c.cfa import ir

Node = ir.Expression | ir.LValue


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of an expression or lvalue, in order of evaluation."""
    match node:
        case ir.Load(lvalue=lvalue) | ir.AddressOf(lvalue=lvalue):
            return (lvalue,)
        case ir.Dereference(pointer=pointer):
            return (pointer,)
        case ir.FieldLValue(base=base):
            return (base,)
        case ir.ElementLValue(base=base, index=index):
            return (base, index)
        case ir.Unary(operand=operand) | ir.Cast(operand=operand):
            return (operand,)
        case ir.Binary(left=left, right=right) | ir.PointerDifference(left=left, right=right):
            return (left, right)
        case ir.PointerAdd(pointer=pointer, index=index):
            return (pointer, index)
        case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case _:
            return ()


def postorder(*roots: Node) -> Iterator[Node]:
    """Every node object below the roots once, parts before wholes (the same object is not visited twice)."""
    seen: set[int] = set()
    stack: list[tuple[Node, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(children(node)))


def roots(operation: object) -> tuple[Node, ...]:
    """The expressions and lvalues of an operation, written lvalues included."""
    match operation:
        case ir.Assign(lvalue=lvalue, value=value):
            return (lvalue, value)
        case ir.Assume(condition=condition):
            return (condition,)
        case ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue):
            return (lvalue,)
        case ir.Declare(length=length):
            return () if length is None else (length,)
        case ir.Allocate(lvalue=lvalue, size=size):
            return (lvalue, size)
        case ir.Havoc(arguments=arguments):
            return arguments
        case ir.Call(lvalue=lvalue, arguments=arguments):
            return arguments if lvalue is None else (lvalue, *arguments)
        case _:
            return ()
