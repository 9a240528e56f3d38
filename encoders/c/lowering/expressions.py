"""Operators and conversions (C11 6.5).

Order of evaluation is gcc's: operands from left to right, where a plain variable on the left is read after the right
operand's effects and everything else before.
"""

from pycparser import c_ast

from encoders.c.cfa.expression_tests import is_null_pointer
from encoders.c.cfa.ir import (
    AddressOf,
    Assign,
    Assume,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Expression,
    FieldLValue,
    FunctionAddress,
    Load,
    LValue,
    PointerDifference,
    ReachError,
)
from encoders.c.library.model_files import MODELS
from encoders.c.lowering.calls.signatures import fits
from encoders.c.lowering.environment import VolatileReads
from encoders.c.lowering.lvalues import LVALUES, LValueLowering, VlaPart, is_address, is_volatile
from encoders.c.lowering.operators.addresses import offset_from_null, pointer_behind
from encoders.c.lowering.operators.conversions import (
    arithmetic_type,
    binary,
    convert,
    is_arithmetic,
    is_null,
    pointer_integer,
    promoted,
    unary,
)
from encoders.c.lowering.operators.overflow_checks import CHECKED, NotExpressible, overflows
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, LocalVariable, VariableLength
from encoders.c.recasts import punned
from encoders.c.types.c_types import (
    BOOL,
    INT,
    VOID,
    CArray,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
    is_scalar,
    size_type,
)

_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


class ExpressionLowering(LValueLowering):
    """Values of expressions: dispatch, operators, conversions."""

    def operand(self, node: c_ast.Node) -> LValue | Expression:
        result = self.any_operand(node)
        if isinstance(result, VlaPart):
            return self.whole(result)
        return result

    def any_operand(self, node: c_ast.Node) -> LValue | Expression | VlaPart:
        self.latest = node
        match node:
            case c_ast.ID():
                return self.named(node)
            case c_ast.Constant():
                return self.literal(node)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp():
                return self._binary(node)
            case c_ast.ArrayRef():
                return self.subscript(node)
            case c_ast.StructRef():
                return self.member_of(node)
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
            case c_ast.Compound():
                return self.statement_expression(node)
            case c_ast.Assignment():
                return self.assignment(node, True)
            case c_ast.FuncCall():
                return self.call(node, True)
            case c_ast.CompoundLiteral():
                return self.compound_literal(node)
        raise self.refuse(node, f"expression {type(node).__name__}")

    def value(self, node: c_ast.Node) -> Expression:
        return self.decayed(self.operand(node))

    def scalar(self, node: c_ast.Node) -> Expression:
        """The value of an expression that must be scalar (a condition, an operand of arithmetic)."""
        value = self.value(node)
        if not is_scalar(value.type):
            raise self.error(node, f"'{value.type}' where a scalar is required")
        return value

    def condition(self, node: c_ast.Node) -> Expression:
        """A scalar that is compared with zero; the address of a variable or function never is zero."""
        value = self.scalar(node)
        return Constant(1, INT) if is_address(value) else value

    def effect(self, node: c_ast.Node) -> None:
        """Evaluate for the side effects alone."""
        match node:
            case c_ast.Assignment():
                self.assignment(node, False)
            case c_ast.FuncCall():
                self.call(node, False)
            case c_ast.UnaryOp() if node.op in ("++", "--", "p++", "p--"):
                self.step(node, False)
            case c_ast.ExprList():
                for part in node.exprs:
                    self.effect(part)
            case c_ast.Cast() if isinstance(node.to_type, c_ast.Typename):
                self.plain_type(node.to_type)
                self.effect(node.expr)
            case c_ast.Compound():
                self.statement_expression(node)
            case c_ast.Constant():
                pass
            case _:
                self.operand(node)

    # --- provided by the layers above

    def assignment(self, node: c_ast.Assignment, wanted: bool) -> Expression:
        raise NotImplementedError

    def step(self, node: c_ast.UnaryOp, wanted: bool) -> Expression:
        raise NotImplementedError

    def call(self, node: c_ast.FuncCall, wanted: bool) -> Expression:
        raise NotImplementedError

    def statement_expression(self, node: c_ast.Compound) -> Expression:
        raise NotImplementedError

    def compound_literal(self, node: c_ast.CompoundLiteral) -> LValue:
        raise NotImplementedError

    def branch(self, node: c_ast.Node, then: int, otherwise: int) -> None:
        raise NotImplementedError

    # --- operators

    def _unary(self, node: c_ast.UnaryOp) -> LValue | Expression:
        match node.op:
            case "++" | "--" | "p++" | "p--":
                return self.step(node, True)
            case "&":
                return self._address(node)
            case "*":
                value = self.value(node.expr)
                if isinstance(value.type, CPointer) and isinstance(value.type.target, CFunction):
                    return value
                if isinstance(value.type, CPointer) and value.type.target == VOID and self.evaluated:
                    raise self.error(node, "dereference of a void pointer")
                return self.target(value, node)
            case "sizeof" | "_Alignof" | "__alignof__" | "__alignof":
                return self._size(node)
        if node.op == "!":
            return unary("!", self.condition(node.expr))
        value = self.scalar(node.expr)
        if not is_arithmetic(value.type) or (node.op == "~" and not isinstance(value.type, CInteger)):
            raise self.error(node, f"wrong type argument to unary {node.op}: '{value.type}'")
        if node.op == "+":
            return convert(value, promoted(value.type)) if isinstance(value.type, CInteger) else value
        if node.op == "-" and isinstance(value.type, CInteger):
            value = convert(value, promoted(value.type))
            self.check_overflow("-", Constant(0, value.type), value, node)
        return unary(node.op, value)

    def _address(self, node: c_ast.UnaryOp) -> Expression:
        symbol = self.scope.find(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
        if isinstance(symbol, GlobalVariable) and symbol.weak and not symbol.defined:
            return Constant(0, CPointer(symbol.type))
        if isinstance(symbol, FunctionSymbol):
            return self.value(node.expr)
        operand = self.operand(node.expr)
        if isinstance(operand, FunctionAddress):
            return operand
        if not isinstance(operand, LVALUES):
            raise self.error(node, "lvalue required as unary '&' operand")
        if isinstance(operand, FieldLValue) and operand.field.bit_offset is not None:
            raise self.error(node, f"address of bit-field '{operand.field.name}'")
        if isinstance(operand, Dereference):  # &*p, &p[i]
            return operand.pointer
        return AddressOf(operand, CPointer(operand.type, is_volatile(operand)))

    def _size(self, node: c_ast.UnaryOp) -> Expression:
        if node.op != "sizeof":
            return Constant(self.operand_alignment(node.expr, node.op == "_Alignof"), size_type(self.unit.model))
        kind: CType | VariableLength
        if isinstance(node.expr, c_ast.Typename):
            kind = self.type_of(node.expr)
        else:
            symbol = self.scope.find(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
            if isinstance(symbol, LocalVariable) and isinstance(symbol.variable.type, CPointer):
                kind = symbol.variable.type
            elif isinstance(symbol, LocalVariable) and symbol.lengths is not None:
                kind = symbol.lengths
            else:
                with self.unevaluated():
                    part = self.any_operand(node.expr)
                    kind = part.lengths if isinstance(part, VlaPart) else part.type
                    if isinstance(part, FieldLValue) and part.field.bit_offset is not None:
                        raise self.error(node, "sizeof applied to a bit-field")
                    if isinstance(part, FunctionAddress):
                        kind = VOID
        result = size_type(self.unit.model)
        if isinstance(kind, VariableLength):
            scalars = convert(kind.total, result)
            return binary("*", scalars, Constant(self.size_of(kind.scalar, node), result), result)
        return Constant(self.size_of(kind, node), result)

    def _binary(self, node: c_ast.BinaryOp) -> Expression:
        if node.op in ("&&", "||"):
            if self.has_effects(node.right):
                return self._branched(node)
            return binary(node.op, self.condition(node.left), self.condition(node.right), INT)
        if node.op == "...":
            raise self.refuse(node, "range of array indices")
        # Left-nested chains (a + b + c ...) are as long as the user likes: walk down the left spine.
        spine = [node]
        while isinstance(spine[-1].left, c_ast.BinaryOp) and spine[-1].left.op not in ("&&", "||"):
            spine.append(spine[-1].left)
        value = self.value(spine[-1].left)
        for step in reversed(spine):
            if self.has_effects(step.right) and not isinstance(step.left, c_ast.ID):
                value = self.held(value, step.left)
            value = self.operation(step.op, value, self.value(step.right), step)
        return value

    def operation(self, operator: str, left: Expression, right: Expression, node: c_ast.Node) -> Expression:
        """left operator right with the usual conversions; pointers included."""
        if isinstance(left.type, CPointer) or isinstance(right.type, CPointer):
            return self._pointer_operation(operator, left, right, node)
        if not is_arithmetic(left.type) or not is_arithmetic(right.type):
            raise self.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")
        integral = isinstance(left.type, CInteger) and isinstance(right.type, CInteger)
        if operator in ("%", "&", "|", "^", "<<", ">>") and not integral:
            raise self.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")
        if operator in ("<<", ">>"):
            assert isinstance(left.type, CInteger) and isinstance(right.type, CInteger)
            left, right = convert(left, promoted(left.type)), convert(right, promoted(right.type))
            self.check_overflow(operator, left, right, node)
            return binary(operator, left, right, left.type)
        common = arithmetic_type(left.type, right.type)
        result = INT if operator in _COMPARISONS else common
        left, right = convert(left, common), convert(right, common)
        self.check_overflow(operator, left, right, node)
        return binary(operator, left, right, result)

    def check_overflow(self, operator: str, left: Expression, right: Expression, node: c_ast.Node) -> None:
        """An edge to the violation where a signed operation of the program (not of a library model) overflows."""
        kind = left.type
        if not (self.unit.overflow and operator in CHECKED and isinstance(kind, CInteger) and kind.signed):
            return
        origin = self.origin(node)
        if not self.evaluated or origin.file.startswith(MODELS):
            return
        try:
            condition = overflows(operator, left, right)
        except NotExpressible:
            raise self.refuse(node, f"overflow check of '{operator}' in {kind}") from None
        if condition == Constant(0, INT):
            return
        text = f"overflow: {self.text(node)}"
        violated, after = self.cfa.location(), self.cfa.location()
        self.cfa.edge(self.cfa.current, violated, Assume(condition, True), origin, text)
        self.cfa.edge(violated, self.cfa.location(), ReachError(text), origin, text)
        self.cfa.edge(self.cfa.current, after, Assume(condition, False), origin, f"no {text}")
        self.cfa.current = after

    def _pointer_operation(self, operator: str, left: Expression, right: Expression, node: c_ast.Node) -> Expression:
        index_type = pointer_integer(self.unit.model)
        both = isinstance(left.type, CPointer) and isinstance(right.type, CPointer)
        if operator in _COMPARISONS:
            kind = left.type if isinstance(left.type, CPointer) else right.type
            return binary(operator, self.converted(left, kind, node), self.converted(right, kind, node), INT)
        if operator == "-" and both:
            assert isinstance(left.type, CPointer)
            self.size_of(left.type.target, node)
            return PointerDifference(left, convert(right, left.type), index_type)
        if operator == "+" and isinstance(right.type, CPointer) and not both:
            left, right = right, left
        if operator in ("+", "-") and isinstance(left.type, CPointer) and isinstance(right.type, CInteger):
            self.size_of(left.type.target, node)
            index = convert(right, index_type)
            return self.advanced(left, unary("-", index) if operator == "-" else index)
        raise self.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")

    def _branched(self, node: c_ast.Node) -> Expression:
        """A condition with side effects as an int 0 or 1."""
        origin, result = self.origin(node), self.temporary(INT)
        then, otherwise, after = self.cfa.location(), self.cfa.location(), self.cfa.location()
        self.branch(node, then, otherwise)
        for location, value in ((then, 1), (otherwise, 0)):
            self.cfa.current = location
            self.cfa.emit(Assign(result, Constant(value, INT)), origin)
            self.cfa.jump(after, origin)
        self.cfa.current = after
        return Load(result, INT)

    def _ternary(self, node: c_ast.TernaryOp) -> Expression:
        if node.iftrue is None:
            return self._first_unless_zero(node)
        if self.has_effects(node.iftrue) or self.has_effects(node.iffalse):
            return self._branched_ternary(node)
        condition = self.condition(node.cond)
        then, otherwise = self.value(node.iftrue), self.value(node.iffalse)
        kind = self._common(then, otherwise, node)
        if kind == VOID:
            return Constant(0, VOID)
        then, otherwise = self.converted(then, kind, node), self.converted(otherwise, kind, node)
        if isinstance(condition, Constant):
            return then if condition.value else otherwise
        return Conditional(condition, then, otherwise, kind)

    def _first_unless_zero(self, node: c_ast.TernaryOp) -> Expression:
        """GNU's `x ?: y`: x is evaluated once."""
        first = self.held(self.scalar(node.cond), node.cond)
        condition: Expression = Constant(1, INT) if is_address(first) else first
        with self.unevaluated():
            kind = self._common(first, self.value(node.iffalse), node)
        then = self.converted(first, kind, node)
        if not self.has_effects(node.iffalse):
            return Conditional(condition, then, self.converted(self.value(node.iffalse), kind, node), kind)
        result, otherwise, after = self.temporary(kind), self.cfa.location(), self.cfa.location()
        self.cfa.emit(Assign(result, then), self.origin(node), self.text(node.cond))
        self.assume(condition, node.cond, after, otherwise)
        self.cfa.current = otherwise
        value = self.converted(self.value(node.iffalse), kind, node)
        self.cfa.emit(Assign(result, value), self.origin(node.iffalse), self.text(node.iffalse))
        self.cfa.jump(after, self.origin(node.iffalse))
        self.cfa.current = after
        return Load(result, kind)

    def _branched_ternary(self, node: c_ast.TernaryOp) -> Expression:
        with self.unevaluated():
            kind = self._common(self.value(node.iftrue), self.value(node.iffalse), node)
        then, otherwise, after = self.cfa.location(), self.cfa.location(), self.cfa.location()
        result = None if kind == VOID else self.temporary(kind)
        self.branch(node.cond, then, otherwise)
        for location, part in ((then, node.iftrue), (otherwise, node.iffalse)):
            self.cfa.current = location
            if result is None:
                self.effect(part)
            else:
                value = self.converted(self.value(part), kind, part)
                self.cfa.emit(Assign(result, value), self.origin(part), self.text(part))
            self.cfa.jump(after, self.origin(part))
        self.cfa.current = after
        return Constant(0, VOID) if result is None else Load(result, kind)

    def _common(self, then: Expression, otherwise: Expression, node: c_ast.Node) -> CType:
        """The type of a conditional expression (C11 6.5.15)."""
        left, right = then.type, otherwise.type
        if is_arithmetic(left) and is_arithmetic(right):
            return arithmetic_type(left, right)
        if left == right:
            return left
        if VOID in (left, right):
            return VOID
        if isinstance(left, CPointer) and (is_null(otherwise) or isinstance(right, CInteger)):
            return left
        if isinstance(right, CPointer) and (is_null(then) or isinstance(left, CInteger)):
            return right
        if isinstance(left, CPointer) and isinstance(right, CPointer):
            return right if is_null_pointer(then) else left if is_null_pointer(otherwise) else CPointer(VOID)
        raise self.error(node, f"type mismatch in conditional expression: '{left}' and '{right}'")

    def _cast(self, node: c_ast.Cast) -> Expression:
        kind = self.plain_type(node.to_type)
        if kind == VOID:
            self.effect(node.expr)
            return Constant(0, VOID)
        value = self.value(node.expr)
        if isinstance(kind, CRecord) and value.type == kind:
            return value
        if isinstance(kind, CRecord) and kind.is_union:
            member = self.as_member(value, kind, node, exact=True)
            if member is not None:
                return member
        if not is_scalar(kind):
            raise self.error(node, f"conversion to non-scalar type '{kind}' requested")
        return self.converted(value, kind, node, explicit=True)

    def converted(self, value: Expression, kind: CType, node: c_ast.Node, explicit: bool = False) -> Expression:
        """As if by assignment (or by a cast); refuses what a compiler refuses."""
        source = value.type
        if source == kind:
            if isinstance(source, CPointer) and isinstance(kind, CPointer) and kind.volatile != source.volatile:
                return Cast(value, kind) if self.unit.surroundings.volatile == VolatileReads.FRESH else value
            return value
        if isinstance(kind, CRecord) and kind.tag in self.unit.transparent_unions:
            member = self.as_member(value, kind, node, exact=False)
            if member is not None:
                return member
        floats = not isinstance(source, CInteger | CPointer) or not isinstance(kind, CInteger | CPointer)
        if (
            not is_scalar(kind)
            or not is_scalar(source)
            or (floats and (isinstance(source, CPointer) or isinstance(kind, CPointer)) and kind != BOOL)
        ):
            verb = "cast" if explicit else "conversion"
            raise self.error(node, f"incompatible types in {verb} from '{source}' to '{kind}'")
        self._watch_function(value, kind)
        if isinstance(source, CPointer) and isinstance(kind, CPointer) and isinstance(value, AddressOf):
            return self._pointer_cast(value, kind)
        if isinstance(source, CPointer) and isinstance(kind, CInteger) and not kind.is_bool:
            offset = offset_from_null(value, lambda part: self.size_of(part, node))
            if offset is not None:
                return Constant(kind.wrap(offset), kind)
        if isinstance(source, CInteger) and isinstance(kind, CPointer):
            pointer = pointer_behind(value, self.unit.model)
            if pointer is not None:
                return convert(pointer, kind)
        return convert(value, kind)

    def _watch_function(self, value: Expression, kind: CType) -> None:
        """Notes which functions may be called through a pointer to a function of another type."""
        source = value.type.target if isinstance(value.type, CPointer) else None
        target = kind.target if isinstance(kind, CPointer) else None
        if source is None or kind == BOOL or isinstance(value, Constant) or not self.evaluated:
            return
        if not isinstance(source, CFunction):
            self.unit.recast_types |= punned(self.unit.layout, source, target) if target else set()
        elif not isinstance(target, CFunction) or not fits(source, target):
            if isinstance(value, FunctionAddress):
                self.unit.recast.add(value.function)
            else:
                self.unit.recast_types.add(source)

    def _pointer_cast(self, value: AddressOf, kind: CPointer) -> Expression:
        return convert(value, kind)

    def _generic(self, node: c_ast.GenericSelection) -> LValue | Expression:
        with self.unevaluated():
            kind = self.value(node.expr).type
        default = None
        for association in node.associations:
            if association.type is None:
                default = association.expr
            elif self.plain_type(association.type) == kind:
                return self.operand(association.expr)
        if default is None:
            raise self.error(node, f"_Generic selector of type '{kind}' is not compatible with any association")
        return self.operand(default)

    def offset_of(self, node: c_ast.FuncCall) -> Expression:
        """offsetof(type, member.designator[index])."""
        kind, steps = self.plain_type(node.args.exprs[0]), []
        part = node.args.exprs[1]
        while not isinstance(part, c_ast.ID):
            steps.append(part)
            part = part.name
        offset = 0
        for step in (part, *reversed(steps)):
            if isinstance(step, c_ast.ArrayRef):
                if not isinstance(kind, CArray):
                    raise self.error(step, "subscripted member is not an array")
                kind = kind.element
                offset += self.constant(step.subscript) * self.size_of(kind, step)
                continue
            name = step.name if isinstance(step, c_ast.ID) else step.field.name
            path = self.member_path(kind, name, step) if isinstance(kind, CRecord) else []
            if not path:
                raise self.error(step, f"'{kind}' has no member named '{name}'")
            offset += sum(member.offset for member in path)
            kind = path[-1].type
        return Constant(offset, size_type(self.unit.model))

    def assume(self, condition: Expression, node: c_ast.Node, then: int, otherwise: int) -> None:
        """Two edges: to `then` if the condition holds, else to `otherwise`."""
        origin, text = self.origin(node), self.text(node)
        self.cfa.edge(self.cfa.current, then, Assume(condition, True), origin, text)
        self.cfa.edge(self.cfa.current, otherwise, Assume(condition, False), origin, text)
