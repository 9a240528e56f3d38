"""gcc's atomic built-in functions as plain accesses, which are one atomic section in a program with threads.

Memory orders are not looked at: all accesses are sequentially consistent.
"""

import re

from pycparser import c_ast

from encoders.c.cfa.ir import (
    Assign,
    AtomicBegin,
    AtomicEnd,
    Conditional,
    Constant,
    Expression,
    LValue,
    Skip,
    VariableLValue,
)
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.conversions import binary, convert, promoted, unary
from encoders.c.types.c_types import BOOL, INT, VOID, CInteger, CPointer, CType, is_scalar

_FENCES = frozenset({"__atomic_thread_fence", "__atomic_signal_fence", "__sync_synchronize"})
_OPERATIONS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "&"}
_CHANGE = re.compile(
    r"__(?:atomic_(?P<old>fetch_)?|sync_(?P<first>fetch_and_)?)(?P<operation>add|sub|and|or|xor|nand)"
    r"(?P<new>_fetch|_and_fetch)?$"
)
# Of the others: how many arguments come before the memory orders, and which of these are values, not pointers.
_FORMS = {
    "__atomic_load_n": (1, ()),
    "__atomic_load": (2, ()),
    "__atomic_store_n": (2, (1,)),
    "__atomic_store": (2, ()),
    "__atomic_exchange_n": (2, (1,)),
    "__atomic_exchange": (3, ()),
    "__sync_lock_test_and_set": (2, (1,)),
    "__atomic_compare_exchange_n": (3, (2,)),
    "__atomic_compare_exchange": (3, ()),
    "__sync_bool_compare_and_swap": (3, (1, 2)),
    "__sync_val_compare_and_swap": (3, (1, 2)),
    "__atomic_test_and_set": (1, ()),
    "__atomic_clear": (1, ()),
    "__sync_lock_release": (1, ()),
}


def _changed(name: str) -> re.Match[str] | None:
    """The parts of a name that says how an object is changed and whether the old or the new value is returned."""
    found = _CHANGE.match(name)
    if found is None or bool(found["old"] or found["first"]) == bool(found["new"]):
        return None
    return found


class AtomicBuiltins:
    """Lowering of calls of gcc's atomic functions."""

    def __init__(self, context: LoweringContext, lvalues: LValueLowering, expressions: ExpressionLowering) -> None:
        self.context = context
        self.lvalues = lvalues
        self.expressions = expressions

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The result of a call, void where it has none; None for other functions."""
        if name in _FENCES:
            for argument in reversed(arguments):
                self.expressions.effect(argument)
            self.context.emit(Skip(), node)
            return Constant(0, VOID)
        changed = _changed(name)
        count = 2 if changed is not None else _FORMS.get(name, (0, ()))[0]
        if not count or len(arguments) < count:
            return None
        held: list[Expression] = []
        for argument in reversed(arguments):
            value = self.context.held(self.expressions.value(argument), argument)
            held.insert(0, value)
        if self.context.unit.has_threads:
            return self._in_section(node, name, held, changed, count)
        return self._operation(node, name, held, changed, count)

    def _in_section(
        self, node: c_ast.FuncCall, name: str, held: list[Expression], changed: re.Match[str] | None, count: int
    ) -> Expression:
        """The call as one atomic section."""
        origin, text = self.context.origin(node), self.context.text(node)
        self.context.cfa.emit(AtomicBegin(), origin, text)
        result = self._operation(node, name, held, changed, count)
        result = self.context.held(result, node)
        self.context.cfa.emit(AtomicEnd(), origin, text)
        return result

    def _operation(
        self, node: c_ast.FuncCall, name: str, held: list[Expression], changed: re.Match[str] | None, count: int
    ) -> Expression:
        """The call with evaluated arguments. count: how many come before the memory orders."""
        first = held[0]
        if name in ("__atomic_test_and_set", "__atomic_clear"):
            first = convert(first, CPointer(BOOL))
        lvalue = self.lvalues.target(first, node)
        if not is_scalar(lvalue.type):
            raise self.context.refuse(node, f"call of {name} for an object of type '{lvalue.type}'")
        if changed is not None:
            return self._change(node, changed, lvalue, held[1])
        values = [
            self.expressions.converted(part, lvalue.type, node) if position in _FORMS[name][1] else part
            for position, part in enumerate(held[:count])
        ]
        return self._access(node, name, lvalue, values)

    def _access(self, node: c_ast.FuncCall, name: str, lvalue: LValue, given: list[Expression]) -> Expression:
        """Loads, stores, exchanges and comparisons. given: the arguments before the memory orders."""
        kind = lvalue.type
        old = self.context.held(self.lvalues.read(lvalue), node)
        if "compare" in name:
            return self._compare(node, name, lvalue, old, given)
        if name == "__atomic_load":
            self.context.emit(Assign(self._object(given[1], kind, node), old), node)
            return Constant(0, VOID)
        if name in ("__atomic_clear", "__sync_lock_release"):
            self.context.emit(Assign(lvalue, convert(Constant(0, INT), kind)), node)
            return Constant(0, VOID)
        if name == "__atomic_test_and_set":
            self.context.emit(Assign(lvalue, Constant(1, BOOL)), node)
            return old
        if name in ("__atomic_store", "__atomic_exchange"):
            given[1] = self.context.held(self.lvalues.read(self._object(given[1], kind, node)), node)
        if "store" in name or "exchange" in name or name == "__sync_lock_test_and_set":
            self.context.emit(Assign(lvalue, given[1]), node)
        if name == "__atomic_exchange":
            self.context.emit(Assign(self._object(given[2], kind, node), old), node)
        return Constant(0, VOID) if "store" in name or name == "__atomic_exchange" else old

    def _compare(
        self, node: c_ast.FuncCall, name: str, lvalue: LValue, old: Expression, given: list[Expression]
    ) -> Expression:
        """Stores the new value if the old one equals the expected one; else some write the old value there."""
        expected, new = given[1], given[2]
        place = self._object(expected, lvalue.type, node) if name.startswith("__atomic") else None
        if place is not None:
            expected = self.context.held(self.lvalues.read(place), node)
        if name == "__atomic_compare_exchange":
            new = self.context.held(self.lvalues.read(self._object(new, lvalue.type, node)), node)
        equal = self.context.held_always(binary("==", old, expected, INT), node)
        self.context.emit(Assign(lvalue, Conditional(equal, new, old, lvalue.type)), node)
        if place is not None:
            self.context.emit(Assign(place, Conditional(equal, expected, old, lvalue.type)), node)
        return old if name.startswith("__sync_val") else convert(equal, BOOL)

    def _change(self, node: c_ast.FuncCall, changed: re.Match[str], lvalue: LValue, operand: Expression) -> Expression:
        """*pointer = *pointer operator operand, which wraps around; the old or the new value."""
        kind = lvalue.type
        if not isinstance(kind, CInteger) or kind.is_bool:
            raise self.context.refuse(node, f"call of {self.context.text(node.name)} for an object of type '{kind}'")
        old = self.context.held(self.lvalues.read(lvalue), node)
        wide = promoted(kind)
        left, right = convert(old, wide), convert(convert(operand, kind), wide)
        result = binary(_OPERATIONS[changed["operation"]], left, right, wide)
        if changed["operation"] == "nand":
            result = unary("~", result)
        new = self.context.held_always(convert(result, kind), node)
        self.context.emit(Assign(lvalue, new), node)
        return new if changed["new"] else old

    def _object(self, pointer: Expression, kind: CType, node: c_ast.FuncCall) -> LValue:
        """The object of a type that a pointer points to."""
        lvalue = self.lvalues.target(convert(pointer, CPointer(kind)), node)
        is_own = isinstance(lvalue, VariableLValue) and lvalue.variable.function is not None
        if self.context.unit.has_threads and not is_own:
            raise self.context.refuse(
                node, f"call of {self.context.text(node.name)} with an object that other threads may reach"
            )
        return lvalue
