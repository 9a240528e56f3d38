"""The last pass: indirect calls resolved, address-taken variables marked, automata tidied."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chcverify.horn.system import Origin
from encoders.c.cfa.builder import tidy, without_redundant_declarations
from encoders.c.cfa.ir import (
    AddressOf,
    Allocate,
    Assign,
    Assume,
    Binary,
    Call,
    Clear,
    Declare,
    Edge,
    ElementLValue,
    Expression,
    FieldLValue,
    FunctionAddress,
    FunctionCfa,
    Havoc,
    LValue,
    Nondet,
    Operation,
    Trap,
    Variable,
    VariableLValue,
)
from encoders.c.library.special_functions import PATH_ENDS, VIOLATIONS
from encoders.c.lowering.calls.signatures import fits
from encoders.c.lowering.context import IndirectCall, Unit, parts
from encoders.c.lowering.functions import FunctionLowering
from encoders.c.lowering.operators.conversions import convert
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import INT, CFunction

Term = Expression | LValue


def called_through_pointers(unit: Unit, functions: Mapping[str, FunctionLowering]) -> list[FunctionSymbol]:
    """The functions without a body that have not been lowered yet, and that an indirect call may reach."""
    without = [s for s in unit.address_taken.values() if not s.has_body(unit.overflow) and s.forwarder not in functions]
    kinds = [call.type for lowering in functions.values() for call in lowering.indirect] if without else []
    found = [symbol for symbol in without if _is_recast(unit, symbol) or any(fits(symbol.type, kind) for kind in kinds)]
    unit.wanted.update({symbol.forwarder: symbol for symbol in found})
    return found


def resolve_indirect(unit: Unit, lowering: FunctionLowering) -> None:
    """Each call through a pointer becomes a branch over the functions that the pointer may be equal to."""
    for call in lowering.indirect:
        candidates = [symbol for symbol in unit.address_taken.values() if fits(symbol.type, call.type)]
        others = [s for s in unit.address_taken.values() if s not in candidates and _is_recast(unit, s)]
        if not candidates and not others:
            trap = Trap("call through a pointer to no known function")
            lowering.cfa.edge(call.source, lowering.cfa.location(call.origin), trap, call.origin, call.text)
        for symbol in others:
            _branch(lowering, call, symbol, _under_another_type(unit, call, symbol))
        for symbol in candidates:
            _branch(lowering, call, symbol, _called(unit, call, symbol))


def _branch(lowering: FunctionLowering, call: IndirectCall, symbol: FunctionSymbol, does: Operation) -> None:
    entry = lowering.cfa.location(call.origin)
    test = Binary("==", call.pointer, FunctionAddress(symbol.name, call.pointer.type), INT)
    lowering.cfa.edge(call.source, entry, Assume(test, True), call.origin, f"{call.text}: to {symbol.name}")
    lowering.cfa.edge(entry, call.target, does, call.origin, call.text)


def _is_recast(unit: Unit, symbol: FunctionSymbol) -> bool:
    """Has its address, or a pointer that may hold it, been converted to another type?"""
    return symbol.name in unit.recast or any(fits(symbol.type, kind) for kind in unit.recast_types)


def _under_another_type(unit: Unit, call: IndirectCall, symbol: FunctionSymbol) -> Operation:
    """What C leaves undefined: a trap, but for functions that never return, whatever they are called with."""
    ends = symbol.name in VIOLATIONS | PATH_ENDS and not symbol.has_body(unit.overflow)
    if ends and not symbol.type.parameters:
        return Call(None, symbol.forwarder, ())
    return Trap(f"call of {symbol.name} through a pointer to a function of another type")


def _called(unit: Unit, call: IndirectCall, symbol: FunctionSymbol) -> Operation:
    count = len(symbol.type.parameters)
    if not symbol.has_body(unit.overflow) and symbol.type.variadic and call.may_count:
        return Trap(f"call of {symbol.name} with this argument, through a pointer")
    arguments = tuple(
        convert(argument, kind) for argument, kind in zip(call.arguments[:count], symbol.type.parameters, strict=False)
    )
    return Call(call.lvalue, symbol.name if symbol.has_body(unit.overflow) else symbol.forwarder, arguments)


# --- variables in memory


def in_memory(edges: list[Edge]) -> set[str]:
    """The variables whose address is taken, by their unique names."""
    found: set[str] = set()
    seen: set[int] = set()
    stack: list[Term] = [term for edge in edges for term in terms(edge.operation)]
    while stack:
        term = stack.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        if isinstance(term, AddressOf):
            lvalue: LValue = term.lvalue
            while isinstance(lvalue, FieldLValue | ElementLValue):
                lvalue = lvalue.base
            if isinstance(lvalue, VariableLValue):
                found.add(lvalue.variable.unique)
        stack.extend(parts(term))
    return found


def terms(operation: Operation) -> list[Term]:
    """The places and expressions of an operation."""
    match operation:
        case Assign(lvalue, value):
            return [lvalue, value]
        case Assume(condition, _):
            return [condition]
        case Nondet(lvalue, _) | Clear(lvalue):
            return [lvalue]
        case Allocate(lvalue, size, _):
            return [lvalue, size]
        case Declare(_, length):
            return [] if length is None else [length]
        case Havoc(_, arguments):
            return list(arguments)
        case Call(lvalue, _, arguments):
            return [*([] if lvalue is None else [lvalue]), *arguments]
    return []


@dataclass
class AddressTakenMarker:
    """Replaces variables by their marked versions in terms; shared terms once, untouched terms as they are."""

    marked: set[str]

    def __post_init__(self) -> None:
        self.memo: dict[int, Term] = {}
        self.keep: list[Term] = []  # ids stay valid while their terms live

    def variable(self, variable: Variable) -> Variable:
        return replace(variable, address_taken=True) if variable.unique in self.marked else variable

    def term(self, root: Term) -> Term:
        stack: list[tuple[Term, bool]] = [(root, False)]
        while stack:
            term, expanded = stack.pop()
            if id(term) in self.memo:
                continue
            if not expanded:
                stack.append((term, True))
                stack.extend((part, False) for part in parts(term))
                continue
            self.memo[id(term)] = self._rebuilt(term)
            self.keep.append(term)
        return self.memo[id(root)]

    def _rebuilt(self, term: Term) -> Term:
        if isinstance(term, VariableLValue):
            marked = term.variable.unique in self.marked
            return VariableLValue(self.variable(term.variable), term.type) if marked else term
        changes = {}
        for name in term.__dataclass_fields__:
            part = getattr(term, name)
            new = self.memo.get(id(part), part) if name in _PART_NAMES else part
            if new is not part:
                changes[name] = new
        return replace(term, **changes) if changes else term

    def operation(self, operation: Operation) -> Operation:
        changes: dict[str, object] = {}
        for name in operation.__dataclass_fields__:
            part = getattr(operation, name)
            if name == "arguments":
                changes[name] = tuple(self.term(argument) for argument in part)
            elif isinstance(part, Variable):
                changes[name] = self.variable(part)
            elif name in _TERM_NAMES and part is not None:
                changes[name] = self.term(part)
        return replace(operation, **changes) if changes else operation  # type: ignore[arg-type]


_PART_NAMES = {"lvalue", "pointer", "base", "index", "operand", "left", "right", "condition", "then", "otherwise"}
_TERM_NAMES = {"lvalue", "value", "condition", "size", "length"}


def automaton(lowering: FunctionLowering, kind: CFunction, marker: AddressTakenMarker, fallback: Origin) -> FunctionCfa:
    """The function's finished automaton."""
    edges = without_redundant_declarations(lowering.cfa.edges, marker.marked)
    entry, locations, kept = tidy(lowering.entry, lowering.exit, lowering.name, edges, lowering.cfa.origins, fallback)
    marked = tuple(replace(edge, operation=marker.operation(edge.operation)) for edge in kept)
    return FunctionCfa(
        lowering.name,
        kind,
        tuple(marker.variable(variable) for variable in lowering.parameters),
        tuple(marker.variable(variable) for variable in lowering.locals),
        lowering.result,
        entry,
        lowering.exit,
        locations,
        marked,
    )
