"""sprintf, snprintf and asprintf with a format that is a literal: a call of a model for each conversion."""

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import SHARED_OBJECT, Binary, Conditional, Constant, Expression, Load, Nondet
from encoders.c.library.formats import GIVEN, Directive, Format, of_literal
from encoders.c.library.function_table import FormatFamily
from encoders.c.library.special_functions import TEXT_OF_REAL
from encoders.c.library.table_reader import find, measuring_name
from encoders.c.lowering.calls.formats.model_calls import model_call
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.operators.conversions import binary, convert, unary
from encoders.c.types.c_types import (
    CHAR,
    INT,
    LDOUBLE,
    LLONG,
    ULLONG,
    CArray,
    CFloat,
    CInteger,
    CPointer,
    size_type,
)

_WIDE = INT.width  # of a wide character, as on Linux


@dataclass(frozen=True)
class _Target:
    """Where the characters go. room: how many of them before the null character."""

    pointer: Expression
    room: Expression


class FormattedOutput:
    """Lowering of formatted output into strings."""

    def __init__(self, context: LoweringContext, expressions: ExpressionLowering) -> None:
        self.context = context
        self.expressions = expressions

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The number of characters; None for other functions, and where the format is not modelled."""
        entry = find(name)
        read = None if entry is None else entry.format
        if entry is None or read is None or not read.to or read.list or read.family is not FormatFamily.PRINTF:
            return None
        format_at = entry.position(read.pointer)
        if format_at >= len(arguments):
            return None
        layout = of_literal(arguments[format_at], read.family, self.context.unit.model)
        given = arguments[format_at + 1 :]
        if layout is None or layout.arguments > len(given):
            return None
        if not all(directive.is_modelled_output for directive in layout.directives):
            return None
        if entry.allocation is not None and any(directive.is_open for directive in layout.directives):
            return None  # the text is made twice, and one that is open need not be the same both times
        with self.context.unevaluated():
            kinds = [self.expressions.value(argument).type for argument in given]
        if not self._fit(layout, kinds):
            return None
        values: list[Expression] = []
        for position in range(len(arguments) - 1, -1, -1):
            value = self.expressions.value(arguments[position])
            values.insert(0, self.context.held(value, arguments[position]))
        kind = size_type(self.context.unit.model)
        limit: Expression = Constant(kind.maximum, kind)
        if read.room is not None:
            limit = self.expressions.converted(values[entry.position(read.room)], kind, node)
        if entry.parameters[format_at].is_wide:
            return self._wide(node, layout, values[entry.position(read.to)], limit, values[format_at + 1 :])
        one, zero = Constant(1, kind), Constant(0, kind)
        room = Conditional(binary("!=", limit, zero, INT), binary("-", limit, one, kind), zero, kind)
        given_values = values[format_at + 1 :]
        to = values[entry.position(read.to)]
        if entry.allocation is not None:
            return self._allocated(node, layout, to, given_values)
        if CheckKind.OVERLAP in self.context.unit.checks:
            self._require_other_objects(node, layout, to, given_values)
        target = _Target(convert(to, CPointer(CHAR)), self.context.held(room, node))
        return self._written(node, layout, target, limit, given_values)

    def _wide(
        self, node: c_ast.FuncCall, layout: Format, to: Expression, limit: Expression, given: list[Expression]
    ) -> Expression:
        """Output of wide characters: an estimate, of as many characters as the format says. Strings are read."""
        for part in layout.directives:
            if part.is_string and part.argument is not None:
                text = convert(given[part.argument], CPointer(INT if part.is_wide else CHAR))
                most_read: tuple[Expression, ...] = ()
                if part.precision_at is not None:
                    raise self.context.refuse(node, "a string with a precision that is an argument, as wide characters")
                if part.precision:
                    most_read = (Constant(int(part.precision), size_type(self.context.unit.model)),)
                model_call(self.context, node, measuring_name(part.is_wide, bool(most_read)), (text, *most_read))
        _, most = layout.written(self.context.unit.model)
        bound = (Constant(INT.maximum if most is None else most, INT),)
        return model_call(self.context, node, "__chcverify_wide_output", (convert(to, CPointer(INT)), limit, *bound))

    def _require_other_objects(
        self, node: c_ast.FuncCall, layout: Format, to: Expression, given: list[Expression]
    ) -> None:
        """A trap where a string that is formatted is in the object that is written to (C11 7.21.6.6p2: copying between
        objects that overlap is undefined): how much of it is overwritten before it is read is not modelled."""
        target = convert(to, CPointer(CHAR))
        for part in layout.directives:
            if not part.is_string or part.argument is None:
                continue
            text = convert(given[part.argument], CPointer(CHAR))
            inside, outside = self.context.cfa.location(), self.context.cfa.location()
            self.expressions.assume(Binary(SHARED_OBJECT, target, text, INT), node, inside, outside)
            self.context.cfa.current = inside
            self.context.trap("formatted output into the object of a string that it formats", node)
            self.context.cfa.current = outside

    def _allocated(
        self, node: c_ast.FuncCall, layout: Format, place: Expression, given: list[Expression]
    ) -> Expression:
        """The text in a new block: it is written twice, first to count its characters."""
        kind = size_type(self.context.unit.model)
        zero = Constant(0, kind)
        nowhere = _Target(Constant(0, CPointer(CHAR)), zero)
        length = self._written(node, layout, nowhere, zero, given)
        block = model_call(self.context, node, "__chcverify_text_block", (place, length))
        limit = binary("+", convert(length, kind), Constant(1, kind), kind)
        self._written(node, layout, _Target(block, self.context.held(convert(length, kind), node)), limit, given)
        return length

    def _fit(self, layout: Format, kinds: Sequence[object]) -> bool:
        """Have the arguments the types that the conversions ask for? Else the behaviour is undefined."""
        for part in layout.directives:
            for asked in (part.width_at, part.precision_at):
                if asked is not None and not _is_integer(kinds[asked], INT.width):
                    return False
            assert part.argument is not None
            kind = kinds[part.argument]
            if part.is_real:
                if not isinstance(kind, CFloat) or (kind == LDOUBLE) != (part.size == "L"):
                    return False
            elif part.letter in "sSp":
                if isinstance(kind, CArray):
                    kind = CPointer(kind.element)
                if not isinstance(kind, CPointer):
                    return False
                if part.letter != "p" and not _is_integer(kind.target, _WIDE if part.is_wide else CHAR.width):
                    return False
            elif part.letter in "cC":
                if not _is_integer(kind, INT.width):
                    return False
            elif not _is_integer(kind, max(INT.width, part.integer(self.context.unit.model).width)):
                return False
        return True

    def _written(
        self,
        node: c_ast.FuncCall,
        layout: Format,
        target: _Target,
        limit: Expression,
        given: list[Expression],
    ) -> Expression:
        kind = size_type(self.context.unit.model)
        at: Expression = Constant(0, kind)
        for part in layout.parts:
            if isinstance(part, str):
                character = Constant(CHAR.wrap(ord(part)), CHAR)
                at = model_call(self.context, node, "__chcverify_put", (target.pointer, target.room, at, character))
            else:
                at = self._converted(node, part, target, at, given)
        return model_call(self.context, node, "__chcverify_put_end", (target.pointer, limit, at))

    def _converted(
        self, node: c_ast.FuncCall, part: Directive, target: _Target, at: Expression, given: list[Expression]
    ) -> Expression:
        """The position after a conversion. given: the arguments behind the format."""
        flag = {letter: Constant(int(letter in part.flags), INT) for letter in "-+ #0"}
        width, to_left = self._width(part, given, flag["-"])
        precision: Expression = Constant(int(part.precision) if part.precision not in ("", GIVEN) else -1, INT)
        if part.precision_at is not None:
            precision = convert(given[part.precision_at], INT)
        assert part.argument is not None
        value = given[part.argument]
        start = (target.pointer, target.room, at)
        if part.is_string:
            text = convert(value, CPointer(INT if part.is_wide else CHAR))
            model = f"__chcverify_put_{'wide_' * part.is_wide}text"
            return model_call(self.context, node, model, (*start, text, to_left, width, precision))
        if part.letter in "cC":
            model = f"__chcverify_put_{'wide_' * part.is_wide}character"
            character = convert(value, INT if part.is_wide else CHAR)
            return model_call(self.context, node, model, (*start, character, to_left, width))
        if part.is_open:
            most, standard = (Constant(number, INT) for number in part.longest_open)
            length = self.context.temporary(INT)
            estimate = Nondet(length, TEXT_OF_REAL, is_estimate=True)
            self.context.emit(estimate, node)
            real = (*start, Load(length, INT), most, standard, width, precision)
            return model_call(self.context, node, "__chcverify_put_real", real)
        kind = part.integer(self.context.unit.model)
        end = (flag["0"], to_left, width, precision)
        if part.letter in "di":
            sign = Constant(ord("+") if "+" in part.flags else ord(" ") if " " in part.flags else 0, CHAR)
            return model_call(
                self.context, node, "__chcverify_put_signed", (*start, convert(convert(value, kind), LLONG), sign, *end)
            )
        number = convert(convert(value, replace(kind, name=f"unsigned {kind.name}", signed=False)), ULLONG)
        base = {"o": 8, "u": 10}.get(part.letter, 16)
        ten = Constant(ord("A" if part.letter == "X" else "a"), CHAR)
        shown = (number, Constant(base, INT), ten, Constant(0, CHAR), flag["#"])
        return model_call(self.context, node, "__chcverify_put_unsigned", (*start, *shown, *end))

    def _width(self, part: Directive, given: list[Expression], left: Expression) -> tuple[Expression, Expression]:
        """The width, and whether the text stands at the left; a negative width that is given means that, too."""
        if part.width_at is None:
            return Constant(int(part.width or 0), INT), left
        width = convert(given[part.width_at], INT)
        negative = binary("<", width, Constant(0, INT), INT)
        return Conditional(negative, unary("-", width), width, INT), binary("||", left, negative, INT)


def _is_integer(kind: object, width: int) -> bool:
    """Is it an integer type that is passed in so many bits?"""
    return isinstance(kind, CInteger) and (kind.width == width or (kind.width < INT.width == width))
