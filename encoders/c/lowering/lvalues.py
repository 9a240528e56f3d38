"""Names, literals, subscripts and members: lvalues, and the values that they decay to (C11 6.5.1, 6.5.2)."""

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.expression_tests import is_atomic, is_constant, is_volatile
from encoders.c.cfa.expression_walk import base_of
from encoders.c.cfa.ir import (
    AddressOf,
    Assign,
    Cast,
    Constant,
    Declare,
    Dereference,
    ElementLValue,
    Expression,
    FieldLValue,
    FunctionAddress,
    Load,
    LValue,
    Nondet,
    PointerAdd,
    Variable,
    VariableLValue,
)
from encoders.c.library.model_files import STRING_PREFIX, name_of_copy
from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.collaborators import HasExpressions
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import UNKNOWN_ALIGNMENT, TypeLowering
from encoders.c.lowering.environment import VolatileReads
from encoders.c.lowering.file_scope.static_objects import StaticObjects
from encoders.c.lowering.operators.conversions import binary, convert, is_null, pointer_integer
from encoders.c.lowering.operators.recasts import overlapping
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.operators.variable_arrays import require_no_rows
from encoders.c.lowering.symbols import (
    EnumConstant,
    FunctionSymbol,
    GlobalVariable,
    InvalidSymbol,
    LocalVariable,
    TypeName,
    VariableLength,
    VlaPart,
)
from encoders.c.source.literals import character_literal, floating_literal, integer_literal, string_literal
from encoders.c.types.c_types import VOID, CArray, CField, CFunction, CInteger, CPointer, CRecord, CType
from encoders.c.types.float_rounding import round_to
from encoders.c.types.record_layout import is_unnamed

LVALUES = (VariableLValue, Dereference, FieldLValue, ElementLValue)
_FUNCTION_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")


@dataclass(frozen=True, eq=False)
class LValueLowering:
    """Primary and postfix expressions: what names, literals, subscripts and members denote."""

    context: LoweringContext
    side_effects: SideEffects
    types: TypeLowering
    static_objects: StaticObjects
    lowering: HasExpressions

    # --- values of lvalues

    def decayed(self, operand: LValue | Expression) -> Expression:
        """The value of an operand: a pointer to the first element of an array, else what the lvalue holds."""
        if isinstance(operand, LVALUES):
            if isinstance(operand.type, CArray):
                zero = Constant(0, pointer_integer(self.context.unit.model))
                first = ElementLValue(operand, zero, operand.type.element)
                return AddressOf(first, pointer_to(operand, operand.type.element))
            if isinstance(operand, VariableLValue) and operand.variable.unique in self.context.unit.constants:
                return self.context.unit.constants[operand.variable.unique]
            return self.read(operand)
        return operand

    def read(self, lvalue: LValue) -> Expression:
        """The value that an lvalue holds; of a volatile one, where others may change it, any value."""
        if not is_volatile(lvalue) or not self.context.evaluated or self.context.latest is None:
            return Load(lvalue, lvalue.type)
        origin, name = self.context.origin(self.context.latest), name_of(lvalue)
        if self.context.is_in_library(self.context.latest):
            return Load(lvalue, lvalue.type)
        is_pointer = self.types.holds_pointers(lvalue.type)  # to which objects others may let it point is not modelled
        if self.context.unit.surroundings.volatile != VolatileReads.FRESH or is_pointer:
            self.context.unit.assume("volatile", name, "is volatile, and nobody but the program changes it", origin)
            return Load(lvalue, lvalue.type)
        result = self.context.temporary(lvalue.type)
        if not self.is_register(lvalue):
            self.context.unit.assume("volatile", name, "is volatile, and has any value at each read", origin)
            if not isinstance(lvalue, VariableLValue):  # whatever the read gives, it is an access, which may be invalid
                self.context.cfa.emit(Assign(result, Load(lvalue, lvalue.type)), origin, name)
        record = isinstance(lvalue.type, CRecord)
        self.context.cfa.emit(Declare(result.variable) if record else Nondet(result, f"volatile {name}"), origin, name)
        return Load(result, lvalue.type)

    def is_register(self, lvalue: LValue) -> bool:
        """Is it a device's register, a volatile object at a constant address? Others than the program know it then.

        What that means is recorded: no object of the program lies there.
        """
        address = constant_address(lvalue) if is_volatile(lvalue) else None
        if address is None or self.context.unit.surroundings.volatile != VolatileReads.FRESH:
            return False
        if self.context.evaluated and self.context.latest is not None:
            effect = "is a device's register: reads give any value, and writes change no object"
            self.context.unit.assume("volatile", f"{address:#x}", effect, self.context.origin(self.context.latest))
        return True

    def lvalue(self, node: c_ast.Node, what: str = "lvalue required") -> LValue:
        """The lvalue that an expression is. Raises SourceError with the message `what` for an rvalue."""
        operand = self.lowering.expressions.operand(node)
        if not isinstance(operand, LVALUES):
            raise self.context.error(node, what)
        return operand

    def target(self, pointer: Expression, node: c_ast.Node) -> LValue:
        """What a pointer points to."""
        kind = pointer.type
        if not isinstance(kind, CPointer):
            raise self.context.error(node, f"'{kind}' is not a pointer")
        if isinstance(pointer, AddressOf) and self._is_same(pointer.lvalue, kind):
            return pointer.lvalue
        if isinstance(pointer, PointerAdd) and isinstance(pointer.pointer, AddressOf):
            base = pointer.pointer.lvalue
            if isinstance(base, ElementLValue) and self._is_same(base, kind):
                index = binary("+", base.index, pointer.index, base.index.type)
                return ElementLValue(base.base, pointer.index if is_zero(base.index) else index, base.type)
        return Dereference(pointer, kind.target)

    def _is_same(self, lvalue: LValue, pointer: CPointer) -> bool:
        """Is an access through a pointer of this type, to this object, one to the object by its name? A pointer to a
        type that is not atomic makes plain accesses to an atomic object."""
        if self.context.unit.has_interrupts and is_volatile(lvalue) != pointer.volatile:
            return False
        return lvalue.type == pointer.target and is_atomic(lvalue) == pointer.atomic

    def whole(self, part: VlaPart) -> LValue | Expression:
        """A part of a multi-dimensional array as a value can only be passed on as a pointer to its scalars."""
        if isinstance(part.lvalue.type, CPointer):
            return self.advanced(self.decayed(part.lvalue), part.offset)
        element = ElementLValue(part.lvalue, part.offset, part.lengths.scalar)
        return AddressOf(element, CPointer(part.lengths.scalar))

    def named(self, node: c_ast.ID) -> LValue | Expression | VlaPart:
        """What an identifier denotes. Raises SourceError for an undeclared name."""
        symbol = self.context.scope.find(node.name)
        match symbol:
            case LocalVariable(variable, lengths):
                lvalue = VariableLValue.of(variable)
                if lengths is not None and isinstance(lengths.element, VariableLength):
                    return VlaPart(lvalue, Constant(0, pointer_integer(self.context.unit.model)), lengths)
                return lvalue
            case GlobalVariable(weak=True, defined=False):
                raise self.context.refuse(node, f"'{symbol.name}', a weak variable that nothing defines")
            case GlobalVariable():
                variable = self.static_objects.global_variable(symbol)
                return VariableLValue.of(variable)
            case EnumConstant(value, kind):
                return Constant(value, kind)
            case FunctionSymbol():
                if symbol.error is not None:
                    raise symbol.error
                if is_missing(symbol):
                    return Constant(0, CPointer(symbol.type))
                if self.context.evaluated:
                    self.context.unit.address_taken[symbol.name] = symbol
                    if symbol.definition is None:
                        self.context.assume_success(symbol.name, node)
                    if symbol.definition is not None:  # else a model of the library may take the name
                        self.context.unit.wanted.setdefault(symbol.name, symbol)
                return FunctionAddress(symbol.name, CPointer(symbol.type))
            case InvalidSymbol(error):
                raise error
            case TypeName():
                raise self.context.error(node, f"unexpected type name '{node.name}'")
        if node.name in _FUNCTION_NAMES:
            return self.literal(c_ast.Constant("string", f'"{self.context.name}"', node.coord))
        raise self.context.error(node, f"'{node.name}' undeclared")

    def subscript(self, node: c_ast.ArrayRef) -> LValue | Expression | VlaPart:
        """The element that a subscript denotes, or a part of an array of variable length."""
        index_type = pointer_integer(self.context.unit.model)
        base = self.lowering.expressions.any_operand(node.name)
        is_variable = isinstance(base, VariableLValue)
        is_late = is_variable and (isinstance(base.type, CArray) or not self.side_effects.calls(node.subscript))
        if self.side_effects.has_effects(node.subscript) and not is_late:
            if isinstance(base, VlaPart):
                base = VlaPart(base.lvalue, self.context.held(base.offset, node), base.lengths)
            elif isinstance(base, LVALUES) and isinstance(base.type, CArray):
                base = self.context.held_lvalue(base, node)
            else:
                base = self.context.held(self.decayed(base), node)
        index = self.lowering.expressions.scalar(node.subscript)
        if isinstance(index.type, CPointer) and not isinstance(base, VlaPart):  # 2[a]
            base, index = index, self.decayed(base)
        if not isinstance(index.type, CInteger):
            raise self.context.error(node, "array subscript is not an integer")
        index = convert(index, index_type)
        if isinstance(base, VlaPart):
            return self._vla_element(base, index)
        if isinstance(base, LVALUES) and isinstance(base.type, CArray):
            return ElementLValue(base, index, base.type.element)
        require_no_rows(self.context, node.name, node.subscript)
        pointer = self.decayed(base)
        if not isinstance(pointer.type, CPointer):
            raise self.context.error(node, "subscripted value is neither array nor pointer")
        self.context.size_of(pointer.type.target, node)
        return self.target(self.advanced(pointer, index), node)

    def pointed(self, operand: LValue | Expression | VlaPart, node: c_ast.UnaryOp) -> LValue | Expression | VlaPart:
        """What `*operand` denotes."""
        if isinstance(operand, VlaPart):
            return self._vla_element(operand, Constant(0, pointer_integer(self.context.unit.model)))
        require_no_rows(self.context, node.expr)
        value = self.decayed(operand)
        if isinstance(value.type, CPointer) and isinstance(value.type.target, CFunction):
            return value
        if isinstance(value.type, CPointer) and value.type.target == VOID and self.context.evaluated:
            raise self.context.error(node, "dereference of a void pointer")
        return self.target(value, node)

    def _vla_element(self, base: VlaPart, index: Expression) -> LValue | VlaPart:
        scaled = binary("*", index, base.lengths.stride, index.type)
        if base.lengths.stride == Constant(1, index.type):
            scaled = index
        offset = scaled if is_zero(base.offset) else binary("+", base.offset, scaled, index.type)
        if isinstance(base.lengths.element, VariableLength):
            return VlaPart(base.lvalue, offset, base.lengths.element)
        return self._vla_scalar(base, offset)

    def _vla_scalar(self, base: VlaPart, offset: Expression) -> LValue:
        """An array of the function's own, or (a parameter) a pointer to the first scalar."""
        if isinstance(base.lvalue.type, CPointer):
            return Dereference(self.advanced(self.decayed(base.lvalue), offset), base.lengths.scalar)
        return ElementLValue(base.lvalue, offset, base.lengths.scalar)

    def advanced(self, pointer: Expression, index: Expression) -> Expression:
        """pointer + index; index has ptrdiff_t's type."""
        return pointer if is_zero(index) else PointerAdd(pointer, index, pointer.type)

    def member_of(self, node: c_ast.StructRef) -> LValue:
        """The member that `.` or `->` denotes."""
        if node.type == "->":
            base = self.target(self.lowering.expressions.value(node.name), node)
        else:
            operand = self.lowering.expressions.operand(node.name)
            base = operand if isinstance(operand, LVALUES) else self.stored(operand, node)
        if not isinstance(base.type, CRecord):
            raise self.context.error(node, f"'{base.type}' has no members")
        path = self.member_path(base.type, node.field.name, node)
        if not path:
            raise self.context.error(node.field, f"'{base.type}' has no member named '{node.field.name}'")
        for step in path:
            if isinstance(base.type, CRecord) and base.type.is_union and self.context.evaluated:
                self.context.unit.recast_types |= overlapping(self.context.unit.layout, base.type)
            base = FieldLValue(base, step, step.type)
        return base

    def member_path(self, kind: CRecord, name: str, node: c_ast.Node) -> list[CField]:
        """The fields from the record to the member, through anonymous members; [] if there is none."""
        self.context.size_of(kind, node)
        fields = self.context.unit.layout.record(kind).fields
        for step in fields:
            if step.name == name:
                return [step]
        for step in fields:
            if is_unnamed(step.name) and isinstance(step.type, CRecord):
                rest = self.member_path(step.type, name, node)
                if rest:
                    return [step, *rest]
        return []

    def stored(self, value: Expression, node: c_ast.Node) -> LValue:
        """An lvalue that holds an rvalue (a record that a call or ?: gave)."""
        if isinstance(value, Load):
            return value.lvalue
        lvalue = self.context.temporary(value.type)
        self.context.emit(Assign(lvalue, value), node)
        return lvalue

    def as_member(self, value: Expression, kind: CRecord, node: c_ast.Node, exact: bool) -> Expression | None:
        """A union whose member has the value: the first of its type, or (not exact) the first pointer for a pointer."""
        fields = self.context.unit.layout.record(kind).fields
        found = [member for member in fields if member.type == value.type]
        if not found and not exact:
            pointer = isinstance(value.type, CPointer) or is_null(value)
            found = [member for member in fields if pointer and isinstance(member.type, CPointer)]
        if not found:
            return None
        lvalue = self.context.temporary(kind)
        member = found[0]
        self.context.emit(Declare(lvalue.variable), node)
        part = FieldLValue(lvalue, member, member.type)
        self.context.emit(Assign(part, convert(value, member.type)), node)
        return Load(lvalue, kind)

    # --- alignments

    def operand_alignment(self, node: c_ast.Node, in_record: bool) -> int:
        """_Alignof (in_record) or __alignof__ of a type's name or an expression, in bytes, as gcc has it."""
        layout = self.context.unit.layout
        if isinstance(node, c_ast.Typename):
            kind = self.types.plain_type(node)
            self._require_alignment(kind, node)
            return self.types.known_alignment(node) or layout.align(kind, in_record)
        symbol = self.context.scope.find(node.name) if isinstance(node, c_ast.ID) else None
        with self.context.unevaluated():
            operand = self.lowering.expressions.any_operand(node)
        if isinstance(operand, FunctionAddress):
            return 1
        if isinstance(operand, FieldLValue) and isinstance(operand.base.type, CRecord):
            if operand.field.bit_offset is not None:
                raise self.context.error(node, "alignment of a bit-field")
            record = layout.record(operand.base.type)
            return record.field_aligns[record.fields.index(operand.field)]
        declared = symbol.align if isinstance(symbol, LocalVariable | GlobalVariable) else None
        if declared == UNKNOWN_ALIGNMENT or (declared is None and self.types.may_be_aligned(operand.type)):
            raise self.context.refuse(node, "alignment of an expression beside aligned types")
        if declared:
            return declared
        self._require_alignment(operand.type, node)
        is_variable = isinstance(operand, VariableLValue)
        return layout.align(operand.type, in_record=in_record and not is_variable)

    def _require_alignment(self, kind: CType, node: c_ast.Node) -> None:
        """Raises SourceError for an incomplete record; arrays of unknown length have an alignment."""
        while isinstance(kind, CArray):
            kind = kind.element
        self.context.size_of(kind, node)

    # --- literals

    def literal(self, node: c_ast.Constant) -> LValue | Expression:
        """The value of a literal; the static array of a string."""
        text = node.value
        try:
            if node.type == "string":
                units, element = string_literal(text, self.context.unit.model)
                return self.string(tuple(units), element, node)
            if text.endswith("'"):
                value, kind = character_literal(text, self.context.unit.model)
                return Constant(value, kind)
            if node.type in ("float", "double", "long double"):
                exact, floating = floating_literal(text)
                return Constant(round_to(exact, floating), floating)
            value, kind = integer_literal(text, self.context.unit.model)
        except (ValueError, KeyError) as error:
            raise self.context.error(node, str(error)) from None
        return Constant(value, kind)

    def string(self, units: tuple[int, ...], element: CInteger, node: c_ast.Node) -> LValue:
        """The static array of a string literal; equal literals of a file share one."""
        unit, kind = self.context.unit, CArray(element, len(units))
        if not self.context.evaluated:
            return VariableLValue(Variable("string", "string", kind), kind)
        copies = unit.strings.setdefault((str(element), units), {})
        program_file = unit.file_of(self.context.scope.of_file)
        file = program_file.file if program_file is not None else ""
        if file not in copies:
            name = f"{STRING_PREFIX}{len(unit.strings)}"
            if copies:
                name = name_of_copy(next(iter(copies.values())).unique, len(copies))
            copies[file] = GlobalVariable(name, name, kind, node, self.context.scope, -1, defined=True, constant=True)
        variable = self.static_objects.global_variable(copies[file])
        return VariableLValue(variable, kind)


def pointer_to(lvalue: LValue, target: CType) -> CPointer:
    """The type of a pointer to an lvalue, or to a part of it of this type."""
    is_literal = isinstance(lvalue, VariableLValue) and lvalue.variable.unique.startswith(STRING_PREFIX)
    return CPointer(target, is_volatile(lvalue), is_atomic(lvalue), is_constant(lvalue) and not is_literal)


def constant_address(lvalue: LValue) -> int | None:
    """The number from which the address of an lvalue is made; None if there is none."""
    lvalue = base_of(lvalue)
    pointer: Expression | None = lvalue.pointer if isinstance(lvalue, Dereference) else None
    while isinstance(pointer, PointerAdd | Cast) and not isinstance(pointer.type, CInteger):
        pointer = pointer.pointer if isinstance(pointer, PointerAdd) else pointer.operand
    if not isinstance(pointer, Constant) or not isinstance(pointer.type, CInteger) or pointer.value == 0:
        return None
    return int(pointer.value)


def name_of(lvalue: LValue) -> str:
    """A short name of an lvalue in C's syntax: `flag`, `*status`, `device->status`."""
    match lvalue:
        case VariableLValue(variable=variable):
            return variable.name
        case FieldLValue(base=Dereference(pointer=Load(lvalue=inner)), field=member):
            return f"{name_of(inner)}->{member.name}"
        case FieldLValue(base=base, field=member):
            return f"{name_of(base)}.{member.name}"
        case ElementLValue(base=base):
            return f"{name_of(base)}[...]"
        case Dereference(pointer=Load(lvalue=inner)):
            return f"*{name_of(inner)}"
        case _:
            return "*(...)"


def is_missing(symbol: FunctionSymbol) -> bool:
    """Is it a weak function that nobody defines? Then its address is null."""
    return symbol.weak and symbol.definition is None and kind_of(symbol.name, symbol.type) is NameKind.USER


def is_zero(expression: Expression) -> bool:
    """Is it the constant zero?"""
    return isinstance(expression, Constant) and expression.value == 0


def is_address(expression: Expression) -> bool:
    """Is it the address of (a part of) a variable, or of a function?"""
    if not isinstance(expression, AddressOf):
        return isinstance(expression, FunctionAddress)
    return isinstance(base_of(expression.lvalue), VariableLValue)
