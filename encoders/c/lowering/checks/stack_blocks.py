"""Blocks of alloca, where nobody checks lifetimes: they hold any value when their function returns."""

from collections.abc import Iterator
from dataclasses import replace

from encoders.c.cfa import ir


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
    if not found:
        return automaton
    first, last = (_location(automaton, number) for number in (automaton.entry, automaton.exit))
    end = replace(last, number=next(numbers))
    locations = [end]
    edges = [replace(edge, target=end.number) if edge.target == last.number else edge for edge in automaton.edges]
    entry = first.number
    here = end.number
    for number, edge in enumerate(found.values(), 1):
        lvalue = ir.VariableLValue(_variable(edge), _variable(edge).type)
        begin = replace(first, number=next(numbers), is_loop_head=False)
        null = ir.Assign(lvalue, ir.Constant(0, lvalue.type))
        edges.append(ir.Edge(begin.number, entry, null, first.origin))
        entry = begin.number
        after = last if number == len(found) else replace(last, number=next(numbers))
        edges.append(ir.Edge(here, after.number, ir.Forget(ir.Load(lvalue, lvalue.type)), last.origin, edge.text))
        here = after.number
        locations += [begin] if after is last else [begin, after]
    return replace(automaton, entry=entry, locations=(*automaton.locations, *locations), edges=tuple(edges))


def _variable(edge: ir.Edge) -> ir.Variable:
    assert isinstance(edge.operation, ir.Allocate) and isinstance(edge.operation.lvalue, ir.VariableLValue)
    return edge.operation.lvalue.variable


def _location(automaton: ir.FunctionCfa, number: int) -> ir.Location:
    return next(location for location in automaton.locations if location.number == number)
