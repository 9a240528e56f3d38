"""What functions of the library read: checked where accesses are, as the table of the library says it.

A range is checked as a whole; a string is read by the model of strlen or strnlen (wcslen, wcsnlen) up to its terminator
or its bound. Where reads of what nobody wrote are checked, too, ranges are read element by element.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa.ir import (
    SHARED_OBJECT,
    Assign,
    Binary,
    Call,
    CheckAccess,
    Conditional,
    Constant,
    Dereference,
    ElementLValue,
    Expression,
    FieldLValue,
    Load,
    LValue,
    ReachError,
)
from encoders.c.library.formats import Directive, of_literal
from encoders.c.library.function_table import FormatFamily, LibraryFunction, MemoryRange, Separation, Size
from encoders.c.library.model_files import MODELS
from encoders.c.library.table_reader import find, measuring_name
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.operators.conversions import binary, convert
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.source.literals import character_type
from encoders.c.types.c_types import (
    CHAR,
    INT,
    INT128,
    UCHAR,
    VOID,
    CArray,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
    CVoid,
    is_scalar,
    long_type,
    size_type,
)
from encoders.c.types.record_layout import SEPARATE_CELLS

READS = DEREFERENCES | {CheckKind.UNINITIALISED}
"""The kinds of checks for which it matters what a function reads."""
_BEFORE_MODELS = DEREFERENCES | {CheckKind.OVERLAP}
_ELEMENTS = "__chcverify_read_elements"
_CLOSE, _IS_CLOSED = "__chcverify_close", "__chcverify_is_closed"  # the models of closed streams


@dataclass(frozen=True)
class TextRead:
    """A string that a call reads."""

    position: int
    """Of the argument."""
    wide: bool
    """Are its characters wide?"""
    limit: Constant | int | None = None
    """The most characters: a number, the position of the argument that says it, or None."""
    or_null: bool = False
    """It may be null."""


class LibraryAccesses:
    """Lowering of the reads and of the requirements of library functions."""

    def __init__(self, context: LoweringContext, expressions: ExpressionLowering) -> None:
        self.context = context
        self.expressions = expressions

    # --- functions without a model

    def evaluate(self, node: c_ast.FuncCall, name: str, entry: LibraryFunction, arguments: list[c_ast.Node]) -> str:
        """Evaluates the arguments of a call, and checks what it reads of them. Returns what is not modelled of that, ""
        if all is."""
        values: dict[int, Expression] = {}
        count = len(entry.parameters)
        ranges = {entry.position(span.pointer) for span in entry.reads}
        for position in range(len(arguments) - 1, -1, -1):
            if is_literal(arguments[position]) and position not in ranges:
                continue
            value = self.expressions.value(arguments[position])
            if isinstance(value.type, CInteger) and position < count and entry.parameters[position].is_pointer:
                value = convert(value, CPointer(VOID))  # a null pointer constant
            if is_scalar(value.type):
                values[position] = self.context.held(value, arguments[position])
            else:
                self.expressions.hold_read(value, arguments[position])
        if len(arguments) < count:
            return f"call of {name} with too few arguments"
        texts = self._texts(entry, arguments)
        if isinstance(texts, str):
            return f"call of {name}: {texts}"
        for text in texts:
            if is_literal(arguments[text.position], text.wide):
                continue  # it has a terminator
            if reason := self._read_text(node, text, values):
                return f"call of {name}: {reason}"
        self._check_streams(node, entry, values)
        for span in entry.reads:
            if reason := self._read_range(node, entry, span, values):
                return f"what {name} reads: {reason}"
        return ""

    def _texts(self, entry: LibraryFunction, arguments: list[c_ast.Node]) -> list[TextRead] | str:
        """The strings that a call reads, or what is not known of them."""
        found = []
        for string in entry.strings:
            position = entry.position(string.pointer)
            limit = None if string.limit is None else entry.position(str(string.limit.factors[0]))
            found.append(TextRead(position, entry.parameters[position].is_wide, limit, string.or_null))
        if entry.format is None:
            return found
        format_at = entry.position(entry.format.pointer)
        if entry.format.or_null and self._is_null(arguments[format_at]):
            return found
        layout = of_literal(arguments[format_at], entry.format.family, self.context.unit.model)
        if layout is None:
            return "its format is no string literal, or has directives without a meaning; give it a literal"
        if entry.format.family is not FormatFamily.PRINTF:
            return found
        if entry.format.list:
            reads = any(directive.is_string for directive in layout.directives)
            return "a string in a va_list; pass it to a function with '...' instead" if reads else found
        if layout.arguments > len(arguments) - format_at - 1:
            return "fewer arguments than its format asks for"
        for directive in layout.directives:
            if directive.is_string:
                read = _text_of(directive, format_at + 1)
                if read is None:
                    return "a bound on the bytes that wide characters become"
                found.append(read)
        return found

    def _is_null(self, node: c_ast.Node) -> bool:
        with self.context.unevaluated():
            value = self.expressions.value(node)
        return isinstance(value, Constant) and value.value == 0

    def _read_text(self, node: c_ast.FuncCall, text: TextRead, values: Mapping[int, Expression]) -> str:
        """Reads a string. Returns why that is not modelled."""
        pointer = values.get(text.position)
        if pointer is None or not self._is_text(pointer.type, text.wide):
            return "an argument of another type than its format asks for"
        if text.or_null and isinstance(pointer, Constant) and pointer.value == 0:
            return ""
        with self._unless_null(pointer, text.or_null, node):
            if text.limit is None:
                self._call(node, self._measuring(text.wide), (pointer,))
            else:
                limit = text.limit if isinstance(text.limit, Constant) else values[text.limit]
                self._call(node, self._measuring(text.wide, bounded=True), (pointer, limit))
        return ""

    def _is_text(self, kind: CType, wide: bool) -> bool:
        """Is it a pointer to such characters?"""
        if not isinstance(kind, CPointer):
            return False
        target = kind.target
        if wide:
            return target == character_type("L", self.context.unit.model)
        return isinstance(target, CVoid) or (isinstance(target, CInteger) and target.width == CHAR.width)

    # --- ranges

    def _read_range(
        self, node: c_ast.FuncCall, entry: LibraryFunction, span: MemoryRange, values: Mapping[int, Expression]
    ) -> str:
        """Checks that a range can be read. Returns why that is not modelled."""
        pointer = values.get(entry.position(span.pointer))
        if pointer is None or not isinstance(pointer.type, CPointer):
            return "an argument that is no pointer"
        if span.size is None or not span.whole:
            return "how much depends on the contents"
        parameter = entry.parameters[entry.position(span.pointer)]
        target = pointer.type.target
        if parameter.type != "void *" and not span.in_bytes:
            if isinstance(target, CVoid | CFunction) or not self.context.unit.layout.is_complete(target):
                return "an object of a type that is not known"
            unit = self.context.unit.layout.size(target)
        else:
            unit = 1
        size = self._bytes(entry, span.size, unit, values, node)
        with self._unless_null(pointer, span.or_null, node):
            if self.context.unit.checks & DEREFERENCES:
                self.check_range(pointer, size, node)
            if CheckKind.UNINITIALISED in self.context.unit.checks:
                return self._read_elements(node, pointer, size)
        return ""

    def _check_streams(self, node: c_ast.FuncCall, entry: LibraryFunction, values: Mapping[int, Expression]) -> None:
        """Edges to the violation where a stream is null, which fopen may give, or was closed (C11 7.21.3p4)."""
        unit = self.context.unit
        for name in entry.streams:
            pointer = values.get(entry.position(name))
            if pointer is None or not is_scalar(pointer.type):
                continue
            if CheckKind.NULL in unit.checks and name not in entry.null_streams:
                is_null = binary("==", pointer, Constant(0, pointer.type), INT)
                self._fail_where(is_null, f"{entry.name}: the stream is a null pointer", CheckKind.NULL, node)
            if CheckKind.LIFETIME in unit.checks and unit.closes_streams:
                is_closed = self._call(node, library_models.model(self.context.unit, _IS_CLOSED), (pointer,))
                self._fail_where(is_closed, f"{entry.name}: the stream was closed", CheckKind.LIFETIME, node)
        if CheckKind.LIFETIME in unit.checks and unit.closes_streams:
            for name in entry.closes:
                self._call(node, library_models.model(self.context.unit, _CLOSE), (values[entry.position(name)],))

    def _fail_where(self, condition: Expression, what: str, kind: CheckKind, node: c_ast.Node) -> None:
        """An edge to the violation where a condition holds."""
        cfa, wrong, right = self.context.cfa, self.context.cfa.location(), self.context.cfa.location()
        self.expressions.assume(condition, node, wrong, right)
        cfa.edge(wrong, cfa.location(), ReachError(what, kind), self.context.origin(node), self.context.text(node))
        cfa.current = right

    def check_range(self, pointer: Expression, size: Expression, node: c_ast.Node) -> None:
        """Checks that bytes can be accessed."""
        assert isinstance(pointer.type, CPointer)
        target = pointer.type.target
        if isinstance(target, CVoid | CFunction) or not self.context.unit.layout.is_complete(target):
            target = UCHAR
        operation = CheckAccess(Dereference(convert(pointer, CPointer(target)), target), size)
        self.context.emit(operation, node)

    def _read_elements(self, node: c_ast.FuncCall, pointer: Expression, size: Expression) -> str:
        """Reads the elements of a range, where it matters whether they were written."""
        assert isinstance(pointer.type, CPointer)
        element = pointer.type.target
        while isinstance(element, CArray):
            element = element.element
        if isinstance(element, CRecord):
            return self._read_members(node, pointer, element, size)
        if not is_scalar(element):
            return "bytes of an object of unknown type; give it a pointer that has one"
        model = library_models.typed_symbol(self.context.unit, _ELEMENTS, element)
        self._call(node, model, (pointer, size))
        return ""

    def _read_members(self, node: c_ast.FuncCall, pointer: Expression, record: CRecord, size: Expression) -> str:
        """Reads the members of one record. Returns why that is not modelled."""
        layout = self.context.unit.layout
        if not layout.is_complete(record) or size != Constant(layout.size(record), size.type):
            return f"another number of bytes than those of one '{record}'; read its members before"
        work: list[LValue] = [Dereference(convert(pointer, CPointer(record)), record)]
        found: list[LValue] = []
        while work and len(found) <= SEPARATE_CELLS:
            lvalue = work.pop()
            kind = lvalue.type
            if isinstance(kind, CRecord) and not kind.is_union:
                fields = layout.records[kind.tag].fields
                work += [FieldLValue(lvalue, field, field.type) for field in fields if field.bit_offset is None]
            elif isinstance(kind, CArray) and kind.length is not None and kind.length <= SEPARATE_CELLS:
                index = long_type(self.context.unit.model)
                work += [ElementLValue(lvalue, Constant(n, index), kind.element) for n in range(kind.length)]
            elif is_scalar(kind):
                found.append(lvalue)
        if work or sum(layout.size(lvalue.type) for lvalue in found) != layout.size(record):
            return f"'{record}' has padding, bit-fields or many members; read its members before"
        for lvalue in found:
            self.context.held_always(Load(lvalue, lvalue.type), node)
        return ""

    def _bytes(
        self, entry: LibraryFunction, size: Size, unit: int, values: Mapping[int, Expression], node: c_ast.Node
    ) -> Expression:
        """The number of bytes, or the greatest one where the product is none."""
        kind = size_type(self.context.unit.model)
        factors: list[Expression] = [Constant(unit, kind)] if unit != 1 else []
        for factor in size.factors:
            value = Constant(factor, kind) if isinstance(factor, int) else values[entry.position(factor)]
            factors.append(convert(value, kind))
        if len(factors) == 1:
            return self.context.held(factors[0], node)
        if all(isinstance(factor, Constant) for factor in factors):
            product = math.prod(int(factor.value) for factor in factors if isinstance(factor, Constant))
            return Constant(min(product, kind.maximum), kind)
        first, *rest = factors
        total: Expression = convert(first, INT128)
        for factor_value in rest:
            total = binary("*", total, convert(factor_value, INT128), INT128)
        most = Constant(kind.maximum, INT128)
        fits = binary("<=", total, most, INT)
        return self.context.held(Conditional(fits, convert(total, kind), Constant(kind.maximum, kind), kind), node)

    # --- functions with a model

    def before_model(
        self, node: c_ast.FuncCall, symbol: FunctionSymbol, values: tuple[Expression, ...]
    ) -> tuple[Expression, ...]:
        """The arguments of a call of a model, behind the checks of what the model itself does not do."""
        unit = self.context.unit
        if not unit.checks & _BEFORE_MODELS or self.context.origin(node).file.startswith(MODELS):
            return values
        entry = find(symbol.name.partition("<")[0].partition(" ")[0])
        if entry is None or len(values) != len(entry.parameters):
            return values
        separate = entry.separate if CheckKind.OVERLAP in unit.checks else ()
        reads = entry.reads if entry.stops_early and unit.checks & DEREFERENCES else ()
        streams = entry.streams if unit.checks & {CheckKind.NULL, CheckKind.LIFETIME} else ()
        if not separate and not reads and not streams:
            return values
        pointers, values = values, tuple(self.context.held(value, node) for value in values)
        given = dict(enumerate(values))
        self._check_streams(node, entry, given)
        for span in reads:
            assert span.size is not None
            parameter = entry.parameters[entry.position(span.pointer)]
            width = self._unit_bytes(parameter.is_wide)
            self.check_range(
                given[entry.position(span.pointer)], self._bytes(entry, span.size, width, given, node), node
            )
        for pair in separate:
            if pair.size is not None and unit.checks & DEREFERENCES:
                self._check_separated_ranges(node, entry, pair, pointers, given)
            self._check_overlap(node, entry, pair, given)
        return values

    def _check_separated_ranges(
        self,
        node: c_ast.FuncCall,
        entry: LibraryFunction,
        pair: Separation,
        pointers: tuple[Expression, ...],
        values: Mapping[int, Expression],
    ) -> None:
        """Checks that both ranges can be accessed: a pointer far behind its object may seem to lead to another one.

        pointers: the arguments as written, so that it is known from which pointers they are computed.
        """
        assert pair.size is not None
        for name in (pair.other, pair.pointer):  # what is read comes first
            position = entry.position(name)
            width = self._unit_bytes(entry.parameters[position].is_wide)
            self.check_range(pointers[position], self._bytes(entry, pair.size, width, values, node), node)

    def _unit_bytes(self, is_wide: bool) -> int:
        """The bytes of a character, wide or not."""
        unit = self.context.unit
        return unit.layout.size(character_type("L", unit.model)) if is_wide else 1

    def _check_overlap(
        self, node: c_ast.FuncCall, entry: LibraryFunction, pair: Separation, values: Mapping[int, Expression]
    ) -> None:
        """An edge to the violation where both ranges have a byte in common (C11 6.7.3.1): they are in one object, and
        |to - from| < size."""
        signed = INT128
        to, other = (convert(values[entry.position(name)], CPointer(CHAR)) for name in (pair.pointer, pair.other))
        cfa, origin, text = self.context.cfa, self.context.origin(node), self.context.text(node)
        inside, outside, decided = cfa.location(), cfa.location(), cfa.location()
        answer = self.context.temporary(INT)
        self.expressions.assume(Binary(SHARED_OBJECT, to, other, INT), node, inside, outside)
        cfa.current = outside
        cfa.emit(Assign(answer, Constant(0, INT)), origin, text)
        cfa.jump(decided, origin)
        cfa.current = inside
        wide = entry.parameters[entry.position(pair.other)].is_wide
        unit = self._unit_bytes(wide)
        if pair.size is None:
            other_size, to_size = self._text_sizes(node, entry, pair, values, wide, unit)
        else:
            other_size = to_size = convert(self._bytes(entry, pair.size, unit, values, node), signed)
        gap = self.context.held(convert(self.expressions.operation("-", to, other, node), signed), node)
        if any(string.pointer == pair.pointer for string in entry.strings):  # what is appended comes behind it
            length = self._call(node, self._measuring(wide), (values[entry.position(pair.pointer)],))
            present = binary("*", convert(length, signed), Constant(unit, signed), signed)
            to_size = binary("+", to_size, present, signed)
        below = binary("<", gap, other_size, INT)
        above = binary("<", binary("-", Constant(0, signed), gap, signed), to_size, INT)
        cfa.emit(Assign(answer, binary("&&", below, above, INT)), origin, text)
        cfa.fall_into(decided, origin)
        what = f"{entry.name}: '{pair.pointer}' and '{pair.other}' overlap"
        self._fail_where(Load(answer, INT), what, CheckKind.OVERLAP, node)

    def _text_sizes(
        self,
        node: c_ast.FuncCall,
        entry: LibraryFunction,
        pair: Separation,
        values: Mapping[int, Expression],
        wide: bool,
        unit: int,
    ) -> tuple[Expression, Expression]:
        """The bytes that are copied of a string, and those that are written, where they are not as many."""
        pointer, one = values[entry.position(pair.other)], Constant(1, INT128)
        limit = next(string.limit for string in entry.strings if string.pointer == pair.other)
        if limit is None:
            length = self._call(node, self._measuring(wide), (pointer,))
            size = binary("*", binary("+", convert(length, INT128), one, INT128), Constant(unit, INT128), INT128)
            return size, size
        most = values[entry.position(str(limit.factors[0]))]
        length = convert(self._call(node, self._measuring(wide, bounded=True), (pointer, most)), INT128)
        most = convert(most, INT128)
        ended = binary("<", length, most, INT)
        copied = Conditional(ended, binary("+", length, one, INT128), most, INT128)
        filled = any(span.pointer == pair.pointer and span.whole and span.size == limit for span in entry.writes)
        written: Expression = most if filled else binary("+", length, one, INT128)
        scale = Constant(unit, INT128)
        return binary("*", copied, scale, INT128), binary("*", written, scale, INT128)

    # --- parts

    @contextmanager
    def _unless_null(self, pointer: Expression, or_null: bool, node: c_ast.Node) -> Iterator[None]:
        """Lowering inside is for a pointer that is not null, if null is allowed."""
        if not or_null:
            yield
            return
        then, after = self.context.cfa.location(), self.context.cfa.location()
        self.expressions.assume(binary("!=", pointer, Constant(0, pointer.type), INT), node, then, after)
        self.context.cfa.current = then
        yield
        self.context.cfa.fall_into(after, self.context.origin(node))

    def _measuring(self, wide: bool, bounded: bool = False) -> FunctionSymbol:
        """The model that reads a string up to its terminator, or up to a bound."""
        return library_models.model(self.context.unit, measuring_name(wide, bounded))

    def _call(self, node: c_ast.FuncCall, symbol: FunctionSymbol, values: tuple[Expression, ...]) -> Expression:
        """The result of a call of a model, if it has one."""
        if self.context.evaluated:
            self.context.unit.wanted.setdefault(symbol.name, symbol)
        kind = symbol.type.result
        lvalue = None if kind == VOID else self.context.temporary(kind)
        given = tuple(convert(value, kind) for value, kind in zip(values, symbol.type.parameters, strict=True))
        self.context.emit(Call(lvalue, symbol.name, given), node)
        return Constant(0, VOID) if lvalue is None else Load(lvalue, kind)


def is_literal(node: c_ast.Node, wide: bool | None = None) -> bool:
    """Is it a string literal? wide: of wide characters, or of others; None: of any."""
    if not isinstance(node, c_ast.Constant) or node.type != "string":
        return False
    return wide is None or node.value.startswith("L") == wide


def _text_of(directive: Directive, first: int) -> TextRead | None:
    """The string that a conversion reads; None where its bound is not one of characters. first: the position of the
    argument behind the format."""
    assert directive.argument is not None
    position = first + directive.argument
    if not directive.precision:
        return TextRead(position, directive.is_wide)
    if directive.is_wide:
        return None
    if directive.precision_at is not None:  # a negative one, which is none, becomes a size beyond all strings
        return TextRead(position, False, first + directive.precision_at)
    return TextRead(position, False, Constant(int(directive.precision), INT))
