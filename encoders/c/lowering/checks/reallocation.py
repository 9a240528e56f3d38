"""The library model of realloc, where memory is checked: it ends the lifetime of the old block."""

from collections.abc import Iterator
from dataclasses import replace

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa import ir
from encoders.c.library.model_files import MODELS
from encoders.c.types.c_types import INT

BLOCKS = DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK, CheckKind.CLEANUP}
"""The kinds of checks that need to know which blocks live."""


def is_reallocation(automaton: ir.FunctionCfa) -> bool:
    """True for the models of realloc."""
    name = automaton.name.partition("<")[0].partition(" ")[0]
    return name == "realloc" and any(location.origin.file.startswith(MODELS) for location in automaton.locations)


def with_release(automaton: ir.FunctionCfa, numbers: Iterator[int], checks: frozenset[CheckKind]) -> ir.FunctionCfa:
    """The model with a release of its first parameter in front. A size of zero is not modelled: what it gives is
    implementation-defined.

    Its own accesses are not checked: it copies as many bytes as the new block has, which the old one may not have.
    numbers: of new locations.
    """
    if not checks & BLOCKS:
        return automaton
    old, size = (ir.Load(ir.VariableLValue(p, p.type), p.type) for p in automaton.parameters)
    first = next(location for location in automaton.locations if location.number == automaton.entry)
    start, positive, empty, end = (replace(first, number=next(numbers), is_loop_head=False) for _ in range(4))
    zero, origin = ir.Constant(0, size.type), first.origin
    is_empty = ir.Binary("==", size, zero, INT)
    edges = (
        ir.Edge(start.number, empty.number, ir.Assume(is_empty, True), origin, "size == 0"),
        ir.Edge(empty.number, end.number, ir.Trap("realloc to size 0"), origin, "size == 0"),
        ir.Edge(start.number, positive.number, ir.Assume(is_empty, False), origin, "size != 0"),
        ir.Edge(positive.number, first.number, ir.Release(old), origin, "release of the old block"),
    )
    return replace(
        automaton,
        entry=start.number,
        locations=(start, positive, empty, end, *automaton.locations),
        edges=(*edges, *automaton.edges),
    )
