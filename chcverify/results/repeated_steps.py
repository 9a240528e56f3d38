"""Repetitions in a trace: iterations in a row that take the same path."""

from collections.abc import Sequence

from chcverify.effort import MAX_FORMULAS
from chcverify.quick_dataclass import dataclass
from chcverify.results.source_facts import TraceStep

FOLD_FROM = 4
"""Equal iterations in a row; fewer are shown whole. Chosen by hand."""


@dataclass(frozen=True)
class Fold:
    """`count` iterations of `period` steps each, from step `start` on, that take the same path."""

    start: int
    period: int
    count: int

    @property
    def end(self) -> int:
        return self.start + self.period * self.count

    @property
    def hidden(self) -> range:
        """The steps that a shortened trace leaves out: all iterations but the first two and the last."""
        return range(self.start + 2 * self.period, self.end - self.period)

    @property
    def hidden_iterations(self) -> int:
        """The iterations that a shortened trace leaves out."""
        return max(0, self.count - 3)


def folds(steps: Sequence[TraceStep]) -> list[Fold]:
    """The repetitions worth folding, disjoint and in order; steps at one position are equal whatever their values."""
    numbers: dict[tuple[object, str, str], int] = {}
    path = [numbers.setdefault((step.origin, step.kind, step.text), len(numbers)) for step in steps]
    following = _next_occurrences(path)
    out: list[Fold] = []
    start = 0
    while start < len(path):
        best = Fold(start, 1, 1)
        again = following[start]
        while again is not None and again - start <= MAX_FORMULAS:
            period = again - start
            end = again
            while end < len(path) and path[end] == path[end - period]:
                end += 1
            count = (end - start) // period
            if count >= FOLD_FROM and count * period > best.count * best.period:
                best = Fold(start, period, count)
            again = following[again] if count < FOLD_FROM else None  # the shortest period is the loop's
        if best.count > 1:
            out.append(best)
        start = best.end
    return out


def _next_occurrences(path: Sequence[int]) -> list[int | None]:
    following: list[int | None] = [None] * len(path)
    last: dict[int, int] = {}
    for index in range(len(path) - 1, -1, -1):
        following[index] = last.get(path[index])
        last[path[index]] = index
    return following
