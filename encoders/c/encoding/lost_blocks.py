"""When a block is lost, as a formula over an edge's transition: it lives afterwards, and no variable points to it.

The condition is necessary for a loss, and where only variables hold the blocks it is exact; see
`analysis/block_holders.py`. It is asked at the edges where a variable that may hold a block changes or ends. A
derivation of it is a violation only if the execution of its run says so.
"""

from collections.abc import Iterator, Mapping

import z3

from chcverify.results.checks import CheckKind
from encoders.c.analysis.block_holders import BlockHolders, is_in_library
from encoders.c.analysis.effects import mask_of
from encoders.c.analysis.regions import Region
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, StateVariable
from encoders.c.analysis.tracked_objects import HEAP, TrackedObject
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatFunction, Leave
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import BoundedTerm
from encoders.c.encoding.memory_failures import Failure, MemoryFailures

_ANY_ADDRESS = (2 * NULL << 60, OBJECT_STRIDE << 61)


class LostBlocks:
    """The failures of valid-memtrack at one edge. state: before it. updates: of what is live after it."""

    def __init__(
        self, holders: BlockHolders, terms: MemoryFailures, state: State, updates: Mapping[StateVariable, z3.ExprRef]
    ) -> None:
        self.holders, self.terms, self.before, self.updates = holders, terms, state, updates

    def _after(self, variable: StateVariable) -> z3.ExprRef:
        term = self.updates.get(variable)
        return self.before(variable) if term is None else term

    def failures(self, edge: FlatEdge, live_before: int, live_after: int) -> Iterator[Failure]:
        """The failures at an edge. live_before, live_after: bit sets of the variables that are known."""
        for top, tracked in self.holders.blocks():
            holding = self.holders.of(top)
            mask = mask_of(variable for variable, _ in holding)
            changed = any(variable in self.updates for variable, _ in holding) or bool(mask & live_before & ~live_after)
            if changed or isinstance(edge.operation, ir.Allocate | Leave):
                known = [(v, region) for v, region in holding if live_after >> v.index & 1]
                held = [self._points_to(tracked, self._after(v), region) for v, region in known]
                yield Failure(CheckKind.LEAK, z3.And(self.lives(tracked), z3.Not(z3.Or(held))), tracked)

    def lives(self, tracked: TrackedObject) -> z3.BoolRef:
        """The tracked object is a block that lives after the edge."""
        return self._after(tracked.state) == self.terms.number(HEAP).term

    def _points_to(self, tracked: TrackedObject, value: z3.ExprRef, region: Region) -> z3.BoolRef:
        """A pointer points into the tracked object, or to its end."""
        memory, theory = self.terms.memory, self.terms.theory
        scale = memory.scale(region)
        if scale == 0:
            return z3.BoolVal(False)
        size = BoundedTerm(self._after(tracked.size), (0, OBJECT_STRIDE << 60))
        point = BoundedTerm(self._after(tracked.point), (0, OBJECT_STRIDE << 60))
        return self.terms.points_to(BoundedTerm(value, _ANY_ADDRESS), region, theory.scaled(point, scale), size)


def may_lose(function: FlatFunction, edge: FlatEdge, dead_ends: frozenset[int]) -> bool:
    """True if the state after an edge is one of the program's, in which blocks may be lost.

    dead_ends: locations where paths end. They are none, nor are those of library models.
    """
    if isinstance(edge.operation, ir.CheckBlocks) or edge.target in dead_ends:
        return False
    return not is_in_library(function.locations[edge.target].frame)


def dead_ends_of(function: FlatFunction, is_initial: bool) -> frozenset[int]:
    """The locations where paths end; for the initial function, also the program."""
    sources = {edge.source for edge in function.edges}
    return frozenset(
        number for number in function.locations if number not in sources and (is_initial or number != function.exit)
    )
