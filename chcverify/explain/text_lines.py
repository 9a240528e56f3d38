"""Text for people: styled lines that print plainly or, on a terminal, in colour; never wider than the page."""

import os
import sys
import textwrap
from collections.abc import Iterable
from itertools import groupby
from typing import TextIO

from chcverify.quick_dataclass import dataclass

STYLES = {"good": "bold green", "bad": "bold red", "open": "bold yellow", "head": "bold", "dim": "dim", "value": "cyan"}


@dataclass(frozen=True)
class Line:
    """One logical line: spans of (text, name of a style or ""), and the column at which its continuation starts."""

    spans: tuple[tuple[str, str], ...]
    hang: int = 4

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.spans)


def line(text: str, style: str = "", hang: int = 4) -> Line:
    return Line(((text, style),), hang)


def counted(number: int, noun: str) -> str:
    """As in "1 clause" and "2 clauses"; the plural is a regular one of the last word."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def show(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Prints, to standard error by default: wrapped to the terminal (else 80 columns), coloured on terminals."""
    out = sys.stderr if stream is None else stream
    if out is None:
        return
    width = max(40, _columns(out))
    try:
        if out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
            _show_in_colour(lines, out, width)
        else:
            for item in lines:
                out.write("\n".join(wrap(item, width)) + "\n")
        out.flush()
    except OSError:
        pass  # nobody reads it; the verdict is what counts


def _columns(stream: TextIO) -> int:
    """COLUMNS, else those of the terminal that the stream leads to, else 80."""
    try:
        return int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):  # no number, no terminal, no file
        return 80


def wrap(item: Line, width: int) -> list[str]:
    """The line cut at blanks to the width; words that are longer are cut anywhere."""
    indent = len(item.text) - len(item.text.lstrip(" "))
    pieces = textwrap.wrap(
        item.text.strip(), width, initial_indent=" " * indent, subsequent_indent=" " * item.hang, break_on_hyphens=False
    )
    return pieces or [""]


def _show_in_colour(lines: Iterable[Line], out: TextIO, width: int) -> None:
    from rich.console import Console  # takes a while to import: only where it is seen
    from rich.text import Text

    console = Console(file=out, width=width, highlight=False, soft_wrap=True)
    for item in lines:
        # Wrapping moves blanks only: the other characters keep their order, and so their styles.
        styles = iter([STYLES.get(style, "") for text, style in item.spans for c in text if not c.isspace()])
        for piece in wrap(item, width):
            text, style = Text(), ""
            for blank, run in groupby(piece, str.isspace):
                characters = list(run)
                marks = [style] * len(characters) if blank else [next(styles, "") for _ in characters]
                style = marks[-1]
                for mark, group in groupby(zip(marks, characters, strict=True), lambda pair: pair[0]):
                    text.append("".join(character for _, character in group), mark)
            console.print(text)
