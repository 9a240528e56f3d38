"""Strings that functions of the environment read: `printf("%s", text)` accesses `text` up to its terminator.

Where accesses are checked, the model of strlen reads such an argument first. What other functions of the environment
read is not modelled.
"""

import re

from pycparser import c_ast

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.types.c_types import CFunction, CInteger, CPointer, CRecord, CType, CVoid

READS = DEREFERENCES | {CheckKind.UNINITIALISED}
"""The kinds of checks for which it matters what a function reads."""
_DIRECTIVE = re.compile(r"%[-+ #0']*(\*|\d+)?(\.(\*|-?\d*))?(?:hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
_FORMATS = {"printf": 0, "fprintf": 1, "dprintf": 1, "syslog": 1, "warn": 0, "warnx": 0}
SIZED = frozenset({"write", "pwrite", "send", "sendto", "fwrite"})  # what they read has a size of its own
_STRINGS = {"puts": 0, "fputs": 0, "perror": 0}


def strings_read(name: str, arguments: list[c_ast.Node]) -> set[int] | None:
    """The positions of arguments that a function of the environment reads as strings; None if that is not known."""
    if name in _STRINGS:
        return {_STRINGS[name]}
    position = _FORMATS.get(name)
    if position is None or position >= len(arguments):
        return None
    pattern = arguments[position]
    if not isinstance(pattern, c_ast.Constant) or pattern.type != "string":
        return None
    found: set[int] = set()
    here = position + 1
    for match in _DIRECTIVE.finditer(pattern.value):
        letter = match[4]
        if letter == "%":
            continue
        here += int(match[1] == "*") + int(match[3] == "*")
        if letter in "sS":
            if match[2] is not None or letter == "S" or "l" in match[0]:
                return None  # not necessarily up to a terminator, or wide characters
            found.add(here)
        here += 1
    return found


def is_readable(kind: CType) -> bool:
    """True for pointers to objects of the program, through which a function may read; of records only the own ones."""
    return isinstance(kind, CPointer) and not isinstance(kind.target, CFunction | CRecord)


def is_text(kind: CType) -> bool:
    """True for pointers to characters."""
    if not isinstance(kind, CPointer):
        return False
    target = kind.target
    return isinstance(target, CVoid) or (isinstance(target, CInteger) and target.width == 8)
