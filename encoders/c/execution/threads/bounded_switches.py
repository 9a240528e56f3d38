"""All schedules of a program with few preemptions, in the order of their number.

Musuvathi, Qadeer: Iterative context bounding for systematic testing of multithreaded programs, PLDI 2007, algorithm 1,
without a set of visited states: each schedule is a run from the start.
"""

from collections import deque
from collections.abc import Collection, Sequence

from chcverify.effort import MAX_COMBINED, MAX_FORMULAS
from chcverify.quick_dataclass import dataclass

MAX_WAITING_SCHEDULES = 200_000
"""Schedules that are kept for later; each takes some hundred bytes. Chosen by hand."""


@dataclass(eq=False, slots=True)
class _TurnChoice:
    """The choice of a turn: the thread, and those that could have taken it. preempts: one of these is a preemption."""

    chosen: int
    candidates: Sequence[int]
    preempts: bool


class PreemptionStrategy:
    """The turns of `before` up to a turn, another thread then, and no preemptions behind that.

    preemptions: how many there are. handlers: threads of interrupt handlers, which take turns of their own accord only
    where no other thread is left.
    """

    def __init__(
        self, before: Sequence[int], turn: int, thread: int, preemptions: int, handlers: Collection[int] = ()
    ) -> None:
        self.preemptions, self._handlers = preemptions, handlers
        self._before, self._turn, self._thread = before, turn, thread
        self.choices: list[_TurnChoice] = []
        self._row = 0

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        if turn <= self._turn:
            forced = self._thread if turn == self._turn else self._before[turn]
            if forced not in candidates:
                return None
            self._note(turn, _TurnChoice(forced, (), False))
            return forced
        is_tired = self._row >= MAX_FORMULAS
        goes_on = current in candidates and not (is_tired and len(candidates) > 1)
        chosen = current if goes_on else self._next_of(candidates, current)
        self._row = self._row + 1 if chosen == current else 0
        self._note(turn, _TurnChoice(chosen, candidates, goes_on))
        return chosen

    def _next_of(self, candidates: Sequence[int], current: int) -> int:
        """The thread that goes on instead of the current one: one before it if there is one, else the next one."""
        others = [thread for thread in candidates if thread != current]
        others = [thread for thread in others if thread not in self._handlers] or others
        return min(others, key=lambda thread: (thread > current, thread))

    def _note(self, turn: int, choice: _TurnChoice) -> None:
        """Keeps the last choice of each turn: the thread of an earlier one had to wait."""
        del self.choices[turn:]
        self.choices.append(choice)

    def others(self, taken: Sequence[int]) -> "list[PreemptionStrategy]":
        """The strategies that differ from this one in one choice behind its own. taken: the turns of its run."""
        found = []
        for turn, choice in enumerate(self.choices[: len(taken)]):
            for other in choice.candidates:
                if other != choice.chosen:
                    preemptions = self.preemptions + choice.preempts
                    found.append(PreemptionStrategy(taken, turn, other, preemptions, self._handlers))
        return found


class BoundedSwitches:
    """The strategies in the order of their preemptions, each the child of one whose run is over.

    limit: of the preemptions. handlers: as of PreemptionStrategy.
    """

    def __init__(self, limit: int = MAX_COMBINED, handlers: Collection[int] = ()) -> None:
        self._waiting: list[deque[PreemptionStrategy]] = [deque() for _ in range(limit + 1)]
        self._waiting[0].append(PreemptionStrategy((), -1, 0, 0, handlers))
        self._kept = 1

    def next(self) -> PreemptionStrategy | None:
        """The next strategy; None if there are no more."""
        for waiting in self._waiting:
            if waiting:
                self._kept -= 1
                return waiting.popleft()
        return None

    def ended(self, strategy: PreemptionStrategy, taken: Sequence[int]) -> None:
        """A run of the strategy is over."""
        for other in strategy.others(taken):
            if other.preemptions < len(self._waiting):
                if self._kept >= MAX_WAITING_SCHEDULES:
                    return
                self._waiting[other.preemptions].append(other)
                self._kept += 1
