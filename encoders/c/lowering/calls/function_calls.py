"""Calls: of functions with a body, through pointers, of undefined functions, and of functions with a known meaning."""

from collections.abc import Sequence

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import UNFOLLOWED_ACCESSES
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa.expression_tests import without_casts
from encoders.c.cfa.ir import (
    AddressOf,
    Assign,
    AtomicBegin,
    AtomicEnd,
    Binary,
    Call,
    Constant,
    Declare,
    ElementLValue,
    Expression,
    FieldLValue,
    FunctionAddress,
    Load,
    LValue,
    Nondet,
    Operation,
    Skip,
    Trap,
)
from encoders.c.library.formats import of_literal
from encoders.c.library.function_table import LibraryFunction, Trait
from encoders.c.library.special_functions import (
    ASSERT_FAILURE,
    NONDETERMINISTIC,
    VIOLATIONS,
    nondeterministic_type,
)
from encoders.c.library.table_reader import find
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.calls.external_calls import ExternalCalls
from encoders.c.lowering.calls.failing_allocations import FailingAllocations
from encoders.c.lowering.calls.library_names import (
    environment_entry,
    is_failed_assertion,
    may_set_errno,
    not_modelled,
    only_returns,
)
from encoders.c.lowering.calls.signatures import is_same_kind
from encoders.c.lowering.calls.special_calls import SpecialCalls
from encoders.c.lowering.calls.stream_calls import StreamCalls
from encoders.c.lowering.calls.variadic_arguments import VariadicArguments, is_variadic
from encoders.c.lowering.checks.library_accesses import READS, LibraryAccesses
from encoders.c.lowering.collaborators import FollowsCalls
from encoders.c.lowering.concurrency.thread_calls import is_atomic_function
from encoders.c.lowering.concurrency.thread_models import thread_model
from encoders.c.lowering.context import IndirectCall, LoweringContext
from encoders.c.lowering.environment import UndefinedFunctions
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import is_missing
from encoders.c.lowering.operators.conversions import convert, is_null
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.symbols import FunctionSymbol, InvalidSymbol
from encoders.c.types.c_types import INT, VOID, CArray, CFunction, CInteger, CPointer, CRecord, CType, CVoid, size_type
from encoders.c.types.streams import is_stream


@dataclass(frozen=True, eq=False)
class CallLowering:
    """Lowering of function calls; `into` is an lvalue that may take the result directly."""

    context: LoweringContext
    side_effects: SideEffects
    expressions: ExpressionLowering
    special_calls: SpecialCalls
    external_calls: ExternalCalls
    variadics: VariadicArguments
    allocations: FailingAllocations
    accesses: LibraryAccesses
    jumps: FollowsCalls
    streams: StreamCalls

    def call(self, node: c_ast.FuncCall, wanted: bool, into: LValue | None = None) -> Expression:
        """Lowers a call; its result, void where there is none. wanted: is the result used?"""
        arguments: list[c_ast.Node] = list(node.args.exprs) if node.args is not None else []
        into = None if self.context.unit.has_jumps else into  # a call that a jump leaves has no result
        if not isinstance(node.name, c_ast.ID):
            return self._indirect(node, arguments, wanted, into)
        name, symbol = node.name.name, self.context.scope.find(node.name.name) or self._undeclared(node.name.name)
        if isinstance(symbol, InvalidSymbol):
            raise symbol.error
        if symbol is not None and not isinstance(symbol, FunctionSymbol):
            return self._indirect(node, arguments, wanted, into)
        return self.call_function(node, name if symbol is None else symbol.name, symbol, arguments, wanted, into)

    def _undeclared(self, name: str) -> FunctionSymbol | None:
        """The function of another file of the program that a call means which nothing declares here."""
        file = self.context.unit.file_of(self.context.scope.of_file)
        symbol = self.context.unit.files.linked.get(name) if file is not None else None
        return symbol if isinstance(symbol, FunctionSymbol) and symbol.definition is not None else None

    def call_function(
        self,
        node: c_ast.FuncCall,
        name: str,
        symbol: FunctionSymbol | None,
        arguments: list[c_ast.Node],
        wanted: bool,
        into: LValue | None = None,
    ) -> Expression:
        """The call of a function that is known on sight. symbol: None where nothing declares it."""
        failed = not self.context.unit.surroundings.competition and is_failed_assertion(name)
        if name in VIOLATIONS or name == ASSERT_FAILURE or (failed and (symbol is None or symbol.definition is None)):
            if self.context.unit.checks_assertions:
                return self.special_calls.violation(node, name, arguments)
            if symbol is None or symbol.definition is None:  # else what the program says that it does
                return self.special_calls.ended(node, name, arguments)
        if symbol is not None and symbol.error is not None and symbol.definition is not None:
            raise symbol.error
        if symbol is not None and symbol.definition is not None:
            return self._defined(node, symbol, arguments, wanted, into)
        return self._undefined(node, name, symbol, arguments, wanted, into)

    def call_into(self, node: c_ast.FuncCall, lvalue: LValue) -> Expression:
        """The result of a call, which may be what the lvalue now holds."""
        return self.call(node, True, lvalue)

    # --- functions with a body

    def _defined(
        self,
        node: c_ast.FuncCall,
        symbol: FunctionSymbol,
        arguments: list[c_ast.Node],
        wanted: bool,
        into: LValue | None,
    ) -> Expression:
        for kind in (*symbol.type.parameters, symbol.type.result):
            if isinstance(kind, CRecord):
                self.context.size_of(kind, node)
        if self.context.evaluated:
            self.context.unit.wanted.setdefault(symbol.name, symbol)
        values = self.special_calls.all_values(node, symbol.type, arguments)
        if is_variadic(symbol.type):
            count = len(symbol.type.parameters)
            values = (*values[:count], *self.variadics.passed(values[count:], node))
        if self.context.is_in_library(symbol.declaration):
            values = self.external_calls.checked_values(node, symbol, values)
            values = self.accesses.before_model(node, symbol, values)
        lvalue = self.special_calls.result_lvalue(symbol.type.result, wanted, into)
        self._emit_call(node, Call(lvalue, symbol.name, values))
        return _loaded(lvalue)

    def _emit_call(self, node: c_ast.FuncCall, call: Call) -> None:
        """Adds the edge of a call, in an atomic section where the function's name asks for one."""
        is_atomic = self.context.unit.has_threads and is_atomic_function(call.function)
        sections: tuple[Operation, ...] = (AtomicBegin(), call, AtomicEnd()) if is_atomic else (call,)
        for operation in sections:
            self.context.emit(operation, node)
        self.jumps.after_call(node)

    def _indirect(
        self, node: c_ast.FuncCall, arguments: list[c_ast.Node], wanted: bool, into: LValue | None
    ) -> Expression:
        pointer = self.expressions.value(node.name)
        kind = pointer.type.target if isinstance(pointer.type, CPointer) else None
        if not isinstance(kind, CFunction):
            raise self.context.error(node, "called object is not a function or function pointer")
        if isinstance(pointer, FunctionAddress):
            symbol = self.context.unit.address_taken.get(pointer.function)
            if symbol is not None:
                return self.call_function(node, symbol.name, symbol, arguments, wanted, into)
        if any(self.side_effects.has_effects(argument) for argument in arguments):
            pointer = self.context.held(pointer, node.name)
        values = self.special_calls.argument_values(node, kind, arguments)
        with self.context.unevaluated():
            may_count = any(
                is_counter(self.expressions.value(argument).type) for argument in arguments[len(kind.parameters) :]
            )
        lvalue = self.special_calls.result_lvalue(kind.result, wanted, into)
        origin, target = self.context.origin(node), self.context.cfa.location()
        source = self.context.cfa.location(origin)
        self.context.cfa.fall_into(source, origin)
        self.context.indirect.append(
            IndirectCall(source, target, pointer, lvalue, values, kind, origin, self.context.text(node), may_count)
        )
        self.context.cfa.current = target
        self.jumps.after_call(node)
        return _loaded(lvalue)

    # --- functions without a body

    def _undefined(
        self,
        node: c_ast.FuncCall,
        name: str,
        symbol: FunctionSymbol | None,
        arguments: list[c_ast.Node],
        wanted: bool,
        into: LValue | None,
    ) -> Expression:
        if symbol is not None and is_missing(symbol):
            return self.special_calls.trap(
                node, f"call of {name}, a weak function that nothing defines", symbol.type.result
            )
        self._assume_of_program(node, name)
        self.streams.before_call(node, name, arguments)
        if self.context.unit.reads_errno and may_set_errno(name):
            self._defined(node, library_models.model(self.context.unit, "__chcverify_may_fail"), [], False, None)
        modelled = self.allocations.or_null(
            node, name, arguments, into, lambda into: self._modelled(node, name, symbol, arguments, wanted, into)
        )
        if modelled is not None:
            return modelled
        if symbol is not None and symbol.error is not None:
            raise symbol.error
        declared = None if symbol is None else symbol.type
        entry = environment_entry(name, declared)
        reason = not_modelled(name, declared) if entry is None else self._stored_count(name, entry, arguments)
        if reason is None and entry is not None:
            reason = self.external_calls.kept(name, entry, arguments)
        if reason is not None:
            return self._refused(node, name, symbol, arguments, reason)
        if symbol is not None and not symbol.type.variadic and len(arguments) != len(symbol.type.parameters):
            self.special_calls.argument_values(node, symbol.type, arguments)
        self._note_callbacks(node, name, symbol, arguments)
        if self.context.unit.has_threads and entry is not None:
            self._assume_no_race(node, name, arguments)
        if self.context.unit.checks & READS and entry is not None:
            reason = self.accesses.evaluate(node, name, entry, arguments)
        else:
            reason = self.external_calls.call_elsewhere(node, name, symbol, arguments)
        if reason:
            return self.special_calls.trap(node, reason, INT if symbol is None else symbol.type.result)
        if symbol is not None and symbol.no_return:
            return self.special_calls.path_end(node)
        result = self._unknown(node, name, symbol.type.result if symbol is not None else None, wanted, into)
        if wanted and entry is not None:
            has_effects = any(self.side_effects.has_effects(argument) for argument in arguments)
            self.external_calls.assume_result(node, entry, arguments, result, has_effects)
        return result

    def _refused(
        self,
        node: c_ast.FuncCall,
        name: str,
        symbol: FunctionSymbol | None,
        arguments: list[c_ast.Node],
        reason: str,
    ) -> Expression:
        """The result of a function that is not modelled: a trap, or of one on numbers any value within its bounds."""
        entry = find(name)
        bounds = None if entry is None else entry.bounds
        if bounds is not None and symbol is not None and not self.context.unit.reads_errno:
            for value in self.special_calls.argument_values(node, symbol.type, arguments):
                self.expressions.hold_read(value, node)
            return self.special_calls.bounded(node, name, symbol.type.result, bounds)
        for argument in reversed(arguments):
            self.expressions.used(argument)
        kind = INT if symbol is None else symbol.type.result
        return self.special_calls.trap(node, reason, kind, goes_on=only_returns(name))

    def _modelled(
        self,
        node: c_ast.FuncCall,
        name: str,
        symbol: FunctionSymbol | None,
        arguments: list[c_ast.Node],
        wanted: bool,
        into: LValue | None,
    ) -> Expression | None:
        """The call of a function whose meaning is known without a body; None for others."""
        special = self.special_calls.special(node, name, arguments, into)
        if special is not None:
            return special
        typed = self._typed_model(name, arguments)
        if typed is not None:
            return self._defined(node, typed, [uncast(argument) for argument in arguments], wanted, into)
        model = library_models.symbol(self.context.unit, name, None if symbol is None else symbol.type)
        if self.context.unit.has_threads and model is None:
            model = thread_model(self.context.unit, self.context.scope, name)
        if model is not None and symbol is not None and not is_same_kind(symbol.type, model.type):
            return self.special_calls.trap(
                node, f"call of {name}, declared with a type that it has not", symbol.type.result
            )
        if model is not None:
            return self._defined(node, model, arguments, wanted, into)
        return None

    def _assume_of_program(self, node: c_ast.FuncCall, name: str) -> None:
        """Records what the table says that is assumed of programs that call the function."""
        known = find(name)
        if known is not None and known.assumes and self.context.evaluated:
            self.context.unit.assume("environment", f"{known.name}:", known.assumes, self.context.origin(node))

    def _stored_count(self, name: str, entry: LibraryFunction, arguments: list[c_ast.Node]) -> str | None:
        """What is not modelled where the format stores a count, or, if that is no literal, where an argument points to
        numbers."""
        if entry.format is None:
            return None
        format_at = entry.position(entry.format.pointer)
        if format_at >= len(arguments):
            return None
        layout = of_literal(arguments[format_at], entry.format.family, self.context.unit.model)
        if layout is not None:
            return f"call of {name} with %n" if layout.stores_count else None
        with self.context.unevaluated():
            kinds = [self.expressions.value(argument).type for argument in arguments[format_at + 1 :]]
        return f"call of {name} with %n" if any(map(is_counter, kinds)) else None

    def _assume_no_race(self, node: c_ast.FuncCall, name: str, arguments: Sequence[c_ast.Node]) -> None:
        """Records that what a function of the library accesses through pointers to objects is not followed. Streams are
        locked (C11 7.21.2p7)."""
        with self.context.unevaluated():
            others = [argument for argument in map(uncast, arguments) if not isinstance(argument, c_ast.Constant)]
            values = [self.expressions.value(argument) for argument in others]
        if any(isinstance(value.type, CPointer) and not is_stream(value.type) for value in values):
            effect = "has no data race on what its arguments point to"
            self.context.unit.assume(UNFOLLOWED_ACCESSES, name, effect, self.context.origin(node))

    def _note_callbacks(
        self, node: c_ast.FuncCall, name: str, symbol: FunctionSymbol | None, arguments: Sequence[c_ast.Node]
    ) -> None:
        """Records the assumption that a function without a body calls none of the functions that it is given; raises
        Unsupported if it belongs to a library."""
        for argument in reversed(arguments):
            with self.context.unevaluated():
                kind = self.expressions.value(argument).type
            if not isinstance(kind.target if isinstance(kind, CPointer) else kind, CFunction):
                continue
            if not self.external_calls.is_of_program(name, symbol):
                raise self.context.refuse(argument, f"function passed to '{name}', which has no body")
            if self.context.evaluated:
                effect = "calls none of the functions that it is given"
                self.context.unit.assume("callback", name, effect, self.context.origin(node))

    def _typed_model(self, name: str, arguments: list[c_ast.Node]) -> FunctionSymbol | None:
        """memcpy and its like move whole elements where types and size say so; None where they may not."""
        entry = find(name)
        typed = None if entry is None else entry.typed
        if entry is None or typed is None or len(arguments) != len(entry.parameters):
            return None
        measure = entry.position(typed.size)
        with self.context.unevaluated():
            lvalues = [self.expressions.value(uncast(arguments[entry.position(name)])) for name in typed.elements]
            kinds = {_element(lvalue.type) for lvalue in lvalues}
            size = self.expressions.value(arguments[measure])
            zero = Trait.SETS not in entry.traits or is_null(self.expressions.value(arguments[1]))
        sorts = bool(typed.order)
        order = self._named_function(arguments[entry.position(typed.order)]) if sorts else None
        element = next(iter(kinds - {None}), None)  # a void pointer points to what the other one does
        if len(kinds - {None}) > 1 or element is None or not zero or not self.context.unit.layout.is_complete(element):
            return None
        is_byte = isinstance(element, CInteger) and element.width == 8 and not element.is_bool
        if not sorts and any(self._leaves_member(lvalue, size, arguments[0]) for lvalue in lvalues):
            if is_byte:
                raise self.context.refuse(arguments[0], f"{entry.name} beyond a member of a record")
            return None  # several members: bytes
        if is_byte if not sorts else order is None:
            return None
        unit = self.context.unit.layout.size(element)
        if not _is_multiple(size, unit) or (sorts and size != Constant(unit, size.type)):
            return None
        bytes_ = without_casts(size)
        is_one = bytes_ == Constant(unit, bytes_.type)
        return library_models.typed_symbol(self.context.unit, entry.name, element, order, is_one=is_one)

    def _leaves_member(self, pointer: Expression, size: Expression, node: c_ast.Node) -> bool:
        """Does an access of this size through a pointer to a member on sight reach what comes after the member?"""
        if not isinstance(pointer, AddressOf):
            return False
        lvalue, skipped = pointer.lvalue, 0
        while isinstance(lvalue, ElementLValue):
            index = lvalue.index.value if isinstance(lvalue.index, Constant) else 0
            lvalue, skipped = lvalue.base, skipped + int(index) * self.context.size_of(lvalue.type, node)
        if not isinstance(lvalue, FieldLValue) or not self.context.unit.layout.is_complete(lvalue.type):
            return False
        if isinstance(size, Constant):
            return skipped + int(size.value) > self.context.size_of(lvalue.type, node)
        return not isinstance(lvalue.type, CArray)

    def _named_function(self, node: c_ast.Node) -> FunctionSymbol | None:
        """The function that an argument names, if it has a body."""
        while isinstance(node, c_ast.Cast) or (isinstance(node, c_ast.UnaryOp) and node.op == "&"):
            node = node.expr
        symbol = self.context.scope.find(node.name) if isinstance(node, c_ast.ID) else None
        return symbol if isinstance(symbol, FunctionSymbol) and symbol.definition is not None else None

    def _unknown(
        self, node: c_ast.FuncCall, name: str, declared: CType | None, wanted: bool, into: LValue | None
    ) -> Expression:
        """Any value of the result type; of X for __VERIFIER_nondet_X."""
        origin, text = self.context.origin(node), self.context.text(node)
        result = declared if declared is not None else INT
        own = nondeterministic_type(name, self.context.unit.model)
        kind = result if own is None or isinstance(own, CPointer) != isinstance(result, CPointer) else own
        result = kind if declared is None else result
        if kind == VOID or result == VOID:
            self.context.cfa.emit(Skip(), origin, text)
            return Constant(0, VOID)
        if wanted and isinstance(kind, CPointer):
            return self._any_pointer(node, name, kind)
        lvalue = self.special_calls.result_lvalue(kind, True, into if kind == result else None)
        assert lvalue is not None
        if isinstance(kind, CRecord):
            lvalue = self.context.temporary(kind)
            self.context.cfa.emit(Declare(lvalue.variable), origin, text)
            self._set_any_pointers(node, name, lvalue)
        else:
            self.context.cfa.emit(Nondet(lvalue, name), origin, text)
        return convert(Load(lvalue, kind), result)

    def _set_any_pointers(self, node: c_ast.FuncCall, name: str, record: LValue) -> None:
        """Any pointers in a record that a function without a body returns; in arrays and unions they are a trap."""
        work, layouts = [record], self.context.unit.layout
        while work:
            lvalue = work.pop()
            if isinstance(lvalue.type, CPointer):
                pointer = self._any_pointer(node, name, lvalue.type)
                self.context.cfa.emit(Assign(lvalue, pointer), self.context.origin(node))
            elif isinstance(lvalue.type, CRecord) and not lvalue.type.is_union:
                work += [FieldLValue(lvalue, field, field.type) for field in layouts.record(lvalue.type).fields]
            elif layouts.holds_pointers(lvalue.type):
                self.context.trap(f"pointers in an array or union from '{name}', which has no body", node, goes_on=True)

    def _any_pointer(self, node: c_ast.FuncCall, name: str, kind: CPointer) -> Expression:
        """A pointer that may be null, or point to any object of the program, which is not modelled.

        Of those that the verifier makes some point to no object. Where accesses through these and their release are
        violations, they stand for all: a use that depends on the object comes behind a violation.
        """
        origin, text = self.context.origin(node), self.context.text(node)
        other, null = self.context.cfa.location(), self.context.cfa.location()
        number = self.context.temporary(size_type(self.context.unit.model))
        self.context.cfa.emit(Nondet(number, name), origin, text)
        self.expressions.assume(Load(number, number.type), node, other, null)
        is_violation = (DEREFERENCES | {CheckKind.FREE}) <= self.context.unit.checks
        if is_violation and name.startswith(NONDETERMINISTIC) and not isinstance(kind.target, CFunction):
            self.context.unit.assume("function", name, "returns null or a pointer to no object", origin)
            wild, result = self.context.temporary(kind), self.context.temporary(kind)
            self.context.cfa.current, after = other, self.context.cfa.location()
            self.context.cfa.emit(Declare(wild.variable), origin, text)
            self.context.cfa.emit(Assign(result, Load(wild, kind)), origin)
            self.context.cfa.jump(after, origin)
            self.context.cfa.current = null
            self.context.cfa.emit(Assign(result, Constant(0, kind)), origin)
            self.context.cfa.fall_into(after, origin)
            return Load(result, kind)
        if self.context.unit.surroundings.functions == UndefinedFunctions.HAVOC and not isinstance(
            kind.target, CFunction
        ):
            result, after = self.context.temporary(kind), self.context.cfa.location()
            self.context.cfa.current = other
            self.context.cfa.emit(Nondet(result, name, is_unknown=True), origin, text)
            self.context.cfa.jump(after, origin)
            self.context.cfa.current = null
            self.context.cfa.emit(Assign(result, Constant(0, kind)), origin)
            self.context.cfa.fall_into(after, origin)
            return Load(result, kind)
        trap = Trap(f"pointer from '{name}', which has no body", (null,))
        self.context.cfa.edge(other, self.context.cfa.location(), trap, origin, text)
        self.context.cfa.current = null
        return Constant(0, kind)


def is_counter(kind: CType) -> bool:
    """Does it point to what %n may write?"""
    return isinstance(kind, CPointer) and isinstance(kind.target, CInteger) and kind.target.width > 8


def uncast(node: c_ast.Node) -> c_ast.Node:
    """The pointer behind casts to other pointer types."""
    while isinstance(node, c_ast.Cast) and isinstance(node.to_type.type, c_ast.PtrDecl):
        node = node.expr
    return node


def _element(kind: CType) -> CType | None:
    """The scalar or record type that a pointer moves over, None for void and what is no pointer."""
    element = kind.target if isinstance(kind, CPointer) else VOID
    while isinstance(element, CArray):
        element = element.element
    return None if isinstance(element, CVoid | CFunction) else element


def _is_multiple(size: Expression, unit: int) -> bool:
    """Is the size written as a multiple of the unit? Where the product wraps around, the typed model is a trap."""
    size = without_casts(size)
    if isinstance(size, Constant):
        return isinstance(size.value, int) and size.value % unit == 0
    return (
        isinstance(size, Binary)
        and size.operator == "*"
        and (_is_multiple(size.left, unit) or _is_multiple(size.right, unit))
    )


def _loaded(lvalue: LValue | None) -> Expression:
    return Constant(0, VOID) if lvalue is None else Load(lvalue, lvalue.type)
