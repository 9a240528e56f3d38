"""The functions that a C text defines, found without parsing it: a text that is being edited need not be correct."""

import re
from collections.abc import Iterator

from chcverify.quick_dataclass import dataclass

_TOKENS = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|^[ \t]*\#(?:\\\n|[^\n])*)"""
    r"""|(?P<name>[A-Za-z_]\w*)|(?P<sign>[(){};,=])""",
    re.DOTALL | re.MULTILINE,
)
_NO_NAMES = frozenset(["if", "for", "while", "switch", "return", "sizeof", "__attribute__", "__declspec", "_Alignas"])


@dataclass(frozen=True)
class FunctionPosition:
    """A definition of a function: its name, with line and column from 1."""

    name: str
    line: int
    column: int


def functions(text: str) -> list[FunctionPosition]:
    """The functions that are defined in the text, in order."""
    found: list[FunctionPosition] = []
    depth = parentheses = 0
    last: re.Match[str] | None = None  # the name before the parentheses of a declarator
    candidate: re.Match[str] | None = None
    for token in _relevant(text):
        sign = token["sign"]
        if sign == "{":
            if depth == 0 and candidate is not None:
                found.append(FunctionPosition(candidate["name"], *_position(text, candidate.start())))
            depth, parentheses = depth + 1, 0
        elif sign == "}":
            depth = max(0, depth - 1)
            candidate = last = candidate if depth else None
        elif depth == 0:
            last, candidate, parentheses = _declarator(token, last, candidate, parentheses)
    return found


def _declarator(
    token: re.Match[str], last: re.Match[str] | None, candidate: re.Match[str] | None, parentheses: int
) -> tuple[re.Match[str] | None, re.Match[str] | None, int]:
    """The state after a token outside of all bodies: the last name, the name of a function, open parentheses."""
    if token["name"]:
        return (token if parentheses == 0 else last), candidate, parentheses
    if token["sign"] == "(":
        if parentheses == 0 and candidate is None and last is not None and last["name"] not in _NO_NAMES:
            candidate = last
        return last, candidate, parentheses + 1
    if token["sign"] == ")":
        return last, candidate, max(0, parentheses - 1)
    if parentheses:
        return last, candidate, parentheses
    # A semicolon, comma or initialiser: what came before is no definition, unless parameters are declared in K&R style.
    return None, None, 0


def _relevant(text: str) -> Iterator[re.Match[str]]:
    return (token for token in _TOKENS.finditer(text) if token["skip"] is None)


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
