"""All schedules of a program with few preemptions, in the order of their number.

Musuvathi, Qadeer: Iterative context bounding for systematic testing of multithreaded programs, PLDI 2007, algorithm 1,
without a set of visited states: each schedule is a run from the start.
"""

from collections import deque
from collections.abc import Sequence

from chcverify.lazy_dataclass import dataclass
from encoders.c.execution.threads.strategies import PATIENCE_TURNS

MAX_PREEMPTIONS = 3  # almost all bugs of the paper's programs need at most two
MAX_WAITING_SCHEDULES = 200_000  # schedules that are kept for later; some hundred bytes each


@dataclass(eq=False, slots=True)
class _TurnChoice:
    """The choice of a turn: the thread, and those that could have taken it. preempts: one of these is a preemption."""

    chosen: int
    candidates: Sequence[int]
    preempts: bool


class PreemptionStrategy:
    """The turns of `before` up to a turn, another thread then, and no preemptions behind that.

    preemptions: how many there are.
    """

    def __init__(self, before: Sequence[int], turn: int, thread: int, preemptions: int) -> None:
        self.preemptions = preemptions
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
        is_tired = self._row >= PATIENCE_TURNS
        goes_on = current in candidates and not (is_tired and len(candidates) > 1)
        chosen = (
            current if goes_on else min((other > current or -1, other) for other in candidates if other != current)[1]
        )
        self._row = self._row + 1 if chosen == current else 0
        self._note(turn, _TurnChoice(chosen, candidates, goes_on))
        return chosen

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
                    found.append(PreemptionStrategy(taken, turn, other, self.preemptions + choice.preempts))
        return found


class BoundedSwitches:
    """The strategies in the order of their preemptions, each the child of one whose run is over."""

    def __init__(self, limit: int = MAX_PREEMPTIONS) -> None:
        self._waiting: list[deque[PreemptionStrategy]] = [deque() for _ in range(limit + 1)]
        self._waiting[0].append(PreemptionStrategy((), -1, 0, 0))
        self._kept = 1
        self.is_complete = True  # nothing was left out within the limit

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
                    self.is_complete = False
                    return
                self._waiting[other.preemptions].append(other)
                self._kept += 1
