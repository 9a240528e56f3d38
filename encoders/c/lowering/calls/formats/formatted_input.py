"""sscanf, scanf and fscanf with a format that is a literal (C11 7.21.6.2): a call of a model for each conversion.

A string is read as it is; a stream may have any contents, so that each conversion that is done gives any value.
"""

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import Assign, Assume, Conditional, Constant, Expression, Load, LValue, Nondet, VariableLValue
from encoders.c.library.formats import Directive, Format, Part, of_literal
from encoders.c.library.function_table import FormatFamily, LibraryFunction, Trait
from encoders.c.library.table_reader import find, measuring_name
from encoders.c.lowering.calls.formats.model_calls import model_call
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.conversions import binary, convert
from encoders.c.types.c_types import CHAR, INT, LLONG, ULLONG, CInteger, CPointer, CVoid, long_type

_BASES = {"d": 10, "u": 10, "o": 8, "x": 16, "X": 16, "i": 0}
_SPACE = " \t\n\v\f\r"
_END_OF_TEXT = -2  # of the models of scan.c
_SET_BITS = 256  # a set of characters is given to a model in four numbers of 64 bits


@dataclass(frozen=True)
class _Reading:
    """A call whose format is known."""

    node: c_ast.FuncCall
    layout: Format
    pointers: Sequence[Expression]
    """The arguments behind the format."""
    result: VariableLValue
    """What it returns."""
    after: int
    """The location behind it."""


class FormattedInput:
    """Lowering of formatted input."""

    def __init__(self, context: LoweringContext, lvalues: LValueLowering, expressions: ExpressionLowering) -> None:
        self.context = context
        self.lvalues = lvalues
        self.expressions = expressions

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The number of objects that are written, or -1; None for other functions."""
        entry = find(name)
        read = None if entry is None else entry.format
        if entry is None or read is None or read.family is not FormatFamily.SCANF or read.list:
            return None
        format_at = entry.position(read.pointer)
        if (not read.to and Trait.INPUT not in entry.traits) or entry.parameters[format_at].is_wide:
            return None
        if format_at >= len(arguments):
            return None
        layout = of_literal(arguments[format_at], read.family, self.context.unit.model)
        given = arguments[format_at + 1 :]
        if layout is None or layout.arguments > len(given):
            raise self.context.refuse(node, f"call of {name} with this format")
        values = [self.context.held(self.expressions.value(argument), node) for argument in reversed(given)]
        pointers = values[::-1]
        for directive in layout.directives:
            self._require_type(node, name, directive, pointers)
        before = [self.expressions.value(argument) for argument in reversed(arguments[:format_at])][::-1]
        result, after = self.context.temporary(INT), self.context.cfa.location()
        reading = _Reading(node, layout, pointers, result, after)
        if read.to:
            self._from_text(reading, before[entry.position(read.to)])
        else:
            for value in before:
                self.expressions.hold_read(value, node)
            self._from_stream(reading, entry)
        self.context.cfa.current = after
        return Load(result, INT)

    def _require_type(
        self, node: c_ast.FuncCall, name: str, directive: Directive, pointers: Sequence[Expression]
    ) -> None:
        """Raises Unsupported where a conversion is not modelled, or its argument has another type than it asks for."""
        known = directive.is_modelled_input
        if directive.argument is not None and known:
            kind = pointers[directive.argument].type
            target = kind.target if isinstance(kind, CPointer) else None
            is_bytes = isinstance(target, CVoid) or (isinstance(target, CInteger) and target.width == CHAR.width)
            known = target is not None and (
                is_bytes if directive.letter in "sc[" else directive.stores(target, self.context.unit.model)
            )
        if not known:
            raise self.context.refuse(
                node, f"'%{directive.letter}' in the format of {name}, or the type of its argument"
            )

    # --- from a string

    def _from_text(self, reading: _Reading, text: Expression) -> None:
        """Each conversion begins where the one before has ended; the first that fails ends the call."""
        node, long = reading.node, long_type(self.context.unit.model)
        text = self.context.held(convert(text, CPointer(CHAR)), node)
        if self.context.unit.checks:
            model_call(self.context, node, measuring_name(wide=False, bounded=False), (text,))  # glibc reads it whole
        at: Expression = Constant(0, long)
        stored = 0
        for part in reading.layout.parts:
            if _skips_blanks(part):
                at = model_call(self.context, node, "__chcverify_scan_blanks", (text, at))
            if isinstance(part, Directive) and part.letter == "n":
                self._store(reading, part, at)
                continue
            if isinstance(part, str) and part in _SPACE:
                continue
            end = self._behind(reading, part, text, at)
            self._leave_if_failed(reading, end, stored)
            if isinstance(part, Directive) and part.argument is not None:
                self._store_text(reading, part, text, at, end)
                stored += 1
            at = end
        self._return(reading, Constant(stored, INT))

    def _behind(self, reading: _Reading, part: Part, text: Expression, at: Expression) -> Expression:
        """Where a conversion ends, or a negative number where it fails."""
        if isinstance(part, str):
            character = Constant(CHAR.wrap(ord(part)), CHAR)
            return model_call(self.context, reading.node, "__chcverify_scan_character", (text, at, character))
        width = Constant(int(part.width or (part.letter == "c")), INT)
        if part.letter in _BASES:
            base = Constant(_BASES[part.letter], INT)
            return model_call(self.context, reading.node, "__chcverify_scan_number", (text, at, width, base))
        if part.is_real:
            return model_call(self.context, reading.node, "__chcverify_scan_real", (text, at))
        if part.letter == "[":
            values = (text, at, width, *_words(part))
            return model_call(self.context, reading.node, "__chcverify_scan_set", values)
        what = "__chcverify_scan_characters" if part.letter == "c" else "__chcverify_scan_word"
        return model_call(self.context, reading.node, what, (text, at, width))

    def _leave_if_failed(self, reading: _Reading, end: Expression, stored: int) -> None:
        """Where a conversion fails, the call returns; -1 if the text ended before anything was stored (as in glibc)."""
        goes_on, fails = self.context.cfa.location(), self.context.cfa.location()
        is_done = binary(">=", end, Constant(0, end.type), INT)
        self.expressions.assume(is_done, reading.node, goes_on, fails)
        self.context.cfa.current = fails
        count: Expression = Constant(stored, INT)
        if stored == 0:
            ended = binary("==", end, Constant(_END_OF_TEXT, end.type), INT)
            count = Conditional(ended, Constant(-1, INT), count, INT)
        self._return(reading, count)
        self.context.cfa.current = goes_on

    def _return(self, reading: _Reading, count: Expression) -> None:
        origin = self.context.origin(reading.node)
        self.context.cfa.emit(Assign(reading.result, count), origin, self.context.text(reading.node))
        self.context.cfa.jump(reading.after, origin)

    def _store_text(
        self, reading: _Reading, part: Directive, text: Expression, at: Expression, end: Expression
    ) -> None:
        """Stores what a conversion has read."""
        if part.letter in "sc[":
            assert part.argument is not None
            ends = Constant(int(part.letter != "c"), INT)
            values = (convert(reading.pointers[part.argument], CPointer(CHAR)), text, at, end, ends)
            model_call(self.context, reading.node, "__chcverify_scanned_text", values)
        elif part.is_real:
            self._store(reading, part, model_call(self.context, reading.node, "__chcverify_scanned_real", (text, at)))
        else:
            bits = max(part.integer(self.context.unit.model).width, long_type(self.context.unit.model).width)
            values = (text, at, end, Constant(_BASES[part.letter], INT), Constant(bits, INT))
            number = model_call(self.context, reading.node, "__chcverify_scanned_number", values)
            self._store(reading, part, number)

    def _store(self, reading: _Reading, part: Directive, value: Expression) -> None:
        """Assigns a number to the object that an argument points to."""
        lvalue = self._target(reading, part)
        if lvalue is not None:
            origin, text = self.context.origin(reading.node), self.context.text(reading.node)
            self.context.cfa.emit(Assign(lvalue, convert(value, lvalue.type)), origin, text)

    def _target(self, reading: _Reading, part: Directive) -> LValue | None:
        if part.argument is None:
            return None
        return self.lvalues.target(reading.pointers[part.argument], reading.node)

    # --- from a stream

    def _from_stream(self, reading: _Reading, entry: LibraryFunction) -> None:
        """The first `result` objects get any values; the result is -1 at the end of the input."""
        node, stored = reading.node, reading.layout.stored
        if reading.layout.stores_count or not reading.layout.reads_independent_parts:
            raise self.context.refuse(node, f"call of {entry.name} with this format")
        origin, text = self.context.origin(node), self.context.text(node)
        self.context.cfa.emit(Nondet(reading.result, entry.name), origin, text)
        count = Load(reading.result, INT)
        low, high = binary(">=", count, Constant(-1, INT), INT), binary("<=", count, Constant(len(stored), INT), INT)
        possible = binary("&&", low, high, INT)
        if reading.layout.reads_any_character_first:
            possible = binary("&&", possible, binary("!=", count, Constant(0, INT), INT), INT)
        self.context.cfa.emit(Assume(possible, True), origin, text)
        for number, part in enumerate(stored):
            read = self.context.cfa.location()
            self.expressions.assume(binary(">", count, Constant(number, INT), INT), node, read, reading.after)
            self.context.cfa.current = read
            self._store_any(reading, entry, part)
        self.context.cfa.jump(reading.after, origin)

    def _store_any(self, reading: _Reading, entry: LibraryFunction, part: Directive) -> None:
        """Stores any value that a conversion can give."""
        node = reading.node
        origin, text = self.context.origin(node), self.context.text(node)
        assert part.argument is not None
        pointer = reading.pointers[part.argument]
        if part.letter in "s[" or (part.letter == "c" and part.width):
            to, width = convert(pointer, CPointer(CHAR)), Constant(int(part.width or 0), INT)
            if part.letter == "c":
                model_call(self.context, node, "__chcverify_any_characters", (to, width))
            else:
                model_call(self.context, node, "__chcverify_any_word", (to, width, *_words(part)))
            return
        is_typed = isinstance(pointer.type, CPointer) and not isinstance(pointer.type.target, CVoid)
        lvalue = self.lvalues.target(pointer if is_typed else convert(pointer, CPointer(CHAR)), node)
        bounds = part.least_and_greatest_input if part.letter in _BASES else None
        if bounds is None:
            self.context.cfa.emit(Nondet(lvalue, entry.name), origin, text)
            return
        value = self.context.temporary(LLONG)
        self.context.cfa.emit(Nondet(value, entry.name), origin, text)
        low, high = bounds
        number = Load(value, value.type)
        within = binary("&&", binary(">=", number, Constant(low, value.type), INT),
                        binary("<=", number, Constant(high, value.type), INT), INT)  # fmt: skip
        self.context.cfa.emit(Assume(within, True), origin, text)
        self.context.cfa.emit(Assign(lvalue, convert(number, lvalue.type)), origin, text)


def _skips_blanks(part: Part) -> bool:
    """Are blanks before it skipped? `%%` is the only way to ask for a percent sign."""
    return part in (*_SPACE, "%") if isinstance(part, str) else part.letter not in "c[n"


def _words(part: Directive) -> tuple[Constant, ...]:
    """The set of characters that a conversion takes, as four numbers of 64 bits."""
    members = sum(1 << character for character in range(_SET_BITS) if part.takes(character))
    return tuple(Constant(members >> 64 * word & ULLONG.maximum, replace(ULLONG)) for word in range(4))
