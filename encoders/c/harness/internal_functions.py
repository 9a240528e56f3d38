"""The functions that only the program's own calls lead to, and the functions from which these calls come."""

from collections.abc import Iterable, Mapping, Sequence

from pycparser import c_ast

from encoders.c.contracts.tree_editing import nodes_of
from encoders.c.harness.entry_functions import defined_functions
from encoders.c.lowering.context import Unit
from encoders.c.lowering.symbols import FunctionSymbol


def outer_callers(unit: Unit, trees: Iterable[c_ast.Node]) -> dict[str, tuple[str, ...]]:
    """For each internal function, by their names in the program, the others whose calls lead to it, in their order.

    A function is internal if it is static and mentioned only where it is called: a pointer to it might be called from
    anywhere. trees: of the program's files, in which it may be mentioned. Functions that nothing calls are left out.
    """
    known = defined_functions(unit)
    mentioned = _mentioned_otherwise(trees)
    internal = {
        name
        for name, (symbol, _) in known.items()
        if symbol.definition is not None
        and "static" in symbol.definition.decl.storage
        and symbol.definition.decl.name not in mentioned
    }
    callers = _callers(unit)
    found = {name: _outer(name, internal, callers) for name in known if name in internal}
    order = {name: number for number, name in enumerate(known)}
    return {name: tuple(sorted(outer, key=order.__getitem__)) for name, outer in found.items() if outer}


def _mentioned_otherwise(trees: Iterable[c_ast.Node]) -> set[str]:
    """The names that stand elsewhere than in front of the arguments of a call."""
    found: set[str] = set()
    for tree in trees:
        called = {id(node.name) for node in nodes_of(tree) if isinstance(node, c_ast.FuncCall)}
        found |= {node.name for node in nodes_of(tree) if isinstance(node, c_ast.ID) and id(node) not in called}
    return found


def _callers(unit: Unit) -> Mapping[str, Sequence[str]]:
    """For each function the functions that call it by its name."""
    known = defined_functions(unit)
    names = {_position(symbol): name for name, (symbol, _) in known.items()}
    found: dict[str, list[str]] = {}
    for name, (symbol, scope) in known.items():
        for node in nodes_of(symbol.definition) if symbol.definition is not None else ():
            called = scope.names.get(getattr(node.name, "name", "")) if isinstance(node, c_ast.FuncCall) else None
            if isinstance(called, FunctionSymbol) and (callee := names.get(_position(called))) is not None:
                found.setdefault(callee, []).append(name)
    return found


def _position(symbol: FunctionSymbol) -> tuple[str, int, int]:
    """The position of a definition: files that include one define the same function."""
    coord = symbol.definition.coord if symbol.definition is not None else None
    return ("", 0, 0) if coord is None else (str(coord.file), coord.line, coord.column or 0)


def _outer(name: str, internal: set[str], callers: Mapping[str, Sequence[str]]) -> set[str]:
    """The functions that are not internal, from which calls lead to one that is."""
    outer: set[str] = set()
    seen, work = {name}, [name]
    while work:
        for caller in callers.get(work.pop(), ()):
            if caller not in internal:
                outer.add(caller)
            elif caller not in seen:
                seen.add(caller)
                work.append(caller)
    return outer
