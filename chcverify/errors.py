"""Errors that reach the user as one line."""

import os
from pathlib import Path

from chcverify.quick_dataclass import dataclass


@dataclass
class InputError(Exception):
    """Unusable input: file, line and column (0 if there is none) and the message. Exit status 2."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.message}"


class NoSuchCheck(InputError):
    """The program has none of the checks that were chosen."""


def require_writable(path: str, *inputs: str) -> None:
    """InputError at once, and not after hours, if the file cannot be written or is an input. Changes nothing."""
    target = Path(path)
    if any(target.exists() and Path(given).exists() and target.samefile(given) for given in inputs):
        raise InputError(path, 0, 0, "is an input: it would be overwritten")
    if target.is_dir():
        raise InputError(path, 0, 0, "is a directory")
    place = target if target.exists() else target.parent
    if not place.exists():
        raise InputError(path, 0, 0, f"no such directory: {place}")
    if not os.access(place, os.W_OK):
        raise InputError(path, 0, 0, "permission denied")
