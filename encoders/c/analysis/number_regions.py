"""Pointers that hold numbers: `(void *)i`, carried around, compared, and converted back to an integer.

A region into which numbers are converted is one of numbers where its pointers hold nothing else (and null), and where
the program does nothing with them but copy them, compare them for equality, add numbers to them (as which sums of
converted pointers are read: `(void *)((long)p + 1)`), and convert them to integers. No object lives there, so that the
addresses are free to be the numbers (`converted_numbers.py`).
"""

from collections.abc import Callable, Iterable, Iterator

from encoders.c.analysis.regions import Region, RegionFlag, find
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, postorder
from encoders.c.cfa.inlining import Enter, FlatEdge, InlineFrame, Leave
from encoders.c.types.c_types import CFunction, CInteger, CPointer

_HARMLESS = (
    RegionFlag.CONVERTED
    | RegionFlag.COMPARED
    | RegionFlag.INDEXED
    | RegionFlag.POINTER_ARITHMETIC
    | RegionFlag.BYTES
    | RegionFlag.REPEATED
)
# What does not do anything with the pointers among its expressions but what the expressions do, or copy them.
_COPIES = (
    ir.Skip, ir.Assign, ir.Assume, ir.Nondet, ir.Clear, ir.Declare, ir.Call, ir.ReachError, ir.Trap, ir.LoopInvariant,
    Enter, Leave,
)  # fmt: skip
_LVALUES = ir.VariableLValue | ir.Dereference | ir.FieldLValue | ir.ElementLValue


def regions_of_numbers(
    converted: Iterable[Region],
    edges: Iterable[FlatEdge],
    target: Callable[[ir.Expression, InlineFrame], Region],
    pointee: Callable[[ir.LValue, InlineFrame], Region],
) -> frozenset[Region]:
    """The regions of numbers, once the points-to analysis is over.

    converted: the regions into which numbers are converted. target: the region that a pointer leads into. pointee: the
    region into which the pointer in an lvalue leads.
    """
    left = {node for node in map(find, converted) if _is_without_objects(node)}
    for edge in edges if left else ():
        if isinstance(edge.operation, ir.Call) and _has_functions(postorder(*edge.operation.arguments)):
            return frozenset()  # a parameter somewhere gets the address of a function
        left -= set(_used_otherwise(edge, target, pointee))
    return frozenset(left)


def _is_without_objects(node: Region) -> bool:
    """Does nothing live in a region?"""
    is_empty = not node.objects and not node.fields and node.parent is None and node.pointee is None
    return is_empty and not node.flags & ~_HARMLESS


def _used_otherwise(
    edge: FlatEdge,
    target: Callable[[ir.Expression, InlineFrame], Region],
    pointee: Callable[[ir.LValue, InlineFrame], Region],
) -> Iterator[Region]:
    """The regions with whose pointers an edge does what numbers do not allow."""
    operation, frame = edge.operation, edge.frame
    nodes = list(postorder(*edge.roots))
    for node in nodes:
        yield from (find(target(pointer, frame)) for pointer in _used_in(node))
    if isinstance(operation, _COPIES) and not _has_functions(nodes):
        return
    for node in nodes:
        if isinstance(node.type, CPointer) and not isinstance(node, _LVALUES):
            yield find(target(node, frame))
    written = edge.written
    if written is not None and isinstance(written.type, CPointer):
        yield find(pointee(written, frame))
    if isinstance(operation, Enter):
        for parameter in operation.callee.function.parameters:
            if isinstance(parameter.type, CPointer):
                yield find(pointee(ir.VariableLValue.of(parameter), operation.callee))


def _used_in(node: Node) -> tuple[ir.Expression, ...]:
    """The pointers with which an expression or lvalue does what numbers do not allow."""
    match node:
        case ir.Dereference(pointer=pointer):
            return (pointer,)
        case ir.PointerDifference(left=left, right=right):
            return (left, right)
        case ir.Binary(operator=operator, left=left, right=right) if operator not in ("==", "!="):
            return tuple(side for side in (left, right) if isinstance(side.type, CPointer))
        case ir.Cast(operand=operand, type=kind) if not isinstance(kind, CPointer | CInteger):
            return (operand,) if isinstance(operand.type, CPointer) else ()
        case ir.Cast(operand=operand, type=CPointer(target=CFunction())):
            return (node, operand) if isinstance(operand.type, CPointer) else (node,)
        case ir.Cast(operand=operand) if isinstance(operand.type, CPointer):
            return (operand,) if isinstance(operand.type.target, CFunction) else ()
        case _:
            return ()


def _has_functions(nodes: Iterable[Node]) -> bool:
    return any(isinstance(node, ir.FunctionAddress) for node in nodes)
