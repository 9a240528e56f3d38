"""Counterexamples to induction as proof obligations, and their queue."""

import heapq

from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.raw import RawModel, Term
from solvers.ctigar.predicate_abstraction import Abstraction
from solvers.pdr.transition_system.rule_system import BodyAtom, Rule


@dataclass(frozen=True, eq=False)
class State:
    """A concrete state, lifted to a cube of states that all lead to the same next state."""

    predicate: int
    cube: tuple[Term, ...]
    level: int
    """The frame in which the cube has to be shown unreachable."""
    depth: int
    """How many rules lie between it and the query."""
    towards: "State | None" = None
    """The next state on the way to the query; None for the query itself."""
    rule: Rule | None = None
    """That leads there from every state of the cube; None for the query."""
    to_cube: bool = True
    """The rule leads into the cube of the next state. If not, it leads into its abstract state only."""
    model: RawModel | None = None
    """With the block: the values of the state; None for the query."""
    block: BodyAtom | None = None

    def abstract(self, abstraction: Abstraction) -> list[Term]:
        """The abstract state: the literals of the domain that hold in it; [] for the query."""
        if self.model is None or self.block is None:
            return []
        return abstraction.of(self.predicate, self.model, self.block)

    def last_abstract_step(self) -> "State | None":
        """The state nearest to the query that was reached backwards by a step into its abstract state only."""
        found, state = None, self
        while state.towards is not None:
            if not state.to_cube:
                found = state.towards
            state = state.towards
        return found

    @property
    def is_real(self) -> bool:
        """True if all states of the cube lead to the query."""
        return self.last_abstract_step() is None

    def comes_before(self, other: "State") -> bool:
        """True if the other state is on the path from this one to the query."""
        state: State | None = self.towards
        while state is not None and state is not other:
            state = state.towards
        return state is not None


class States:
    """A priority queue of states: lowest level first, then the deepest, then the oldest."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, State]] = []
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._heap)

    def push(self, state: State) -> None:
        """Adds the state."""
        self._count += 1
        heapq.heappush(self._heap, (state.level, -state.depth, self._count, state))

    def top(self) -> State:
        """The first state, which stays in the queue."""
        return self._heap[0][-1]

    def pop(self) -> State:
        """Removes and returns the first state."""
        return heapq.heappop(self._heap)[-1]

    def drop_before(self, state: State) -> None:
        """Drops all states that were reached backwards from this one."""
        self._heap = [entry for entry in self._heap if not entry[-1].comes_before(state)]
        heapq.heapify(self._heap)
