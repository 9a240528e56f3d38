"""Compilation of expressions and lvalues to Python functions of a run's state, each once, when it is first needed.

Only what C evaluates is evaluated: the right side of && and || and the branches of ?: as the left side decides. A node
that occurs several times in an expression is evaluated once: a value that C leaves undefined is the same everywhere.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar, cast, overload

from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, children, postorder
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.execution import c_arithmetic
from encoders.c.execution.memory import moved_pointers
from encoders.c.execution.memory.memory_checks import follows_memory
from encoders.c.execution.objects import (
    NULL_POINTER,
    CValue,
    ExecutionStuck,
    FunctionPointer,
    MovedNull,
    NumberPointer,
    Pointer,
    Spot,
    is_one_object,
    is_shared_object,
)
from encoders.c.execution.state_access import Access, Function, Integer, Number, StateAccess, Test, Value
from encoders.c.library.model_files import are_copies
from encoders.c.types.c_types import CFloat, CInteger, CPointer, CRecord, CType, CVoid, long_type
from encoders.c.types.float_rounding import simplest

Result = TypeVar("Result")

TESTS: dict[str, Callable[[Number, Number], Test]] = {
    "==": lambda a, b: lambda s: a(s) == b(s),
    "!=": lambda a, b: lambda s: a(s) != b(s),
    "<": lambda a, b: lambda s: a(s) < b(s),
    "<=": lambda a, b: lambda s: a(s) <= b(s),
    ">": lambda a, b: lambda s: a(s) > b(s),
    ">=": lambda a, b: lambda s: a(s) >= b(s),
}
_CONSTANT_TESTS: dict[str, Callable[[Number, int], Test]] = {
    "==": lambda a, k: lambda s: a(s) == k,
    "!=": lambda a, k: lambda s: a(s) != k,
    "<": lambda a, k: lambda s: a(s) < k,
    "<=": lambda a, k: lambda s: a(s) <= k,
    ">": lambda a, k: lambda s: a(s) > k,
    ">=": lambda a, k: lambda s: a(s) >= k,
}
_BITWISE: dict[str, Callable[[Integer, Integer], Integer]] = {  # of two values of a type, a value of it
    "&": lambda a, b: lambda s: a(s) & b(s),
    "|": lambda a, b: lambda s: a(s) | b(s),
    "^": lambda a, b: lambda s: a(s) ^ b(s),
}
_EXACT: dict[str, Callable[[Integer, Integer], Integer]] = {
    "+": lambda a, b: lambda s: a(s) + b(s),
    "-": lambda a, b: lambda s: a(s) - b(s),
    "*": lambda a, b: lambda s: a(s) * b(s),
}


class Code:
    """The compiled functions of a program's expressions and lvalues.

    direct: functions may read a variable's cell themselves, instead of calling `object` and `get` of the state.
    """

    direct = True

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.sizes = sizes_of(program)
        self.signed = long_type(program.data_model)  # as wide as pointers
        self.checks_memory = follows_memory(program)
        self.tracks_written = CheckKind.UNINITIALISED in program.checks
        self._functions: dict[int, Function] = {}
        self._tests: dict[int, Test] = {}

    @overload
    def function(self, root: ir.Expression) -> Value: ...
    @overload
    def function(self, root: ir.LValue) -> Access: ...
    def function(self, root: Node) -> Function:
        """The function that evaluates an expression or lvalue."""
        function = self._functions.get(id(root))
        return self._make(root)[0] if function is None else function

    def integer(self, root: ir.Expression) -> Integer:
        """The function that evaluates an expression whose type is one of integers."""
        return cast(Integer, self.function(root))

    def test(self, root: ir.Expression) -> Test:
        """The function that is true if the expression's value is."""
        test = self._tests.get(id(root))
        return self._make(root)[1] if test is None else test

    def seen(self, node: Node, function: Function) -> Function:
        """The function that is called where a node is evaluated; a hook for subclasses."""
        return function

    def whole(self, root: Node, function: Function) -> Function:
        """The function that is called to evaluate a whole expression or lvalue; a hook for subclasses that are not
        direct."""
        return function

    def _make(self, root: Node) -> tuple[Function, Test]:
        """Makes the functions of an expression or lvalue from those of its parts."""
        nodes = list(postorder(root))
        uses = Counter(id(part) for node in nodes for part in children(node))
        shared = {id(node) for node in nodes if uses[id(node)] > 1 and children(node)}
        made: dict[int, Function] = {}
        tests: dict[int, Test] = {}
        for node in nodes:
            parts = children(node)
            given, asked = [made[id(part)] for part in parts], [tests[id(part)] for part in parts]
            test = self._test(node, given, asked)
            function = self._function(node, given, asked) if test is None else _zero_or_one(test)
            if id(node) in shared:
                function = _once(id(node), function)
            function = made[id(node)] = self.seen(node, function)
            plain = self.direct and id(node) not in shared
            tests[id(node)] = test if test is not None and plain else _truth(function)
        return self._finished(root, made[id(root)], tests[id(root)], bool(shared))

    def _finished(self, root: Node, function: Function, test: Test, has_shared: bool) -> tuple[Function, Test]:
        """Keeps the functions of a root. has_shared: they store the values of shared nodes."""
        function = self.whole(root, function)
        if not self.direct:
            test = _truth(function)
        if has_shared:
            function, test = _afresh(function), _afresh(test)
        self._functions[id(root)], self._tests[id(root)] = function, test
        return function, test

    # --- comparisons and logical operations -------------------------------------------------------------------------

    def _test(self, node: Node, parts: list[Function], tests: list[Test]) -> Test | None:
        """The test of a node with the values 0 and 1; None for other nodes."""
        match node:
            case ir.Binary(operator="&&"):
                return _both(*tests)
            case ir.Binary(operator="||"):
                return _either(*tests)
            case ir.Unary(operator="!"):
                return _not(*tests)
            case ir.Binary(operator=ir.SAME_OBJECT):
                first, second = cast(Sequence[Value], parts)
                return lambda s: is_one_object(first(s), second(s))
            case ir.Binary(operator=ir.SHARED_OBJECT):
                first, second = cast(Sequence[Value], parts)
                return lambda s: is_shared_object(first(s), second(s))
            case ir.Binary(operator=operator, left=left, right=right) if operator in TESTS:
                if not isinstance(left.type, CInteger | CFloat) or not isinstance(right.type, CInteger | CFloat):
                    first, second = cast(Sequence[Value], parts)
                    compare = _compare if node.reuse is ir.AddressReuse.NONE else _compare_with_ended
                    return lambda s: compare(s, node, operator, first(s), second(s))
                left_number, right_number = cast(Sequence[Number], parts)
                return self.comparison(node, left_number, right_number)
            case _:
                return None

    def comparison(self, node: ir.Binary, left: Number, right: Number) -> Test:
        """The test of a comparison of two numbers; a hook for subclasses."""
        second = node.right
        if isinstance(second, ir.Constant) and isinstance(second.type, CInteger) and self.direct:
            return _CONSTANT_TESTS[node.operator](left, int(second.value))
        return TESTS[node.operator](left, right)  # NaN as IEEE says

    # --- values and lvalues -----------------------------------------------------------------------------------------

    def _function(self, node: Node, parts: list[Function], tests: list[Test]) -> Function:
        """The function of a node from those of its parts."""
        match node:
            case ir.Constant(value=value, type=kind):
                return _constant(value, kind)
            case ir.VariableLValue(variable=variable):
                return self._variable(variable)
            case ir.Load():
                return self._load_from(node, cast(Access, parts[0]))
            case ir.ElementLValue(base=ir.VariableLValue(variable=variable), type=kind) if self.direct:
                return _element_of_variable(variable, cast(Integer, parts[1]), self.sizes.of(kind))
            case ir.ElementLValue(type=kind):
                return moved_pointers.element(cast(Access, parts[0]), cast(Integer, parts[1]), self.sizes.of(kind))
            case ir.FieldLValue(field=member):
                return moved_pointers.field(cast(Access, parts[0]), 8 * member.offset + (member.bit_offset or 0))
            case ir.AddressOf():
                return moved_pointers.address(cast(Access, parts[0]))
            case ir.FunctionAddress(function=name):
                address = FunctionPointer(name)
                return lambda s: address
        return self._operation(node, cast(Sequence[Value], parts), tests)

    def _operation(self, node: Node, parts: Sequence[Value], tests: Sequence[Test]) -> Function:
        """The function of a node whose parts are expressions."""
        match node:
            case ir.Binary():
                return self._binary(node, parts[0], parts[1])
            case ir.Cast(operand=operand, type=kind):
                return _cast(node, parts[0], operand.type, kind, self.signed)
            case ir.Dereference():
                return moved_pointers.dereference(parts[0])
            case ir.PointerAdd(pointer=pointer):
                target = pointer.type.target if isinstance(pointer.type, CPointer) else CVoid()
                index = cast(Integer, parts[1])
                return moved_pointers.advance(parts[0], index, self.sizes.of(target), self.checks_memory)
            case ir.Unary(operator=operator, type=kind):
                return _unary(operator, parts[0], kind)
            case ir.Conditional():
                return _conditional(tests[0], parts[1], parts[2])
            case ir.PointerDifference(left=left):
                return self._difference(parts[0], parts[1], left.type)
        raise AssertionError(type(node).__name__)

    def _is_simple(self, kind: CType) -> bool:
        return self.direct and isinstance(kind, CInteger | CFloat | CPointer)

    def _variable(self, variable: ir.Variable) -> Access:
        return lambda s: (s.object(variable), 0)

    def _load_from(self, node: ir.Load, lvalue: Access) -> Value:
        if isinstance(node.lvalue, ir.VariableLValue) and self._is_simple(node.type):
            return _load_variable(node.lvalue.variable, node.type)
        return self._load(node, lvalue, node.type)

    def _load(self, node: Node, lvalue: Access, kind: CType) -> Value:
        def load(s: StateAccess) -> CValue:
            target, offset = lvalue(s)
            if target is None:
                s.require_address(offset)
                return s.undefined(node, kind)
            cell = target.cells.get(offset)
            return cell[1] if cell is not None and cell[0] is kind else s.get(target, offset, kind)

        if isinstance(kind, CRecord):
            return moved_pointers.address(lvalue)
        return load

    def _binary(self, node: ir.Binary, left: Value, right: Value) -> Value:
        operator, kind = node.operator, node.type
        if isinstance(kind, CFloat):
            x, y = cast(Number, left), cast(Number, right)
            return lambda s: c_arithmetic.float_binary(operator, x(s), y(s), kind)
        if not isinstance(kind, CInteger):
            return stuck(f"{operator} of {kind}")
        a, b = cast(Integer, left), cast(Integer, right)
        if operator in _BITWISE:
            return _BITWISE[operator](a, b)
        if operator in _EXACT:
            if operator == "+" and isinstance(node.right, ir.Constant) and self.direct:
                return _add(a, int(node.right.value), kind)
            return _wrapped(_EXACT[operator](a, b), kind)
        if operator in ("/", "%"):
            return _quotient(operator, a, b, kind)
        return lambda s: c_arithmetic.shift(operator, a(s), b(s), kind, lambda value: s.undefined_number(node, value))

    def _difference(self, a: Value, b: Value, kind: CType) -> Value:
        assert isinstance(kind, CPointer)
        size = max(1, self.sizes.of(kind.target))

        def difference(s: StateAccess) -> CValue:
            left, right = a(s), b(s)
            if not isinstance(left, Pointer) or not isinstance(right, Pointer):
                raise ExecutionStuck("difference of addresses of functions")
            if isinstance(left, MovedNull) or isinstance(right, MovedNull):
                raise ExecutionStuck(f"{s.position()}: difference of addresses that are computed from a null pointer")
            if left.target is not right.target:
                raise ExecutionStuck(f"{s.position()}: difference of pointers to different objects")
            return int((left.offset - right.offset) // size)

        return difference


# --- functions made of functions --------------------------------------------------------------------------------------


def _zero_or_one(test: Test) -> Integer:
    return lambda s: 1 if test(s) else 0


def _truth(function: Function) -> Test:
    value = cast(Value, function)
    return lambda s: is_true(value(s))


def _both(left: Test, right: Test) -> Test:
    return lambda s: left(s) and right(s)


def _either(left: Test, right: Test) -> Test:
    return lambda s: left(s) or right(s)


def _not(operand: Test) -> Test:
    return lambda s: not operand(s)


def _once(key: int, function: Function) -> Function:
    def once(s: StateAccess) -> CValue | Spot:
        if key not in s.shared:
            s.shared[key] = function(s)
        return s.shared[key]

    return once


def _afresh(function: Callable[[StateAccess], Result]) -> Callable[[StateAccess], Result]:
    def afresh(s: StateAccess) -> Result:
        s.shared.clear()
        return function(s)

    return afresh


def _conditional(test: Test, then: Value, otherwise: Value) -> Value:
    return lambda s: then(s) if test(s) else otherwise(s)


def stuck(reason: str) -> Value:
    """A function that raises ExecutionStuck."""

    def fail(s: StateAccess) -> CValue:
        raise ExecutionStuck(reason)

    return fail


def _constant(value: int | float | Fraction, kind: CType) -> Value:
    made: CValue
    if isinstance(kind, CPointer):
        made = NULL_POINTER if value == 0 else NumberPointer(None, int(value))
    elif isinstance(kind, CFloat):
        exact = simplest(value) if isinstance(value, Fraction) else float(value)
        made = c_arithmetic.rounded(exact, kind)
    else:
        made = int(value)
    return lambda s: made


def _load_variable(variable: ir.Variable, kind: CType) -> Value:
    unique, is_global = variable.unique, variable.function is None

    def load(s: StateAccess) -> CValue:
        found = (s.globals if is_global else s.locals).get(unique)
        if found is not None:
            cell = found.cells.get(0)
            if cell is not None and cell[0] is kind:
                return cell[1]
        return s.get(s.object(variable), 0, kind)

    return load


def _element_of_variable(variable: ir.Variable, index: Integer, size: int) -> Access:
    """The function of an element of a variable that is an array. size: of one, in bits."""
    unique, is_global = variable.unique, variable.function is None

    def found(s: StateAccess) -> Spot:
        made = (s.globals if is_global else s.locals).get(unique)
        return (s.object(variable) if made is None else made), index(s) * size

    return found


def _add(a: Integer, k: int, kind: CInteger) -> Integer:
    low, high, wrap = kind.minimum, kind.maximum, kind.wrap

    def add(s: StateAccess) -> int:
        value = a(s) + k
        return value if low <= value <= high else wrap(value)

    return add


def _wrapped(exact: Integer, kind: CInteger) -> Integer:
    low, high, wrap = kind.minimum, kind.maximum, kind.wrap

    def wrapped(s: StateAccess) -> int:
        value = exact(s)
        return value if low <= value <= high else wrap(value)

    return wrapped


def _cast(node: Node, operand: Value, source: CType, target: CType, signed: CInteger) -> Value:
    if isinstance(source, CInteger) and isinstance(target, CInteger):
        if target.minimum <= source.minimum and source.maximum <= target.maximum:
            return operand
        return _wrapped(cast(Integer, operand), target) if not target.is_bool else lambda s: 1 if operand(s) else 0
    return lambda s: _converted(s, node, operand(s), source, target, signed)


def _converted(s: StateAccess, node: Node, value: CValue, source: CType, target: CType, signed: CInteger) -> CValue:
    """The value after a conversion. Raises ExecutionStuck for pointers to objects and functions that become integers.

    signed: the integer as wide as pointers; pointers that are numbers hold one of its values.
    """
    if isinstance(value, Pointer | FunctionPointer):
        if isinstance(target, CInteger) and target.is_bool:
            return int(is_true(value))
        return _number_of(value, target, signed) if isinstance(target, CInteger) else value
    if isinstance(target, CInteger):
        if isinstance(source, CFloat):
            return c_arithmetic.to_integer(value, target, lambda found: s.undefined_number(node, found))
        return target.wrap(int(value))
    if isinstance(target, CFloat):
        if isinstance(source, CInteger):
            return c_arithmetic.from_integer(int(value), target)
        return c_arithmetic.rounded(value if isinstance(value, Fraction) else float(value), target)
    if isinstance(target, CPointer):
        return NULL_POINTER if value == 0 else NumberPointer(None, signed.wrap(int(value)))
    return value


def _number_of(pointer: Pointer | FunctionPointer, target: CInteger, signed: CInteger) -> int:
    """The number of a pointer that is one, or null; raises ExecutionStuck for others."""
    if pointer == NULL_POINTER and not isinstance(pointer, MovedNull):
        return 0
    if isinstance(pointer, NumberPointer) and signed.minimum <= pointer.offset <= signed.maximum:
        return target.wrap(pointer.offset)
    raise ExecutionStuck("pointer converted to an integer")


def _unary(operator: str, operand: Value, kind: CType) -> Value:
    return lambda s: _with_sign(operator, operand(s), kind)


def _with_sign(operator: str, value: CValue, kind: CType) -> CValue:
    if isinstance(kind, CInteger) and isinstance(value, int):
        return kind.wrap(-value if operator == "-" else ~value)
    if isinstance(value, float | int | Fraction) and isinstance(kind, CFloat):
        exact = value if isinstance(value, Fraction) else float(value)
        return c_arithmetic.square_root(exact, kind) if operator == "sqrt" else -exact
    raise ExecutionStuck(f"{operator} of a pointer")


def _quotient(operator: str, a: Integer, b: Integer, kind: CInteger) -> Integer:
    """The function of a quotient or remainder. The run ends where it is not defined, as on most processors."""

    def quotient(s: StateAccess) -> int:
        x, y = a(s), b(s)
        if y == 0:
            raise ExecutionStuck(f"{s.position()}: division by zero")
        if y == -1 and kind.signed and x == kind.minimum:
            raise ExecutionStuck(f"{s.position()}: {x} {operator} -1 does not fit {kind}")
        return c_arithmetic.quotient(operator, x, y, kind)

    return quotient


def _compare(s: StateAccess, node: Node, operator: str, a: CValue, b: CValue) -> bool:
    """Compares pointers; of different objects, by the order that the run has assumed or now assumes."""
    if operator in ("==", "!="):
        if a == b and (isinstance(a, MovedNull) or isinstance(b, MovedNull)):
            raise ExecutionStuck(f"{s.position()}: comparison of an address that is computed from a null pointer")
        if a != b and _lead_to_copies(a, b):
            raise ExecutionStuck(f"{s.position()}: comparison of string literals of two files")
        return (a == b) == (operator == "==")
    if isinstance(a, int | float | Fraction) and isinstance(b, int | float | Fraction):
        return bool(c_arithmetic.compare(operator, a, b))
    if not isinstance(a, Pointer) or not isinstance(b, Pointer):
        raise ExecutionStuck("order of addresses of functions")
    if isinstance(a, MovedNull) or isinstance(b, MovedNull):
        raise ExecutionStuck(f"{s.position()}: order of an address that is computed from a null pointer")
    if a.target is not b.target:
        if a.target is None or b.target is None:
            raise ExecutionStuck(f"{s.position()}: order of pointers where one points to no object")
        return s.ordered(node, operator, a.target, b.target)
    return bool(c_arithmetic.compare(operator, a.offset, b.offset))


def _lead_to_copies(a: CValue, b: CValue) -> bool:
    """Do two pointers lead to equal string literals of two files?"""
    if not isinstance(a, Pointer) or not isinstance(b, Pointer) or a.target is None or b.target is None:
        return False
    return are_copies(a.target.name, b.target.name)


def _compare_with_ended(s: StateAccess, node: Node, operator: str, a: CValue, b: CValue) -> bool:
    """Compares pointers where one may lead to an object that is gone; raises ExecutionStuck where it does, and the
    other leads to another object, which may have its address."""
    targets = [value.target for value in (a, b) if isinstance(value, Pointer) and value.target is not None]
    if len(set(targets)) == 2 and any(map(s.is_gone, targets)):
        raise ExecutionStuck(f"{s.position()}: comparison with a pointer to an object whose lifetime has ended")
    return _compare(s, node, operator, a, b)


def is_true(value: CValue) -> bool:
    """True if C treats the value as true."""
    if isinstance(value, MovedNull):
        raise ExecutionStuck("comparison of an address that is computed from a null pointer")
    if isinstance(value, Pointer):
        return value != NULL_POINTER
    return isinstance(value, FunctionPointer) or value != 0
