"""Positions in the input. Imports no solver, since the presentation of verdicts needs positions, too."""

from dataclasses import dataclass

LOOP_HEAD = "loop head"  # the note of an origin where a loop begins


@dataclass(frozen=True, order=True)
class Origin:
    """A position in the input: file, line and column (both from 1), and a word for people ("loop head", "main")."""

    file: str
    line: int
    column: int = 1
    note: str = ""

    @property
    def is_loop_head(self) -> bool:
        """True if a loop begins there."""
        return self.note == LOOP_HEAD

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
