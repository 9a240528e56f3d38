"""Errors that reach the user as one line."""

from dataclasses import dataclass


@dataclass
class InputError(Exception):
    """Unusable input: file, line and column (0 where not known), and what is wrong. Exit status 2."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.message}"
