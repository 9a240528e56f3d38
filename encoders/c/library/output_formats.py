"""Formats of formatted output (C11 7.21.6.1): the directives that are modelled."""

import re

from chcverify.lazy_dataclass import dataclass
from encoders.c.types.c_types import INT, LLONG, SCHAR, SHORT, CInteger, DataModel, long_type, size_type

_DIRECTIVE = re.compile(r"%([-+ #0]*)(\*|\d*)(?:(\.)(\*|-?\d*))?(hh|h|ll|l|j|z|t|L)?([diouxXcsaAeEfFgG%])", re.DOTALL)
_REALS = "aefg"
_INTEGERS = "diouxX"
GIVEN = "*"  # a width or precision that is an argument


@dataclass(frozen=True)
class OutputDirective:
    """A conversion. width, precision: a number, GIVEN, or "" where there is none; letter: of diouxXcsaAeEfFgG."""

    flags: frozenset[str]
    width: str
    precision: str
    size: str
    letter: str

    @property
    def arguments(self) -> int:
        """The number of arguments that it takes."""
        return 1 + (self.width == GIVEN) + (self.precision == GIVEN)

    @property
    def is_real(self) -> bool:
        """Is a floating-point number converted?"""
        return self.letter.lower() in _REALS

    @property
    def longest_real(self) -> tuple[int, int]:
        """The most characters of a number's text, beside as many as the precision says; the precision if none is given.

        The longest texts are those of `-1.` and `e-308`, of a sign, 309 digits and a point, of `-0x1.` and `p-1074`.
        """
        is_long = self.size == "L"
        longest = {"e": (8, 6), "f": (4935 if is_long else 311, 6), "a": (11, 16 if is_long else 13)}
        most, standard = longest.get(self.letter.lower(), (8 if "#" in self.flags else 7, 6))
        return most + is_long, standard

    def integer(self, model: DataModel) -> CInteger:
        """The signed type of the number that is converted."""
        return {"hh": SCHAR, "h": SHORT, "": INT, "ll": LLONG}.get(self.size) or _wide(self.size, model)


def _wide(size: str, model: DataModel) -> CInteger:
    return long_type(model) if size in "jl" else LLONG if size_type(model).width == 64 else INT


def _fits(size: str, letter: str) -> bool:
    """Has the conversion a meaning with this size?"""
    if letter in _INTEGERS:
        return size != "L"
    return size in (("", "l", "L") if letter.lower() in _REALS else ("",)) or letter == "%"


def directives(text: str) -> list[str | OutputDirective] | None:
    """The parts of a format: characters that stand for themselves, and conversions; None if one is not modelled."""
    found: list[str | OutputDirective] = []
    position = 0
    while position < len(text):
        if text[position] != "%":
            found.append(text[position])
            position += 1
            continue
        match = _DIRECTIVE.match(text, position)
        if match is None or not _fits(match[5] or "", match[6]):
            return None
        position = match.end()
        if match[6] == "%":
            found.append("%")
            continue
        precision = "" if match[3] is None or match[4].startswith("-") else match[4] or "0"
        found.append(OutputDirective(frozenset(match[1]), match[2], precision, match[5] or "", match[6]))
    return found
