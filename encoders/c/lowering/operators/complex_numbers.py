"""Complex numbers (C11 6.2.5p11): records of a real and an imaginary part, and their arithmetic as gcc has it.

Products of two complex numbers are those of the parts. Where both parts of a product are no number, Annex G may find
an infinity instead; such a product is any value. A quotient of two complex numbers is any value, too, since libraries
round it differently.
"""

from collections.abc import Callable

from pycparser import c_ast

from encoders.c.cfa.ir import Assign, Assume, Constant, Expression, FieldLValue, Load, LValue, Nondet
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.conversions import arithmetic_type, binary, convert, is_arithmetic, unary
from encoders.c.types.c_types import BOOL, DOUBLE, FLOAT, INT, CFloat, CRecord, CType, is_scalar
from encoders.c.types.record_layout import Member, RecordLayouts

_TAGS = {f"_Complex {kind}": kind for kind in (FLOAT, DOUBLE)}
_NEGATION, _CONJUGATION = "-", "~"
PARTS = ("__real__", "__imag__")
"""The operators that give a part."""


def complex_type(names: tuple[str, ...], layouts: RecordLayouts) -> CRecord | None:
    """The type that specifiers name; None for other types and `_Complex long double`."""
    words = sorted(name for name in names if name != "_Complex")
    part = {(): DOUBLE, ("double",): DOUBLE, ("float",): FLOAT}.get(tuple(words))
    if part is None or len(words) != len(names) - 1:
        return None
    kind = CRecord(f"_Complex {part}")
    if kind.tag not in layouts.records:
        layouts.complete(kind, [Member("real", part), Member("imag", part)])
    return kind


def part_type(kind: CType) -> CFloat | None:
    """The type of the parts of a complex type; None for others."""
    return _TAGS.get(kind.tag) if isinstance(kind, CRecord) else None


def is_arithmetic_or_pointer(kind: CType) -> bool:
    """Is it scalar in C (6.2.5p21), complex types included?"""
    return is_scalar(kind) or part_type(kind) is not None


class ComplexNumbers:
    """Lowering of operators with a complex operand."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context

    def part(self, operand: LValue | Expression, operator: str) -> LValue | Expression:
        """`__real__ x` or `__imag__ x`, an lvalue if x is one."""
        position = PARTS.index(operator)
        if part_type(operand.type) is None:
            assert not isinstance(operand.type, CRecord)
            return operand if position == 0 else Constant(0, operand.type)
        if isinstance(operand, Load):
            field = self._field(operand.lvalue, position)
            return Load(field, field.type)
        assert not isinstance(operand, Expression)
        return self._field(operand, position)

    def _field(self, lvalue: LValue, position: int) -> FieldLValue:
        assert isinstance(lvalue.type, CRecord)
        field = self.context.unit.layout.record(lvalue.type).fields[position]
        return FieldLValue(lvalue, field, field.type)

    def real(self, value: Expression) -> Expression:
        """The real part of a complex number."""
        return self._parts(value)[0]

    def _parts(self, value: Expression) -> tuple[Expression, Expression]:
        """The parts of a complex number."""
        assert isinstance(value, Load)
        real, imaginary = (self._field(value.lvalue, position) for position in (0, 1))
        return Load(real, real.type), Load(imaginary, imaginary.type)

    def made(self, real: Expression, imaginary: Expression, node: c_ast.Node) -> Expression:
        """The complex number with these parts, of one floating-point type."""
        kind = complex_type(("_Complex", str(real.type)), self.context.unit.layout)
        if kind is None or self.context.unit.sets_rounding:
            why = f" of type {real.type}" if kind is None else ", where the direction of rounding is set"
            raise self.context.refuse(node, f"complex numbers{why}")
        result = self.context.temporary(kind)
        for position, value in enumerate((real, imaginary)):
            assign = Assign(self._field(result, position), value)
            self.context.emit(assign, node)
        return Load(result, kind)

    def converted(self, value: Expression, kind: CType, node: c_ast.Node) -> Expression | None:
        """A value as one of a complex type, or a complex one as _Bool; else None (C11 6.3.1.2, 6, 7)."""
        part, own = part_type(kind), part_type(value.type)
        if own is not None:
            real, imaginary = self._parts(value)
            if part is not None:
                return self.made(convert(real, part), convert(imaginary, part), node)
            if kind == BOOL:
                return convert(binary("||", self._is_not(real), self._is_not(imaginary), INT), BOOL)
            return None
        if part is None or not is_arithmetic(value.type):
            return None
        return self.made(convert(value, part), Constant(0.0, part), node)

    def _is_not(self, value: Expression) -> Expression:
        """Is a part not zero?"""
        return binary("!=", value, Constant(0.0, value.type), INT)

    def negated(self, operator: str, value: Expression, node: c_ast.Node) -> Expression:
        """`-x`, `+x`, or the conjugate `~x`."""
        real, imaginary = self._parts(value)
        if operator not in (_NEGATION, _CONJUGATION):
            return value
        return self.made(unary("-", real) if operator == _NEGATION else real, unary("-", imaginary), node)

    def operation(self, operator: str, left: Expression, right: Expression, node: c_ast.Node) -> Expression:
        """left operator right. As in gcc, a real operand is not made complex (but before it is divided)."""
        kinds = [part_type(value.type) or value.type for value in (left, right)]
        if operator not in ("+", "-", "*", "/", "==", "!=") or not all(map(is_arithmetic, kinds)):
            raise self.context.error(node, f"invalid operands to {operator}: '{left.type}' and '{right.type}'")
        kind = arithmetic_type(kinds[0], kinds[1])
        if not isinstance(kind, CFloat) or kind not in _TAGS.values():
            raise self.context.refuse(node, f"complex numbers of type {kind}")

        def parts(value: Expression) -> tuple[Expression, Expression | None]:
            if part_type(value.type) is None:
                return self.context.held(convert(value, kind), node), None
            real, imaginary = self._parts(value)
            return convert(real, kind), convert(imaginary, kind)

        (a, b), (c, d) = parts(left), parts(right)
        if operator in ("==", "!="):
            zero = Constant(0.0, kind)
            pairs = ((a, c), (b or zero, d or zero))
            tests = [binary(operator, one, two, INT) for one, two in pairs]
            return binary("&&" if operator == "==" else "||", tests[0], tests[1], INT)
        return self._computed(operator, (a, b), (c, d), lambda x, o, y: binary(o, x, y, kind), node)

    def _computed(
        self,
        operator: str,
        left: tuple[Expression, Expression | None],
        right: tuple[Expression, Expression | None],
        make: Callable[[Expression, str, Expression], Expression],
        node: c_ast.Node,
    ) -> Expression:
        """A sum, difference, product or quotient of operands given by their parts; make: an operation on parts."""
        (a, b), (c, d) = left, right
        if operator in "+-":
            if d is None:
                assert b is not None
                return self.made(make(a, operator, c), b, node)
            second = (d if operator == "+" else unary("-", d)) if b is None else make(b, operator, d)
            return self.made(make(a, operator, c), second, node)
        if d is None:
            assert b is not None
            return self.made(make(a, operator, c), make(b, operator, c), node)
        if operator == "*" and b is None:
            return self.made(make(a, "*", c), make(a, "*", d), node)
        if operator == "*":
            assert b is not None
            real = make(make(a, "*", c), "-", make(b, "*", d))
            return self._unless_no_number(self.made(real, make(make(a, "*", d), "+", make(b, "*", c)), node), node)
        return self._any(self.context.temporary(self.made(a, a, node).type), node)

    def _unless_no_number(self, value: Expression, node: c_ast.Node) -> Expression:
        """A product; any value where both parts are no numbers."""
        assert isinstance(value, Load)
        tests = [binary("!=", part, part, INT) for part in self._parts(value)]
        cfa, origin, text = self.context.cfa, self.context.origin(node), self.context.text(node)
        is_open, after = cfa.location(), cfa.location()
        condition = binary("&&", tests[0], tests[1], INT)
        for target, holds in ((is_open, True), (after, False)):
            cfa.edge(cfa.current, target, Assume(condition, holds), origin, text)
        cfa.current = is_open
        self._any(value.lvalue, node)
        cfa.jump(after, origin)
        cfa.current = after
        return value

    def _any(self, lvalue: LValue, node: c_ast.Node) -> Expression:
        """A complex number of any value, an estimate."""
        for position in (0, 1):
            estimate = Nondet(self._field(lvalue, position), "a complex product or quotient", is_estimate=True)
            self.context.emit(estimate, node)
        return Load(lvalue, lvalue.type)
