"""Expressions without the operations of their own: names, literals, operators, members, conversions (C11 6.5).

Order of evaluation is gcc's: operands from left to right, where a plain variable on the left is read after the right
operand's effects and everything else before.
"""

from pycparser import c_ast

from encoders.c.conversions import (
    arithmetic_type,
    binary,
    convert,
    is_arithmetic,
    is_null,
    pointer_integer,
    promoted,
    round_to,
    unary,
)
from encoders.c.declarations import Types
from encoders.c.ir import (
    AddressOf,
    Assign,
    Assume,
    Conditional,
    Constant,
    Dereference,
    ElementPlace,
    Expression,
    FieldPlace,
    FunctionAddress,
    Load,
    Place,
    PointerAdd,
    PointerDifference,
    Variable,
    VariablePlace,
)
from encoders.c.layout import IncompleteType
from encoders.c.literals import character_literal, floating_literal, integer_literal, string_literal
from encoders.c.symbols import (
    EnumConstant,
    FunctionSymbol,
    GlobalVariable,
    LocalVariable,
    Poisoned,
    TypeName,
    VariableLength,
)
from encoders.c.types import (
    BOOL,
    CHAR,
    INT,
    VOID,
    CArray,
    CField,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
    is_scalar,
    size_type,
)

PLACES = (VariablePlace, Dereference, FieldPlace, ElementPlace)
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_FUNCTION_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")


class VlaPart:
    """A (part of a) multi-dimensional variable length array: not a place of the IR until fully subscripted."""

    def __init__(self, place: Place, offset: Expression, lengths: VariableLength) -> None:
        self.place, self.offset, self.lengths = place, offset, lengths

    @property
    def type(self) -> CType:
        return CArray(self.lengths.scalar, None)


class Expressions(Types):
    """Values and places of expressions."""

    def operand(self, node: c_ast.Node) -> Place | Expression:
        result = self._any_operand(node)
        if isinstance(result, VlaPart):
            return self._whole(result)
        return result

    def _any_operand(self, node: c_ast.Node) -> Place | Expression | VlaPart:
        match node:
            case c_ast.ID():
                return self._name(node)
            case c_ast.Constant():
                return self._literal(node)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp():
                return self._binary(node)
            case c_ast.ArrayRef():
                return self._subscript(node)
            case c_ast.StructRef():
                return self._member_of(node)
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
        self.refuse(node, f"expression {type(node).__name__}")

    def value(self, node: c_ast.Node) -> Expression:
        return self.decayed(self.operand(node))

    def scalar(self, node: c_ast.Node) -> Expression:
        """The value of an expression that must be scalar (a condition, an operand of arithmetic)."""
        value = self.value(node)
        if not is_scalar(value.type):
            self.error(node, f"'{value.type}' where a scalar is required")
        return value

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

    def compound_literal(self, node: c_ast.CompoundLiteral) -> Place:
        raise NotImplementedError

    def global_variable(self, symbol: GlobalVariable) -> Variable:
        raise NotImplementedError

    def branch(self, node: c_ast.Node, then: int, otherwise: int) -> None:
        raise NotImplementedError

    # --- places and decay

    def decayed(self, operand: Place | Expression) -> Expression:
        if isinstance(operand, PLACES):
            if isinstance(operand.type, CArray):
                zero = Constant(0, pointer_integer(self.unit.model))
                first = ElementPlace(operand, zero, operand.type.element)
                return AddressOf(first, CPointer(operand.type.element))
            return Load(operand, operand.type)
        return operand

    def place(self, node: c_ast.Node, what: str = "lvalue required") -> Place:
        operand = self.operand(node)
        if not isinstance(operand, PLACES):
            self.error(node, what)
        return operand

    def target(self, pointer: Expression, node: c_ast.Node) -> Place:
        """What a pointer points to."""
        kind = pointer.type
        if not isinstance(kind, CPointer):
            self.error(node, f"'{kind}' is not a pointer")
        if isinstance(pointer, AddressOf) and pointer.place.type == kind.target:
            return pointer.place
        if isinstance(pointer, PointerAdd) and isinstance(pointer.pointer, AddressOf):
            base = pointer.pointer.place
            if isinstance(base, ElementPlace) and base.type == kind.target:
                index = binary("+", base.index, pointer.index, base.index.type)
                return ElementPlace(base.base, pointer.index if is_zero(base.index) else index, base.type)
        return Dereference(pointer, kind.target)

    def _whole(self, part: VlaPart) -> Place | Expression:
        """A part of a multi-dimensional array as a value can only be passed on as a pointer to its scalars."""
        if part.lengths.element == part.lengths.scalar and isinstance(part.offset, Constant) and not part.offset.value:
            return part.place
        element = ElementPlace(part.place, part.offset, part.lengths.scalar)
        return AddressOf(element, CPointer(part.lengths.scalar))

    def _name(self, node: c_ast.ID) -> Place | Expression | VlaPart:
        symbol = self.scope.find(node.name)
        match symbol:
            case LocalVariable(variable, lengths):
                place = VariablePlace(variable, variable.type)
                if lengths is not None and isinstance(lengths.element, VariableLength):
                    return VlaPart(place, Constant(0, pointer_integer(self.unit.model)), lengths)
                return place
            case GlobalVariable():
                variable = self.global_variable(symbol)
                return VariablePlace(variable, variable.type)
            case EnumConstant(value, kind):
                return Constant(value, kind)
            case FunctionSymbol():
                if symbol.error is not None:
                    raise symbol.error
                if self.evaluated:
                    self.unit.address_taken[symbol.name] = symbol
                    self.unit.wanted.setdefault(symbol.name, symbol)
                return FunctionAddress(symbol.name, CPointer(symbol.type))
            case Poisoned(error):
                raise error
            case TypeName():
                self.error(node, f"unexpected type name '{node.name}'")
        if node.name in _FUNCTION_NAMES:
            units = tuple(CHAR.wrap(unit) for unit in self.name.encode())
            return self.string((*units, 0), CHAR, node)
        self.error(node, f"'{node.name}' undeclared")

    def _subscript(self, node: c_ast.ArrayRef) -> Place | Expression | VlaPart:
        index_type = pointer_integer(self.unit.model)
        base = self._any_operand(node.name)
        if self.has_effects(node.subscript) and not isinstance(base, VariablePlace):
            if isinstance(base, VlaPart):
                base = VlaPart(base.place, self.held(base.offset, node), base.lengths)
            elif isinstance(base, PLACES) and isinstance(base.type, CArray):
                base = self.held_place(base, node)
            else:
                base = self.held(self.decayed(base), node)
        index = self.scalar(node.subscript)
        if isinstance(index.type, CPointer) and not isinstance(base, VlaPart):  # 2[a]
            base, index = index, self.decayed(base)
        if not isinstance(index.type, CInteger):
            self.error(node, "array subscript is not an integer")
        index = convert(index, index_type)
        if isinstance(base, VlaPart):
            return self._vla_element(base, index)
        if isinstance(base, PLACES) and isinstance(base.type, CArray):
            return ElementPlace(base, index, base.type.element)
        pointer = self.decayed(base)
        if not isinstance(pointer.type, CPointer):
            self.error(node, "subscripted value is neither array nor pointer")
        self.size_of(pointer.type.target, node)
        return self.target(self.advanced(pointer, index), node)

    def _vla_element(self, base: VlaPart, index: Expression) -> Place | VlaPart:
        scaled = binary("*", index, base.lengths.stride, index.type)
        if base.lengths.stride == Constant(1, index.type):
            scaled = index
        offset = scaled if is_zero(base.offset) else binary("+", base.offset, scaled, index.type)
        if isinstance(base.lengths.element, VariableLength):
            return VlaPart(base.place, offset, base.lengths.element)
        return ElementPlace(base.place, offset, base.lengths.scalar)

    def advanced(self, pointer: Expression, index: Expression) -> Expression:
        """pointer + index; index has ptrdiff_t's type."""
        return pointer if is_zero(index) else PointerAdd(pointer, index, pointer.type)

    def _member_of(self, node: c_ast.StructRef) -> Place:
        if node.type == "->":
            base = self.target(self.value(node.name), node)
        else:
            operand = self.operand(node.name)
            base = operand if isinstance(operand, PLACES) else self.stored(operand, node)
        if not isinstance(base.type, CRecord):
            self.error(node, f"'{base.type}' has no members")
        path = self.member_path(base.type, node.field.name, node)
        if not path:
            self.error(node.field, f"'{base.type}' has no member named '{node.field.name}'")
        for step in path:
            base = FieldPlace(base, step, step.type)
        return base

    def member_path(self, kind: CRecord, name: str, node: c_ast.Node) -> list[CField]:
        """The fields from the record to the member, through anonymous members; [] if there is none."""
        self.size_of(kind, node)
        fields = self.unit.layout.record(kind).fields
        for step in fields:
            if step.name == name:
                return [step]
        for step in fields:
            if not step.name and isinstance(step.type, CRecord):
                rest = self.member_path(step.type, name, node)
                if rest:
                    return [step, *rest]
        return []

    def stored(self, value: Expression, node: c_ast.Node) -> Place:
        """A place that holds an rvalue (a record that a call or ?: gave)."""
        if isinstance(value, Load):
            return value.place
        place = self.temporary(value.type)
        self.cfa.emit(Assign(place, value), self.origin(node), self.text(node))
        return place

    # --- literals

    def _literal(self, node: c_ast.Constant) -> Place | Expression:
        text = node.value
        try:
            if node.type == "string":
                units, element = string_literal(text)
                return self.string(tuple(units), element, node)
            if text.endswith("'"):
                value, kind = character_literal(text)
                return Constant(value, kind)
            if node.type in ("float", "double", "long double"):
                exact, floating = floating_literal(text)
                rounded = round_to(exact, floating)
                if rounded is None:
                    self.refuse(node, "long double constant that no double holds")
                return Constant(rounded, floating)
            value, kind = integer_literal(text, self.unit.model)
        except (ValueError, KeyError) as error:
            self.error(node, str(error))
        return Constant(value, kind)

    def string(self, units: tuple[int, ...], element: CInteger, node: c_ast.Node) -> Place:
        """The static array of a string literal; equal literals share one."""
        strings, key = self.unit.strings, (str(element), units)
        kind = CArray(element, len(units))
        if not self.evaluated:
            return VariablePlace(Variable("string", "string", kind), kind)
        if key not in strings:
            name = f"string#{len(strings) + 1}"
            strings[key] = GlobalVariable(name, name, kind, node, self.scope, -1, defined=True)
        variable = self.global_variable(strings[key])
        return VariablePlace(variable, kind)

    # --- operators

    def _unary(self, node: c_ast.UnaryOp) -> Place | Expression:
        match node.op:
            case "++" | "--" | "p++" | "p--":
                return self.step(node, True)
            case "&":
                return self._address(node)
            case "*":
                value = self.value(node.expr)
                if isinstance(value.type, CPointer) and isinstance(value.type.target, CFunction):
                    return value
                if isinstance(value.type, CPointer) and value.type.target == VOID:
                    self.error(node, "dereference of a void pointer")
                return self.target(value, node)
            case "sizeof" | "_Alignof" | "__alignof__" | "__alignof":
                return self._size(node)
        value = self.scalar(node.expr)
        if node.op == "!":
            return unary("!", value)
        if not is_arithmetic(value.type) or (node.op == "~" and not isinstance(value.type, CInteger)):
            self.error(node, f"wrong type argument to unary {node.op}: '{value.type}'")
        if node.op == "+":
            return convert(value, promoted(value.type)) if isinstance(value.type, CInteger) else value
        return unary(node.op, value)

    def _address(self, node: c_ast.UnaryOp) -> Expression:
        operand = self.operand(node.expr)
        if isinstance(operand, FunctionAddress):
            return operand
        if not isinstance(operand, PLACES):
            self.error(node, "lvalue required as unary '&' operand")
        if isinstance(operand, FieldPlace) and operand.field.bit_offset is not None:
            self.error(node, f"address of bit-field '{operand.field.name}'")
        if isinstance(operand, Dereference):  # &*p, &p[i]
            return operand.pointer
        return AddressOf(operand, CPointer(operand.type))

    def _size(self, node: c_ast.UnaryOp) -> Expression:
        kind: CType | VariableLength
        if isinstance(node.expr, c_ast.Typename):
            kind = self.type_of(node.expr)
        else:
            symbol = self.scope.find(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
            if isinstance(symbol, LocalVariable) and symbol.lengths is not None:
                kind = symbol.lengths
            else:
                with self.unevaluated():
                    part = self._any_operand(node.expr)
                    kind = part.lengths if isinstance(part, VlaPart) else part.type
                    if isinstance(part, FieldPlace) and part.field.bit_offset is not None:
                        self.error(node, "sizeof applied to a bit-field")
                    if isinstance(part, FunctionAddress):
                        kind = VOID
        result = size_type(self.unit.model)
        if isinstance(kind, VariableLength):
            scalars = convert(kind.total, result)
            return binary("*", scalars, Constant(self.size_of(kind.scalar, node), result), result)
        if node.op == "sizeof":
            return Constant(self.size_of(kind, node), result)
        try:
            return Constant(self.unit.layout.align(kind, node.op == "_Alignof"), result)
        except IncompleteType:
            self.error(node, f"incomplete type '{kind}'")

    def _binary(self, node: c_ast.BinaryOp) -> Expression:
        if node.op in ("&&", "||"):
            if self.has_effects(node.right):
                return self._branched(node)
            left, right = self.scalar(node.left), self.scalar(node.right)
            return binary(node.op, left, right, INT)
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
            self.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")
        integral = isinstance(left.type, CInteger) and isinstance(right.type, CInteger)
        if operator in ("%", "&", "|", "^", "<<", ">>") and not integral:
            self.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")
        if operator in ("<<", ">>"):
            assert isinstance(left.type, CInteger) and isinstance(right.type, CInteger)
            left, right = convert(left, promoted(left.type)), convert(right, promoted(right.type))
            return binary(operator, left, right, left.type)
        common = arithmetic_type(left.type, right.type)
        result = INT if operator in _COMPARISONS else common
        return binary(operator, convert(left, common), convert(right, common), result)

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
        self.error(node, f"invalid operands to binary {operator}: '{left.type}' and '{right.type}'")

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
        if self.has_effects(node.iftrue) or self.has_effects(node.iffalse):
            return self._branched_ternary(node)
        condition = self.scalar(node.cond)
        then, otherwise = self.value(node.iftrue), self.value(node.iffalse)
        kind = self._common(then, otherwise, node)
        if kind == VOID:
            return Constant(0, VOID)
        then, otherwise = self.converted(then, kind, node), self.converted(otherwise, kind, node)
        if isinstance(condition, Constant):
            return then if condition.value else otherwise
        return Conditional(condition, then, otherwise, kind)

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
        self.error(node, f"type mismatch in conditional expression: '{left}' and '{right}'")

    def _cast(self, node: c_ast.Cast) -> Expression:
        kind = self.plain_type(node.to_type)
        if kind == VOID:
            self.effect(node.expr)
            return Constant(0, VOID)
        value = self.value(node.expr)
        if isinstance(kind, CRecord) and value.type == kind:
            return value
        if not is_scalar(kind):
            self.error(node, f"conversion to non-scalar type '{kind}' requested")
        return self.converted(value, kind, node, explicit=True)

    def converted(self, value: Expression, kind: CType, node: c_ast.Node, explicit: bool = False) -> Expression:
        """As if by assignment (or by a cast); refuses what a compiler refuses."""
        source = value.type
        if source == kind:
            return value
        floats = not isinstance(source, CInteger | CPointer) or not isinstance(kind, CInteger | CPointer)
        if (
            not is_scalar(kind)
            or not is_scalar(source)
            or (floats and (isinstance(source, CPointer) or isinstance(kind, CPointer)) and kind != BOOL)
        ):
            verb = "cast" if explicit else "conversion"
            self.error(node, f"incompatible types in {verb} from '{source}' to '{kind}'")
        if isinstance(source, CPointer) and isinstance(kind, CPointer) and isinstance(value, AddressOf):
            return self._pointer_cast(value, kind)
        return convert(value, kind)

    def _pointer_cast(self, value: AddressOf, kind: CPointer) -> Expression:
        return convert(value, kind)

    def _generic(self, node: c_ast.GenericSelection) -> Place | Expression:
        with self.unevaluated():
            kind = self.value(node.expr).type
        default = None
        for association in node.associations:
            if association.type is None:
                default = association.expr
            elif self.plain_type(association.type) == kind:
                return self.operand(association.expr)
        if default is None:
            self.error(node, f"_Generic selector of type '{kind}' is not compatible with any association")
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
                    self.error(step, "subscripted member is not an array")
                kind = kind.element
                offset += self.constant(step.subscript) * self.size_of(kind, step)
                continue
            name = step.name if isinstance(step, c_ast.ID) else step.field.name
            path = self.member_path(kind, name, step) if isinstance(kind, CRecord) else []
            if not path:
                self.error(step, f"'{kind}' has no member named '{name}'")
            offset += sum(member.offset for member in path)
            kind = path[-1].type
        return Constant(offset, size_type(self.unit.model))

    def assume(self, condition: Expression, node: c_ast.Node, then: int, otherwise: int) -> None:
        """Two edges: to `then` if the condition holds, else to `otherwise`."""
        origin, text = self.origin(node), self.text(node)
        self.cfa.edge(self.cfa.current, then, Assume(condition, True), origin, text)
        self.cfa.edge(self.cfa.current, otherwise, Assume(condition, False), origin, text)


def is_zero(expression: Expression) -> bool:
    return isinstance(expression, Constant) and expression.value == 0


def is_null_pointer(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.type, CPointer) and expression.value == 0
