"""Restarts: drop the proof obligations and keep the lemmas, after Luby's sequence of steps."""

from collections.abc import Iterator


def luby() -> Iterator[int]:
    """The sequence 1 1 2 1 1 2 4 1 1 2 ...

    Luby, Sinclair, Zuckerman: Optimal speedup of Las Vegas algorithms (1993) [LubySinclairZuckerman1993].
    """
    u, v = 1, 1
    while True:
        yield v
        u, v = (u + 1, 1) if u & -u == v else (u, 2 * v)


class Restarts:
    """Counts steps; every `unit` times the next number of Luby's sequence one restart is due. unit 0: never."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self._sequence = luby()
        self._left = unit * next(self._sequence)

    def due(self) -> bool:
        """Counts one step; True if a restart is due."""
        if not self.unit:
            return False
        self._left -= 1
        if self._left > 0:
            return False
        self._left = self.unit * next(self._sequence)
        return True
