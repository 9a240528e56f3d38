"""Formatted input (C11 7.21.6.2): what scanf may write, if the input may be anything."""

import re

from chcverify.lazy_dataclass import dataclass
from encoders.c.types.c_types import CFloat, CInteger, CType, DataModel

_DIRECTIVE = re.compile(r"%(\*)?(\d+)?(hh|h|ll|l|L|j|z|t)?(.)", re.DOTALL)
_STORED = re.compile(r"%[-+ #0-9*.$]*(?:hh|h|ll|l|j|z|t)?n")
_BYTES = {"hh": 1, "h": 2, "": 4, "ll": 8, "j": 8}
_FLOATS = {"": 32, "l": 64, "L": 80}


@dataclass(frozen=True)
class ConversionSpecifier:
    """A directive that writes one object, which may get any value of its type."""

    letter: str
    size: str

    def fits(self, kind: CType, model: DataModel) -> bool:
        """True if the directive writes objects of this type."""
        if self.letter in "fegEG":
            return isinstance(kind, CFloat) and kind.width == _FLOATS.get(self.size)
        bytes_ = 1 if self.letter == "c" else model.long if self.size == "l" else _BYTES.get(self.size)
        return isinstance(kind, CInteger) and not kind.is_bool and bytes_ is not None and kind.width == 8 * bytes_


def conversions(pattern: str) -> list[ConversionSpecifier] | None:
    """The objects that a format (a literal as written) makes scanf write, in order; None where it depends on more.

    Widths bound the values; strings and %n depend on what was read.
    """
    found = []
    for suppressed, width, size, letter in _DIRECTIVE.findall(pattern):
        if width or letter not in "diuxXofegEGc%" or (letter == "c" and size):
            return None
        if letter != "%" and not suppressed:
            found.append(ConversionSpecifier(letter, size))
    return found


def reads_any_character_first(pattern: str) -> bool:
    """Only the end of the input can make the first directive fail."""
    return re.match(r'"(?:\s|\\[ntvfr])*%c', pattern) is not None


def stores_count(pattern: str) -> bool:
    """True if a format (a literal as written) of printf or scanf has a directive %n."""
    return _STORED.search(pattern.replace("%%", "")) is not None
