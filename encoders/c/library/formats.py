"""Formats of the library, of output (C11 7.21.6.1), input (7.21.6.2) and times (7.27.3.5), as POSIX has them.

All families of functions use this: printf, scanf, err, warn, error, syslog, strftime, and those of wide characters. A
format is the string that the program has in memory: escape sequences are decoded before.
"""

import re

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.library.function_table import FormatFamily
from encoders.c.source.literals import string_literal
from encoders.c.types.c_types import (
    INT,
    LLONG,
    SCHAR,
    SHORT,
    CFloat,
    CInteger,
    CType,
    DataModel,
    long_type,
    size_type,
)

GIVEN = "*"  # a width or precision that is an argument
_OUTPUT = re.compile(
    r"%(?:(\d+)\$)?([-+ #0'I]*)(\*(?:\d+\$)?|\d*)(?:(\.)(\*(?:\d+\$)?|-?\d*))?"
    r"(hh|h|ll|l|j|z|t|L|q|Z)?([diouxXaAeEfFgGcCsSpnm])",
    re.DOTALL,
)
_INPUT = re.compile(
    r"%(?:(\d+)\$)?(\*)?(\d*)(m)?(hh|h|ll|l|j|z|t|L|q)?([diouxXaAeEfFgGcCsSpn]|\[\^?\]?[^\]]*\])", re.DOTALL
)
_TIME = re.compile(r"%[-_0^#+]*(\d*)[EO]?([a-zA-Z+])", re.DOTALL)
_REALS = "aefg"
_INTEGERS = "diouxX"
_BYTES = {"hh": 1, "h": 2, "": 4, "ll": 8, "q": 8, "j": 8}
_FLOATS = {"": 32, "l": 64, "L": 80}
_SPACE = " \t\n\v\f\r"


@dataclass(frozen=True)
class Directive:
    """A conversion of a format."""

    letter: str
    """As in C; `[` for a set of characters."""
    flags: frozenset[str] = frozenset()
    width: str = ""
    precision: str = ""
    """A number, GIVEN, or "" where there is none."""
    size: str = ""
    argument: int | None = None
    """The index of the argument that is converted, from 0 behind the format; None: it takes none."""
    width_at: int | None = None
    precision_at: int | None = None
    """The indices of those that are given."""
    suppressed: bool = False
    """Of input, which is not stored."""
    allocated: bool = False
    """Of input, `%ms`: the function allocates memory for it."""
    set: str = ""
    """Of input: the characters between the brackets."""

    @property
    def is_real(self) -> bool:
        """Is a floating-point number converted?"""
        return self.letter.lower() in _REALS

    @property
    def is_string(self) -> bool:
        """Is a string read (output), or are several characters stored (input)?"""
        return self.letter in "sS["

    @property
    def is_wide(self) -> bool:
        """Are the characters of the string, or the character, wide ones?"""
        return self.letter in "SC" or self.size == "l"

    @property
    def is_modelled_output(self) -> bool:
        """Is there a model of the text that it writes?"""
        if "'" in self.flags or "I" in self.flags:
            return False
        if self.letter in _INTEGERS:
            return self.size not in ("L", "q", "Z")
        if self.is_real:
            return self.size in ("", "l", "L")
        return (self.letter in "cs" and self.size in ("", "l")) or (self.letter in "CSp" and not self.size)

    @property
    def is_open(self) -> bool:
        """Does the text depend on more than the argument's value says here: that of a pointer, of a floating-point
        number?"""
        return self.is_real or self.letter == "p"

    @property
    def longest_open(self) -> tuple[int, int]:
        """The most characters of such a text, beside as many as the precision says; the precision if none is given.

        The longest text of a pointer is `0x` with 16 digits, or as many as the precision says, as in glibc; those of
        numbers are `-1.` and `e-308`, a sign, 309 digits and a point, `-0x1.` and `p-1074`.
        """
        if self.letter == "p":
            return 18, 0
        is_long = self.size == "L"
        longest = {"e": (8, 6), "f": (4935 if is_long else 311, 6), "a": (11, 16 if is_long else 13)}
        most, standard = longest.get(self.letter.lower(), (8 if "#" in self.flags else 7, 6))
        return most + is_long, standard

    def written(self, model: DataModel) -> tuple[int, int | None]:
        """How many characters it writes at least and at most; None: as many as the arguments say."""
        width = int(self.width) if self.width.isdigit() else 0
        least, most = self._text(model)
        is_open = most is None or self.width == GIVEN or bool(self.flags & {"'", "I"})
        return max(least, width), None if is_open or most is None else max(most, width)

    def _text(self, model: DataModel) -> tuple[int, int | None]:
        """The least and the most characters of the text that stands in the width."""
        if self.letter == "c" and not self.size:
            return 1, 1
        if self.letter == "p" and self.precision != GIVEN:
            return 1, 18 + int(self.precision or 0)
        if self.letter == "s" and not self.size and self.precision.isdigit():
            return 0, int(self.precision)
        if self.letter not in _INTEGERS or self.size in ("L", "q", "Z") or self.precision == GIVEN:
            return 0, None
        bits, precision = self.integer(model).width, int(self.precision or 1)
        if self.letter in "diu":
            is_signed = self.letter != "u"
            return precision, max(precision, len(str(1 << (bits - is_signed)))) + is_signed
        digits, prefix = (-(-bits // 3), 1) if self.letter == "o" else (bits // 4, 2)
        return precision, max(precision, digits) + prefix * ("#" in self.flags)

    def integer(self, model: DataModel) -> CInteger:
        """The signed type of the number that is converted."""
        if self.size in ("j", "l"):
            return long_type(model)
        pointer_wide = LLONG if size_type(model).width == 64 else INT
        return {"hh": SCHAR, "h": SHORT, "": INT, "ll": LLONG}.get(self.size) or pointer_wide

    def stores(self, kind: CType, model: DataModel) -> bool:
        """Does it, in a format of input, write one object of this type, which may get any value?"""
        if self.allocated or self.letter not in "diouxXaAeEfFgGcn" or (self.letter == "c" and self.size):
            return False
        if self.is_real:
            return isinstance(kind, CFloat) and kind.width == _FLOATS.get(self.size)
        bytes_ = 1 if self.letter == "c" else model.long if self.size in ("l", "z", "t") else _BYTES.get(self.size)
        return isinstance(kind, CInteger) and not kind.is_bool and bytes_ is not None and kind.width == 8 * bytes_

    @property
    def is_modelled_input(self) -> bool:
        """Is there a model of what it reads?"""
        if self.allocated:
            return False
        if self.letter in _INTEGERS or self.letter == "n":
            return self.size not in ("L", "q")
        return not self.width if self.is_real else self.letter in "sc[" and not self.size

    def takes(self, character: int) -> bool:
        """Of input: may the word that it reads have this character, a number below 256?"""
        if self.letter != "[":
            return chr(character) not in _SPACE
        inverted = self.set.startswith("^")
        members = _members(self.set[1:] if inverted else self.set)
        return (character in members) != inverted

    @property
    def least_and_greatest_input(self) -> tuple[int, int] | None:
        """The numbers that as many digits as its width can say; a sign is one of the characters. None without a width,
        or where these are more than numbers of 64 bits."""
        if not self.width:
            return None
        least, greatest = -self._greatest_input(int(self.width) - 1), self._greatest_input(int(self.width))
        return (least, greatest) if greatest <= LLONG.maximum else None

    def _greatest_input(self, digits: int) -> int:
        """The greatest number with so many characters, without a sign."""
        if self.letter == "i":  # the characters say the base: two of a hexadecimal number are `0x`
            return int(max(10**digits, 16 ** max(0, digits - 2))) - 1
        return int({"o": 8, "x": 16, "X": 16}.get(self.letter, 10) ** digits) - 1


def _members(text: str) -> frozenset[int]:
    """The characters of a set of a format: `a-z` is a range, as in glibc, unless the minus sign stands at an end."""
    found, at = set[int](), 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text) and text[at] <= text[at + 2]:
            found.update(range(ord(text[at]), ord(text[at + 2]) + 1))
            at += 3
        else:
            found.add(ord(text[at]))
            at += 1
    return frozenset(found)


Part = str | Directive


@dataclass(frozen=True)
class Format:
    """A format: characters that stand for themselves, and conversions. arguments: how many it takes."""

    parts: tuple[Part, ...]
    arguments: int

    @property
    def directives(self) -> tuple[Directive, ...]:
        """The conversions in order."""
        return tuple(part for part in self.parts if isinstance(part, Directive))

    @property
    def stored(self) -> tuple[Directive, ...]:
        """Of input: the conversions that write objects, in order, but for `%n`."""
        return tuple(d for d in self.directives if not d.suppressed and d.letter != "n")

    @property
    def reads_independent_parts(self) -> bool:
        """Of input: does what one conversion has read not bound what the next one can read? Behind a word or a set
        stands a blank, another character, or a conversion whose result is not stored."""
        pairs = zip(self.parts, self.parts[1:], strict=False)
        return not any(
            isinstance(one, Directive) and one.is_string and isinstance(next_, Directive) and not next_.suppressed
            for one, next_ in pairs
        )

    def written(self, model: DataModel) -> tuple[int, int | None]:
        """Of output: how many characters it writes at least and at most; None: as many as the arguments say."""
        parts = [(1, 1) if isinstance(part, str) else part.written(model) for part in self.parts]
        most = [longest for _, longest in parts]
        return sum(least for least, _ in parts), None if None in most else sum(n for n in most if n is not None)

    @property
    def stores_count(self) -> bool:
        """Is there a `%n`?"""
        return any(directive.letter == "n" for directive in self.directives)

    @property
    def reads_any_character_first(self) -> bool:
        """Of input: can only its end make the first conversion fail?"""
        part = next((p for p in self.parts if isinstance(p, Directive) or p not in _SPACE), None)
        return isinstance(part, Directive) and (part.letter, part.size, part.suppressed) == ("c", "", False)


def of_literal(node: c_ast.Node, family: FormatFamily, model: DataModel) -> Format | None:
    """The format that a string literal is, up to its first null character; None for other expressions, as `parsed`."""
    if not isinstance(node, c_ast.Constant) or node.type != "string":
        return None
    units, element = string_literal(node.value, model)
    characters = units[: units.index(0)]
    return parsed("".join(chr(unit % (1 << element.width)) for unit in characters), family)


def parsed(text: str, family: FormatFamily) -> Format | None:
    """The format; None where its meaning is not defined or not known: all its conversions, or none, name arguments."""
    pattern = {FormatFamily.PRINTF: _OUTPUT, FormatFamily.SCANF: _INPUT, FormatFamily.STRFTIME: _TIME}[family]
    counter = _Arguments()
    parts: list[Part] = []
    position = 0
    while position < len(text):
        if text[position] != "%" or text.startswith("%%", position):
            parts.append(text[position])
            position += 1 + (text[position] == "%")
            continue
        match = pattern.match(text, position)
        if match is None:
            return None
        make = {FormatFamily.PRINTF: _output, FormatFamily.SCANF: _input, FormatFamily.STRFTIME: _time}[family]
        parts.append(make(match, counter))
        position = match.end()
    return None if counter.is_mixed else Format(tuple(parts), counter.count)


class _Arguments:
    """Counts the arguments that conversions take."""

    def __init__(self) -> None:
        self.next = 0
        self.named = 0

    def take(self, number: str | None) -> int:
        """The index of the argument with a number from 1 (`2$`), or of the next one."""
        if number:
            self.named = max(self.named, int(number))
            return int(number) - 1
        self.next += 1
        return self.next - 1

    @property
    def is_mixed(self) -> bool:
        """Are there conversions of both kinds, which POSIX leaves undefined?"""
        return self.next > 0 and self.named > 0

    @property
    def count(self) -> int:
        """The number of arguments."""
        return max(self.next, self.named)


def _output(match: re.Match[str], arguments: _Arguments) -> Directive:
    number, flags, width, point, digits, size, letter = match.groups()
    width_at = precision_at = None
    if width.startswith(GIVEN):
        width, width_at = GIVEN, arguments.take(width[1:-1])
    precision = ""
    if point is not None and not digits.startswith("-"):
        precision = digits or "0"
    if precision.startswith(GIVEN):
        precision, precision_at = GIVEN, arguments.take(precision[1:-1])
    argument = None if letter == "m" else arguments.take(number)
    return Directive(letter, frozenset(flags), width, precision, size or "", argument, width_at, precision_at)


def _input(match: re.Match[str], arguments: _Arguments) -> Directive:
    number, suppressed, width, allocated, size, letter = match.groups()
    argument = None if suppressed else arguments.take(number)
    return Directive(
        letter[0],
        set=letter[1:-1],
        width=width,
        size=size or "",
        argument=argument,
        suppressed=bool(suppressed),
        allocated=bool(allocated),
    )


def _time(match: re.Match[str], arguments: _Arguments) -> Directive:
    return Directive(match[2], width=match[1])
