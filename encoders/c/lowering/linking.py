"""The last pass: indirect calls resolved, address-taken variables marked, automata tidied."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chcverify.horn.system import Origin
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa.builder import tidy, without_redundant_declarations
from encoders.c.cfa.expression_walk import (
    Node,
    Rewriting,
)
from encoders.c.cfa.ir import (
    Assume,
    Binary,
    Call,
    Constant,
    Edge,
    Expression,
    FunctionAddress,
    FunctionCfa,
    LoopClaim,
    LoopInvariant,
    LValue,
    OpenCheck,
    Operation,
    ReachError,
    Skip,
    Trap,
    Variable,
    VariableLValue,
)
from encoders.c.cfa.trap_continuations import with_continuations
from encoders.c.library.special_functions import VIOLATIONS
from encoders.c.lowering.calls.library_names import ends_program
from encoders.c.lowering.calls.signatures import fits
from encoders.c.lowering.calls.variadic_arguments import is_variadic
from encoders.c.lowering.checks.access_checks import with_access_checks
from encoders.c.lowering.checks.lifetimes import LifetimeEnds, with_lifetime_ends
from encoders.c.lowering.checks.reallocation import forgets, is_reallocation, with_release
from encoders.c.lowering.checks.stack_blocks import is_repeated, stack_blocks, with_ends_of_stack_blocks
from encoders.c.lowering.checks.stale_locals import stale_locals
from encoders.c.lowering.checks.subscripts import InnerArrays
from encoders.c.lowering.checks.written_checks import passed_over
from encoders.c.lowering.context import IndirectCall, LoweringContext, Unit
from encoders.c.lowering.environment import ArrayBounds, UndefinedFunctions
from encoders.c.lowering.file_scope.unknown_callees import is_elsewhere, may_be_unknown, want_unknown_callees
from encoders.c.lowering.operators.conversions import convert
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import INT, CFunction

_TO_NONE = "call through a pointer to no known function"


def called_through_pointers(unit: Unit, functions: Mapping[str, LoweringContext]) -> list[FunctionSymbol]:
    """The functions without a body that have not been lowered yet, and that an indirect call may reach; those of which
    only the call is known among them."""
    bodiless = [s for s in unit.address_taken.values() if not s.has_body(unit.checks_assertions)]
    without = [symbol for symbol in bodiless if symbol.forwarder not in functions]
    kinds = [call.type for context in functions.values() for call in context.indirect] if without else []
    found = [symbol for symbol in without if _is_recast(unit, symbol) or any(fits(symbol.type, kind) for kind in kinds)]
    found += want_unknown_callees(unit, functions)
    unit.wanted.update({symbol.forwarder: symbol for symbol in found})
    return found


def resolve_indirect(unit: Unit, context: LoweringContext) -> None:
    """Each call through a pointer becomes a branch over the functions that the pointer may be equal to."""
    for call in context.indirect:
        context.cfa.block = context.cfa.made_in[call.source]
        candidates = [symbol for symbol in unit.address_taken.values() if fits(symbol.type, call.type)]
        others = [s for s in unit.address_taken.values() if s not in candidates and _is_recast(unit, s)]
        for symbol in others:
            _branch(context, call, symbol, _under_another_type(unit, symbol))
        for symbol in candidates:
            _branch(context, call, symbol, _called(unit, call, symbol))
        if unit.checks & DEREFERENCES or not (others or candidates):
            _otherwise(unit, context, call, [*others, *candidates])


def _branch(context: LoweringContext, call: IndirectCall, symbol: FunctionSymbol, does: Operation) -> None:
    entry = context.cfa.location(call.origin)
    test = Binary("==", call.pointer, FunctionAddress(symbol.name, call.pointer.type), INT)
    context.cfa.edge(call.source, entry, Assume(test, True), call.origin, f"{call.text}: to {symbol.name}")
    behind = context.cfa.location(call.origin) if isinstance(does, OpenCheck) else call.target
    context.cfa.edge(entry, behind, does, call.origin, call.text)


def _otherwise(unit: Unit, context: LoweringContext, call: IndirectCall, symbols: list[FunctionSymbol]) -> None:
    """Where memory is checked, a call through a pointer to none of the functions; of a program without such functions,
    each call.

    Where the pointer may be that of a function of another file, the function does what is assumed of these; whether
    there is one at all is an open check. Where only the addresses of the functions flow to the pointer, a call of none
    of them is undefined, and no run goes on behind that check. Elsewhere the call is not modelled.
    """
    here = call.source
    for symbol in symbols:
        test = Binary("!=", call.pointer, FunctionAddress(symbol.name, call.pointer.type), INT)
        after = context.cfa.location(call.origin)
        context.cfa.edge(here, after, Assume(test, True), call.origin, f"{call.text}: not to {symbol.name}")
        here = after
    if CheckKind.NULL in unit.checks:
        here = _null_is_violation(context, call, here)
        is_changing = unit.surroundings.functions == UndefinedFunctions.HAVOC
        unknown = _unknown(unit, context, call, symbols) if is_changing else None
        if unknown is not None or _is_of_known_functions(unit, call, symbols):
            after = context.cfa.location(call.origin)
            context.cfa.edge(here, after, OpenCheck(_TO_NONE, CheckKind.NULL), call.origin, call.text)
            if unknown is not None:
                context.cfa.edge(after, call.target, unknown, call.origin, call.text)
            return
    context.cfa.edge(here, context.cfa.location(call.origin), Trap(_TO_NONE), call.origin, call.text)


def _is_of_known_functions(unit: Unit, call: IndirectCall, symbols: list[FunctionSymbol]) -> bool:
    """Do only the addresses of these functions flow to the pointer, for which `want_unknown_callees` entered nothing?
    It enters nothing either where one of them is a function of another file, which stands for all of these."""
    return may_be_unknown(unit) and not any(is_elsewhere(unit, symbol, call.type) for symbol in symbols)


def _unknown(unit: Unit, context: LoweringContext, call: IndirectCall, symbols: list[FunctionSymbol]) -> Call | None:
    """The call of a function of another file; None if that is not modelled."""
    known = next((_called(unit, call, symbol) for symbol in symbols if is_elsewhere(unit, symbol, call.type)), None)
    if isinstance(known, Call):
        return known
    symbol = unit.unknown_callees.get((context.name, call.source))
    return None if symbol is None else Call(call.lvalue, symbol.forwarder, call.arguments)


def _null_is_violation(context: LoweringContext, call: IndirectCall, here: int) -> int:
    """Adds the check that the pointer is not null; the location behind it."""
    bad, good = context.cfa.location(call.origin), context.cfa.location(call.origin)
    test = Binary("==", call.pointer, Constant(0, call.pointer.type), INT)
    context.cfa.edge(here, bad, Assume(test, True), call.origin, f"{call.text}: null")
    context.cfa.edge(here, good, Assume(test, False), call.origin, f"{call.text}: not null")
    error = ReachError("call through a null pointer", CheckKind.NULL)
    context.cfa.edge(bad, context.cfa.location(call.origin), error, call.origin, call.text)
    return good


def _is_recast(unit: Unit, symbol: FunctionSymbol) -> bool:
    """Has its address, or a pointer that may hold it, been converted to another type?"""
    return symbol.name in unit.recast or any(fits(symbol.type, kind) for kind in unit.recast_types)


def _under_another_type(unit: Unit, symbol: FunctionSymbol) -> Operation:
    """What C leaves undefined, but for functions that never return, whatever they are called with: a check that stays
    open, since programs rely on it (C11 6.3.2.3p8); a trap where nobody asks for null pointers, as which it counts."""
    ends = (symbol.name in VIOLATIONS or ends_program(symbol.name)) and not symbol.has_body(unit.checks_assertions)
    if ends and not symbol.type.parameters:
        return Call(None, symbol.forwarder, ())
    what = f"call of {symbol.name} through a pointer to a function of another type"
    return OpenCheck(what, CheckKind.NULL) if CheckKind.NULL in unit.checks else Trap(what)


def _called(unit: Unit, call: IndirectCall, symbol: FunctionSymbol) -> Operation:
    count = len(symbol.type.parameters)
    if len(call.arguments) < count:  # the pointer's type has no parameters: nothing is known of them
        return Trap(f"call of {symbol.name} with too few arguments, through a pointer")
    if symbol.error is not None:
        return Trap(symbol.error.construct)
    if symbol.has_body(unit.checks_assertions) and is_variadic(symbol.type):
        return Trap(f"call of {symbol.name}, which takes a variable number of arguments, through a pointer")
    if not symbol.has_body(unit.checks_assertions) and symbol.type.variadic and call.may_count:
        return Trap(f"call of {symbol.name} with this argument, through a pointer")
    arguments = tuple(
        convert(argument, kind) for argument, kind in zip(call.arguments[:count], symbol.type.parameters, strict=False)
    )
    return Call(call.lvalue, symbol.name if symbol.has_body(unit.checks_assertions) else symbol.forwarder, arguments)


# --- variables in memory


class AddressTakenMarker:
    """Replaces variables by their marked versions in terms; shared terms once, untouched terms as they are."""

    def __init__(self, marked: set[str]) -> None:
        self.marked = marked
        self._rewriting = Rewriting(self._marked, self.variable)

    def variable(self, variable: Variable) -> Variable:
        """The variable, marked if its address is taken."""
        return replace(variable, address_taken=True) if variable.unique in self.marked else variable

    def expression(self, root: Expression) -> Expression:
        """The expression over marked variables."""
        return self._rewriting.expression(root)

    def lvalue(self, root: LValue) -> LValue:
        """The lvalue over marked variables."""
        return self._rewriting.lvalue(root)

    def operation(self, operation: Operation) -> Operation:
        """The operation over marked variables."""
        return self._rewriting.operation(operation)

    def _marked(self, _: Node, made: Node) -> Node:
        if isinstance(made, VariableLValue) and made.variable.unique in self.marked:
            return VariableLValue(self.variable(made.variable), made.type)
        return made


def _claims(edges: Sequence[Edge]) -> tuple[LoopClaim, ...]:
    """The claims of the edges; those of one loop, one behind the other, are all about its head."""
    first: dict[int, int] = {}  # by the location behind a claim: that before all of them
    found = []
    for edge in edges:
        if isinstance(edge.operation, LoopInvariant):
            first[edge.target] = head = first.get(edge.source, edge.source)
            found.append(LoopClaim(head, edge.operation.condition, edge.operation.text, edge.origin))
    return tuple(found)


def automaton(context: LoweringContext, kind: CFunction, marker: AddressTakenMarker, fallback: Origin) -> FunctionCfa:
    """The function's finished automaton, with the checks of memory that the program's kinds of checks ask for."""
    checks = context.unit.checks
    edges = without_redundant_declarations(context.cfa.edges, marker.marked)
    ends = LifetimeEnds(frozenset(marker.marked), checks)
    escaping: frozenset[str] = frozenset()
    if not context.is_file_scope:
        escaping = stale_locals(context.cfa, edges, context.result) & marker.marked
    if not ends.are_checked:
        ends = replace(ends, stale=escaping)
    if CheckKind.UNINITIALISED in checks:
        passed = passed_over(context.entry, edges, context.parameters, context.locals)
        ends = replace(ends, passed=frozenset(variable.unique for variable in passed))
    edges = with_lifetime_ends(context.cfa, edges, context.exit, context.parameters, ends)
    entry, locations, kept = tidy(context.entry, context.exit, context.name, edges, context.cfa.origins, fallback)
    kept = with_continuations(kept, edges, {location.number for location in locations})
    marked = tuple(replace(edge, operation=marker.operation(edge.operation)) for edge in kept)
    claims = _claims(marked)
    if claims:  # runs do not evaluate them
        marked = tuple(
            replace(edge, operation=Skip()) if isinstance(edge.operation, LoopInvariant) else edge for edge in marked
        )
    finished = FunctionCfa(
        context.name,
        kind,
        tuple(marker.variable(variable) for variable in context.parameters),
        tuple(marker.variable(variable) for variable in context.locals),
        context.result,
        entry,
        context.exit,
        locations,
        marked,
        claims,
        escaping,
    )
    if context.name in context.unit.unchecked:
        return finished
    if forgets(checks) and (found := stack_blocks(finished)):
        for edge in found:
            if is_repeated(finished, edge):
                effect = "in a loop is followed by no read after its function has returned"
                context.unit.assume("lifetime", edge.text.partition("(")[0], effect, edge.origin)
        finished = with_ends_of_stack_blocks(finished, context.unit.numbers)
    if is_reallocation(finished):
        finished = replace(finished, is_reallocation=True)
        return with_release(finished, context.unit.numbers, checks)
    arrays = None
    if context.unit.surroundings.array_bounds is ArrayBounds.INNER and not context.is_file_scope:
        arrays = InnerArrays(lambda record: context.unit.layout.record(record).fields)
    return with_access_checks(finished, context.unit.numbers, checks, arrays)
