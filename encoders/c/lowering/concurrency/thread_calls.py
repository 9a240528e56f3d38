"""Calls that start threads and wait for them, and atomic sections, as operations of automata."""

from pycparser import c_ast

from encoders.c.cfa.expression_tests import is_null_pointer
from encoders.c.cfa.ir import (
    Assign,
    AtomicBegin,
    AtomicEnd,
    Cast,
    Constant,
    CreateThread,
    CurrentThread,
    ExitThread,
    Expression,
    FunctionAddress,
    JoinThread,
    Load,
    Operation,
    Skip,
)
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.conversions import binary
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import INT, VOID, CInteger, CPointer

ATOMIC_PREFIX = "__VERIFIER_atomic_"
_BEGIN = ATOMIC_PREFIX + "begin"
_END = ATOMIC_PREFIX + "end"
_POINTER = CPointer(VOID)
# Functions without an effect on what is modelled, which give 0.
_WITHOUT_EFFECT = frozenset(
    {
        *("pthread_detach", "pthread_attr_init", "pthread_attr_destroy", "pthread_attr_setdetachstate"),
        *("pthread_attr_setstacksize", "pthread_attr_setscope", "pthread_setconcurrency", "pthread_yield"),
        *("pthread_condattr_init", "pthread_condattr_destroy", "pthread_rwlockattr_init"),
        *("pthread_rwlockattr_destroy", "pthread_barrierattr_init", "pthread_barrierattr_destroy"),
        *("pthread_mutexattr_setpshared", "pthread_condattr_setpshared", "pthread_rwlockattr_setpshared"),
    }
)


def is_atomic_function(name: str) -> bool:
    """Is the body of a function of this name one atomic section?"""
    return name.startswith(ATOMIC_PREFIX) and name not in (_BEGIN, _END)


class ThreadCalls:
    """Lowering of calls that have to do with threads, in programs that are verified as programs with threads."""

    def __init__(self, context: LoweringContext, lvalues: LValueLowering, expressions: ExpressionLowering) -> None:
        self.context = context
        self.lvalues = lvalues
        self.expressions = expressions

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The result of a call, void where it has none; None for other functions."""
        if not self.context.unit.has_threads:
            return None
        match name, len(arguments):
            case "pthread_create", 4:
                return self._create(node, arguments)
            case "pthread_join", 2:
                return self._join(node, arguments)
            case "pthread_exit", 1:
                return self._exit(node, arguments[0])
            case "pthread_self", 0:
                return self._current(node, "pthread_t")
            case "__chcverify_thread", 0:
                return self._current(node, "")
            case "pthread_equal", 2:
                left, right = (self.expressions.value(argument) for argument in arguments)
                return binary("==", left, right, INT)
            case "__chcverify_atomic_begin", 1:
                return self._begin(node, arguments[0])
            case (("__chcverify_atomic_end" | "__VERIFIER_atomic_end"), 0):
                return self._emit(AtomicEnd(), node)
            case "__VERIFIER_atomic_begin", 0:
                return self._emit(AtomicBegin(), node)
        if name in _WITHOUT_EFFECT:
            for argument in reversed(arguments):
                self.expressions.used(argument)
            self._emit(Skip(), node)
            return Constant(0, INT)
        return None

    def _emit(self, operation: Operation, node: c_ast.Node) -> Expression:
        self.context.cfa.emit(operation, self.context.origin(node), self.context.text(node))
        return Constant(0, VOID)

    def _create(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expression:
        place, attributes, function, argument = arguments
        symbol = self._start(function)
        kinds = symbol.type.parameters
        if len(kinds) > 1 or symbol.type.variadic:
            raise self.context.refuse(function, f"thread that begins at {symbol.name}, which has several parameters")
        given = self.expressions.value(argument)
        values = tuple(self.context.held(self.expressions.converted(given, kind, argument), argument) for kind in kinds)
        if not kinds:
            self.expressions.hold_read(given, argument)
        self.expressions.used(attributes)
        lvalue = self.context.held_lvalue(self.lvalues.target(self.expressions.value(place), place), place)
        if not isinstance(lvalue.type, CInteger):
            raise self.context.refuse(place, f"pthread_t of type '{lvalue.type}'")
        if self.context.evaluated:
            self.context.unit.wanted.setdefault(symbol.name, symbol)
        self.context.unit.assume("success", "pthread_create", "never fails", self.context.origin(node))
        self._emit(CreateThread(lvalue, symbol.name, values), node)
        return Constant(0, INT)

    def _start(self, node: c_ast.Node) -> FunctionSymbol:
        """The function at which a thread begins."""
        value = self.expressions.value(node)
        while isinstance(value, Cast):
            value = value.operand
        symbol = self.context.unit.address_taken.get(value.function) if isinstance(value, FunctionAddress) else None
        if symbol is None or symbol.definition is None:
            raise self.context.refuse(node, "thread that begins at a function which is not named, or has no body")
        if is_atomic_function(symbol.name):
            raise self.context.refuse(node, f"thread that begins at the atomic section {symbol.name}")
        return symbol

    def _join(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expression:
        thread = self.context.held(self.expressions.value(arguments[0]), arguments[0])
        pointer = self.expressions.converted(self.expressions.value(arguments[1]), CPointer(_POINTER), arguments[1])
        if is_null_pointer(pointer):
            self._emit(JoinThread(thread, None), node)
            return Constant(0, INT)
        into = self.context.held_lvalue(self.lvalues.target(pointer, arguments[1]), arguments[1])
        if not isinstance(into.type, CPointer):
            raise self.context.refuse(node, f"pthread_join with a result of type '{into.type}'")
        result = self.context.temporary(_POINTER)
        self._emit(JoinThread(thread, result), node)
        value = self.expressions.converted(Load(result, _POINTER), into.type, node)
        self._emit(Assign(into, value), node)
        return Constant(0, INT)

    def _exit(self, node: c_ast.FuncCall, argument: c_ast.Node) -> Expression:
        value = self.context.held(self.expressions.value(argument), argument)
        self._emit(ExitThread(value), node)
        self.context.cfa.current = self.context.cfa.location()
        return Constant(0, VOID)

    def _current(self, node: c_ast.FuncCall, kind: str) -> Expression:
        """The number of the executing thread, in the type of a name, or as int."""
        symbol = self.context.scope.find(kind) if kind else None
        declared = getattr(symbol, "type", INT)
        lvalue = self.context.temporary(declared if isinstance(declared, CInteger) else INT)
        self._emit(CurrentThread(lvalue), node)
        return Load(lvalue, lvalue.type)

    def _begin(self, node: c_ast.FuncCall, condition: c_ast.Node) -> Expression:
        value = self.expressions.scalar(condition)
        is_true = isinstance(value, Constant) and value.value != 0
        return self._emit(AtomicBegin(None if is_true else value), node)
