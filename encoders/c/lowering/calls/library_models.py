"""Models of C library functions, written in C and lowered like user code where a program calls them."""

import re
from functools import cache
from pathlib import Path

from encoders.c.library.model_files import MODELS
from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, Scope, Symbol, TypeName
from encoders.c.source.comments import strip_comments
from encoders.c.source.parser import parse
from encoders.c.types.c_types import CFunction, CPointer, CRecord, CType

DIRECTORY = Path(__file__).parents[2] / "library"
RECORDS = "records"  # the file of models that access records of the program, whose type T is
PRELUDE_TYPES = ("__chcverify_argument", "__builtin_va_list")
"""What the parser's prelude declares and a program shares with models: records that a va_list leads to."""
FUNCTION = re.compile(r"^[a-zA-Z][\w \*]*?(\b\w+)\([^;{]*\)\s*\{", re.MULTILINE)


@cache
def index() -> dict[str, Path]:
    """The file that models each function."""
    return {
        match[1]: path
        for path in sorted(DIRECTORY.glob("*.c"))
        for match in FUNCTION.finditer(path.read_text(encoding="utf-8"))
        if not match[0].startswith("static")
    }


def has_model(name: str) -> bool:
    """Is there a model of a function of this name?"""
    return _plain(name) in index()


def _plain(name: str) -> str:
    return name if name in index() else name.removeprefix("__builtin_").removeprefix("__isoc23_")


def symbol(unit: Unit, name: str, declared: CFunction | None = None) -> FunctionSymbol | None:
    """The model of a library function, None if there is none; its file is parsed at the first call.

    declared: the type that the program gives to it; a record that it returns, or that models of records.c are given a
    pointer to, is the model's own.
    """
    plain = _plain(name)
    path = index().get(plain)
    if path is None:
        return None
    names: dict[str, Symbol] = {}
    record = _record(declared, path) if declared is not None else None
    if record is not None:
        names["T" if path.stem == RECORDS else f"{plain}_t"] = TypeName(record)
    key = f"{path}<{record}>" if names else str(path)
    scope = unit.libraries.get(key)
    if scope is None:
        scope = unit.libraries[key] = declared_model(unit, path, Scope(names=names))
    found = scope.names.get(plain)
    return found if isinstance(found, FunctionSymbol) else None


def model(unit: Unit, name: str) -> FunctionSymbol:
    """The model of a library function that has one."""
    found = symbol(unit, name)
    assert found is not None
    return found


def _record(declared: CFunction, path: Path) -> CRecord | None:
    """The record that stands for the one of the model."""
    if isinstance(declared.result, CRecord):
        return declared.result
    kinds = (declared.result, *reversed(declared.parameters)) if path.stem == RECORDS else ()
    targets = (kind.target for kind in kinds if isinstance(kind, CPointer))
    return next((target for target in targets if isinstance(target, CRecord)), None)


def typed_symbol(
    unit: Unit, name: str, element: CType, order: FunctionSymbol | None = None, *, is_one: bool = False
) -> FunctionSymbol:
    """The model of memcpy, memmove, memset (to zero) or realloc over elements of a type; of qsort and bsearch, if it is
    known by which function they order. is_one: of one element."""
    plain = name.removeprefix("__builtin_")
    is_one = is_one and plain in _of_one_element()
    path = DIRECTORY / "typed" / ("one_element.c" if is_one else "memory.c")
    details = [str(element), *(["1"] if is_one else []), *([] if order is None else [order.name])]
    key = f"<{', '.join(details)}>"
    scope = unit.libraries.get(key)
    if scope is None:
        names: dict[str, Symbol] = {"T": TypeName(element)}
        if order is not None:
            names["compare"] = order
        scope = unit.libraries[key] = declared_model(unit, path, Scope(names=names))
    symbol = scope.names[plain]
    assert isinstance(symbol, FunctionSymbol)
    symbol.name = f"{plain}{key}"
    return symbol


@cache
def _of_one_element() -> frozenset[str]:
    """The functions that have models for one element: no loop, so that what they write is known behind them."""
    text = (DIRECTORY / "typed" / "one_element.c").read_text(encoding="utf-8")
    return frozenset(match[1] for match in FUNCTION.finditer(text))


def _is_taken(unit: Unit, symbol: FunctionSymbol) -> bool:
    """Is it a function of the model that is called like another one of the program?"""
    return symbol.definition is not None and unit.has_definition(symbol.name)


def declared_model(unit: Unit, path: Path, scope: Scope) -> Scope:
    """The file's declarations in `scope`, but for those that are there already."""
    return declared_text(unit, strip_comments(path.read_text(encoding="utf-8")), path.name, scope)


def declared_text(unit: Unit, text: str, file: str, scope: Scope) -> Scope:
    """The same for a text. file: the name of its file, which is one of those of the models."""
    tree, attributes = parse(text, f"{MODELS}{file}", unit.model)
    unit.attributes.update(attributes)
    shared = {name: unit.scope.names[name] for name in PRELUDE_TYPES if name in unit.scope.names}
    scope.names.update(shared)
    tree.ext = [node for node in tree.ext if getattr(node, "name", None) not in scope.names]
    given = set(scope.names)
    unit.declare(unit, scope, tree)
    for name, symbol in scope.names.items():
        if name not in given and isinstance(symbol, GlobalVariable):
            symbol.unique = f"{name} (library, {file})"
        if name not in given and isinstance(symbol, FunctionSymbol) and _is_taken(unit, symbol):
            symbol.name = f"{name} (library)"
    return scope
