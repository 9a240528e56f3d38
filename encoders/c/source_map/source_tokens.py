"""The tokens of a C file with their positions, before or after preprocessing: enough to find statements and scopes."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from chcverify.quick_dataclass import dataclass

_BLANK = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_TOKEN = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<blank>/\*.*?\*/|//[^\n]*|\s+)"""
    r"""|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"""
    r"""|(?P<operator>->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||\.\.\.|.)""",
    re.DOTALL,
)
_MARKER = re.compile(r'#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"([^"]*)")?')
_CONDITION = re.compile(r"#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")
_EXPANDED = re.compile(r"#[ \t]*(?!line\b|pragma\b|ident\b|\d|$)\w+")
_CLOSING = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True)
class Token:
    """A token. line, column: from 1, in the file as it is on disk."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a file."""

    items: tuple[Token, ...]
    partner: dict[int, int]
    """For each bracket, the token number of the matching one."""
    physical: dict[tuple[str, int], list[int]]
    """For (file, line) of the preprocessed program, by line markers, the lines of this file; without markers, the
    file's own lines."""
    expanded: bool
    """The file has directives, so that preprocessing changes columns."""


def tokens_of(text: str, file: str) -> Tokens | None:
    """The tokens of the file's text; None if its brackets do not match."""
    text = text.replace("\r\n", "\n")
    directives, physical = _directives(text, file)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    items: list[Token] = []
    for match in _TOKEN.finditer(text):
        line = bisect_right(starts, match.start())
        if match.lastgroup != "blank" and line not in directives:
            items.append(Token(match[0], line, match.start() - starts[line - 1] + 1))
    partner = _brackets(items)
    if partner is None:
        items = _of_first_branches(items, directives)
        partner = _brackets(items)
    if partner is None:
        return None
    expanded = any(_EXPANDED.match(text) for text in directives.values()) or "\\\n" in text
    return Tokens(tuple(items), partner, physical, expanded)


def _directives(text: str, file: str) -> tuple[dict[int, str], dict[tuple[str, int], list[int]]]:
    """The lines of directives with their text; and for (file, line) by line markers, the lines of this file."""
    # A backslash before a line break counts in a comment, too; and a comment of several lines is one blank.
    clean = _BLANK.sub(lambda match: _blank(match[0]), text) if "#" in text else text
    directives: dict[int, str] = {}
    physical: dict[tuple[str, int], list[int]] = {}
    name, number, goes_on = file, 1, False
    for line, content in enumerate(clean.split("\n"), 1):
        stripped = content.strip()
        if goes_on or stripped.startswith("#"):
            directives[line] = "" if goes_on else stripped
            goes_on = content.endswith("\\")
            if match := _MARKER.match(directives[line]):
                name, number = match[2] or name, int(match[1])
                continue
        physical.setdefault((name, number), []).append(line)
        number += 1
    return directives, physical


def _blank(comment: str) -> str:
    """The comment without its words, and with a backslash before each line break."""
    return re.sub(r"(?!\\$).", " ", comment, flags=re.MULTILINE).replace("\n", "\\\n")


def _of_first_branches(items: Sequence[Token], directives: Mapping[int, str]) -> list[Token]:
    """The tokens without those of other branches of a condition (#if) whose first branch opens or closes brackets.

    `#if A / if (a) { / #else / if (b) { / #endif` opens one bracket, whatever A is.
    """
    kinds = {line: match[1] for line, text in directives.items() if (match := _CONDITION.match(text))}
    by_line: dict[int, list[Token]] = {}
    for token in items:
        by_line.setdefault(token.line, []).append(token)
    kept: list[Token] = []
    open_now: list[str] = []
    conditions: list[_Condition] = []
    for line in sorted({*by_line, *kinds}):
        kind = kinds.get(line, "")
        if kind.startswith("if"):
            conditions.append(_Condition(tuple(open_now)))
        elif kind == "endif" and conditions:
            conditions.pop()
        elif kind and conditions:
            conditions[-1].is_left_out |= tuple(open_now) != conditions[-1].open_before
        elif not any(condition.is_left_out for condition in conditions):
            kept += by_line.get(line, ())
            _follow(open_now, by_line.get(line, ()))
    return kept


@dataclass
class _Condition:
    """A condition of the preprocessor. open_before: the brackets that are open where it begins."""

    open_before: tuple[str, ...]
    is_left_out: bool = False


def _follow(open_now: list[str], items: Iterable[Token]) -> None:
    """Opens and closes the brackets of the tokens; one that closes another one stays open."""
    for token in items:
        if token.text in ("(", "[", "{"):
            open_now.append(token.text)
        elif token.text in _CLOSING:
            if open_now and open_now[-1] == _CLOSING[token.text]:
                open_now.pop()
            else:
                open_now.append(token.text)


def _brackets(items: list[Token]) -> dict[int, int] | None:
    partner: dict[int, int] = {}
    stack: list[int] = []
    for index, token in enumerate(items):
        if token.text in ("(", "[", "{"):
            stack.append(index)
        elif token.text in _CLOSING:
            if not stack or items[stack[-1]].text != _CLOSING[token.text]:
                return None
            partner[index] = stack[-1]
            partner[stack.pop()] = index
    return None if stack else partner
