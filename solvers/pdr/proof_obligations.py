"""Proof obligations and their queue."""

import heapq
from dataclasses import field

from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.raw import Term


@dataclass(eq=False, slots=True)
class ObligationBudget:
    """Remaining number of steps of a conjecture and of the obligations that follow from it; ends it at 0."""

    left: int


@dataclass(eq=False, slots=True)
class ProofObligation:
    """A task: show that no fact of the predicate in the cube is derivable within the level, or derive one."""

    predicate: int
    cube: tuple[Term, ...]
    level: int
    depth: int
    """How many rules lie between it and the query."""
    gas: ObligationBudget | None = None
    """Of the conjecture it belongs to; None if the query depends on it."""
    queued: bool = field(default=False)


class ObligationQueue:
    """A priority queue: lowest level, then least depth, smallest cube, oldest. Equal obligations are one."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, int, ProofObligation]] = []
        self._known: dict[tuple[int, frozenset[Term]], ProofObligation] = {}
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._heap)

    def __len__(self) -> int:
        return len(self._heap)

    def obligation(
        self, predicate: int, cube: tuple[Term, ...], level: int, depth: int, gas: ObligationBudget | None = None
    ) -> ProofObligation:
        """The obligation for the cube, put into the queue at this level."""
        key = (predicate, frozenset(cube))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = ProofObligation(predicate, cube, level, depth, gas)
        elif known.queued and known.level <= level:
            known.gas = gas if known.gas is not None else None
            return known
        elif known.queued:
            self._heap = [entry for entry in self._heap if entry[-1] is not known]
            heapq.heapify(self._heap)
            gas = gas if known.gas is not None else None
        known.level, known.depth, known.gas = level, depth, gas
        self.push(known)
        return known

    def push(self, obligation: ProofObligation) -> None:
        """Adds the obligation."""
        obligation.queued = True
        self._count += 1
        entry = (obligation.level, obligation.depth, len(obligation.cube), self._count, obligation)
        heapq.heappush(self._heap, entry)

    def top(self) -> ProofObligation:
        """The first obligation, which stays in the queue."""
        return self._heap[0][-1]

    def pop(self) -> ProofObligation:
        """Removes and returns the first obligation."""
        obligation = heapq.heappop(self._heap)[-1]
        obligation.queued = False
        return obligation
