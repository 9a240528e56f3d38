"""The phases of a run and the time that each took."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Listener = Callable[[Any], None]
"""Hears the name of each phase of a run, and (engine, phase, figures) from the engines."""


class Phases:
    """`with phases("encode"):` adds the block's time to `seconds["encode"]`; `listener` hears of each beginning."""

    def __init__(self, listener: Listener = lambda name: None) -> None:
        self.seconds: dict[str, float] = {}
        self._listener = listener

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self._listener(name)
        start = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start
