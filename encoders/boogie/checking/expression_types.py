"""The types of expressions, by the rules of Boogie (Leino 2008, sections 2 and 4), without any formula for them.

Types that the context does not determine stay unknown, and nothing is refused for them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from chcverify.horn.origin import Origin
from encoders.boogie import syntax as s
from encoders.boogie.checking.name_scope import NameScope, require_distinct
from encoders.boogie.checking.quantifier_triggers import require_triggers
from encoders.boogie.checking.unification import TypeUnifier, is_unknown
from encoders.boogie.resolved_declarations import (
    bit_width,
    fits_into,
    is_without_terms,
    names_in_type,
    substituted,
    with_own_parameters,
    wrong,
)

_CONNECTIVES = (s.Operator.EQUIVALENT, s.Operator.IMPLIES, s.Operator.AND, s.Operator.OR)
_EQUALITIES = (s.Operator.EQUAL, s.Operator.DIFFERENT, s.Operator.BELOW)
_COMPARISONS = (s.Operator.LESS, s.Operator.AT_MOST, s.Operator.GREATER, s.Operator.AT_LEAST)
STRING = s.NamedType("string")

CodeCheck = Callable[[s.CodeExpression, NameScope], None]
"""Checks the statements of a code expression."""


class ExpressionTyper:
    """The types of expressions in a scope; InputError for an expression that has none."""

    def __init__(self, scope: NameScope, check_code: CodeCheck, unifier: TypeUnifier | None = None) -> None:
        self.scope = scope
        self.unifier = unifier or TypeUnifier()
        self._check_code = check_code

    def within(self, scope: NameScope) -> "ExpressionTyper":
        """The types in another scope, with the same unknown types."""
        return ExpressionTyper(scope, self._check_code, self.unifier)

    def require(self, expression: s.Expression, type: s.Type) -> None:
        """InputError unless the expression has that type."""
        found = self.typed(expression)
        if not self.unifier.unify(found, type):
            known = self.unifier.known
            raise wrong(expression.origin, f"this has type {shown(known(found))}, not {shown(known(type))}")

    def condition(self, expression: s.Expression) -> None:
        """InputError unless the expression has type bool."""
        self.require(expression, s.BOOL)

    def typed(self, expression: s.Expression) -> s.Type:
        """The type of an expression."""
        method: Callable[[Any, Any], s.Type] = _METHODS[type(expression)]
        return self.unifier.known(method(self, expression))

    def arguments(self, arguments: Sequence[s.Expression], types: Sequence[s.Type]) -> None:
        """InputError unless the arguments have these types."""
        for argument, type in zip(arguments, types, strict=True):
            self.require(argument, type)

    def _literal(self, literal: s.LiteralExpression) -> s.Type:
        width = bit_width(literal.type)
        if width is not None and not fits_into(literal.text, width):
            raise wrong(literal.origin, f"{literal.text} does not fit into {width} bits")
        if literal.type == STRING and not self.scope.has_strings:
            raise wrong(literal.origin, "a string is no value")
        return literal.type

    def _name(self, name: s.Name) -> s.Type:
        found = self.scope.variable(name.name)
        if found is None and name.name in self.scope.declarations.globals:
            raise wrong(name.origin, f"the global variable {name.name} cannot be named here")
        if found is None:
            raise wrong(name.origin, f"undeclared identifier: {name.name}")
        return found

    def _application(self, application: s.FunctionApplication) -> s.Type:
        declared = self.scope.declarations.functions.get(application.function)
        if declared is None:
            raise wrong(application.origin, f"undeclared function: {application.function}")
        if len(declared.parameters) != len(application.arguments):
            count = f"{len(declared.parameters)} arguments, not {len(application.arguments)}"
            raise wrong(application.origin, f"{declared.name} takes {count}")
        values = self.unifier.instance(declared.type_parameters)
        types = [substituted(parameter.type, values) for parameter in declared.parameters]
        self.arguments(application.arguments, types)
        return substituted(declared.result, values)

    def _operation(self, operation: s.Operation) -> s.Type:
        operator, operands = operation.operator, operation.operands
        if operator is s.Operator.NOT or operator in _CONNECTIVES:
            for operand in operands:
                self.condition(operand)
            return s.BOOL
        types = [self.typed(operand) for operand in operands]
        if operator in _EQUALITIES:
            return self._equality(operation, *types)
        if operator is s.Operator.CONCAT:
            return self._concatenation(operation, types)
        return self._arithmetic(operation, types)

    def _equality(self, operation: s.Operation, one: s.Type, other: s.Type) -> s.Type:
        """Types are comparable that are the same for some values of the type parameters in scope."""
        one, other = self.unifier.known(one), self.unifier.known(other)
        parameters = self.unifier.instance(self.scope.types & {*names_in_type(one), *names_in_type(other)})
        if not self.unifier.unify(substituted(one, parameters), substituted(other, parameters)):
            raise wrong(operation.origin, f"values of the types {shown(one)} and {shown(other)} are compared")
        return s.BOOL

    def _concatenation(self, operation: s.Operation, types: Sequence[s.Type]) -> s.Type:
        if any(is_unknown(type) for type in types):
            return self.unifier.unknown()
        widths = [bit_width(type) for type in types]
        if None in widths:
            raise wrong(operation.origin, "the operands of ++ are not bit-vectors")
        return s.NamedType(f"bv{sum(width for width in widths if width is not None)}")

    def _arithmetic(self, operation: s.Operation, types: Sequence[s.Type]) -> s.Type:
        operator = operation.operator
        for operand, type in zip(operation.operands, types, strict=True):
            self._require_number(operand, type)
        if operator is s.Operator.DIVIDED or operator is s.Operator.POWER:
            floats = [type for type in types if is_without_terms(type)]
            return floats[0] if floats else s.REAL
        first, last = types[0], types[-1]
        if not self.unifier.unify(first, last):
            raise wrong(
                operation.origin, f"{operator.value} has operands of the types {shown(first)} and {shown(last)}"
            )
        if operator in (s.Operator.DIV, s.Operator.MOD) and not self.unifier.unify(first, s.INT):
            raise wrong(operation.origin, f"{operator.value} has operands of the type {shown(first)}")
        return s.BOOL if operator in _COMPARISONS else first

    @staticmethod
    def _require_number(expression: s.Expression, type: s.Type) -> None:
        if type not in (s.INT, s.REAL) and not is_unknown(type) and not is_without_terms(type):
            raise wrong(expression.origin, f"this has type {shown(type)}, and is no number")

    def part_of_map(self, whole: s.Type, at: Origin, indices: Sequence[s.Expression]) -> s.Type:
        """The type of a map's elements at these indices."""
        whole = self.unifier.known(whole)
        if is_unknown(whole):
            for index in indices:
                self.typed(index)
            return self.unifier.unknown()
        if not isinstance(whole, s.MapType):
            raise wrong(at, f"this has type {shown(whole)}, and is no map")
        if len(whole.indices) != len(indices):
            raise wrong(at, f"{len(indices)} indices for a map with {len(whole.indices)}")
        values = self.unifier.instance(whole.type_parameters)
        self.arguments(indices, [substituted(index, values) for index in whole.indices])
        return substituted(whole.result, values)

    def _select(self, select: s.Select) -> s.Type:
        return self.part_of_map(self.typed(select.map), select.map.origin, select.indices)

    def _update(self, update: s.Update) -> s.Type:
        whole = self.typed(update.map)
        self.require(update.value, self.part_of_map(whole, update.map.origin, update.indices))
        return whole

    def _extract(self, extract: s.Extract) -> s.Type:
        type = self.typed(extract.vector)
        width = bit_width(type)
        is_inside = is_unknown(type) or (width is not None and extract.high <= width)
        if not is_inside or extract.low > extract.high:
            raise wrong(extract.origin, f"no bits [{extract.high}:{extract.low}] of a value of type {shown(type)}")
        return s.NamedType(f"bv{extract.high - extract.low}")

    def _old(self, old: s.Old) -> s.Type:
        if not self.scope.has_old:
            raise wrong(old.origin, "old stands only in bodies of procedures and in what they ensure")
        return self.typed(old.body)

    def _conversion(self, conversion: s.Conversion) -> s.Type:
        self._require_number(conversion.body, self.typed(conversion.body))
        return conversion.to

    def _coercion(self, coercion: s.Coercion) -> s.Type:
        type = self.scope.type(coercion.type, coercion.origin)
        self.require(coercion.body, type)
        return type

    def _choice(self, choice: s.ConditionalExpression) -> s.Type:
        self.condition(choice.condition)
        type = self.typed(choice.first)
        self.require(choice.second, type)
        return type

    def _let(self, let: s.Let) -> s.Type:
        if len(let.names) != len(let.values):
            raise wrong(let.origin, f"{len(let.values)} values for {len(let.names)} names")
        require_distinct(let.names, let.origin, "variable")
        types = [self.typed(value) for value in let.values]
        return self.within(self.scope.within(dict(zip(let.names, types, strict=True)))).typed(let.body)

    def _quantified(self, quantified: s.Quantified) -> s.Type:
        at = quantified.origin
        if self.scope.in_trigger:
            raise wrong(at, "a quantifier stands in a trigger")
        require_distinct([variable.name for variable in quantified.bound], at, "bound variable")
        require_distinct(quantified.type_parameters, at, "type parameter")
        scope = self.scope.within({}, quantified.type_parameters)
        bound = {variable.name: scope.type(variable.type, at) for variable in quantified.bound}
        inner = self.within(scope.within(bound))
        require_triggers(quantified)
        for pattern in quantified.patterns:
            for part in pattern:
                inner.within(replace(inner.scope, in_trigger=True)).typed(part)
        attributed = inner.within(replace(inner.scope, has_strings=True))
        for attribute in quantified.attributes:
            for value in attribute.arguments:
                attributed.typed(value)
        if quantified.binder is not s.Binder.LAMBDA:
            inner.condition(quantified.body)
            return s.BOOL
        for name in quantified.type_parameters:
            if not any(name in names_in_type(type) for type in bound.values()):
                raise wrong(at, f"the type parameter {name} does not occur in the types of the bound variables")
        found = s.MapType(tuple(bound.values()), inner.typed(quantified.body), quantified.type_parameters)
        return with_own_parameters(found)

    def _code(self, code: s.CodeExpression) -> s.Type:
        self._check_code(code, self.scope)
        return s.BOOL


def shown(type: s.Type) -> str:
    """The text of a type for a message, in which an unknown type is `?`."""
    if is_unknown(type):
        return "?"
    unknown: Mapping[str, s.Type] = {
        name: s.NamedType("?") for name in names_in_type(type) if is_unknown(s.NamedType(name))
    }
    return str(substituted(type, unknown))


_METHODS: dict[type, Any] = {
    s.LiteralExpression: ExpressionTyper._literal,
    s.Name: ExpressionTyper._name,
    s.FunctionApplication: ExpressionTyper._application,
    s.Operation: ExpressionTyper._operation,
    s.Select: ExpressionTyper._select,
    s.Update: ExpressionTyper._update,
    s.Extract: ExpressionTyper._extract,
    s.Old: ExpressionTyper._old,
    s.Conversion: ExpressionTyper._conversion,
    s.Coercion: ExpressionTyper._coercion,
    s.ConditionalExpression: ExpressionTyper._choice,
    s.Let: ExpressionTyper._let,
    s.Quantified: ExpressionTyper._quantified,
    s.CodeExpression: ExpressionTyper._code,
}
