"""Which parts of an expression read or write memory that other threads may reach, by its syntax."""

from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, base_of, postorder


def is_shared(lvalue: ir.LValue) -> bool:
    """True if another thread may access the lvalue: static storage, dereferences, and locals whose address is taken.

    Constants are nobody's to change.
    """
    lvalue = base_of(lvalue)
    if isinstance(lvalue, ir.Dereference):
        return True
    variable = lvalue.variable
    return not variable.constant and (variable.function is None or variable.address_taken)


def shared_reads(*nodes: Node) -> list[ir.Load]:
    """The reads of shared memory below some expressions and lvalues, each node once."""
    return [node for node in postorder(*nodes) if isinstance(node, ir.Load) and is_shared(node.lvalue)]


def written(operation: ir.Operation) -> ir.LValue | None:
    """The shared lvalue that an operation writes, None if there is none."""
    match operation:
        case ir.Assign(lvalue=lvalue) | ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue) | ir.Allocate(lvalue=lvalue):
            return lvalue if is_shared(lvalue) else None
        case ir.CreateThread(lvalue=lvalue) | ir.CurrentThread(lvalue=lvalue):
            return lvalue if is_shared(lvalue) else None
        case ir.Call(lvalue=lvalue) | ir.JoinThread(lvalue=lvalue) if lvalue is not None:
            return lvalue if is_shared(lvalue) else None
        case _:
            return None


def has_conditional_reads(*nodes: Node) -> bool:
    """True if the value of a part decides whether shared memory is read."""
    for node in postorder(*nodes):
        match node:
            case ir.Binary(operator="&&" | "||", right=right) if shared_reads(right):
                return True
            case ir.Conditional(then=then, otherwise=otherwise) if shared_reads(then, otherwise):
                return True
            case _:
                pass
    return False
