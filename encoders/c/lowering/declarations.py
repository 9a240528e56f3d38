"""Types as declarations write them: specifiers, declarators, records and enumerations."""

from pycparser import c_ast

from encoders.c.cfa.ir import Assign, Constant, Expression, Load, Variable
from encoders.c.lowering.collaborators import HasExpressions
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.file_scope.shared_records import complete_again, is_shared, record_of
from encoders.c.lowering.operators.complex_numbers import complex_type
from encoders.c.lowering.operators.conversions import binary, convert, pointer_integer
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.lowering.qualifiers import qualified_pointer, qualifiers
from encoders.c.lowering.symbols import EnumConstant, InvalidSymbol, LocalVariable, TypeName, VariableLength
from encoders.c.source.attributes import SYMBOL_ATTRIBUTES, Attribute, refused, require_modelled
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.basic_types import basic_type, enumeration_type, integer_mode
from encoders.c.types.c_types import (
    DOUBLE,
    FLOAT,
    INT,
    LDOUBLE,
    LLONG,
    UINT,
    VOID,
    CArray,
    CFloat,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
)
from encoders.c.types.record_layout import Member, Rules, unnamed

AnyType = CType | VariableLength


UNKNOWN_ALIGNMENT = -1
_ON_DECLARATIONS = frozenset({"aligned", "packed", "mode", "noreturn", "transparent_union"}) | SYMBOL_ATTRIBUTES
_ON_RECORDS = frozenset({"aligned", "packed", "transparent_union"})
_ON_ENUMERATIONS = frozenset({"packed", "mode"})


class TypeLowering:
    """From type nodes to types. Declares the tags and enumerators that it passes."""

    def __init__(self, context: LoweringContext, side_effects: SideEffects, lowering: HasExpressions) -> None:
        self.context = context
        self.side_effects = side_effects
        self.lowering = lowering

    def type_of(self, node: c_ast.Node) -> AnyType:
        """The type of a declarator chain, Typename, or specifier."""
        match node:
            case c_ast.Typename() | c_ast.Decl() | c_ast.Typedef():
                return self.declared_type(node)
            case c_ast.TypeDecl():
                return self.type_of(node.type)
            case c_ast.PtrDecl():
                target = self.type_of(node.type)
                if isinstance(target, VariableLength):
                    raise self.context.refuse(node, "pointer to a variable length array")
                return qualified_pointer(self.context.scope, target, node.type)
            case c_ast.ArrayDecl():
                return self._array(node)
            case c_ast.FuncDecl():
                return self._function(node)
            case c_ast.IdentifierType():
                return self._named(node)
            case c_ast.Struct() | c_ast.Union():
                return self._record(node)
            case c_ast.Enum():
                return self._enumeration(node)
            case c_ast.TypeOf():
                return self._typeof(node)
        raise self.context.refuse(node, f"type specifier {type(node).__name__}")

    def is_volatile_type(self, node: c_ast.Node) -> bool:
        """Is an object of the type volatile, or each element of an array of it?"""
        return "volatile" in qualifiers(self.context.scope, node)

    def is_atomic_type(self, node: c_ast.Node) -> bool:
        """Is an object of the type atomic, or each element of an array of it?"""
        return "_Atomic" in qualifiers(self.context.scope, node)

    def is_constant_type(self, node: c_ast.Node) -> bool:
        """Does the program promise that nobody changes an object of the type?"""
        found = qualifiers(self.context.scope, node)
        return "const" in found and "volatile" not in found

    def holds_pointers(self, kind: CType) -> bool:
        """May a pointer be in an object of the type?"""
        return self.context.unit.layout.holds_pointers(kind, incomplete=True)

    def plain_type(self, node: c_ast.Node) -> CType:
        """type_of where a variable length array cannot be modelled."""
        kind = self.type_of(node)
        if isinstance(kind, VariableLength):
            raise self.context.refuse(node, "variable length array type here")
        return kind

    def constant(self, node: c_ast.Node, what: str = "expression") -> int:
        """The value of an integer constant expression."""
        value = self.constant_or_none(node)
        if value is None:
            raise self.context.error(node, f"{what} is not an integer constant")
        return value

    def constant_or_none(self, node: c_ast.Node) -> int | None:
        """The value of an integer constant expression, None for any other expression."""
        if self.side_effects.has_side_effects(node):
            return None
        with self.context.unevaluated():
            value = self.lowering.expressions.value(node)
        return value.value if isinstance(value, Constant) and isinstance(value.value, int) else None

    def _named(self, node: c_ast.IdentifierType) -> AnyType:
        names = tuple(node.names)
        kind = basic_type(names, self.context.unit.model) or complex_type(names, self.context.unit.layout)
        if kind is not None:
            return kind
        spelled = " ".join(node.names)
        if "_Complex" in node.names or "__float128" in node.names:
            raise self.context.refuse(node, f"type {spelled}")
        symbol = self.context.scope.find(node.names[0]) if len(node.names) == 1 else None
        if isinstance(symbol, InvalidSymbol):
            raise symbol.error
        if not isinstance(symbol, TypeName):
            raise self.context.error(node, f"'{spelled}' is not a type")
        return symbol.type

    def _typeof(self, node: c_ast.TypeOf) -> AnyType:
        if isinstance(node.expr, c_ast.Typename):
            return self.type_of(node.expr)
        with self.context.unevaluated():
            if isinstance(node.expr, c_ast.UnaryOp) and node.expr.op == "*":  # what it gives decays, but not here
                pointer = self.lowering.expressions.operand(node.expr.expr).type
                if isinstance(pointer, CPointer) and isinstance(pointer.target, CFunction):
                    return pointer.target
            return self.lowering.expressions.operand(node.expr).type

    def declared_type(self, node: c_ast.Decl | c_ast.Typedef | c_ast.Typename) -> AnyType:
        """The type that a declaration gives, its attributes included; raises Unsupported for those not modelled."""
        attributes = self.context.unit.attributes.of(node)
        require_modelled(attributes, _ON_DECLARATIONS)
        kind = self.type_of(node.type)
        for attribute in attributes:
            if attribute.name == "mode":
                kind = self._mode(attribute, node.type, kind)
            elif attribute.name == "transparent_union" and isinstance(kind, CRecord) and kind.is_union:
                self.context.unit.transparent_unions.add(kind.tag)
        return kind

    def _mode(self, attribute: Attribute, declarator: c_ast.Node, kind: AnyType) -> CType:
        found: CType | None = None
        mode = attribute.arguments.strip("_")
        if isinstance(kind, CInteger) and isinstance(declarator, c_ast.TypeDecl):
            found = integer_mode(mode, kind.signed, self.context.unit.model)
        elif isinstance(kind, CFloat) and isinstance(declarator, c_ast.TypeDecl):
            found = {"SF": FLOAT, "DF": DOUBLE, "XF": LDOUBLE}.get(mode)
        if found is None:
            raise Unsupported(attribute.origin, f"__attribute__((mode({mode})))")
        return found

    # --- alignments that are asked for

    def asked_alignment(self, node: c_ast.Node) -> int:
        """The greatest alignment in bytes that attributes of a declaration or record, and _Alignas, ask for; or 0."""
        largest = 0
        for attribute in self.context.unit.attributes.of(node):
            if attribute.name == "aligned":
                value = 16 if attribute.value is None else self.constant(attribute.value, "requested alignment")
                if value <= 0 or value & (value - 1):
                    raise self.context.error(node, "requested alignment is not a positive power of 2")
                largest = max(largest, value) if isinstance(node, c_ast.Decl) else value  # of types the last one counts
        for specifier in getattr(node, "align", None) or ():
            inner = specifier.alignment
            value = self.alignment_of(inner) if isinstance(inner, c_ast.Typename) else self.constant(inner)
            largest = max(largest, value)
        return largest

    def alignment_of(self, node: c_ast.Node) -> int:
        """_Alignof a type's name, in bytes."""
        kind = self.plain_type(node)
        self.context.size_of(kind, node)
        return self.known_alignment(node) or self.context.unit.layout.align(kind)

    def named_alignment(self, node: c_ast.Node) -> int:
        """The alignment in bytes of the typedef's name that a declaration is written with, 0 if it has none.

        UNKNOWN_ALIGNMENT for typeof of an expression, if a typedef gives its type an alignment.
        """
        while isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.Typename | c_ast.TypeDecl | c_ast.ArrayDecl):
            if isinstance(node, c_ast.Typename) and (asked := self.asked_alignment(node)):
                return asked
            if isinstance(node, c_ast.TypeDecl) and "_Atomic" in (node.quals or ()):
                return self._atomic_alignment(node)
            node = node.type
        if isinstance(node, c_ast.TypeOf):
            if isinstance(node.expr, c_ast.Typename):
                return self.named_alignment(node.expr)
            return UNKNOWN_ALIGNMENT if self.may_be_aligned(self._typeof(node)) else 0
        if not isinstance(node, c_ast.IdentifierType) or len(node.names) != 1:
            return 0
        symbol = self.context.scope.find(node.names[0])
        return symbol.align if isinstance(symbol, TypeName) else 0

    def _atomic_alignment(self, node: c_ast.TypeDecl) -> int:
        """An atomic integer is aligned to its size, on i386 too."""
        kind = self.plain_type(node)
        if isinstance(kind, CRecord | CFloat) and not self.context.unit.layout.is_flag(kind):
            raise self.context.refuse(node, f"_Atomic {kind}")
        return self.context.size_of(kind, node)

    def type_name(self, node: c_ast.Typedef, kind: AnyType) -> TypeName:
        """The symbol of a typedef."""
        for attribute in self.context.unit.attributes.of(node):
            if attribute.name == "noreturn" and isinstance(kind, CFunction):
                raise refused(attribute)
        align = self.asked_alignment(node) or self.named_alignment(node)
        if align and not isinstance(kind, VariableLength):
            self.context.unit.aligned_names.add(kind)
        return TypeName(kind, qualifiers(self.context.scope, node.type), align)

    def may_be_aligned(self, kind: AnyType) -> bool:
        """Could an expression of this type have that of a typedef with an alignment of its own?"""
        while isinstance(kind, CArray):
            kind = kind.element
        return kind in self.context.unit.aligned_names

    def known_alignment(self, node: c_ast.Node) -> int:
        """named_alignment where it matters: raises Unsupported for one that is not known."""
        align = self.named_alignment(node)
        if align == UNKNOWN_ALIGNMENT:
            raise self.context.refuse(node, "alignment of an expression beside aligned types")
        return align

    # --- arrays and functions

    def _array(self, node: c_ast.ArrayDecl) -> AnyType:
        element = self.type_of(node.type)
        if isinstance(element, CFunction) or element == VOID:
            raise self.context.error(node, f"array of '{element}'")
        if node.dim is None:
            length: int | None = None
        elif isinstance(node.dim, c_ast.ID) and node.dim.name == "*":
            length = None
        else:
            length = self.constant_or_none(node.dim)
            if length is None:
                return self._variable_length(node, element)
            if length < 0:
                raise self.context.error(node.dim, "size of array is negative")
        if isinstance(element, VariableLength):
            return self._variable_length(node, element)
        return CArray(element, length)

    def _variable_length(self, node: c_ast.ArrayDecl, element: AnyType) -> VariableLength:
        index = pointer_integer(self.context.unit.model)
        one = Constant(1, index)
        stride: Expression = one
        if isinstance(element, VariableLength):
            stride = element.total
        elif isinstance(element, CArray):  # int a[n][4]: the constant dimensions are flattened too
            element = self._flattened(element)
            stride = element.total
        if node.dim is None:
            raise self.context.refuse(node, "array without a length around one of variable length")
        count = convert(self.lowering.expressions.length(node.dim), index)
        if not isinstance(count, Constant):
            lvalue = self.context.temporary(index)
            self.context.cfa.emit(Assign(lvalue, count), self.context.origin(node), self.context.text(node.dim))
            count = Load(lvalue, index)
        total = count if stride == one else self._held_product(node, count, stride)
        return VariableLength(element, count, total, stride)

    def _flattened(self, kind: CArray) -> VariableLength:
        index = pointer_integer(self.context.unit.model)
        element: AnyType = self._flattened(kind.element) if isinstance(kind.element, CArray) else kind.element
        stride = element.total if isinstance(element, VariableLength) else Constant(1, index)
        count = Constant(kind.length or 0, index)
        return VariableLength(element, count, binary("*", count, stride, index), stride)

    def _held_product(self, node: c_ast.Node, count: Expression, stride: Expression) -> Expression:
        product = binary("*", count, stride, count.type)
        if isinstance(product, Constant):
            return product
        lvalue = self.context.temporary(count.type)
        self.context.cfa.emit(Assign(lvalue, product), self.context.origin(node))
        return Load(lvalue, count.type)

    def _function(self, node: c_ast.FuncDecl) -> CFunction:
        result = self.plain_type(node.type)
        if isinstance(result, CArray | CFunction):
            raise self.context.error(node, f"function returning '{result}'")
        if node.args is None:
            return CFunction(result, (), variadic=True)
        parameters: list[CType] = []
        variadic = False
        # Lengths like a[n] of parameters have no meaning but in the body.
        with self.context.block(), self.context.unevaluated():
            for parameter in node.args.params:
                if isinstance(parameter, c_ast.EllipsisParam):
                    variadic = True
                    if not parameters:
                        raise self.context.refuse(node, "function with '...' alone as its parameters")
                elif isinstance(parameter, c_ast.ID):  # an identifier list: types follow, arguments are not converted
                    return CFunction(result, (), variadic=True)
                else:
                    assert isinstance(parameter, c_ast.Decl | c_ast.Typename)
                    kind = self.parameter_type(parameter)
                    parameters.append(kind)
                    if (name := parameter.name) is not None:
                        self.context.scope.names[name] = LocalVariable(Variable(name, name, kind))
        if parameters == [VOID] and not variadic:
            parameters = []
        return CFunction(result, tuple(parameters), variadic)

    def parameter_type(self, node: c_ast.Decl | c_ast.Typename) -> CType:
        """Arrays and functions become pointers."""
        declarator = node.type
        if isinstance(declarator, c_ast.ArrayDecl):
            element = self.type_of(declarator.type)
            target = element.scalar if isinstance(element, VariableLength) else element
            return qualified_pointer(self.context.scope, target, declarator)
        kind = self.plain_type(node)
        if isinstance(kind, CArray):
            return qualified_pointer(self.context.scope, kind.element, declarator)
        return CPointer(kind) if isinstance(kind, CFunction) else kind

    # --- records and enumerations

    def _record(self, node: c_ast.Struct | c_ast.Union) -> CType:
        known = self.context.unit.records.get(id(node))
        if known is not None:
            return known
        is_union = isinstance(node, c_ast.Union)
        scope, name = self.context.scope, node.name
        find = scope.find_tag if node.decls is None else scope.tags.get
        existing = find(name) if name is not None else None
        if existing is None:
            existing = record_of(self.context.unit, self.context.scope, node)
            if node.name is not None:
                self.context.scope.tags[node.name] = existing
        if not isinstance(existing, CRecord) or existing.is_union != is_union:
            raise self.context.error(node, f"'{node.name}' defined as wrong kind of tag")
        self.context.unit.records[id(node)] = existing
        if node.decls is not None:
            if is_shared(self.context.unit, self.context.scope, existing):
                complete_again(self.context.unit, existing, lambda: self._complete(node, existing))
                return existing
            if existing.tag in self.context.unit.layout.records:
                raise self.context.error(node, f"redefinition of '{existing}'")
            self._complete(node, existing)
        return existing

    def _complete(self, node: c_ast.Struct | c_ast.Union, record: CRecord) -> None:
        try:
            rules = self._rules(node)
            if any(attribute.name == "transparent_union" for attribute in self.context.unit.attributes.of(node)):
                self.context.unit.transparent_unions.add(record.tag)
            declared = [decl for decl in node.decls or () if isinstance(decl, c_ast.Decl)]
            found = [self._member(decl, position) for position, decl in enumerate(declared)]
        except Unsupported as error:
            self.context.unit.poisoned[record.tag] = error
            return
        members = [member for member in found if member is not None]
        names = [member.name for member in members if member.name]
        for decl in node.decls or ():
            if isinstance(decl, c_ast.StaticAssert):
                self.static_assertion(decl)
            elif isinstance(decl, c_ast.Decl) and decl.name in names:
                names.remove(decl.name)
                if decl.name in names:
                    raise self.context.error(decl, f"duplicate member '{decl.name}'")
        for member in members:
            flexible = isinstance(member.type, CArray) and member.type.length is None
            self.context.size_of(
                member.type.element if flexible and isinstance(member.type, CArray) else member.type, node
            )
        self.context.unit.layout.complete(record, members, rules)

    def _rules(self, node: c_ast.Struct | c_ast.Union) -> Rules:
        attributes = self.context.unit.attributes.of(node)
        require_modelled(attributes, _ON_RECORDS)
        packed = any(attribute.name == "packed" for attribute in attributes)
        return Rules(packed, self.asked_alignment(node), self.context.unit.attributes.pack(node))

    def _member(self, decl: c_ast.Decl, position: int) -> Member | None:
        """None for what declares no member: `int;`, an enumeration, a record with a tag."""
        if decl.type is None:
            raise self.context.error(decl, "member without a type")
        kind = self.plain_type(decl)
        if decl.bitsize is None and decl.name is None:
            anonymous = isinstance(decl.type, c_ast.Struct | c_ast.Union) and decl.type.name is None
            if not anonymous:
                return None
        if isinstance(kind, CFunction) or kind == VOID:
            raise self.context.error(decl, f"field '{decl.name}' declared as '{kind}'")
        found = qualifiers(self.context.scope, decl.type)
        volatile, atomic, constant = (word in found for word in ("volatile", "_Atomic", "const"))
        aligned, named = self.asked_alignment(decl), self.known_alignment(decl)
        packed = any(attribute.name == "packed" for attribute in self.context.unit.attributes.of(decl))
        if decl.bitsize is None:
            name = decl.name or unnamed(position)
            return Member(name, kind, None, aligned, packed, named, volatile, atomic, constant)
        width = self.constant(decl.bitsize, "bit-field width")
        if not isinstance(kind, CInteger):
            raise self.context.error(decl, f"bit-field '{decl.name}' has invalid type")
        if not 0 <= width <= (1 if kind.is_bool else kind.width) or (width == 0 and decl.name):
            raise self.context.error(decl, f"invalid width of bit-field '{decl.name}'")
        return Member(decl.name or "", kind, width, aligned, packed, named, volatile)

    def _enumeration(self, node: c_ast.Enum) -> CType:
        known = self.context.unit.records.get(id(node))
        if known is not None:
            return known
        tag = f"enum {node.name}"
        if node.values is None:
            assert node.name is not None
            if tag in self.context.unit.poisoned:
                raise self.context.unit.poisoned[tag]
            if node.underlying_type is not None:  # complete from here on
                return self.context.scope.tags.setdefault(node.name, self._underlying(node, node.underlying_type))
            found = self.context.scope.find_tag(node.name)
            if not isinstance(found, CInteger):
                self.context.unit.early_enumerations.add(node.name)
            return found if isinstance(found, CInteger) else UINT
        try:
            kind = self._enumerators(node)
        except Unsupported as error:
            self.context.unit.poisoned[tag] = error
            for item in node.values.enumerators if node.values is not None else ():
                if isinstance(item, c_ast.Enumerator):
                    self.context.scope.names[item.name] = InvalidSymbol(error)
            raise
        if node.name is not None:
            self.context.scope.tags[node.name] = kind
        self.context.unit.records[id(node)] = kind
        return kind

    def _enumerators(self, node: c_ast.Enum) -> CInteger:
        """The enumeration's type; declares its constants."""
        value, values = -1, []
        fixed = None if node.underlying_type is None else self._underlying(node, node.underlying_type)
        for item in node.values.enumerators if node.values is not None else ():
            if isinstance(item, c_ast.Enumerator):
                value = self.constant(item.value, "enumerator value") if item.value is not None else value + 1
                values.append(value)
                if fixed is not None and not fixed.minimum <= value <= fixed.maximum:
                    raise self.context.error(item, f"'{fixed}' does not hold the value of '{item.name}'")
                if item.name in self.context.scope.names:
                    raise self.context.error(item, f"redeclaration of '{item.name}'")
                self.context.scope.names[item.name] = EnumConstant(
                    value, fixed or (INT if INT.minimum <= value <= INT.maximum else LLONG)
                )
        if fixed is not None:
            return fixed
        kind = self._enumeration_type(node, values)
        if node.name in self.context.unit.early_enumerations and kind != UINT:
            raise self.context.refuse(node, f"'enum {node.name}' is named before it is defined")
        for item in node.values.enumerators if node.values is not None else ():
            symbol = self.context.scope.names.get(item.name) if isinstance(item, c_ast.Enumerator) else None
            if isinstance(symbol, EnumConstant) and symbol.type != INT:
                self.context.scope.names[item.name] = EnumConstant(symbol.value, kind)
        return kind

    def _underlying(self, node: c_ast.Enum, named: c_ast.Node) -> CInteger:
        """The integer type that C23's `enum e : type` names."""
        kind = self.plain_type(named)
        if not isinstance(kind, CInteger):
            raise self.context.error(node, f"'{kind}' as the type of an enumeration")
        require_modelled(self.context.unit.attributes.of(node), frozenset())
        return kind

    def _enumeration_type(self, node: c_ast.Enum, values: list[int]) -> CInteger:
        """gcc's choice: unsigned int unless a value is negative or does not fit; what attributes say comes first."""
        attributes = self.context.unit.attributes.of(node)
        require_modelled(attributes, _ON_ENUMERATIONS)
        for attribute in attributes:
            if attribute.name == "mode":
                kind = integer_mode(attribute.arguments.strip("_"), min(values, default=0) < 0, self.context.unit.model)
                if kind is None:
                    raise refused(attribute)
                return kind
        packed = any(attribute.name == "packed" for attribute in attributes)
        found = enumeration_type(values, packed, self.context.unit.model)
        if found is None:
            raise self.context.refuse(node, "enumeration beyond the widest integer type")
        return found

    def static_assertion(self, node: c_ast.StaticAssert) -> None:
        """Checks a static assertion. Raises SourceError if it fails."""
        if not self.constant(node.cond, "static assertion"):
            raise self.context.error(node, "static assertion failed")
