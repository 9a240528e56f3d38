"""The phases of a run and the time that each took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from chcverify.horn.system import HornSystem
from chcverify.results.events import Listener, PhaseStarted, ignore


class Phases:
    """`with phases("encode"):` adds the block's time to `seconds["encode"]`, after a PhaseStarted for `listener`."""

    def __init__(self, listener: Listener = ignore) -> None:
        self.seconds: dict[str, float] = {}
        self._listener = listener

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self._listener(PhaseStarted(name))
        start = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start

    def add(self, others: "Phases") -> None:
        """Adds the times of a part of the run."""
        for name, seconds in others.seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds


def size_of(system: HornSystem) -> dict[str, int]:
    """The figures of a system for statistics."""
    arguments = sum(predicate.arity for predicate in system.predicates)
    return {"predicates": len(system.predicates), "clauses": len(system.clauses), "arguments": arguments}
