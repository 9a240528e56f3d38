"""A schedule that follows the steps of a derivation: which thread goes on, and from where."""

from collections.abc import Collection, Sequence

from chcverify.effort import MAX_FORMULAS
from chcverify.quick_dataclass import dataclass
from encoders.c.execution.threads.schedules import MAIN
from encoders.c.execution.threads.thread_run import ThreadRun


@dataclass(frozen=True)
class GuidedStep:
    """A step of a derivation. thread: the number of the thread that takes it. location: where it is before."""

    thread: int
    location: int


class GuidedTurns:
    """The strategy that takes these steps, one after another, then goes on with the last thread.

    run: the run that asks it. Turns at which threads may be interrupted, but that the derivation does not tell apart,
    belong to the thread's next step. points: the locations of all such turns.
    """

    def __init__(self, steps: Sequence[GuidedStep], points: Collection[int]) -> None:
        self.run: ThreadRun | None = None
        self._steps, self._points = steps, points
        self._at = self._turns = 0
        self._last = MAIN  # the thread of the last step, which creates the next one's thread if there is none yet

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        while self._at < len(self._steps):
            step = self._steps[self._at]
            thread = None if self.run is None else self.run.threads.get(step.thread)
            self._turns += 1
            if thread is None and self._last in candidates and self._turns <= MAX_FORMULAS:
                return self._last
            if thread is None or thread.ended or step.thread not in candidates:
                self._at, self._turns = self._at + 1, 0
                continue
            self._last = step.thread
            if step.location not in self._points:
                self._at, self._turns = self._at + 1, 0
                continue
            if thread.location == step.location:
                self._at, self._turns = self._at + 1, 0
            elif self._turns > MAX_FORMULAS:
                return None
            return step.thread
        return current if current in candidates else candidates[0]
