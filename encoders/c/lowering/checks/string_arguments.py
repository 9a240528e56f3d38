"""Strings that functions of the environment read: `printf("%s", text)` accesses `text` up to its terminator.

Where accesses are checked, the model of strlen, or of wcslen for wide characters, reads such an argument first. What
other functions of the environment read is not modelled.
"""

import re
from enum import Enum

from pycparser import c_ast

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.source.literals import character_type
from encoders.c.types.c_types import CFunction, CInteger, CPointer, CRecord, CType, CVoid, DataModel

READS = DEREFERENCES | {CheckKind.UNINITIALISED}
"""The kinds of checks for which it matters what a function reads."""
_DIRECTIVE = re.compile(r"%[-+ #0']*(\*|\d+)?(\.(\*|-?\d*))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
_FORMATS = {"printf": 0, "fprintf": 1, "dprintf": 1, "syslog": 1, "warn": 0, "warnx": 0, "wprintf": 0, "fwprintf": 1}
SIZED = frozenset({"write", "pwrite", "send", "sendto", "fwrite"})  # what they read has a size of its own


class StringKind(Enum):
    """Kinds of strings, each with the name of the library model that reads one up to its terminator."""

    NARROW = "strlen"
    WIDE = "wcslen"


_STRINGS = {
    "puts": (0, StringKind.NARROW),
    "fputs": (0, StringKind.NARROW),
    "perror": (0, StringKind.NARROW),
    "fputws": (0, StringKind.WIDE),
}


def strings_read(name: str, arguments: list[c_ast.Node]) -> dict[int, StringKind] | None:
    """Arguments, by position, that a function of the environment reads as strings; None if that is not known."""
    if name in _STRINGS:
        return dict([_STRINGS[name]])
    position = _FORMATS.get(name)
    if position is None or position >= len(arguments):
        return None
    pattern = arguments[position]
    if not isinstance(pattern, c_ast.Constant) or pattern.type != "string":
        return None
    found: dict[int, StringKind] = {}
    here = position + 1
    for width, precision, digits, size, letter in _DIRECTIVE.findall(pattern.value):
        if letter == "%":
            continue
        here += int(width == "*") + int(digits == "*")
        if letter in "sS":
            if precision or size not in ("", "l"):
                return None  # not necessarily up to a terminator
            found[here] = StringKind.WIDE if letter == "S" or size == "l" else StringKind.NARROW
        here += 1
    return found


def is_readable(kind: CType) -> bool:
    """True for pointers to objects of the program, through which a function may read; of records only the own ones."""
    return isinstance(kind, CPointer) and not isinstance(kind.target, CFunction | CRecord)


def is_text(kind: CType, characters: StringKind, model: DataModel) -> bool:
    """True for pointers to such characters."""
    if not isinstance(kind, CPointer):
        return False
    target = kind.target
    if characters is StringKind.WIDE:
        return target == character_type("L", model)
    return isinstance(target, CVoid) or (isinstance(target, CInteger) and target.width == 8)
