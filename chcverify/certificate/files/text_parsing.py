"""Parsing of certificates by z3, whose error messages become an InputError with line and column of the text."""

import re

import z3

from chcverify.errors import InputError
from chcverify.terms.printing.smtlib import position_of

_Z3_ERROR = re.compile(r"line (\d+) column (\d+): (.*?)(?:\"\)|\\n|$)", re.DOTALL)


def error_at(file: str, text: str, offset: int, message: str) -> InputError:
    line, column = position_of(text, offset)
    return InputError(file, line, column, message)


def parse(prelude: str, script: str, names: dict[str, z3.FuncDeclRef], file: str) -> list[z3.BoolRef]:
    """The assertions of the script after the prelude, a single line, so that z3's line numbers are the script's."""
    try:
        return list(z3.parse_smt2_string(f"{prelude} {script}", decls=names))
    except z3.Z3Exception as error:
        value = error.value.decode(errors="replace") if isinstance(error.value, bytes) else str(error.value)
        place = _Z3_ERROR.search(value)
        if place is None:
            raise InputError(file, 0, 0, " ".join(value.split())[:200]) from None
        line, column = int(place[1]), int(place[2])
        column -= len(prelude) + 1 if line == 1 else 0
        raise InputError(file, line, max(column, 1), " ".join(place[3].split())[:200]) from None
