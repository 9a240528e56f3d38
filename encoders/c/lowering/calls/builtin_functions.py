"""gcc's built-in functions, and the macros of <math.h> that expand to them."""

import math

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import Assign, Binary, Conditional, Constant, Expression, Load, Trap, Unary
from encoders.c.library.table_reader import measures_whole_strings
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.builtin_names import (
    CLASSIFICATIONS,
    COMPARISONS,
    INFINITIES,
    INTRINSIC_OVERFLOWS,
    LIBRARY_CLASSIFICATIONS,
    OVERFLOWS,
    is_builtin,
    nan_type,
    root_type,
)
from encoders.c.lowering.operators.constant_builtins import CHOICES, TYPE_QUESTIONS, folded_builtin
from encoders.c.lowering.operators.conversions import arithmetic_type, binary, convert, is_arithmetic, promoted
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.qualifiers import have_equal_constancy, have_equal_volatility
from encoders.c.source.literals import string_literal
from encoders.c.source.syntax_trees import arguments_of
from encoders.c.types.c_types import DOUBLE, INT, INT128, CArray, CFloat, CInteger, CRecord, long_type, size_type


@dataclass(frozen=True, eq=False)
class BuiltinLowering:
    """Functions that are operations: no function with that meaning could be written in C."""

    context: LoweringContext
    side_effects: SideEffects
    types: TypeLowering
    lvalues: LValueLowering
    expressions: ExpressionLowering

    def builtin(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """gcc's built-in functions, and the classification macros of <math.h>."""
        if name in ("__builtin_offsetof", "offsetof") and len(arguments) == 2:
            return self._offset_of(node)
        folded = self.folded_call(name, arguments)
        if folded is not None:
            return folded
        if name == "__builtin_types_compatible_p" and len(arguments) == 2:
            return Constant(int(self._compatible(arguments)), INT)
        if name == "__builtin_choose_expr" and len(arguments) == 3:
            return self.expressions.value(arguments[1 if self.types.constant(arguments[0], "first argument") else 2])
        if name in ("__builtin_expect", "__builtin_expect_with_probability") and len(arguments) >= 2:
            return self.expressions.converted(
                self.expressions.value(arguments[0]), long_type(self.context.unit.model), node
            )
        if name == "__builtin_constant_p":
            return Constant(int(self._is_constant(arguments[0])), INT)
        if name in INFINITIES:
            return Constant(math.inf, INFINITIES[name])
        nan = nan_type(name)
        if nan is not None:
            return Constant(math.nan, nan)
        plain = name.removeprefix("__builtin_").removeprefix("__")
        if len(arguments) == 1 and (name in LIBRARY_CLASSIFICATIONS or plain in CLASSIFICATIONS):
            return self._classified(name, plain, arguments[0], node)
        if name == "__builtin_fpclassify" and len(arguments) == 6:
            return self._chosen_by_class(arguments, node)
        root = root_type(name)
        if root is not None and len(arguments) == 1:
            operand = self.expressions.converted(self.expressions.value(arguments[0]), root, node)
            if self.context.unit.reads_errno:
                operand = self.context.held(operand, node)
                self._not_negative(operand, node)
            self.expressions.checks.rounding(node, operand)
            return Unary("sqrt", operand, root)
        if (plain in OVERFLOWS and len(arguments) == 3) or (
            name in INTRINSIC_OVERFLOWS and len(arguments) == (1 if INTRINSIC_OVERFLOWS[name] == "negate" else 2)
        ):
            return self._overflow(name, arguments, node)
        is_of_pair = plain in (*COMPARISONS, "isunordered") or name == "__builtin_complex"
        return self._of_pair(plain, self._pair(arguments), node) if is_of_pair and len(arguments) == 2 else None

    def _is_constant(self, node: c_ast.Node) -> bool:
        """Does gcc know the value without optimisation? That of a string's literal, too (manual, Other Builtins)."""
        while isinstance(node, c_ast.Cast):
            node = node.expr
        if isinstance(node, c_ast.Constant):
            return True
        if self.side_effects.has_side_effects(node):
            return False
        with self.context.unevaluated():
            return isinstance(self.expressions.value(node), Constant)

    def _of_pair(self, plain: str, pair: tuple[Expression, Expression], node: c_ast.FuncCall) -> Expression:
        """Comparisons of floating-point numbers, and the complex number that has two as its parts."""
        if plain in COMPARISONS:
            return self.expressions.operation(COMPARISONS[plain], *pair, node)
        if plain == "isunordered":
            left, right = pair
            return binary("||", binary("!=", left, left, INT), binary("!=", right, right, INT), INT)
        return self.expressions.complexes.made(*pair, node)

    def _offset_of(self, node: c_ast.FuncCall) -> Expression:
        """offsetof(type, member.designator[index])."""
        kind, steps = self.types.plain_type(arguments_of(node)[0]), list[c_ast.ArrayRef | c_ast.StructRef]()
        part = arguments_of(node)[1]
        while not isinstance(part, c_ast.ID):
            assert isinstance(part, c_ast.ArrayRef | c_ast.StructRef)
            steps.append(part)
            part = part.name
        offset, moved = 0, list[Expression]()
        size = size_type(self.context.unit.model)
        for step in (part, *reversed(steps)):
            if isinstance(step, c_ast.ArrayRef):
                if not isinstance(kind, CArray):
                    raise self.context.error(step, "subscripted member is not an array")
                kind = kind.element
                unit, index = self.context.size_of(kind, step), self.types.constant_or_none(step.subscript)
                if index is None:
                    given = self.expressions.converted(self.expressions.scalar(step.subscript), size, step)
                    moved.append(binary("*", given, Constant(unit, size), size))
                offset += (index or 0) * unit
                continue
            name = step.name if isinstance(step, c_ast.ID) else step.field.name
            path = self.lvalues.member_path(kind, name, step) if isinstance(kind, CRecord) else []
            if not path:
                raise self.context.error(step, f"'{kind}' has no member named '{name}'")
            offset += sum(member.offset for member in path)
            kind = path[-1].type
        result: Expression = Constant(offset, size)
        for more in moved:
            result = binary("+", result, more, size)
        return result

    def _compatible(self, names: list[c_ast.Node]) -> bool:
        """Are the types compatible, top-level qualifiers aside? Arrays of unknown length are so with all lengths."""
        left, right = (self.types.plain_type(name) for name in names)
        while isinstance(left, CArray) and isinstance(right, CArray):
            if None not in (left.length, right.length) and left.length != right.length:
                return False
            left, right = left.element, right.element
        if any(_is_enumeration(name) for name in names):  # gcc keeps them apart from integers here
            raise self.context.refuse(names[0], "compatibility of enumerations")
        return left == right and have_equal_constancy(left, right) and have_equal_volatility(left, right)

    def folded_call(self, name: str, arguments: list[c_ast.Node]) -> Constant | None:
        """The value of a built-in function of one constant."""
        if is_builtin(name) and len(arguments) == 1 and measures_whole_strings(name):
            return self._literal_length(arguments[0])
        function = folded_builtin(name, self.context.unit.model)
        if function is None or len(arguments) != 1:
            return None
        value = self.types.constant_or_none(arguments[0])
        if value is None:
            return None
        result = function.compute(function.argument.wrap(value), function.argument)
        return None if result is None else Constant(function.result.wrap(result), function.result)

    def _literal_length(self, node: c_ast.Node) -> Constant | None:
        if not isinstance(node, c_ast.Constant) or node.type != "string":
            return None
        units, _ = string_literal(node.value, self.context.unit.model)
        return Constant(units.index(0), size_type(self.context.unit.model))

    def is_constant_call(self, node: c_ast.FuncCall) -> bool:
        """Is the call's value known without running the program, so that nothing is evaluated?"""
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name in TYPE_QUESTIONS or name in INFINITIES or nan_type(name) is not None:
            return True
        arguments = node.args.exprs if node.args is not None else []
        if name in CHOICES:
            return not any(self.side_effects.has_effects(argument) for argument in arguments)
        return self.folded_call(name, arguments) is not None

    def _not_negative(self, operand: Expression, node: c_ast.FuncCall) -> None:
        """What the root of a negative number writes to errno is not modelled."""
        negative = binary("<", operand, Constant(0.0, operand.type), INT)
        wrong, right = self.context.cfa.location(), self.context.cfa.location()
        self.expressions.assume(negative, node, wrong, right)
        what = "errno after the root of a negative number"
        self.context.cfa.edge(
            wrong, self.context.cfa.location(), Trap(what), self.context.origin(node), self.context.text(node)
        )
        self.context.cfa.current = right

    def _pair(self, arguments: list[c_ast.Node]) -> tuple[Expression, Expression]:
        left, right = self.expressions.scalar(arguments[0]), self.expressions.scalar(arguments[1])
        common = arithmetic_type(left.type, right.type)
        return convert(left, common), convert(right, common)

    def _classified(self, name: str, plain: str, argument: c_ast.Node, node: c_ast.FuncCall) -> Expression:
        value = self.expressions.scalar(argument)
        if name in LIBRARY_CLASSIFICATIONS:
            question, kind = LIBRARY_CLASSIFICATIONS[name]
            value = self.expressions.converted(value, kind, node)
        elif isinstance(value.type, CFloat):
            question, kind = CLASSIFICATIONS[plain], value.type
        elif is_arithmetic(value.type):
            question, kind = CLASSIFICATIONS[plain], DOUBLE
            value = convert(value, kind)
        else:
            raise self.context.error(node, f"non-floating-point argument of type '{value.type}'")
        return self._is_of_class(question, self.context.held(value, node), kind, node)

    def _chosen_by_class(self, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> Expression:
        """The one of five integers that stands for the class of a number: NaN, infinite, normal, subnormal, zero."""
        held = [
            self.context.held(self.expressions.converted(self.expressions.scalar(argument), INT, node), node)
            for argument in arguments[:5]
        ]
        not_a_number, infinite, normal, subnormal, zero = held
        value = self.context.held(self.expressions.scalar(arguments[5]), node)
        if not isinstance(value.type, CFloat):
            raise self.context.error(node, "non-floating-point argument in call to function '__builtin_fpclassify'")
        result: Expression = subnormal  # what the other classes do not have
        for chosen, question in ((normal, "normal"), (infinite, "inf"), (not_a_number, "nan")):
            result = Conditional(self._is_of_class(question, value, value.type, node), chosen, result, INT)
        return Conditional(Binary("==", value, Constant(0.0, value.type), INT), zero, result, INT)

    def _is_of_class(self, question: str, value: Expression, kind: CFloat, node: c_ast.FuncCall) -> Expression:
        """The answer to a question of CLASSIFICATIONS about a value, which is evaluated more than once."""
        if question == "nan":
            return Binary("!=", value, value, INT)
        finite = binary("==", Binary("-", value, value, kind), Constant(0.0, kind), INT)
        if question == "normal":
            least = math.ldexp(1.0, -126 if kind.width == 32 else -1022)
            if kind.width == 80:
                raise self.context.error(node, "isnormal of a long double")
            above = binary(">=", value, Constant(least, kind), INT)
            return binary("&&", finite, binary("||", above, binary("<=", value, Constant(-least, kind), INT), INT), INT)
        if question == "finite":
            return finite
        positive = binary("==", value, Constant(math.inf, kind), INT)
        negative = binary("==", value, Constant(-math.inf, kind), INT)
        return binary("-" if question == "sign" else "||", positive, negative, INT)

    def _overflow(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> Expression:
        """A check of gcc's or of CBMC's."""
        if name in INTRINSIC_OVERFLOWS:
            return self._intrinsic_overflow(INTRINSIC_OVERFLOWS[name], arguments, node)
        plain = name.removeprefix("__builtin_").removeprefix("__")
        return self._stored_overflow(OVERFLOWS[plain], arguments, node)

    def _stored_overflow(self, operator: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> Expression:
        """*third = first operator second, wrapped; does the exact result not fit? 128 bits hold it, or what exceeds
        them (a product of two unsigned values) fits no narrower type either."""
        operands = [self.context.held(self.expressions.scalar(argument), argument) for argument in arguments[:2]]
        lvalue = self.context.held_lvalue(
            self.lvalues.target(self.expressions.value(arguments[2]), arguments[2]), arguments[2]
        )
        kind = lvalue.type
        if not isinstance(kind, CInteger) or any(
            not isinstance(part, CInteger) or part.width > 64 for part in (kind, *(o.type for o in operands))
        ):
            raise self.context.refuse(node, "overflow check of these types")
        result = self._exact(operator, operands, node)
        self.context.emit(Assign(lvalue, convert(result, kind)), node)
        return _is_outside(result, kind)

    def _intrinsic_overflow(self, operator: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> Expression:
        """Does first operator second not fit the type that C gives to it?"""
        operands = [self.context.held(self.expressions.scalar(argument), argument) for argument in arguments]
        if operator == "negate":
            return self._negation_overflow(operands[0], node)
        if operator == "<<":
            return self._shift_overflow(operands[0], operands[1], node)
        with self.context.unevaluated():
            kind = self.expressions.operation(operator, operands[0], operands[1], node).type
        if not isinstance(kind, CInteger) or kind.width > 64:
            raise self.context.refuse(node, "overflow check of these types")
        return _is_outside(self._exact(operator, [convert(part, kind) for part in operands], node), kind)

    def _negation_overflow(self, operand: Expression, node: c_ast.FuncCall) -> Expression:
        """Does -operand not fit its type? Of unsigned types, tools differ in what they mean."""
        kind = promoted(operand.type) if isinstance(operand.type, CInteger) else operand.type
        if not isinstance(kind, CInteger) or not kind.signed:
            raise self.context.refuse(node, "overflow check of this type")
        return binary("==", convert(operand, kind), Constant(kind.minimum, kind), INT)

    def _shift_overflow(self, left: Expression, count: Expression, node: c_ast.FuncCall) -> Expression:
        """Does left * 2^count not fit left's type? Not for negative counts; for those beyond the width, unless it is 0.

        The definition is that of CBMC. Types that C promotes are refused: CBMC does not promote them.
        """
        kind = left.type
        if not isinstance(kind, CInteger) or not isinstance(count.type, CInteger) or not 32 <= kind.width <= 64:
            raise self.context.refuse(node, "overflow check of these types")
        width = Constant(kind.width, INT128)
        number = convert(count, INT128)
        is_wide = binary(">=", number, width, INT)
        moved = binary("<<", convert(left, INT128), number, INT128)
        lost = Conditional(is_wide, binary("!=", left, Constant(0, kind), INT), _is_outside(moved, kind), INT)
        return Conditional(binary("<", number, Constant(0, INT128), INT), Constant(0, INT), lost, INT)

    def _exact(self, operator: str, operands: list[Expression], node: c_ast.FuncCall) -> Expression:
        """first operator second in 128 bits."""
        exact = binary(operator, convert(operands[0], INT128), convert(operands[1], INT128), INT128)
        wide = self.context.temporary(INT128)
        self.context.emit(Assign(wide, exact), node)
        return Load(wide, INT128)


def _is_outside(value: Expression, kind: CInteger) -> Expression:
    """Does a value of 128 bits not fit the type?"""
    low = binary("<", value, Constant(kind.minimum, INT128), INT)
    return binary("||", low, binary(">", value, Constant(kind.maximum, INT128), INT), INT)


def _is_enumeration(node: c_ast.Node) -> bool:
    while isinstance(node, c_ast.Typename | c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl):
        node = node.type
    return isinstance(node, c_ast.Enum)
