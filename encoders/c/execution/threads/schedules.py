"""Schedules: which thread takes each turn of a run."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from chcverify.quick_dataclass import dataclass
from encoders.c.execution.inputs import Inputs

MAIN = 1  # the number of the thread that executes main


@dataclass(frozen=True)
class Turns:
    """Turns of one thread in a row. thread: its number. count: of turns."""

    thread: int
    count: int


@dataclass(frozen=True, eq=False)
class Schedule:
    """The turns of a run, and the choices of its inputs in order of execution: they determine the run.

    A turn is one access to shared memory, one section or one operation on threads, with what the thread does by itself
    behind it. A thread that waits takes no turn.
    """

    turns: tuple[Turns, ...]
    inputs: Inputs = Inputs()

    @staticmethod
    def of(threads: Iterable[int], inputs: Inputs) -> "Schedule":
        """The schedule of turns that are given one by one."""
        turns: list[Turns] = []
        for thread in threads:
            if turns and turns[-1].thread == thread:
                turns[-1] = Turns(thread, turns[-1].count + 1)
            else:
                turns.append(Turns(thread, 1))
        return Schedule(tuple(turns), inputs)

    def __iter__(self) -> Iterator[int]:
        """The threads of the turns, one by one."""
        for turns in self.turns:
            for _ in range(turns.count):
                yield turns.thread


class Strategy(Protocol):
    """Decides which thread takes the next turn."""

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        """One of the candidates, by number; None to end the run.

        candidates: the threads that are not known to wait, in order of creation. If the chosen one waits, it is asked
        again without it. current: the thread that took the last turn, interrupts aside. turn: how many were taken.
        """
        ...


class Recording:
    """The turns of a schedule; then the run ends."""

    def __init__(self, threads: Iterable[int]) -> None:
        self._threads = iter(threads)

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        chosen = next(self._threads, None)
        return chosen if chosen in candidates else None
