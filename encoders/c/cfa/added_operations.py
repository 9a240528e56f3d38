"""Functions with operations that are added where every call begins or ends."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from encoders.c.cfa import ir


def at_entry(automaton: ir.FunctionCfa, numbers: Iterator[int], operations: Sequence[ir.Operation]) -> ir.FunctionCfa:
    """The function with the operations, one after another, in front of everything else. numbers: of new locations."""
    first = _location(automaton, automaton.entry)
    made = [replace(first, number=next(numbers), is_loop_head=False) for _ in operations]
    path = [*(location.number for location in made), first.number]
    edges = [ir.Edge(path[i], path[i + 1], operation, first.origin) for i, operation in enumerate(operations)]
    return replace(
        automaton,
        entry=path[0],
        locations=(*automaton.locations, *made),
        edges=(*automaton.edges, *edges),
    )


def before_exit(
    automaton: ir.FunctionCfa, numbers: Iterator[int], operations: Sequence[tuple[ir.Operation, str]]
) -> ir.FunctionCfa:
    """The function with the operations, each with the text of its edge, one after another in front of its exit.

    numbers: of new locations.
    """
    last = _location(automaton, automaton.exit)
    made = [replace(last, number=next(numbers)) for _ in operations]
    path = [*(location.number for location in made), last.number]
    moved = [replace(edge, target=path[0]) if edge.target == last.number else edge for edge in automaton.edges]
    added = [
        ir.Edge(path[i], path[i + 1], operation, last.origin, text) for i, (operation, text) in enumerate(operations)
    ]
    return replace(automaton, locations=(*automaton.locations, *made), edges=(*moved, *added))


def _location(automaton: ir.FunctionCfa, number: int) -> ir.Location:
    return next(location for location in automaton.locations if location.number == number)
