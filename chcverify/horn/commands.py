"""The top level of an SMT-LIB text: its commands with their places, found without parsing what is inside them.

Lexical rules: The SMT-LIB Standard, version 2.6, section 3.1 (comments, string literals, quoted symbols).
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from chcverify.errors import InputError

_STRUCTURE = re.compile(r'[()]|"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|["|]')
_TOKEN = re.compile(r'[()]|"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|[^\s()"|;]+')
_HEAD = re.compile(r"\s*(?:;[^\n]*\s*)*([^\s()\"|;]*)")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class Text:
    """A text with its file's name, which turns offsets into lines and columns (both from 1)."""

    content: str
    file: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.content))]

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def error(self, offset: int, message: str) -> InputError:
        return InputError(self.file, *self.place(offset), message)


@dataclass(frozen=True)
class Command:
    """A command: its name, and the offsets of its opening parenthesis and behind its closing one."""

    name: str
    start: int
    end: int


def commands(text: Text) -> list[Command]:
    """The commands of the text in order. InputError for what is no sequence of balanced commands."""
    content = text.content
    if found := _CONTROL.search(content):
        raise text.error(found.start(), "not a text file")
    out: list[Command] = []
    depth, start, last = 0, 0, 0
    for match in _STRUCTURE.finditer(content):
        token = match[0]
        if depth == 0:
            _expect_blank(text, last, match.start())
            last = match.end()
        if token == "(":
            start = start if depth else match.start()
            depth += 1
        elif token == ")":
            depth -= 1
            if depth < 0:
                raise text.error(match.start(), "unexpected ')'")
            if depth == 0:
                last = match.end()
                out.append(Command(_name(text, start), start, last))
        elif len(token) == 1 and token != ";":
            raise text.error(match.start(), f"{token} is never closed")
        elif depth == 0 and token[0] != ";":
            raise text.error(match.start(), "expected a command in parentheses")
    if depth:
        raise text.error(start, "the file ends within this command: a ')' is missing")
    _expect_blank(text, last, len(content))
    return out


def _expect_blank(text: Text, start: int, end: int) -> None:
    between = text.content[start:end]
    if between and not between.isspace():
        raise text.error(start + len(between) - len(between.lstrip()), "expected a command in parentheses")


def _name(text: Text, start: int) -> str:
    found = _HEAD.match(text.content, start + 1)
    if found is None or not found[1]:
        raise text.error(start, "expected the name of a command")
    return found[1]


@dataclass(frozen=True)
class Piece:
    """A direct part of a command, an atom or a parenthesised list, with its place."""

    text: str
    start: int
    end: int


def pieces(text: Text, command: Command) -> list[Piece]:
    """The direct parts of a command, its name first."""
    out: list[Piece] = []
    depth, start = 0, 0
    for match in _TOKEN.finditer(text.content, command.start + 1, command.end - 1):
        token = match[0]
        if token[0] == ";":
            continue
        if depth == 0:
            start = match.start()
        depth += (token == "(") - (token == ")")
        if depth == 0:
            out.append(Piece(text.content[start : match.end()], start, match.end()))
    return out


def symbol(text: str) -> str:
    """The name that a symbol denotes: |x| and x are the same symbol."""
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] == "|" else text
