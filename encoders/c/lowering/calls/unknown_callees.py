"""Functions of which only the type of a call through a pointer is known.

Where other files of the program may do what they like with what they reach (`UndefinedFunctions.HAVOC`), a pointer to
none of the known functions leads to one of these, or nowhere: whether it leads to a function at all is an open check,
and behind that the function does what is assumed of every function without a body.
"""

from collections.abc import Iterable

from pycparser import c_ast
from pycparser.c_parser import Coord

from chcverify.results.checks import CheckKind
from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.calls.signatures import fits
from encoders.c.lowering.context import IndirectCall, Unit
from encoders.c.lowering.environment import UndefinedFunctions
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import CFunction

_NEVER = frozenset({CheckKind.LEAK, CheckKind.CLEANUP})  # which blocks such functions know is not followed


def may_be_unknown(unit: Unit) -> bool:
    """May a pointer that is not null lead to a function that the program does not know? Nobody asks that where null
    pointers are not checked; where blocks may be lost, or between threads, it is not modelled."""
    is_anything = unit.surroundings.functions == UndefinedFunctions.HAVOC and not unit.has_threads
    return is_anything and CheckKind.NULL in unit.checks and not unit.checks & _NEVER


def is_elsewhere(unit: Unit, symbol: FunctionSymbol, kind: CFunction) -> bool:
    """Is it a function of another file, with the type of a call, of which nothing is known?"""
    if symbol.has_body(unit.checks_assertions) or symbol.no_return or not fits(symbol.type, kind):
        return False
    return kind_of(symbol.name) is NameKind.USER


def want_unknown_callees(unit: Unit, calls: Iterable[IndirectCall]) -> list[FunctionSymbol]:
    """Enters a function for each type of these calls that no function of another file has. Those that are new."""
    found: list[FunctionSymbol] = []
    if not may_be_unknown(unit):
        return found
    for call in calls:
        kind = type_of(call)
        if kind in unit.unknown_callees or any(is_elsewhere(unit, s, call.type) for s in unit.address_taken.values()):
            continue
        place = Coord(call.origin.file, call.origin.line, call.origin.column)
        name = f"a function {kind} that only a pointer leads to"
        declaration = c_ast.Decl(name, [], [], [], [], None, None, None, place)
        unit.unknown_callees[kind] = symbol = FunctionSymbol(name, kind, declaration, scope=unit.scope)
        found.append(symbol)
    return found


def type_of(call: IndirectCall) -> CFunction:
    """The type of the function as the call has it, with all arguments that it passes."""
    return CFunction(call.type.result, tuple(argument.type for argument in call.arguments))
