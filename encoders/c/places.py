"""Names, literals, subscripts and members: places, and the values that they decay to (C11 6.5.1, 6.5.2)."""

from pycparser import c_ast

from encoders.c.conversions import (
    binary,
    convert,
    is_null,
    pointer_integer,
    round_to,
)
from encoders.c.core import MODELS
from encoders.c.declarations import UNKNOWN_ALIGNMENT, Types
from encoders.c.environment import VolatileReads
from encoders.c.ir import (
    AddressOf,
    Assign,
    Constant,
    Declare,
    Dereference,
    ElementPlace,
    Expression,
    FieldPlace,
    FunctionAddress,
    Load,
    Nondet,
    Place,
    PointerAdd,
    Variable,
    VariablePlace,
)
from encoders.c.layout import is_unnamed
from encoders.c.library_names import NameKind, kind_of
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
    CArray,
    CField,
    CInteger,
    CPointer,
    CRecord,
    CType,
)

PLACES = (VariablePlace, Dereference, FieldPlace, ElementPlace)
_FUNCTION_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")


class VlaPart:
    """A (part of a) multi-dimensional variable length array: not a place of the IR until fully subscripted."""

    def __init__(self, place: Place, offset: Expression, lengths: VariableLength) -> None:
        self.place, self.offset, self.lengths = place, offset, lengths

    @property
    def type(self) -> CType:
        return CArray(self.lengths.scalar, None)


class Places(Types):
    """Primary and postfix expressions: what names, literals, subscripts and members denote."""

    # --- provided by the layers above

    def any_operand(self, node: c_ast.Node) -> Place | Expression | VlaPart:
        raise NotImplementedError

    def scalar(self, node: c_ast.Node) -> Expression:
        raise NotImplementedError

    def global_variable(self, symbol: GlobalVariable) -> Variable:
        raise NotImplementedError

    # --- places and decay

    def decayed(self, operand: Place | Expression) -> Expression:
        if isinstance(operand, PLACES):
            if isinstance(operand.type, CArray):
                zero = Constant(0, pointer_integer(self.unit.model))
                first = ElementPlace(operand, zero, operand.type.element)
                return AddressOf(first, CPointer(operand.type.element, is_volatile(operand)))
            return self.read(operand)
        return operand

    def read(self, place: Place) -> Expression:
        """What a place holds; of a volatile one, where others may change it, any value."""
        if not is_volatile(place) or not self.evaluated or self.latest is None:
            return Load(place, place.type)
        origin, name = self.origin(self.latest), name_of(place)
        if origin.file.startswith(MODELS):
            return Load(place, place.type)
        is_pointer = self.holds_pointers(place.type)  # to which objects others may let it point is not modelled
        if self.unit.surroundings.volatile != VolatileReads.FRESH or is_pointer:
            self.unit.assume("volatile", name, "is volatile, and nobody but the program changes it", origin)
            return Load(place, place.type)
        self.unit.assume("volatile", name, "is volatile, and has any value at each read", origin)
        result = self.temporary(place.type)
        record = isinstance(place.type, CRecord)
        self.cfa.emit(Declare(result.variable) if record else Nondet(result, f"volatile {name}"), origin, name)
        return Load(result, place.type)

    def place(self, node: c_ast.Node, what: str = "lvalue required") -> Place:
        operand = self.operand(node)
        if not isinstance(operand, PLACES):
            raise self.error(node, what)
        return operand

    def target(self, pointer: Expression, node: c_ast.Node) -> Place:
        """What a pointer points to."""
        kind = pointer.type
        if not isinstance(kind, CPointer):
            raise self.error(node, f"'{kind}' is not a pointer")
        if isinstance(pointer, AddressOf) and pointer.place.type == kind.target:
            return pointer.place
        if isinstance(pointer, PointerAdd) and isinstance(pointer.pointer, AddressOf):
            base = pointer.pointer.place
            if isinstance(base, ElementPlace) and base.type == kind.target:
                index = binary("+", base.index, pointer.index, base.index.type)
                return ElementPlace(base.base, pointer.index if is_zero(base.index) else index, base.type)
        return Dereference(pointer, kind.target)

    def whole(self, part: VlaPart) -> Place | Expression:
        """A part of a multi-dimensional array as a value can only be passed on as a pointer to its scalars."""
        if isinstance(part.place.type, CPointer):
            return self.advanced(self.decayed(part.place), part.offset)
        element = ElementPlace(part.place, part.offset, part.lengths.scalar)
        return AddressOf(element, CPointer(part.lengths.scalar))

    def named(self, node: c_ast.ID) -> Place | Expression | VlaPart:
        symbol = self.scope.find(node.name)
        match symbol:
            case LocalVariable(variable, lengths):
                place = VariablePlace(variable, variable.type)
                if lengths is not None and isinstance(lengths.element, VariableLength):
                    return VlaPart(place, Constant(0, pointer_integer(self.unit.model)), lengths)
                return place
            case GlobalVariable(weak=True, defined=False):
                raise self.refuse(node, f"'{symbol.name}', a weak variable that nothing defines")
            case GlobalVariable():
                variable = self.global_variable(symbol)
                return VariablePlace(variable, variable.type)
            case EnumConstant(value, kind):
                return Constant(value, kind)
            case FunctionSymbol():
                if symbol.error is not None:
                    raise symbol.error
                if is_missing(symbol):
                    return Constant(0, CPointer(symbol.type))
                if self.evaluated:
                    self.unit.address_taken[symbol.name] = symbol
                    if symbol.definition is not None:  # else a model of the library may take the name
                        self.unit.wanted.setdefault(symbol.name, symbol)
                return FunctionAddress(symbol.name, CPointer(symbol.type))
            case Poisoned(error):
                raise error
            case TypeName():
                raise self.error(node, f"unexpected type name '{node.name}'")
        if node.name in _FUNCTION_NAMES:
            return self.literal(c_ast.Constant("string", f'"{self.name}"', node.coord))
        raise self.error(node, f"'{node.name}' undeclared")

    def subscript(self, node: c_ast.ArrayRef) -> Place | Expression | VlaPart:
        index_type = pointer_integer(self.unit.model)
        base = self.any_operand(node.name)
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
            raise self.error(node, "array subscript is not an integer")
        index = convert(index, index_type)
        if isinstance(base, VlaPart):
            return self._vla_element(base, index)
        if isinstance(base, PLACES) and isinstance(base.type, CArray):
            return ElementPlace(base, index, base.type.element)
        pointer = self.decayed(base)
        if not isinstance(pointer.type, CPointer):
            raise self.error(node, "subscripted value is neither array nor pointer")
        self.size_of(pointer.type.target, node)
        return self.target(self.advanced(pointer, index), node)

    def _vla_element(self, base: VlaPart, index: Expression) -> Place | VlaPart:
        scaled = binary("*", index, base.lengths.stride, index.type)
        if base.lengths.stride == Constant(1, index.type):
            scaled = index
        offset = scaled if is_zero(base.offset) else binary("+", base.offset, scaled, index.type)
        if isinstance(base.lengths.element, VariableLength):
            return VlaPart(base.place, offset, base.lengths.element)
        return self._vla_scalar(base, offset)

    def _vla_scalar(self, base: VlaPart, offset: Expression) -> Place:
        """An array of the function's own, or (a parameter) a pointer to the first scalar."""
        if isinstance(base.place.type, CPointer):
            return Dereference(self.advanced(self.decayed(base.place), offset), base.lengths.scalar)
        return ElementPlace(base.place, offset, base.lengths.scalar)

    def advanced(self, pointer: Expression, index: Expression) -> Expression:
        """pointer + index; index has ptrdiff_t's type."""
        return pointer if is_zero(index) else PointerAdd(pointer, index, pointer.type)

    def member_of(self, node: c_ast.StructRef) -> Place:
        if node.type == "->":
            base = self.target(self.value(node.name), node)
        else:
            operand = self.operand(node.name)
            base = operand if isinstance(operand, PLACES) else self.stored(operand, node)
        if not isinstance(base.type, CRecord):
            raise self.error(node, f"'{base.type}' has no members")
        path = self.member_path(base.type, node.field.name, node)
        if not path:
            raise self.error(node.field, f"'{base.type}' has no member named '{node.field.name}'")
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
            if is_unnamed(step.name) and isinstance(step.type, CRecord):
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

    def as_member(self, value: Expression, kind: CRecord, node: c_ast.Node, exact: bool) -> Expression | None:
        """A union whose member has the value: the first of its type, or (not exact) the first pointer for a pointer."""
        fields = self.unit.layout.record(kind).fields
        found = [member for member in fields if member.type == value.type]
        if not found and not exact:
            pointer = isinstance(value.type, CPointer) or is_null(value)
            found = [member for member in fields if pointer and isinstance(member.type, CPointer)]
        if not found:
            return None
        place = self.temporary(kind)
        member = found[0]
        self.cfa.emit(Declare(place.variable), self.origin(node), self.text(node))
        part = FieldPlace(place, member, member.type)
        self.cfa.emit(Assign(part, convert(value, member.type)), self.origin(node), self.text(node))
        return Load(place, kind)

    # --- alignments

    def operand_alignment(self, node: c_ast.Node, in_record: bool) -> int:
        """_Alignof (in_record) or __alignof__ of a type's name or an expression, in bytes, as gcc has it."""
        layout = self.unit.layout
        if isinstance(node, c_ast.Typename):
            kind = self.plain_type(node)
            self._require_alignment(kind, node)
            return self.known_alignment(node) or layout.align(kind, in_record)
        symbol = self.scope.find(node.name) if isinstance(node, c_ast.ID) else None
        with self.unevaluated():
            operand = self.any_operand(node)
        if isinstance(operand, FunctionAddress):
            return 1
        if isinstance(operand, FieldPlace) and isinstance(operand.base.type, CRecord):
            if operand.field.bit_offset is not None:
                raise self.error(node, "alignment of a bit-field")
            record = layout.record(operand.base.type)
            return record.field_aligns[record.fields.index(operand.field)]
        declared = symbol.align if isinstance(symbol, LocalVariable | GlobalVariable) else None
        if declared == UNKNOWN_ALIGNMENT or (declared is None and self.may_be_aligned(operand.type)):
            raise self.refuse(node, "alignment of an expression beside aligned types")
        if declared:
            return declared
        self._require_alignment(operand.type, node)
        is_variable = isinstance(operand, VariablePlace)
        return layout.align(operand.type, in_record=in_record and not is_variable)

    def _require_alignment(self, kind: CType, node: c_ast.Node) -> None:
        """Raises SourceError for an incomplete record; arrays of unknown length have an alignment."""
        while isinstance(kind, CArray):
            kind = kind.element
        self.size_of(kind, node)

    # --- literals

    def literal(self, node: c_ast.Constant) -> Place | Expression:
        text = node.value
        try:
            if node.type == "string":
                units, element = string_literal(text, self.unit.model)
                return self.string(tuple(units), element, node)
            if text.endswith("'"):
                value, kind = character_literal(text, self.unit.model)
                return Constant(value, kind)
            if node.type in ("float", "double", "long double"):
                exact, floating = floating_literal(text)
                return Constant(round_to(exact, floating), floating)
            value, kind = integer_literal(text, self.unit.model)
        except (ValueError, KeyError) as error:
            raise self.error(node, str(error)) from None
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


def is_volatile(place: Place) -> bool:
    """Is the place declared volatile? Automatic variables do not count, which nobody else knows."""
    while True:
        match place:
            case VariablePlace(variable=variable):
                return variable.volatile
            case Dereference(pointer=pointer):
                return isinstance(pointer.type, CPointer) and pointer.type.volatile
            case FieldPlace(base=base, field=member):
                if member.volatile:
                    return True
                place = base
            case ElementPlace(base=base):
                place = base


def name_of(place: Place) -> str:
    """A short name of a place in C's syntax: `flag`, `*status`, `device->status`."""
    match place:
        case VariablePlace(variable=variable):
            return variable.name
        case FieldPlace(base=Dereference(pointer=Load(place=inner)), field=member):
            return f"{name_of(inner)}->{member.name}"
        case FieldPlace(base=base, field=member):
            return f"{name_of(base)}.{member.name}"
        case ElementPlace(base=base):
            return f"{name_of(base)}[...]"
        case Dereference(pointer=Load(place=inner)):
            return f"*{name_of(inner)}"
        case _:
            return "*(...)"


def is_missing(symbol: FunctionSymbol) -> bool:
    """Is it a weak function that nobody defines? Then its address is null."""
    return symbol.weak and symbol.definition is None and kind_of(symbol.name) is NameKind.USER


def is_zero(expression: Expression) -> bool:
    return isinstance(expression, Constant) and expression.value == 0


def is_null_pointer(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.type, CPointer) and expression.value == 0


def is_address(expression: Expression) -> bool:
    """Is it the address of (a part of) a variable, or of a function?"""
    if not isinstance(expression, AddressOf):
        return isinstance(expression, FunctionAddress)
    place = expression.place
    while isinstance(place, FieldPlace | ElementPlace):
        place = place.base
    return isinstance(place, VariablePlace)
