"""The functions of a program where verification may begin."""

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from pycparser import c_ast

from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, InvalidSymbol, Scope
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CType

SYSTEM = ("/usr/include/", "/usr/lib/", "/usr/local/include/", "<")
"""How the names of files begin whose functions are no entries."""


def defined_functions(unit: Unit) -> dict[str, tuple[FunctionSymbol, Scope]]:
    """The functions that the program's files define, by their names in the program, with the scope of their file.

    Those of system headers are left out; of a header's static functions, which every file has, the first one counts.
    """
    found: dict[str, tuple[FunctionSymbol, Scope]] = {}
    coordinates: set[tuple[str, int, int]] = set()
    for scope in unit.scopes():
        for symbol in scope.names.values():
            if not isinstance(symbol, FunctionSymbol) or symbol.definition is None or symbol.scope is not scope:
                continue
            coord = symbol.definition.coord
            key = (str(coord.file), coord.line, coord.column or 0)
            if key in coordinates or key[0].startswith(SYSTEM):
                continue
            coordinates.add(key)
            found[symbol.name] = (symbol, scope)
    return found


def refused_functions(unit: Unit) -> dict[str, tuple[c_ast.FuncDef, Unsupported]]:
    """The functions that the program's files define, but with types that are not modelled, by name, with the reason.

    Those of system headers are left out.
    """
    found: dict[str, tuple[c_ast.FuncDef, Unsupported]] = {}
    for scope in unit.scopes():
        for name, symbol in scope.names.items():
            if not isinstance(symbol, InvalidSymbol) or symbol.definition is None:
                continue
            if isinstance(symbol.error, Unsupported) and not str(symbol.definition.coord.file).startswith(SYSTEM):
                found.setdefault(name, (symbol.definition, symbol.error))
    return found


def matching(names: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """The names that fit one of the patterns (`*`, `?`, `[...]`), in the order of the patterns, each once.

    Of `f (b.c)`, a static function of a second file, the name `f` fits, too.
    """
    known = list(names)
    found: dict[str, None] = {}
    for pattern in patterns:
        for name in known:
            if fnmatchcase(name, pattern) or fnmatchcase(name.partition(" ")[0], pattern):
                found[name] = None
    return list(found)


def mentioned_variables(symbol: FunctionSymbol, scope: Scope) -> list[GlobalVariable]:
    """The variables of file scope that the function, or one of those that it names, mentions."""
    found = (named for named in mentioned(symbol, scope) if isinstance(named, GlobalVariable))
    return [variable for variable in found if scope.names.get(variable.name) is variable]


def mentioned(symbol: FunctionSymbol, scope: Scope) -> Iterator[FunctionSymbol | GlobalVariable]:
    """The functions and the variables of files that a function names, or one that it names does; each once."""
    seen: set[int] = set()
    work: list[tuple[c_ast.Node, Scope]] = [(symbol.definition, scope)] if symbol.definition is not None else []
    while work:
        node, around = work.pop()
        if isinstance(node, c_ast.ID):
            named = around.names.get(node.name)
            if isinstance(named, FunctionSymbol | GlobalVariable) and id(named) not in seen:
                seen.add(id(named))
                yield named
                if isinstance(named, FunctionSymbol) and named.definition is not None:
                    work.append((named.definition, named.scope or around))
        work.extend((child, around) for _, child in node.children())


def holds_pointers(variables: Iterable[GlobalVariable], unit: Unit) -> list[GlobalVariable]:
    """Those that hold pointers and that the program may change."""
    return [v for v in variables if not v.constant and is_pointer_in(v.type, unit)]


def is_pointer_in(kind: CType, unit: Unit) -> bool:
    """Is a pointer in an object of the type?"""
    return unit.layout.holds_pointers(kind)


def mentioned_names(trees: Iterable[c_ast.Node]) -> set[str]:
    """The names that expressions in the trees mention."""
    found: set[str] = set()
    work = list(trees)
    while work:
        node = work.pop()
        if isinstance(node, c_ast.ID):
            found.add(node.name)
        work.extend(child for _, child in node.children())
    return found
