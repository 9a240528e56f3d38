"""setjmp and longjmp (C11 7.13).

Every call is followed by the question whether a jump is under way. If so, the function goes on behind the call of
setjmp that the jump leads to, or returns, if that is a call of another function (encoders/c/library/jumps.c).
"""

from collections.abc import Sequence
from dataclasses import field

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import (
    Assign,
    Constant,
    Declare,
    ElementLValue,
    Expression,
    FieldLValue,
    Load,
    LValue,
    Nondet,
    VariableLValue,
)
from encoders.c.library.function_table import Trait
from encoders.c.library.table_reader import find
from encoders.c.lowering.calls.formats.model_calls import model_call
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.builtin_names import is_builtin
from encoders.c.lowering.operators.conversions import binary, convert
from encoders.c.lowering.symbols import LocalVariable
from encoders.c.types.c_types import INT, VOID, CArray, CFloat, CInteger, CPointer, CRecord, CType, long_type

_CHANGED = "the value of a local variable that changed between setjmp and longjmp"  # C11 7.13.2.1p3: indeterminate


@dataclass
class _Point:
    """A call of setjmp in the function at hand."""

    number: VariableLValue
    """The number of its last call in this call of the function; 0: none yet."""
    node: c_ast.Node | None = None
    result: VariableLValue | None = None
    """What it returns."""
    landing: int = -1
    """Where both ways come together."""
    locals: list[tuple[VariableLValue, VariableLValue]] = field(default_factory=list)
    """Those that are not volatile, and copies of their values."""


class NonlocalJumps:
    """Lowering of setjmp and longjmp, and of what follows calls in programs with them."""

    def __init__(self, context: LoweringContext, lvalues: LValueLowering, expressions: ExpressionLowering) -> None:
        self.context = context
        self.lvalues = lvalues
        self.expressions = expressions
        self._unused: list[_Point] = []
        self._points: list[_Point] = []
        self._passing: int | None = None  # where the function is while a jump is under way
        self._body_block = -1

    def begin_body(self, body: c_ast.Node) -> None:
        """At the beginning of a function's body: no call of setjmp in it has been made yet."""
        if not self.context.unit.has_jumps:
            return
        self._body_block = self.context.cfa.block
        long = long_type(self.context.unit.model)
        for node in _calls_with(body, Trait.MARKS):
            point = _Point(self.context.temporary(long, "<jump>"))
            self._unused.append(point)
            self.context.cfa.emit(Assign(point.number, Constant(0, long)), self.context.origin(node))

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The result of setjmp and its like; None for other functions."""
        entry = find(name)
        if entry is None or is_builtin(name) or len(arguments) != len(entry.parameters):
            return None  # gcc's built-in functions have a buffer and a meaning of their own
        if Trait.JUMPS in entry.traits:
            return self._jump(node, arguments)
        return self._mark(node, arguments) if Trait.MARKS in entry.traits else None

    def _mark(self, node: c_ast.FuncCall, arguments: Sequence[c_ast.Node]) -> Expression:
        """A call of setjmp: it returns 0, and once more for each jump that leads to it."""
        if not self.context.evaluated:
            return Constant(0, INT)
        if self.context.unit.has_threads:
            raise self.context.refuse(node, "setjmp in a program with threads")
        if self.context.cfa.block != self._body_block or not self._unused:
            what = "setjmp inside of an inner block or loop; call it at the outermost level of its function"
            raise self.context.refuse(node, what)
        point = self._unused.pop(0)
        self._points.append(point)
        place = self._first_long(node, arguments)
        origin, text = self.context.origin(node), self.context.text(node)
        number = model_call(self.context, node, "__chcverify_new_jump", ())
        self.context.cfa.emit(Assign(point.number, number), origin, text)
        self.context.cfa.emit(Assign(place, convert(number, place.type)), origin, text)
        if CheckKind.UNINITIALISED not in self.context.unit.checks:
            self._keep_locals(point, node)
        point.node, point.result = node, self.context.temporary(INT, "<jumped>")
        self.context.cfa.emit(Assign(point.result, Constant(0, INT)), origin, text)
        point.landing = self.context.cfa.location()
        self.context.cfa.fall_into(point.landing, origin)
        return self.context.held_always(Load(point.result, INT), node)

    def _keep_locals(self, point: _Point, node: c_ast.Node) -> None:
        """Copies of the scalar locals in scope, to see later which of them have changed."""
        for scope in self.context.scope.outwards():
            for symbol in scope.names.values():
                if isinstance(symbol, LocalVariable) and not symbol.volatile and _is_number_or_pointer(symbol):
                    lvalue = VariableLValue.of(symbol.variable)
                    copy = self.context.temporary(lvalue.type, "<kept>")
                    operation = Assign(copy, Load(lvalue, lvalue.type), copies=True)
                    self.context.cfa.emit(operation, self.context.origin(node))
                    point.locals.append((lvalue, copy))

    def _jump(self, node: c_ast.FuncCall, arguments: Sequence[c_ast.Node]) -> Expression:
        """A call of longjmp: no run goes on behind it."""
        value = self.context.held(convert(self.expressions.value(arguments[1]), INT), node)
        place = self._first_long(node, arguments)
        number = self.context.held(Load(place, place.type), node)
        model_call(self.context, node, "__chcverify_begin_jump", (number, value))
        self.context.cfa.jump(self._passing_location(), self.context.origin(node))
        return Constant(0, VOID)

    def _first_long(self, node: c_ast.FuncCall, arguments: Sequence[c_ast.Node]) -> LValue:
        """Where a jmp_buf holds the number: its first long."""
        for argument in reversed(arguments[1:]):
            self.expressions.used(argument)
        pointer = self.context.held(self.expressions.value(arguments[0]), node)
        if not isinstance(pointer.type, CPointer):
            raise self.context.refuse(node, "setjmp or longjmp without the address of a jmp_buf")
        place = self.lvalues.target(pointer, node)
        long = long_type(self.context.unit.model)
        while isinstance(place.type, CRecord | CArray):
            if isinstance(place.type, CArray):
                place = ElementLValue(place, Constant(0, long), place.type.element)
            else:
                self.context.size_of(place.type, node)
                first = self.context.unit.layout.record(place.type).fields[0]
                place = FieldLValue(place, first, first.type)
        if not isinstance(place.type, CInteger) or place.type.width < long.width:
            raise self.context.refuse(
                node, f"setjmp or longjmp with a jmp_buf that begins with an object of type '{place.type}'"
            )
        return place

    def after_call(self, node: c_ast.Node) -> None:
        """Behind a call: the function is left, or goes on behind setjmp, where a jump is under way."""
        if not self.context.unit.has_jumps or not self.context.evaluated:
            return
        target = model_call(self.context, node, "__chcverify_jump_target", ())
        goes_on = self.context.cfa.location()
        under_way = binary("!=", target, Constant(0, target.type), INT)
        self.expressions.assume(under_way, node, self._passing_location(), goes_on)
        self.context.cfa.current = goes_on

    def _passing_location(self) -> int:
        if self._passing is None:
            self._passing = self.context.cfa.location()
            self.context.cfa.made_in[self._passing] = max(self._body_block, 0)
        return self._passing

    def end_body(self, definition: c_ast.Node) -> None:
        """At the end of a function's body: where control goes while a jump is under way."""
        if self._passing is None:
            return
        cfa, behind = self.context.cfa, self.context.cfa.current
        cfa.current = self._passing
        for point in self._points:
            self._land(point)
        if self.context.result is not None:
            cfa.emit(Declare(self.context.result), self.context.origin(definition), "a jump leaves the function")
        cfa.jump(self.context.exit, self.context.origin(definition))
        cfa.current = behind

    def _land(self, point: _Point) -> None:
        """A jump that leads to a call of setjmp ends there."""
        node, cfa = point.node, self.context.cfa
        assert node is not None and point.result is not None
        here, elsewhere = cfa.location(), cfa.location()
        target = model_call(self.context, node, "__chcverify_jump_target", ())
        reached = binary("==", Load(point.number, point.number.type), target, INT)
        self.expressions.assume(reached, node, here, elsewhere)
        cfa.current = here
        value = model_call(self.context, node, "__chcverify_land", ())
        cfa.emit(Assign(point.result, value), self.context.origin(node), self.context.text(node))
        for lvalue, copy in point.locals:
            self._forget_if_changed(lvalue, copy, node)
        cfa.jump(point.landing, self.context.origin(node))
        cfa.current = elsewhere

    def _forget_if_changed(self, lvalue: VariableLValue, copy: VariableLValue, node: c_ast.Node) -> None:
        cfa = self.context.cfa
        changed, after = cfa.location(), cfa.location()
        differs = binary("!=", Load(lvalue, lvalue.type), Load(copy, copy.type), INT)
        self.expressions.assume(differs, node, changed, after)
        cfa.current = changed
        if isinstance(lvalue.type, CPointer):
            self.context.trap(_CHANGED, node)
        else:
            cfa.emit(Nondet(lvalue, _CHANGED, is_estimate=True), self.context.origin(node))
        cfa.fall_into(after, self.context.origin(node))


def _is_number_or_pointer(symbol: LocalVariable) -> bool:
    kind: CType = symbol.variable.type
    return isinstance(kind, CInteger | CFloat | CPointer) and symbol.lengths is None


def _calls_with(body: c_ast.Node, trait: Trait) -> list[c_ast.FuncCall]:
    """The calls of functions with a trait, in the order of the text."""
    found, stack = list[c_ast.FuncCall](), [body]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            entry = find(node.name.name)
            if entry is not None and trait in entry.traits:
                found.append(node)
        stack.extend(child for _, child in reversed(node.children()))
    return found
