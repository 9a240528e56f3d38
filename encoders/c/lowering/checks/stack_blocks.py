"""Blocks of alloca, where nobody checks lifetimes: they hold any value when their function returns."""

from collections.abc import Iterator

from encoders.c.cfa import ir
from encoders.c.cfa.added_operations import at_entry, before_exit


def stack_blocks(automaton: ir.FunctionCfa) -> list[ir.Edge]:
    """The edges that allocate on the stack into a variable of their own."""
    return [
        edge
        for edge in automaton.edges
        if isinstance(edge.operation, ir.Allocate)
        and edge.operation.on_stack
        and isinstance(edge.operation.lvalue, ir.VariableLValue)
        and edge.operation.lvalue.variable.temporary
    ]


def is_repeated(automaton: ir.FunctionCfa, edge: ir.Edge) -> bool:
    """May a call of the function pass the edge more than once?"""
    after: dict[int, list[int]] = {}
    for other in automaton.edges:
        after.setdefault(other.source, []).append(other.target)
    seen, work = {edge.target}, [edge.target]
    while work:
        for target in after.get(work.pop(), ()):
            if target not in seen:
                seen.add(target)
                work.append(target)
    return edge.source in seen


def with_ends_of_stack_blocks(automaton: ir.FunctionCfa, numbers: Iterator[int]) -> ir.FunctionCfa:
    """The function, at whose exit the blocks that it has allocated on the stack are forgotten.

    Of an edge that is passed several times that is the last block. numbers: of new locations.
    """
    found = {_variable(edge).unique: edge for edge in stack_blocks(automaton)}
    pointers = {unique: ir.VariableLValue(_variable(edge), _variable(edge).type) for unique, edge in found.items()}
    nulls = [ir.Assign(pointer, ir.Constant(0, pointer.type)) for pointer in pointers.values()]
    ends = [(ir.Forget(ir.Load(pointer, pointer.type)), found[unique].text) for unique, pointer in pointers.items()]
    return before_exit(at_entry(automaton, numbers, nulls), numbers, ends)


def _variable(edge: ir.Edge) -> ir.Variable:
    assert isinstance(edge.operation, ir.Allocate) and isinstance(edge.operation.lvalue, ir.VariableLValue)
    return edge.operation.lvalue.variable
