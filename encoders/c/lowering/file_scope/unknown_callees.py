"""Functions that are only known by the type of a call through a pointer.

Where other files of the program may do what they like with what they reach (`UndefinedFunctions.HAVOC`), a pointer to
none of the known functions leads to one of these, or nowhere: whether it leads to a function at all is an open check,
and behind that the function does what is assumed of every function without a body.
"""

from collections.abc import Mapping

from pycparser import c_ast
from pycparser.c_parser import Coord

from chcverify.results.checks import CheckKind
from encoders.c.cfa.expression_walk import in_memory
from encoders.c.cfa.ir import (
    Allocate,
    Assign,
    Call,
    Cast,
    Clear,
    Conditional,
    Constant,
    Expression,
    FunctionAddress,
    Load,
    LValue,
    Nondet,
    Operation,
    VariableLValue,
)
from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.calls.signatures import fits
from encoders.c.lowering.context import IndirectCall, LoweringContext, Unit
from encoders.c.lowering.environment import UndefinedFunctions
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import CFunction, CPointer

_NEVER = frozenset({CheckKind.LEAK, CheckKind.CLEANUP})  # which blocks such functions know is not followed


def may_be_unknown(unit: Unit) -> bool:
    """May a pointer that is not null lead to a function that the program does not know? Nobody asks that where null
    pointers are not checked; where blocks may be lost, or between threads, it is not modelled."""
    is_anything = unit.surroundings.functions == UndefinedFunctions.HAVOC and not unit.has_threads
    return is_anything and CheckKind.NULL in unit.checks and not unit.checks & _NEVER


def is_elsewhere(unit: Unit, symbol: FunctionSymbol, kind: CFunction) -> bool:
    """Is it a function of another file, about which nothing but the type of a call is known?"""
    if symbol.has_body(unit.checks_assertions) or symbol.no_return or not fits(symbol.type, kind):
        return False
    return kind_of(symbol.name) is NameKind.USER


def want_unknown_callees(unit: Unit, functions: Mapping[str, LoweringContext]) -> list[FunctionSymbol]:
    """Enters a function for each call that may reach one of another file, and knows none; one for each type. Those that
    are new. functions: all that are lowered so far."""
    if not may_be_unknown(unit):
        return []
    found: dict[CFunction, FunctionSymbol] = {}
    sources: FunctionPointers | None = None
    for context in functions.values():
        for call in context.indirect:
            kind, place = type_of(call), (context.name, call.source)
            elsewhere = any(is_elsewhere(unit, symbol, call.type) for symbol in unit.address_taken.values())
            if place in unit.unknown_callees or elsewhere:
                continue
            sources = sources or FunctionPointers(functions, frozenset(unit.address_taken))
            if not sources.are_known(call.pointer):
                known = next((s for s in unit.unknown_callees.values() if s.type == kind), None)
                unit.unknown_callees[place] = known or found.setdefault(kind, _unknown_callee(unit, call, kind))
    return list(found.values())


def _unknown_callee(unit: Unit, call: IndirectCall, kind: CFunction) -> FunctionSymbol:
    place = Coord(call.origin.file, call.origin.line, call.origin.column)
    name = f"a function {kind} that only a pointer leads to"
    no_type = c_ast.InferredType(place)  # nobody asks for it: the symbol has the type
    return FunctionSymbol(name, kind, c_ast.Decl(name, [], [], [], [], no_type, None, None, place), scope=unit.scope)


class FunctionPointers:
    """Which variables of functions hold addresses of known functions only: those that are assigned nothing else.

    address_taken: the names of functions that calls through pointers may reach, with any arguments.
    """

    def __init__(self, functions: Mapping[str, LoweringContext], address_taken: frozenset[str]) -> None:
        self._values: dict[str, list[Expression]] = {}
        self._any: set[str] = set()
        for name, context in functions.items():
            self._any |= in_memory(context.cfa.edges)
            self._any |= {parameter.unique for parameter in context.parameters if name in address_taken}
            for edge in context.cfa.edges:
                self._enter(edge.operation, functions)
            for call in context.indirect:
                self._anything(call.lvalue)

    def _enter(self, operation: Operation, functions: Mapping[str, LoweringContext]) -> None:
        match operation:
            case Assign(lvalue=VariableLValue(variable=variable), value=value):
                self._values.setdefault(variable.unique, []).append(value)
            case Call(lvalue=lvalue, function=name, arguments=arguments):
                self._anything(lvalue)
                callee = functions.get(name)
                for parameter, value in zip(() if callee is None else callee.parameters, arguments, strict=False):
                    self._values.setdefault(parameter.unique, []).append(value)
            case Nondet(lvalue=lvalue) | Clear(lvalue=lvalue) | Allocate(lvalue=lvalue):
                self._anything(lvalue)
            case _:
                pass

    def _anything(self, lvalue: LValue | None) -> None:
        if isinstance(lvalue, VariableLValue):
            self._any.add(lvalue.variable.unique)

    def are_known(self, pointer: Expression) -> bool:
        """Is the pointer's value null, or the address of a known function?"""
        work, seen = [pointer], set[str]()
        while work:
            match work.pop():
                case FunctionAddress():
                    pass
                case Constant(value=0):
                    pass
                case Cast(operand=operand) if isinstance(operand.type, CPointer):
                    work.append(operand)
                case Conditional(then=then, otherwise=otherwise):
                    work += [then, otherwise]
                case Load(lvalue=VariableLValue(variable=variable)) if variable.function is not None:
                    values = self._values.get(variable.unique)
                    if values is None or variable.unique in self._any or variable.volatile:
                        return False
                    work += [] if variable.unique in seen else values
                    seen.add(variable.unique)
                case _:
                    return False
        return True


def type_of(call: IndirectCall) -> CFunction:
    """The type of the function as the call has it, with all arguments that it passes."""
    return CFunction(call.type.result, tuple(argument.type for argument in call.arguments))
