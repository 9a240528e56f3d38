"""Models of C library functions, written in C and lowered like user code where a program calls them."""

import re
from functools import cache
from pathlib import Path

from encoders.c.comments import strip_comments
from encoders.c.core import Unit
from encoders.c.parse import parse
from encoders.c.symbols import FunctionSymbol, Scope

DIRECTORY = Path(__file__).parent / "library"
_DEFINITION = re.compile(r"^[a-z][\w \*]*?(\b\w+)\([^;{]*\)\s*\{", re.MULTILINE)


@cache
def index() -> dict[str, Path]:
    """The file that models each function."""
    return {
        match[1]: path
        for path in sorted(DIRECTORY.glob("*.c"))
        for match in _DEFINITION.finditer(path.read_text(encoding="utf-8"))
    }


def symbol(unit: Unit, name: str) -> FunctionSymbol | None:
    """The model of a library function, None if there is none; its file is parsed at the first call."""
    path = index().get(name.removeprefix("__builtin_"))
    if path is None:
        return None
    key = str(path)
    if key not in unit.libraries:
        from encoders.c.functions import INITIALISE, FunctionLowering  # the lowering calls back into this module

        tree, attributes = parse(strip_comments(path.read_text(encoding="utf-8")), f"<library>/{path.name}")
        unit.attributes.update(attributes)
        scope = Scope()
        FunctionLowering(unit, INITIALISE, scope).declare_file(tree)
        unit.libraries[key] = scope
    found = unit.libraries[key].names.get(name.removeprefix("__builtin_"))
    return found if isinstance(found, FunctionSymbol) else None
