"""Edges to the violations that arithmetic operations and conversions of values may be."""

from pycparser import c_ast

from chcverify.horn.origin import Origin
from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import Assume, Constant, Expression, ReachError
from encoders.c.cfa.program_checks import ARITHMETIC_WORDS
from encoders.c.library.model_files import MODELS
from encoders.c.lowering.calls.formats.model_calls import model_call
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.arithmetic_checks import violations
from encoders.c.lowering.operators.conversion_checks import changes_value
from encoders.c.lowering.operators.conversions import binary
from encoders.c.lowering.operators.overflow_checks import NotExpressible
from encoders.c.types.c_types import INT, CFloat, CInteger, CType

_EXACT_MODELS = f"{MODELS}math.c"


class ValueChecks:
    """Adds the checks of values to the function that is lowered, where the program's checks ask for them."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context

    def arithmetic(self, operator: str, left: Expression, right: Expression, node: c_ast.Node) -> None:
        """The violations that an operation of the program (not of a library model) may be."""
        unit = self.context.unit
        if isinstance(left.type, CFloat) and operator in ("+", "-", "*", "/"):
            self.rounding(node, left, right)
        if not (unit.checks_arithmetic and isinstance(left.type, CInteger)) or not self._counts(node):
            return
        try:
            found = list(violations(unit.checks, operator, left, right))
        except NotExpressible:
            raise self.context.refuse(node, f"overflow check of '{operator}' in {left.type}") from None
        for kind, condition in found:
            self._check(kind, condition, node)

    def conversion(self, value: Expression, kind: CType, node: c_ast.Node, explicit: bool = False) -> None:
        """The violation that a conversion may be; initialisers of static objects are the compiler's business."""
        if isinstance(kind, CFloat) and value.type != kind:
            self.rounding(node, value)
        if self.may_change(value, kind, explicit) and self._counts(node):
            self._check(CheckKind.CONVERSION, changes_value(value, kind, explicit), node)

    def rounding(self, node: c_ast.Node, *operands: Expression) -> None:
        """A trap where an operation that may be inexact does not round to nearest. Of constants it is folded; the
        models of <math.h> make exact ones only."""
        context = self.context
        is_folded = all(isinstance(operand, Constant) for operand in operands) or context.is_file_scope
        if not context.unit.sets_rounding or is_folded or not context.evaluated:
            return
        if context.origin(node).file != _EXACT_MODELS:
            model_call(context, node, "__chcverify_require_nearest", ())

    def may_change(self, value: Expression, kind: CType, explicit: bool = False) -> bool:
        """True if the conversion may change the value, and the program's checks ask for that."""
        if CheckKind.CONVERSION not in self.context.unit.checks or self.context.is_file_scope:
            return False
        return changes_value(value, kind, explicit) != Constant(0, INT)

    def nonzero(self, value: Expression, node: c_ast.Node) -> None:
        """The violation that an argument of a built-in function is if it is zero."""
        if self._asks_for(CheckKind.BUILTIN, node):
            self._check(CheckKind.BUILTIN, binary("==", value, Constant(0, value.type), INT), node)

    def length(self, value: Expression, node: c_ast.Node) -> Expression:
        """The length of an array, after the violation that it is if it is not positive (C11 6.7.6.2p5)."""
        kind = value.type
        if isinstance(kind, CInteger) and self._asks_for(CheckKind.VLA_BOUND, node):
            value = self.context.held(value, node)
            operator = "<=" if kind.signed else "=="
            self._check(CheckKind.VLA_BOUND, binary(operator, value, Constant(0, kind), INT), node)
        return value

    def _asks_for(self, kind: CheckKind, node: c_ast.Node) -> bool:
        return kind in self.context.unit.checks and self._counts(node)

    def _counts(self, node: c_ast.Node) -> bool:
        """Is it evaluated, and part of the program? Predicates of a harness are about mathematical numbers."""
        context = self.context
        is_own = context.name not in context.unit.unchecked and not context.is_in_library(node)
        return context.evaluated and is_own

    def _check(self, kind: CheckKind, condition: Expression, node: c_ast.Node) -> None:
        if condition != Constant(0, INT):
            violation = ReachError(f"{ARITHMETIC_WORDS[kind]}: {self.context.text(node)}", kind)
            self._edge(condition, violation, self.context.origin(node))

    def _edge(self, condition: Expression, violation: ReachError, origin: Origin) -> None:
        """An edge to the violation where the condition holds."""
        cfa, text = self.context.cfa, violation.what
        violated, after = cfa.location(), cfa.location()
        cfa.edge(cfa.current, violated, Assume(condition, True), origin, text)
        cfa.edge(violated, cfa.location(), violation, origin, text)
        cfa.edge(cfa.current, after, Assume(condition, False), origin, f"no {text}")
        cfa.current = after
