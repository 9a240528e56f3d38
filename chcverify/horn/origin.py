"""Places in the input. Imports no solver: verdicts for people speak of places, too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """Where something comes from: file, line and column (both from 1), and a word for people ("loop head", "main")."""

    file: str
    line: int
    column: int = 1
    note: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
