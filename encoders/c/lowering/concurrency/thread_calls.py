"""Calls that start threads and wait for them, and atomic sections, as operations of automata."""

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.expression_tests import is_null_pointer, without_casts
from encoders.c.cfa.ir import (
    Assign,
    AtomicBegin,
    AtomicEnd,
    Call,
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
from encoders.c.lowering.concurrency.thread_models import destructors_of_keys, with_destructors
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.conversions import binary
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import INT, VOID, CInteger, CPointer, CType

ATOMIC_PREFIX = "__VERIFIER_atomic_"
_BEGIN = ATOMIC_PREFIX + "begin"
_END = ATOMIC_PREFIX + "end"
_POINTER = CPointer(VOID)
# Functions without an effect on what is modelled, which give 0.
_WITHOUT_EFFECT = frozenset(
    {
        *(
            "pthread_detach",
            "thrd_detach",
            "thrd_yield",
            "pthread_attr_init",
            "pthread_attr_destroy",
            "pthread_attr_setdetachstate",
        ),
        *("pthread_attr_setstacksize", "pthread_attr_setscope", "pthread_setconcurrency", "pthread_yield"),
        *("pthread_condattr_init", "pthread_condattr_destroy", "pthread_rwlockattr_init"),
        *("pthread_rwlockattr_destroy", "pthread_barrierattr_init", "pthread_barrierattr_destroy"),
        *("pthread_mutexattr_setpshared", "pthread_condattr_setpshared", "pthread_rwlockattr_setpshared"),
    }
)


def is_atomic_function(name: str) -> bool:
    """Is the body of a function of this name one atomic section?"""
    return name.startswith(ATOMIC_PREFIX) and name not in (_BEGIN, _END)


@dataclass(frozen=True)
class Creation:
    """The arguments of a call that creates a thread."""

    place: c_ast.Node
    """Where the number of the thread goes."""
    function: c_ast.Node
    argument: c_ast.Node
    attributes: c_ast.Node | None = None


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
        result = self._of_thread(node, name, arguments)
        if result is None:
            result = self._of_section(node, name, arguments)
        if result is not None or name not in _WITHOUT_EFFECT:
            return result
        for argument in reversed(arguments):
            self.expressions.used(argument)
        self._emit(Skip(), node)
        return Constant(0, INT)

    def _of_thread(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The result of a call that starts, ends, awaits or names a thread; None for other functions."""
        match name, len(arguments):
            case "pthread_create", 4:
                place, attributes, function, argument = arguments
                return self._create(node, Creation(place, function, argument, attributes))
            case "thrd_create", 3:
                return self._create(node, Creation(*arguments))
            case "pthread_join", 2:
                return self._join(node, arguments, _POINTER)
            case "thrd_join", 2:
                return self._join(node, arguments, INT)
            case "pthread_exit", 1:
                return self._exit(node, self.expressions.value(arguments[0]))
            case "thrd_exit", 1:
                value = self.expressions.value(arguments[0])
                return self._exit(node, self.expressions.converted(value, INT, arguments[0]))
            case "pthread_self", 0:
                return self._current(node, "pthread_t")
            case "thrd_current", 0:
                return self._current(node, "thrd_t")
            case "__chcverify_thread", 0:
                return self._current(node, "")
            case (("pthread_equal" | "thrd_equal"), 2):
                left, right = (self.expressions.value(argument) for argument in arguments)
                return binary("==", left, right, INT)
        return None

    def _of_section(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The result of a call that begins or ends an atomic section; None for other functions."""
        match name, len(arguments):
            case "__chcverify_atomic_begin", 1:
                return self._begin(node, arguments[0])
            case (("__chcverify_atomic_end" | "__VERIFIER_atomic_end"), 0):
                return self._emit(AtomicEnd(), node)
            case "__VERIFIER_atomic_begin", 0:
                return self._emit(AtomicBegin(), node)
        return None

    def _emit(self, operation: Operation, node: c_ast.Node) -> Expression:
        self.context.emit(operation, node)
        return Constant(0, VOID)

    def _create(self, node: c_ast.FuncCall, creation: Creation) -> Expression:
        place, function, argument = creation.place, creation.function, creation.argument
        symbol = self._start(function)
        kinds = symbol.type.parameters
        if len(kinds) > 1 or symbol.type.variadic:
            raise self.context.refuse(function, f"thread that begins at {symbol.name}, which has several parameters")
        given = self.expressions.value(argument)
        values = tuple(self.context.held(self.expressions.converted(given, kind, argument), argument) for kind in kinds)
        if not kinds:
            self.expressions.hold_read(given, argument)
        if creation.attributes is not None:
            self.expressions.used(creation.attributes)
        lvalue = self.context.held_lvalue(self.lvalues.target(self.expressions.value(place), place), place)
        if not isinstance(lvalue.type, CInteger):
            raise self.context.refuse(place, f"number of a thread of type '{lvalue.type}'")
        if self.context.evaluated:
            self.context.unit.wanted.setdefault(symbol.name, symbol)
        self.context.unit.assume("success", _name_of(node), "never fails", self.context.origin(node))
        self._emit(CreateThread(lvalue, symbol.name, values), node)
        return Constant(0, INT)

    def _start(self, node: c_ast.Node) -> FunctionSymbol:
        """The function at which a thread begins."""
        value = without_casts(self.expressions.value(node))
        symbol = self.context.unit.address_taken.get(value.function) if isinstance(value, FunctionAddress) else None
        if symbol is None or symbol.definition is None:
            raise self.context.refuse(node, "thread that begins at a function which is not named, or has no body")
        if is_atomic_function(symbol.name):
            raise self.context.refuse(node, f"thread that begins at the atomic section {symbol.name}")
        if self.context.unit.has_thread_keys:
            return with_destructors(self.context.unit, symbol)
        return symbol

    def _join(self, node: c_ast.FuncCall, arguments: list[c_ast.Node], kind: CType) -> Expression:
        """kind: the type of what a thread ends with."""
        thread = self.context.held(self.expressions.value(arguments[0]), arguments[0])
        pointer = self.expressions.converted(self.expressions.value(arguments[1]), CPointer(kind), arguments[1])
        if is_null_pointer(pointer):
            self._emit(JoinThread(thread, None), node)
            return Constant(0, INT)
        into = self.context.held_lvalue(self.lvalues.target(pointer, arguments[1]), arguments[1])
        if not isinstance(into.type, type(kind)):
            raise self.context.refuse(node, f"{_name_of(node)} with a result of type '{into.type}'")
        result = self.context.temporary(kind)
        self._emit(JoinThread(thread, result), node)
        value = self.expressions.converted(Load(result, kind), into.type, node)
        self._emit(Assign(into, value), node)
        return Constant(0, INT)

    def _exit(self, node: c_ast.FuncCall, given: Expression) -> Expression:
        """The end of the executing thread with a value."""
        value = self.context.held(given, node)
        if self.context.unit.has_thread_keys:
            self._emit(Call(None, destructors_of_keys(self.context.unit).name, ()), node)
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
        """Begins a section, within which the condition is evaluated, whatever checks there are elsewhere."""
        self.expressions.side_effects.have_none(condition)
        before = self.context.cfa.current
        value = self.expressions.scalar(condition)
        if self.context.cfa.current is not before:
            raise self.context.refuse(condition, "checks in the condition of an atomic section")
        is_true = isinstance(value, Constant) and value.value != 0
        return self._emit(AtomicBegin(None if is_true else value), node)


def _name_of(node: c_ast.FuncCall) -> str:
    """The name of the function that is called."""
    assert isinstance(node.name, c_ast.ID)
    name: str = node.name.name
    return name
