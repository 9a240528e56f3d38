"""Giving up: how long checks are worked on without a verdict."""

import math
import time


class Patience:
    """seconds: without a verdict, at most, of the processor; None or 0 for any time.

    speed: seconds of the processor that a process gets in one of the clock, below 1 on a busy machine.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds or math.inf
        self.speed = 1.0
        self._since = time.monotonic()

    def begin(self) -> None:
        """Counts from now on: a verdict was found, or the search begins."""
        self._since = time.monotonic()

    @property
    def is_over(self) -> bool:
        """True if nothing was decided for too long."""
        return self.speed * (time.monotonic() - self._since) > self.seconds

    def limited(self, seconds: float, times: float = 1.0) -> float:
        """The seconds of the clock, but at most so many times the patience."""
        return min(seconds, times * self.seconds / self.speed)
