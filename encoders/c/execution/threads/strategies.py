"""Strategies that draw schedules at random."""

import random
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from chcverify.effort import MAX_ALTERNATIVES, MAX_FORMULAS
from encoders.c.execution.threads.schedules import MAIN, Strategy


class RandomPriorities:
    """Random priorities with a few changes: probabilistic concurrency testing.

    A bug of depth d, in a program with n threads and k turns, is found with a probability of at least 1 / (n k^(d-1))
    where the run has d - 1 changes (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
    probabilistic guarantees of finding bugs, ASPLOS 2010, theorem 9). That of a thread that takes very many turns in a
    row becomes the lowest: the guarantee is for programs in which no thread waits in a loop.

    generator: of the random numbers. turns: about how many turns the run has. changes: how often a priority changes.
    """

    def __init__(self, generator: random.Random, turns: int, changes: int) -> None:
        self._random = generator
        self._changes = {generator.randint(1, max(1, turns)) for _ in range(changes)}
        self._priorities: dict[int, float] = {}
        self._lowest = 0.0  # priorities are positive until they are changed
        self._asked = self._row = 0
        self._last = 0

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        self._asked += 1
        priorities = self._priorities
        for thread in candidates:
            if thread not in priorities:
                priorities[thread] = self._random.random()
        if self._asked in self._changes or self._row >= MAX_FORMULAS:
            self._lowest -= 1.0
            priorities[current] = self._lowest
            self._row = 0
        chosen = max(candidates, key=priorities.__getitem__)
        self._row = self._row + 1 if chosen == self._last else 1
        self._last = chosen
        return chosen


class RandomWalk:
    """Each turn is that of any candidate. stay: the probability that the thread of the last turn goes on."""

    def __init__(self, generator: random.Random, stay: float) -> None:
        self._random, self._stay = generator, stay

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        if current in candidates and self._random.random() < self._stay:
            return current
        return candidates[int(self._random.random() * len(candidates))]


class NewestFirst:
    """Each new thread runs at once, up to its end or where it waits; some stop after a few turns.

    For programs that start very many threads: a choice takes a time that hardly grows with their number. A thread that
    waits or has stopped goes on when no other one can, in the order of these stops.

    generator: of the random numbers. stopping: the probability that a thread stops; of those that begin at once, the
    first to run does.
    """

    def __init__(self, generator: random.Random, stopping: float) -> None:
        self._random, self._stopping = generator, stopping
        self._ready: list[int] = []  # the newest last
        self._stopped: list[int] = []
        self._left: dict[int, int] = {}  # turns up to the stop of a thread
        self._newest = 0
        self._last_turn = -1

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        if candidates[-1] > self._newest:
            self._begin(candidates[bisect_right(candidates, self._newest) :])
        waits = turn == self._last_turn  # asked again
        if self._ready and (waits or self._left.get(self._ready[-1], 1) <= 0):
            thread = self._ready.pop()
            self._left[thread] = MAX_FORMULAS if waits else self._drawn()
            self._stopped.append(thread)
        self._last_turn = turn
        for _ in range(2):
            while self._ready:
                thread = self._ready[-1]
                if _is_among(candidates, thread):
                    self._left[thread] = self._left.get(thread, MAX_FORMULAS) - 1
                    return thread
                self._ready.pop()
                if waits:  # it may wait, too
                    self._stopped.append(thread)
            self._ready, self._stopped = self._stopped[::-1], []
        return candidates[-1]

    def _begin(self, threads: Sequence[int]) -> None:
        self._ready += threads
        self._newest = threads[-1]
        for thread in threads:
            if (thread == threads[-1] and len(threads) > 1) or self._random.random() < self._stopping:
                self._left[thread] = self._drawn()

    def _drawn(self) -> int:
        """The turns up to a stop."""
        return self._random.randint(1, MAX_ALTERNATIVES)


class FirstThreads:
    """The turns of another strategy among the threads that were created first, main among them; the others take none.

    For programs that start very many threads, where errors need a few of them. count: how many threads take turns.
    """

    def __init__(self, among: Strategy, count: int) -> None:
        self._among, self._count = among, count

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        first = candidates[: bisect_right(candidates, self._count)]
        return self._among.choose(first, current, turn) if first else None


class WhileFew:
    """The turns of another strategy among the threads that were created first; once there are more, the thread that
    created them waits for these, and the run ends when none of them can go on.

    For programs that start threads without end, where a run would be spent on starting them. inner: the strategy.
    count: of the threads, beside main.
    """

    def __init__(self, inner: Strategy, count: int) -> None:
        self._inner, self._count = inner, count

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        if candidates[-1] <= self._count + MAIN:
            return self._inner.choose(candidates, current, turn)
        first = candidates[bisect_right(candidates, MAIN) : bisect_right(candidates, self._count + MAIN)]
        return self._inner.choose(first, current, turn) if first else None


class Rounds:
    """Each thread in turn takes a few turns, in the order of creation; main takes the first and the last ones.

    Errors of threads that count on each other's steps, one after the other, need very many switches, but regular ones
    (Lal, Reps, FMSD 2009, follow the rounds of threads). turns: that a thread takes in each round. main_turns: the same
    for main, once there are other threads; 0: it waits for them.
    """

    def __init__(self, turns: int, main_turns: int) -> None:
        self._turns, self._main_turns = turns, main_turns
        self._row = 0
        self._last = MAIN

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        others = candidates if self._main_turns else [thread for thread in candidates if thread != MAIN]
        others = others or candidates
        limit = self._main_turns if self._last == MAIN and self._main_turns else self._turns
        if self._row >= limit or not _is_among(others, self._last):
            self._last = others[bisect_right(others, self._last) % len(others)]
            self._row = 0
        self._row += 1
        return self._last


def _is_among(numbers: Sequence[int], number: int) -> bool:
    """Is the number one of these, which ascend?"""
    position = bisect_left(numbers, number)
    return position < len(numbers) and numbers[position] == number


class RandomInterrupts:
    """Interrupts at random, and the turns of another strategy in between.

    handlers: the threads that interrupt. probability: of an interrupt before a turn.
    """

    def __init__(
        self, generator: random.Random, between: Strategy, handlers: Collection[int], probability: float
    ) -> None:
        self._random, self._between = generator, between
        self._handlers, self._probability = handlers, probability

    def choose(self, candidates: Sequence[int], current: int, turn: int) -> int | None:
        others = [thread for thread in candidates if thread not in self._handlers]
        if len(others) == len(candidates):
            return self._between.choose(candidates, current, turn)
        if not others or self._random.random() < self._probability:
            return self._random.choice([thread for thread in candidates if thread in self._handlers])
        return self._between.choose(others, current, turn)
