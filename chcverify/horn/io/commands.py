"""The top level of an SMT-LIB text: its commands with their positions, without parsing their contents.

Lexical rules: The SMT-LIB Standard, version 2.6, section 3.1 (comments, string literals, quoted symbols).
"""

import re
from bisect import bisect_right
from functools import cached_property

from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass
from chcverify.terms.printing.smtlib import Malformed, expressions

_HEAD = re.compile(r"\s*(?:;[^\n]*\s*)*([^\s()\"|;]*)")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_MALFORMED = {
    "(": "the file ends within this command: a ')' is missing",
    ")": "unexpected ')'",
    '"': '" is never closed',
    "|": "| is never closed",
}


@dataclass(frozen=True)
class SmtLibText:
    """A text with its file's name, which turns offsets into lines and columns (both from 1)."""

    content: str
    file: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.content))]

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def error(self, offset: int, message: str) -> InputError:
        return InputError(self.file, *self.position(offset), message)


@dataclass(frozen=True)
class Command:
    """A command: its name, and the offsets of its opening parenthesis and behind its closing one."""

    name: str
    start: int
    end: int


def commands(text: SmtLibText) -> list[Command]:
    """The commands of the text in order. InputError for what is no sequence of balanced commands."""
    content = text.content
    if found := _CONTROL.search(content):
        raise text.error(found.start(), "not a text file")
    out: list[Command] = []
    try:
        for start, end in expressions(content):
            if content[start] != "(":
                raise text.error(start, "expected a command in parentheses")
            out.append(Command(_name(text, start), start, end))
    except Malformed as error:
        raise text.error(error.position, _MALFORMED.get(content[error.position], str(error))) from None
    return out


def _name(text: SmtLibText, start: int) -> str:
    found = _HEAD.match(text.content, start + 1)
    if found is None or not found[1]:
        raise text.error(start, "expected the name of a command")
    return found[1]


@dataclass(frozen=True)
class Piece:
    """A direct part of a command, an atom or a parenthesised list, with its position."""

    text: str
    start: int
    end: int


def pieces(text: SmtLibText, command: Command) -> list[Piece]:
    """The direct parts of a command, its name first."""
    spans = expressions(text.content, command.start + 1, command.end - 1)
    return [Piece(text.content[start:end], start, end) for start, end in spans]
