"""Operators and conversions (C11 6.5).

Order of evaluation is gcc's: operands from left to right, where a plain variable on the left of an operator whose
operands gcc swaps is read after the right operand's effects, and everything else before.
"""

from pycparser import c_ast

from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import (
    AddressOf,
    Assign,
    Assume,
    Conditional,
    Constant,
    Dereference,
    Expression,
    FieldLValue,
    FunctionAddress,
    Load,
    LValue,
    PointerDifference,
)
from encoders.c.lowering.checks.unused_reads import read_unused
from encoders.c.lowering.checks.value_checks import ValueChecks
from encoders.c.lowering.collaborators import NeedsOfExpressions
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.lvalues import LVALUES, LValueLowering, is_address, pointer_to
from encoders.c.lowering.operators.addresses import offset_from_null, pointer_behind
from encoders.c.lowering.operators.complex_numbers import ComplexNumbers, part_type
from encoders.c.lowering.operators.conversions import (
    arithmetic_type,
    binary,
    common_pointer,
    convert,
    is_arithmetic,
    is_null,
    pointer_integer,
    promoted,
    requalified,
    unary,
)
from encoders.c.lowering.operators.masked_pointers import masked_pointer
from encoders.c.lowering.operators.operand_sizes import OperandSizes
from encoders.c.lowering.operators.recasts import note_recast
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.operators.variable_arrays import require_no_rows
from encoders.c.lowering.qualifiers import have_equal_constancy, have_equal_volatility, qualifiers
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, VlaPart
from encoders.c.types.c_types import (
    BOOL,
    INT,
    VOID,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
    CVoid,
    is_scalar,
)

_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


class ExpressionLowering:
    """Values of expressions: dispatch, operators, conversions."""

    def __init__(
        self,
        context: LoweringContext,
        side_effects: SideEffects,
        types: TypeLowering,
        lvalues: LValueLowering,
        checks: ValueChecks,
        lowering: NeedsOfExpressions,
    ) -> None:
        self.context = context
        self.side_effects = side_effects
        self.types = types
        self.lvalues = lvalues
        self.checks = checks
        self.complexes = ComplexNumbers(context)
        self.sizes = OperandSizes(context, types, lvalues)
        self.lowering = lowering

    def operand(self, node: c_ast.Node) -> LValue | Expression:
        """The lvalue that an expression is, or the value of an rvalue; arrays do not decay here."""
        result = self.any_operand(node)
        if isinstance(result, VlaPart):
            return self.lvalues.whole(result)
        return result

    def any_operand(self, node: c_ast.Node) -> LValue | Expression | VlaPart:
        """As `operand`; parts of arrays of variable length as they are."""
        self.context.latest = node
        match node:
            case c_ast.ID():
                return self.lvalues.named(node)
            case c_ast.Constant():
                return self.lvalues.literal(node)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp():
                return self._binary(node)
            case c_ast.ArrayRef():
                return self.lvalues.subscript(node)
            case c_ast.StructRef():
                return self.lvalues.member_of(node)
            case c_ast.Cast():
                return self._cast(node)
            case c_ast.TernaryOp():
                return self._ternary(node)
            case c_ast.ExprList():
                for part in node.exprs[:-1]:
                    self.effect(part)
                return self.value(node.exprs[-1])
            case c_ast.GenericSelection():
                return self._generic(node)
        return self._lowered_elsewhere(node)

    def _lowered_elsewhere(self, node: c_ast.Node) -> LValue | Expression:
        """The same for expressions that other collaborators lower."""
        match node:
            case c_ast.Compound():
                return self.lowering.statements.statement_expression(node)
            case c_ast.Assignment():
                return self.lowering.assignments.assignment(node, True)
            case c_ast.FuncCall():
                return self.lowering.calls.call(node, True)
            case c_ast.CompoundLiteral():
                return self.lowering.assignments.compound_literal(node)
        raise self.context.refuse(node, f"expression {type(node).__name__}")

    def value(self, node: c_ast.Node) -> Expression:
        """The value of an expression; arrays and functions decay to pointers."""
        return self.lvalues.decayed(self.operand(node))

    def scalar(self, node: c_ast.Node) -> Expression:
        """The value of an expression that must be scalar (a condition, an operand of arithmetic)."""
        value = self.value(node)
        if not is_scalar(value.type):
            raise self.context.error(node, f"'{value.type}' where a scalar is required")
        return value

    def length(self, node: c_ast.Node) -> Expression:
        """The value of the length of an array."""
        return self.checks.length(self.value(node), node)

    def condition(self, node: c_ast.Node) -> Expression:
        """A scalar that is compared with zero; the address of a variable or function never is zero."""
        value = self.value(node)
        value = value if part_type(value.type) is None else self.converted(value, BOOL, node)
        if not is_scalar(value.type):
            raise self.context.error(node, f"'{value.type}' where a scalar is required")
        return Constant(1, INT) if is_address(value) else value

    def effect(self, node: c_ast.Node) -> None:
        """Evaluate for the side effects alone."""
        match node:
            case c_ast.Assignment():
                self.lowering.assignments.assignment(node, False)
            case c_ast.FuncCall():
                self._discarded(self.lowering.calls.call(node, False), node)
            case c_ast.UnaryOp() if node.op in ("++", "--", "p++", "p--"):
                self.lowering.assignments.step(node, False)
            case c_ast.ExprList():
                for part in node.exprs:
                    self.effect(part)
            case c_ast.Cast() if isinstance(node.to_type, c_ast.Typename):
                self.types.plain_type(node.to_type)
                self.effect(node.expr)
            case c_ast.Compound():
                self.lowering.statements.statement_expression(node)
            case c_ast.Constant():
                pass
            case _:
                self._discarded(self.operand(node), node)

    def used(self, node: c_ast.Node) -> None:
        """Evaluates what a function without a body is given: it reads it, where that is checked."""
        if CheckKind.UNINITIALISED in self.context.unit.checks:
            self.hold_read(self.value(node), node)
        else:
            self.effect(node)

    def hold_read(self, value: Expression, node: c_ast.Node) -> None:
        """Reads a value that no edge needs, where reads are checked."""
        if CheckKind.UNINITIALISED in self.context.unit.checks and is_scalar(value.type):
            self.context.held(value, node)
        else:
            self._discarded(value, node)

    def _discarded(self, operand: LValue | Expression, node: c_ast.Node) -> None:
        """Reads what nobody uses."""
        if not isinstance(operand.type, CVoid | CFunction):
            read_unused(self.context, self.lvalues.decayed(operand), node)

    # --- operators

    def _unary(self, node: c_ast.UnaryOp) -> LValue | Expression | VlaPart:
        match node.op:
            case "++" | "--" | "p++" | "p--":
                return self.lowering.assignments.step(node, True)
            case "&":
                return self._address(node)
            case "&&":
                return self.lowering.labels.address(node)
            case "*":
                return self.lvalues.pointed(self.any_operand(node.expr), node)
            case "sizeof" | "_Alignof" | "__alignof__" | "__alignof":
                return self.sizes.size(node, self)
            case "__real__" | "__imag__":
                return self.complexes.part(self.operand(node.expr), node.op)
        if node.op == "!":
            return unary("!", self.condition(node.expr))
        value = self.value(node.expr)
        if part_type(value.type) is not None:
            return self.complexes.negated(node.op, value, node)
        if not is_arithmetic(value.type) or (node.op == "~" and not isinstance(value.type, CInteger)):
            raise self.context.error(node, f"wrong type argument to unary {node.op}: '{value.type}'")
        if node.op == "+":
            return convert(value, promoted(value.type)) if isinstance(value.type, CInteger) else value
        if node.op == "-" and isinstance(value.type, CInteger):
            value = convert(value, promoted(value.type))
            self.checks.arithmetic("-", Constant(0, value.type), value, node)
        return unary(node.op, value)

    def _address(self, node: c_ast.UnaryOp) -> Expression:
        symbol = self.context.scope.find(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
        if isinstance(symbol, GlobalVariable) and symbol.weak and not symbol.defined:
            return Constant(0, CPointer(symbol.type))
        if isinstance(symbol, FunctionSymbol):
            return self.value(node.expr)
        operand = self.operand(node.expr)
        if isinstance(operand, FunctionAddress):
            return operand
        if not isinstance(operand, LVALUES):
            raise self.context.error(node, "lvalue required as unary '&' operand")
        if isinstance(operand, FieldLValue) and operand.field.bit_offset is not None:
            raise self.context.error(node, f"address of bit-field '{operand.field.name}'")
        if isinstance(operand, Dereference):  # &*p, &p[i]
            return operand.pointer
        return AddressOf(operand, pointer_to(operand, operand.type))

    def _binary(self, node: c_ast.BinaryOp) -> Expression:
        if node.op in ("&&", "||"):
            if self.side_effects.has_effects(node.right):
                return self._branched(node)
            return binary(node.op, self.condition(node.left), self.condition(node.right), INT)
        if node.op == "...":
            raise self.context.refuse(node, "range of array indices")
        # Left-nested chains (a + b + c ...) are as long as the user likes: walk down the left spine.
        spine = [node]
        while isinstance(spine[-1].left, c_ast.BinaryOp) and spine[-1].left.op not in ("&&", "||"):
            spine.append(spine[-1].left)
        require_no_rows(self.context, *(part for step in spine if step.op in "+-" for part in (step.left, step.right)))
        value = self.value(spine[-1].left)
        for step in reversed(spine):
            is_read_late = self.side_effects.left_is_read_late(step, isinstance(value.type, CPointer))
            if self.side_effects.has_effects(step.right) and not is_read_late:
                value = self.context.held(value, step.left)
            value = self.operation(step.op, value, self.value(step.right), step)
        return value

    def operation(
        self, operator: str, left: Expression, right: Expression, node: c_ast.Node, assigns: bool = False
    ) -> Expression:
        """left operator right with the usual conversions; pointers included.

        assigns: to what `left` was read from; then its conversion to the common type has no check, as in clang, but
        the result's to its own type.
        """
        if isinstance(left.type, CPointer) or isinstance(right.type, CPointer):
            return self._pointer_operation(operator, left, right, node)
        if part_type(left.type) is not None or part_type(right.type) is not None:
            return self.complexes.operation(operator, left, right, node)
        if not is_arithmetic(left.type) or not is_arithmetic(right.type):
            hint = ": compare their members" if operator in ("==", "!=") and isinstance(left.type, CRecord) else ""
            raise self.context.error(node, f"invalid operands to {operator}: '{left.type}' and '{right.type}'{hint}")
        integral = isinstance(left.type, CInteger) and isinstance(right.type, CInteger)
        if operator in ("%", "&", "|", "^", "<<", ">>") and not integral:
            raise self.context.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")
        if operator in ("<<", ">>"):
            assert isinstance(left.type, CInteger) and isinstance(right.type, CInteger)
            left, right = convert(left, promoted(left.type)), convert(right, promoted(right.type))
            self.checks.arithmetic(operator, left, right, node)
            return binary(operator, left, right, left.type)
        common = arithmetic_type(left.type, right.type)
        result = INT if operator in _COMPARISONS else common
        left = convert(left, common) if assigns else self._implicitly(left, common, node)
        right = self._implicitly(right, common, node)
        self.checks.arithmetic(operator, left, right, node)
        return binary(operator, left, right, result)

    def _implicitly(self, value: Expression, kind: CType, node: c_ast.Node) -> Expression:
        """The value as the usual arithmetic conversions convert it."""
        self.checks.conversion(value, kind, node)
        return convert(value, kind)

    def _pointer_operation(self, operator: str, left: Expression, right: Expression, node: c_ast.Node) -> Expression:
        index_type = pointer_integer(self.context.unit.model)
        both = isinstance(left.type, CPointer) and isinstance(right.type, CPointer)
        if operator in _COMPARISONS:
            kind = left.type if isinstance(left.type, CPointer) else right.type
            return binary(operator, self.converted(left, kind, node), self.converted(right, kind, node), INT)
        if operator == "-" and both:
            assert isinstance(left.type, CPointer)
            self.context.size_of(left.type.target, node)
            return PointerDifference(left, convert(right, left.type), index_type)
        if operator == "+" and isinstance(right.type, CPointer) and not both:
            left, right = right, left
        if operator in ("+", "-") and isinstance(left.type, CPointer) and isinstance(right.type, CInteger):
            self.context.size_of(left.type.target, node)
            index = convert(right, index_type)
            return self.lvalues.advanced(left, unary("-", index) if operator == "-" else index)
        raise self.context.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")

    def _branched(self, node: c_ast.Node) -> Expression:
        """A condition with side effects as an int 0 or 1."""
        origin, result = self.context.origin(node), self.context.temporary(INT)
        then, otherwise, after = self.context.cfa.location(), self.context.cfa.location(), self.context.cfa.location()
        self.lowering.statements.branch(node, then, otherwise)
        for location, value in ((then, 1), (otherwise, 0)):
            self.context.cfa.current = location
            self.context.cfa.emit(Assign(result, Constant(value, INT)), origin)
            self.context.cfa.jump(after, origin)
        self.context.cfa.current = after
        return Load(result, INT)

    def _ternary(self, node: c_ast.TernaryOp) -> Expression:
        if node.iftrue is None:
            return self._first_unless_zero(node)
        branches = (node.iftrue, node.iffalse)
        if any(map(self.side_effects.has_effects, branches)) or self._converts_one(branches, node):
            return self._branched_ternary(node)
        condition = self.condition(node.cond)
        then, otherwise = self.value(node.iftrue), self.value(node.iffalse)
        kind = self._common(then, otherwise, node)
        if kind == VOID:
            return Constant(0, VOID)
        if isinstance(kind, CRecord):
            return self._branched_ternary(node)
        then, otherwise = self.converted(then, kind, node), self.converted(otherwise, kind, node)
        if isinstance(condition, Constant):
            return then if condition.value else otherwise
        return Conditional(condition, then, otherwise, kind)

    def _converts_one(self, branches: tuple[c_ast.Node, c_ast.Node], node: c_ast.TernaryOp) -> bool:
        """True if a conversion to the type of a conditional expression has a check, which one branch only makes."""
        if CheckKind.CONVERSION not in self.context.unit.checks:
            return False
        with self.context.unevaluated():
            values = [self.value(branch) for branch in branches]
            kind = self._common(values[0], values[1], node)
        return any(self.checks.may_change(value, kind) for value in values)

    def _first_unless_zero(self, node: c_ast.TernaryOp) -> Expression:
        """GNU's `x ?: y`: x is evaluated once."""
        first = self.context.held(self.scalar(node.cond), node.cond)
        condition: Expression = Constant(1, INT) if is_address(first) else first
        with self.context.unevaluated():
            kind = self._common(first, self.value(node.iffalse), node)
        then = self.converted(first, kind, node)
        if not self.side_effects.has_effects(node.iffalse) and not self._converts_one((node.iffalse, node.cond), node):
            return Conditional(condition, then, self.converted(self.value(node.iffalse), kind, node), kind)
        result, otherwise, after = (
            self.context.temporary(kind),
            self.context.cfa.location(),
            self.context.cfa.location(),
        )
        self.context.cfa.emit(Assign(result, then), self.context.origin(node), self.context.text(node.cond))
        self.assume(condition, node.cond, after, otherwise)
        self.context.cfa.current = otherwise
        value = self.converted(self.value(node.iffalse), kind, node)
        self.context.emit(Assign(result, value), node.iffalse)
        self.context.cfa.jump(after, self.context.origin(node.iffalse))
        self.context.cfa.current = after
        return Load(result, kind)

    def _branched_ternary(self, node: c_ast.TernaryOp) -> Expression:
        assert node.iftrue is not None
        with self.context.unevaluated():
            kind = self._common(self.value(node.iftrue), self.value(node.iffalse), node)
        then, otherwise, after = self.context.cfa.location(), self.context.cfa.location(), self.context.cfa.location()
        result = None if kind == VOID else self.context.temporary(kind)
        self.lowering.statements.branch(node.cond, then, otherwise)
        for location, part in ((then, node.iftrue), (otherwise, node.iffalse)):
            self.context.cfa.current = location
            if result is None:
                self.effect(part)
            else:
                value = self.converted(self.value(part), kind, part)
                self.context.emit(Assign(result, value), part)
            self.context.cfa.jump(after, self.context.origin(part))
        self.context.cfa.current = after
        return Constant(0, VOID) if result is None else Load(result, kind)

    def _common(self, then: Expression, otherwise: Expression, node: c_ast.Node) -> CType:
        """The type of a conditional expression (C11 6.5.15)."""
        left, right = then.type, otherwise.type
        if is_arithmetic(left) and is_arithmetic(right):
            return arithmetic_type(left, right)
        if left == right and not isinstance(left, CPointer):
            return left
        if VOID in (left, right):
            return VOID
        if isinstance(left, CPointer) and (is_null(otherwise) or isinstance(right, CInteger)):
            return left
        if isinstance(right, CPointer) and (is_null(then) or isinstance(left, CInteger)):
            return right
        if isinstance(left, CPointer) and isinstance(right, CPointer):
            return common_pointer(left, right, then, otherwise)
        raise self.context.error(node, f"type mismatch in conditional expression: '{left}' and '{right}'")

    def _cast(self, node: c_ast.Cast) -> Expression:
        kind = self.types.plain_type(node.to_type)
        if kind == VOID:
            self.effect(node.expr)
            return Constant(0, VOID)
        value = self.value(node.expr)
        if isinstance(kind, CRecord) and value.type == kind:
            return value
        if isinstance(kind, CRecord) and kind.is_union:
            member = self.lvalues.as_member(value, kind, node, exact=True)
            if member is not None:
                return member
        if not is_scalar(kind) and part_type(kind) is None:
            raise self.context.error(node, f"conversion to non-scalar type '{kind}' requested")
        return self.converted(value, kind, node, explicit=True)

    def converted(self, value: Expression, kind: CType, node: c_ast.Node, explicit: bool = False) -> Expression:
        """As if by assignment (or by a cast); refuses what a compiler refuses."""
        source = value.type
        if source == kind:
            return requalified(value, kind, self.context.unit.counts_volatile, self.context.evaluated)
        if isinstance(kind, CRecord) and kind.tag in self.context.unit.transparent_unions:
            member = self.lvalues.as_member(value, kind, node, exact=False)
            if member is not None:
                return member
        if part_type(source) is not None and is_arithmetic(kind) and kind != BOOL:
            return self.converted(self.complexes.real(value), kind, node, explicit)
        complex_ = self.complexes.converted(value, kind, node)
        if complex_ is not None:
            return complex_
        floats = not isinstance(source, CInteger | CPointer) or not isinstance(kind, CInteger | CPointer)
        if (
            not is_scalar(kind)
            or not is_scalar(source)
            or (floats and (isinstance(source, CPointer) or isinstance(kind, CPointer)) and kind != BOOL)
        ):
            verb = "cast" if explicit else "conversion"
            raise self.context.error(node, f"incompatible types in {verb} from '{source}' to '{kind}'")
        if self.context.evaluated:
            note_recast(self.context.unit, value, kind)
        if isinstance(source, CPointer) and isinstance(kind, CPointer) and isinstance(value, AddressOf):
            return convert(value, kind)
        if isinstance(source, CPointer) and isinstance(kind, CInteger) and not kind.is_bool:
            offset = offset_from_null(value, lambda part: self.context.size_of(part, node))
            if offset is not None:
                return Constant(kind.wrap(offset), kind)
        if isinstance(source, CInteger) and isinstance(kind, CPointer):
            if (pointer := pointer_behind(value, self.context.unit.model)) is not None:
                return convert(pointer, kind)
            if (masked := masked_pointer(value, self.context)) is not None:
                return masked.converted(self.context, value, kind, node)
        self.checks.conversion(value, kind, node, explicit)
        return convert(value, kind)

    def _generic(self, node: c_ast.GenericSelection) -> LValue | Expression:
        with self.context.unevaluated():
            kind = self.value(node.expr).type
        default, chosen = None, list[tuple[CType, c_ast.Node]]()
        for association in node.associations:
            if association.type is None:
                default = association.expr
            elif qualifiers(self.context.scope, association.type):
                continue  # the selector is a value, whose type has no qualifiers (C11 6.3.2.1p2)
            elif (named := self.types.plain_type(association.type)) == kind and have_equal_constancy(named, kind):
                chosen.append((named, association.expr))
        if len(chosen) > 1 or (chosen and not have_equal_volatility(chosen[0][0], kind)):
            raise self.context.refuse(node, "_Generic where volatile makes a difference")
        if chosen:
            return self.operand(chosen[0][1])
        if default is None:
            raise self.context.error(node, f"_Generic selector of type '{kind}' is not compatible with any association")
        return self.operand(default)

    def assume(self, condition: Expression, node: c_ast.Node, then: int, otherwise: int) -> None:
        """Two edges: to `then` if the condition holds, else to `otherwise`."""
        origin, text = self.context.origin(node), self.context.text(node)
        self.context.cfa.edge(self.context.cfa.current, then, Assume(condition, True), origin, text)
        self.context.cfa.edge(self.context.cfa.current, otherwise, Assume(condition, False), origin, text)
