"""The start of a program: what every run does first depends on nothing, and is encoded as one clause.

One clause for each stored character of a string would make the clauses, and every model of them, quadratic in the
length of the strings.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatFunction
from encoders.c.encoding.edge_transition import EdgeTransition
from encoders.c.encoding.expression_terms import State
from encoders.c.source.source_errors import Unsupported

Translate = Callable[[FlatEdge, State], EdgeTransition]
"""The transition of an edge from the state in which variables have these terms."""


@dataclass(frozen=True, eq=False)
class InitialRun:
    """The edges that every run passes first."""

    edges: tuple[FlatEdge, ...]
    location: int
    """Behind them."""
    known: Mapping[StateVariable, z3.ExprRef]
    """The values of variables before them."""
    values: Mapping[StateVariable, z3.ExprRef]
    """Behind them, of the variables that differ from the constants that stand for them at the start."""

    @cached_property
    def passed(self) -> frozenset[int]:
        """The locations before the last one."""
        return frozenset(edge.source for edge in self.edges)


def initial_run(
    function: FlatFunction,
    known: Mapping[StateVariable, z3.ExprRef],
    constant: State,
    translate: Translate,
    kept: Collection[int],
) -> InitialRun:
    """The longest beginning of the program's first function that only assigns and clears, without choice or check.

    known: values at the start. constant: the constants for all others. kept: numbers of locations that the run must
    not leave, for what else is encoded there.
    """
    leaving = _unique(function.edges, lambda edge: edge.source)
    coming = _unique(function.edges, lambda edge: edge.target)
    values, edges, location = dict(known), list[FlatEdge](), function.entry

    def state(variable: StateVariable) -> z3.ExprRef:
        value = values.get(variable)
        return constant(variable) if value is None else value

    while location not in kept and (edge := leaving.get(location)) is not None:
        is_plain = isinstance(edge.operation, ir.Assign | ir.Clear)
        if not is_plain or coming.get(edge.target) is not edge or edge.target == function.entry:
            break
        try:
            does = translate(edge, state)
        except Unsupported:  # the encoder makes the clause of this edge, which says that it is not modelled
            break
        if does.guard or does.inputs or does.traps or does.failures:
            break
        values.update(does.updates)
        edges.append(edge)
        location = edge.target
    return InitialRun(tuple(edges), location, known, values)


def _unique(edges: Collection[FlatEdge], number: Callable[[FlatEdge], int]) -> dict[int, FlatEdge | None]:
    """The edge at each location, None where there are several."""
    found: dict[int, FlatEdge | None] = {}
    for edge in edges:
        found[number(edge)] = None if number(edge) in found else edge
    return found
