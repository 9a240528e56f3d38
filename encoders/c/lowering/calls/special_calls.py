"""Calls of functions whose meaning is known by name: violations, assumptions, ends of paths, allocation, input."""

import math

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import (
    Allocate,
    Assign,
    Assume,
    Call,
    CheckBlocks,
    Clear,
    Constant,
    Expression,
    Forget,
    Load,
    LValue,
    Nondet,
    Operation,
    ReachError,
    Release,
    Skip,
    VariableLValue,
)
from encoders.c.library.function_table import BlockStorage, End, LibraryFunction, Trait
from encoders.c.library.model_files import CLEAR, RUN_EXIT_HANDLERS
from encoders.c.library.special_functions import (
    ASSERT_FAILURE,
    ASSERTIONS,
    ASSUMPTIONS,
    CLAUSE_ASSERTION,
    ESTIMATES,
    TRAPS,
)
from encoders.c.library.table_reader import find
from encoders.c.lowering.assignments import zero_of
from encoders.c.lowering.calls.annotation_calls import AnnotationCalls, string_of
from encoders.c.lowering.calls.builtin_functions import BuiltinLowering
from encoders.c.lowering.calls.library_names import is_failed_assertion
from encoders.c.lowering.checks.library_accesses import READS, LibraryAccesses
from encoders.c.lowering.checks.reallocation import BLOCKS, forgets
from encoders.c.lowering.collaborators import CallFamily, HasStatements
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.conversions import binary, convert, default_promotion, greatest
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.types.c_types import (
    INT,
    VOID,
    CFloat,
    CFunction,
    CInteger,
    CPointer,
    CType,
    is_scalar,
    size_type,
)


@dataclass(frozen=True, eq=False)
class SpecialCalls:
    """Lowering of calls that the verifier itself gives a meaning; `into` is an lvalue that may take it."""

    context: LoweringContext
    side_effects: SideEffects
    lvalues: LValueLowering
    expressions: ExpressionLowering
    builtins: BuiltinLowering
    families: tuple[CallFamily, ...]
    annotations: AnnotationCalls
    accesses: LibraryAccesses
    lowering: HasStatements

    # --- arguments and results

    def argument_values(
        self, node: c_ast.FuncCall, kind: CFunction, arguments: list[c_ast.Node]
    ) -> tuple[Expression, ...]:
        """The converted arguments, without those beyond the parameters, if there are any parameters."""
        values = self.all_values(node, kind, arguments)
        return values[: len(kind.parameters)] if not kind.variadic or kind.parameters else values

    def all_values(self, node: c_ast.FuncCall, kind: CFunction, arguments: list[c_ast.Node]) -> tuple[Expression, ...]:
        """The converted arguments, evaluated from right to left as gcc does."""
        count = len(kind.parameters)
        if len(arguments) < count or (len(arguments) > count and not kind.variadic):
            which = "few" if len(arguments) < count else "many"
            raise self.context.error(node, f"too {which} arguments to function call")
        values: list[Expression] = []
        for position in range(len(arguments) - 1, -1, -1):
            argument = arguments[position]
            value = self.expressions.value(argument)
            expected = kind.parameters[position] if position < count else default_promotion(value.type)
            value = self.expressions.converted(value, expected, argument)
            if any(self.side_effects.has_effects(other) for other in arguments[:position]):
                value = self.context.held(value, argument)
            values.append(value)
        return tuple(reversed(values))

    def result_lvalue(self, kind: CType, wanted: bool, into: LValue | None) -> LValue | None:
        """Where a call puts a result of the type: `into` where that is possible; None if it is not used."""
        if kind == VOID or not (wanted or into is not None):
            return None
        if isinstance(into, VariableLValue) and into.type == kind:
            return into
        return self.context.temporary(kind)

    # --- by name

    def _assumed(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expression:
        """An assumption about the first argument: where it fails, the run ends, or waits for ever."""
        for argument in reversed(arguments[1:]):
            self.expressions.used(argument)
        then, otherwise = self.context.cfa.location(), self.context.cfa.location()
        self.lowering.statements.branch(arguments[0], then, otherwise)
        if self.context.blocks_at(node):
            origin, text = self.context.origin(node), self.context.text(node)
            self.context.cfa.edge(otherwise, otherwise, Skip(), origin, text)
        self.context.cfa.current = then
        return Constant(0, VOID)

    def special(
        self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node], into: LValue | None
    ) -> Expression | None:
        """Functions whose meaning is known by name; None for all others."""
        if name in TRAPS:
            return self.trap(node, TRAPS[name], INT)
        if name in ESTIMATES:
            return self.estimated(node, *ESTIMATES[name])
        if name in ASSUMPTIONS and arguments:
            return self._assumed(node, arguments)
        if name in ASSERTIONS and arguments:
            return self._asserted(node, arguments)
        if name == CLEAR:
            return self._clear(node, arguments[0])
        entry = find(name)
        if entry is not None:
            found = self._listed(node, name, entry, arguments, into)
            if found is not None:
                return found
        for family in (*self.families, self.annotations):
            found = family.call(node, name, arguments)
            if found is not None:
                return found
        return self.builtins.builtin(node, name, arguments)

    def _listed(
        self,
        node: c_ast.FuncCall,
        name: str,
        entry: LibraryFunction,
        arguments: list[c_ast.Node],
        into: LValue | None,
    ) -> Expression | None:
        """Functions of the library that are operations: ends of the program, allocation, release; None for others."""
        if Trait.UNREACHABLE in entry.traits and CheckKind.UNREACHABLE in self.context.unit.checks:
            return self._unreachable(node)
        if entry.end is not None:
            return self.ended(node, name, arguments, entry)
        if Trait.RELEASES in entry.traits:
            return self._release(node, entry.name, arguments)
        if entry.allocation is not None and entry.allocation.factors:
            return self._allocation(node, name, entry, arguments, into)
        return None

    def _clear(self, node: c_ast.FuncCall, argument: c_ast.Node) -> Expression:
        """All bytes of an lvalue become zero, those between members, too."""
        lvalue = self.lvalues.lvalue(argument)
        zero = Assign(lvalue, zero_of(lvalue.type)) if is_scalar(lvalue.type) else Clear(lvalue)
        self.context.emit(zero, node)
        return Constant(0, VOID)

    def _release(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression:
        """A call that releases a block: an event where the lifetimes of blocks are checked."""
        operation: Operation = Skip()
        checks, origin, text = self.context.unit.checks, self.context.origin(node), self.context.text(node)
        if len(arguments) == 1:
            (pointer,) = self.argument_values(node, CFunction(VOID, (CPointer(VOID),)), arguments)
            if forgets(checks):
                pointer = self.context.held_always(pointer, node)
                self.context.cfa.emit(Forget(pointer), origin, text)
            elif CheckKind.LIFETIME not in checks:
                self.context.unit.assume("lifetime", name, "is followed by no read of the block", origin)
            if checks & BLOCKS:
                operation = Release(pointer)
        else:
            for argument in arguments:
                self.expressions.used(argument)
        self.context.cfa.emit(operation, origin, text)
        return Constant(0, VOID)

    def _allocation(
        self,
        node: c_ast.FuncCall,
        name: str,
        entry: LibraryFunction,
        arguments: list[c_ast.Node],
        into: LValue | None,
    ) -> Expression:
        """A block of as many bytes as the product of the arguments that the entry names."""
        allocation = entry.allocation
        assert allocation is not None
        kind = size_type(self.context.unit.model)
        if len(arguments) != len(entry.parameters):
            raise self.context.error(node, "wrong number of arguments to an allocation function")
        given = self.argument_values(node, CFunction(CPointer(VOID), (kind,) * len(arguments)), arguments)
        for parameter, value in zip(entry.parameters, given, strict=True):
            if parameter.name not in allocation.factors:
                self.expressions.hold_read(value, node)
        values = tuple(given[entry.position(factor)] for factor in allocation.factors)
        size = values[0] if len(values) == 1 else binary("*", values[0], values[1], kind)
        storage = allocation.storage
        is_on_stack = BlockStorage.STACK in storage
        lvalue = self.result_lvalue(CPointer(VOID), True, None if is_on_stack else into)
        assert lvalue is not None
        after = self._null_for_too_much(values, lvalue, node) if len(values) == 2 else None
        size = self._limited(size, node, name)
        operation = Allocate(lvalue, size, BlockStorage.ZEROED in storage, is_on_stack)
        self.context.emit(operation, node)
        if after is not None:
            self.context.cfa.fall_into(after, self.context.origin(node))
        return Load(lvalue, lvalue.type)

    def _null_for_too_much(self, values: tuple[Expression, ...], lvalue: LValue, node: c_ast.Node) -> int | None:
        """A branch where calloc gives null since the product of its arguments is no size; None where it always is one.

        Lowering goes on where it is one; the result is the location where both branches meet.
        """
        one, two = sorted(values, key=lambda value: isinstance(value, Constant))
        kind = two.type
        assert isinstance(kind, CInteger)
        if greatest(one) * greatest(two) <= kind.maximum:
            return None
        divisor = binary("+", two, convert(binary("==", two, Constant(0, kind), INT), kind), kind)
        is_size = binary("<=", one, binary("/", Constant(kind.maximum, kind), divisor, kind), INT)
        origin, text, cfa = self.context.origin(node), self.context.text(node), self.context.cfa
        is_made, is_null, after = cfa.location(), cfa.location(), cfa.location()
        self.expressions.assume(is_size, node, is_made, is_null)
        cfa.current = is_null
        cfa.emit(Assign(lvalue, Constant(0, lvalue.type)), origin, text)
        cfa.jump(after, origin)
        cfa.current = is_made
        return after

    def _limited(self, size: Expression, node: c_ast.FuncCall, name: str) -> Expression:
        """The bytes of an allocation; not more than the surroundings allow."""
        largest = self.context.unit.surroundings.largest_allocation
        if largest is None or isinstance(size, Constant) or self.context.unit.model.pointer < 8:
            return size
        origin = self.context.origin(node)
        if self.context.is_generated(node):  # it chooses sizes itself
            return size
        size = self.context.held(size, node)
        few = binary("<=", size, Constant(largest, size.type), INT)
        self.context.cfa.emit(Assume(few, True), origin, self.context.text(node))
        plain = name.removeprefix("__builtin_")
        self.context.unit.assume("allocation", plain, f"gives at most 2^{largest.bit_length() - 1} bytes", origin)
        return size

    # --- ends of paths

    def ended(
        self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node], entry: LibraryFunction | None = None
    ) -> Expression:
        """Evaluates the arguments, and reads what the function reads; no run goes on after the call.

        entry: says whether it first calls what atexit was given; None: no function of the library.
        """
        if entry is not None and Trait.ASSERTION not in entry.traits and self.context.unit.checks & READS:
            reason = self.accesses.evaluate(node, name, entry, arguments)
            if reason:
                return self.trap(node, reason, VOID)
        else:
            for argument in reversed(arguments):
                self.expressions.used(argument)
        runs_handlers = entry is not None and entry.end is End.AFTER_HANDLERS
        if runs_handlers and self.context.unit.has_exit_handlers:
            self.context.emit(Call(None, RUN_EXIT_HANDLERS, ()), node)
        return self.path_end(node)

    def _asserted(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expression:
        """A call that asserts its first argument: where that is zero, no run goes on."""
        self.annotations.claim(arguments[0])
        for argument in reversed(arguments[1:]):
            self.expressions.used(argument)
        then, otherwise = self.context.cfa.location(), self.context.cfa.location()
        self.lowering.statements.branch(arguments[0], then, otherwise)
        is_clause = getattr(node.name, "name", "") == CLAUSE_ASSERTION
        what = string_of(arguments[1]) if is_clause else self.context.text(node)
        operation = ReachError(what) if self.context.unit.checks_assertions else Skip()
        self.context.cfa.current = otherwise
        if not self.context.unit.checks_assertions:
            self._check_blocks(node)
        origin = self.context.origin(node)
        self.context.cfa.edge(self.context.cfa.current, self.context.cfa.location(), operation, origin, what)
        self.context.cfa.current = then
        return Constant(0, VOID)

    def _check_blocks(self, node: c_ast.Node) -> None:
        """The end of the program, which does not leave main, where blocks are checked."""
        if self.context.unit.checks & {CheckKind.CLEANUP, CheckKind.LEAK}:
            self.context.emit(CheckBlocks(leaves_main=False), node)

    def _unreachable(self, node: c_ast.FuncCall) -> Expression:
        """An edge to the violation: the program marks code as unreachable, and it is reached."""
        return self._last_edge(node, ReachError(self.context.text(node), CheckKind.UNREACHABLE))

    def path_end(self, node: c_ast.FuncCall) -> Expression:
        """An edge to the end of the program."""
        self._check_blocks(node)
        return self._last_edge(node, Skip())

    def _last_edge(self, node: c_ast.FuncCall, operation: Operation) -> Expression:
        """An edge after which no run goes on; lowering continues at a location that nothing reaches."""
        cfa = self.context.cfa
        cfa.edge(cfa.current, cfa.location(), operation, self.context.origin(node), self.context.text(node))
        cfa.current = cfa.location()
        return Constant(0, VOID)

    def trap(self, node: c_ast.Node, what: str, kind: CType, goes_on: bool = False) -> Expression:
        """A value of the type where no run goes on: proofs must show that none comes here. goes_on: as in `trap`."""
        self.context.trap(what, node, goes_on=goes_on)
        if kind == VOID:
            return Constant(0, VOID)
        lvalue = self.context.temporary(kind)
        return Load(lvalue, kind)

    def estimated(self, node: c_ast.FuncCall, what: str, kind: CType) -> Expression:
        """A value that the run determines, but that is not modelled: proofs cover all values, no violation uses it."""
        lvalue = self.context.temporary(kind)
        operation = Nondet(lvalue, what, is_estimate=True)
        self.context.emit(operation, node)
        return Load(lvalue, kind)

    def bounded(self, node: c_ast.FuncCall, what: str, kind: CType, bounds: tuple[float, float]) -> Expression:
        """An estimate that lies within bounds if it is a number. Raises Unsupported for other types."""
        if not isinstance(kind, CFloat):
            raise self.context.refuse(node, f"call of {what}, declared with a type that it has not")
        value = self.estimated(node, what, kind)
        low, high = (Constant(bound, kind) for bound in bounds)
        for operator, bound in (("<", low), (">", high)):
            if math.isfinite(bound.value):
                outside = binary(operator, value, bound, INT)
                self.context.emit(Assume(outside, False), node)
        return value

    def violation(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression:
        """An edge to the violation: a call of the error function, or an assertion that failed."""
        named = name == ASSERT_FAILURE or (is_failed_assertion(name) and bool(_string_text(arguments)))
        if named:
            what = f"assert({_string_text(arguments)})"
        else:
            for argument in reversed(arguments):
                self.expressions.used(argument)
            what = name
        text = what if named else self.context.text(node)
        self.context.cfa.edge(
            self.context.cfa.current, self.context.cfa.location(), ReachError(what), self.context.origin(node), text
        )
        self.context.cfa.current = self.context.cfa.location()
        return Constant(0, VOID)


def _string_text(arguments: list[c_ast.Node]) -> str:
    text = arguments[0].value[1:-1] if arguments and isinstance(arguments[0], c_ast.Constant) else ""
    return str(text.replace('\\"', '"'))
