"""Expressions as terms of z3, with their types.

Values of declared types are of a sort of their own: nothing but equality is known of them. Maps of several indices are
arrays of arrays. An uninterpreted function is an array that never changes, since what holds for every array holds for
every function; a function with a body stands for its body.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from chcverify.horn.origin import Origin
from chcverify.terms.core.traversal import free_variables
from encoders.boogie import syntax as s
from encoders.boogie.expressions.code_expressions import value_of_code
from encoders.boogie.expressions.interpreted_symbols import InterpretedSymbols, applied_built_in, built_in_name
from encoders.boogie.expressions.operators import ARITHMETIC, COMPARISONS, CONNECTIVES, SIGNS
from encoders.boogie.expressions.over_types import AT, over_types, polymorphic_lambda
from encoders.boogie.expressions.type_instances import PartOfMap, TypeInstance, has_open_result
from encoders.boogie.expressions.type_universe import REST, NotExact, mentions
from encoders.boogie.expressions.typed_terms import (
    Scope,
    Typed,
    components,
    components_by_instance,
    equality,
    instantiated_map,
    merged_by,
    real_value,
    sort_of,
    stored,
    typed_of,
)
from encoders.boogie.resolved_declarations import (
    NotModelled,
    bit_width,
    fits_into,
    matched,
    names_in_type,
    substituted,
    wrong,
)


class TypedExpressionTranslator:
    """Terms for expressions in a scope; `old` is the scope for what stands in `old(...)`."""

    def __init__(
        self,
        symbols: InterpretedSymbols,
        scope: Scope,
        old: Scope | None = None,
        types: Mapping[str, s.Type] | None = None,
        sign: int = 1,
    ) -> None:
        self.symbols = symbols
        self._universe = symbols.universe
        self._declarations = symbols.declarations
        self._scope = scope
        self._old = old
        self.types = types or {}  # what type parameters stand for
        self.sign = sign  # 1 where a weaker part makes the whole weaker, -1 where it makes it stronger, 0 elsewhere

    def _with_sign(self, sign: int) -> "TypedExpressionTranslator":
        if sign == self.sign:
            return self
        return TypedExpressionTranslator(self.symbols, self._scope, self._old, self.types, sign)

    def condition(self, expression: s.Expression) -> z3.BoolRef:
        """The formula of a condition; InputError if its type is not bool."""
        found: Any = self.of_type(expression, s.BOOL)
        formula: z3.BoolRef = found
        return formula

    def of_type(self, expression: s.Expression, type: s.Type) -> z3.ExprRef:
        """The term; InputError if the expression does not have that type."""
        return self._single(self.value(expression, type), expression.origin)

    def value(self, expression: s.Expression, type: s.Type) -> Typed:
        """The value; InputError if the expression does not have that type."""
        found = self.typed(expression, type)
        if found.type != type:
            raise wrong(expression.origin, f"this has type {found.type}, not {type}")
        return found

    @staticmethod
    def _single(value: Typed, origin: Origin) -> z3.ExprRef:
        if value.further:
            raise NotModelled(origin, f"a value that contains the polymorphic map type {value.type}")
        return value.term

    def typed(self, expression: s.Expression, expected: s.Type | None = None) -> Typed:
        """The term and type. expected: the type where the context knows it, for functions whose type parameters their
        arguments do not determine. InputError for what is not well typed, NotModelled for what has no term."""
        method: Callable[[Any, s.Type | None], Typed] | None = _METHODS.get(type(expression))
        if method is None:
            raise NotModelled(expression.origin, type(expression).__name__.lower())
        translator = self if isinstance(expression, _KEEPING_SIGN) else self._with_sign(0)
        return method.__get__(translator)(expression, expected)  # type: ignore[no-any-return]

    def _resolved(self, type: s.Type, origin: Origin) -> s.Type:
        """A type as it is written here, without synonyms and type parameters."""
        return substituted(self._declarations.type(type, origin, frozenset(self.types)), self.types)

    def _literal(self, literal: s.LiteralExpression, expected: s.Type | None) -> Typed:
        width = bit_width(literal.type)
        if width is not None:
            sort_of(literal.type, literal.origin)
            if not fits_into(literal.text, width):
                raise wrong(literal.origin, f"{literal.text} does not fit into {width} bits")
            return Typed(z3.BitVecVal(int(literal.text), width), literal.type)
        if literal.type == s.BOOL:
            return Typed(z3.BoolVal(literal.text == "true"), literal.type)
        if literal.type == s.INT:
            return Typed(z3.IntVal(literal.text), literal.type)
        if literal.type == s.REAL:
            return Typed(real_value(literal), literal.type)
        raise wrong(literal.origin, "a string is no value")

    def _name(self, name: s.Name, expected: s.Type | None) -> Typed:
        if name.name in self._scope:
            return self._scope[name.name]
        if name.name in self._declarations.constants:
            return self.symbols.constant(self._declarations.constants[name.name])
        raise wrong(name.origin, f"undeclared identifier: {name.name}")

    def _application(self, application: s.FunctionApplication, expected: s.Type | None) -> Typed:
        declared = self._declarations.functions.get(application.function)
        if declared is None:
            raise wrong(application.origin, f"undeclared function: {application.function}")
        if len(declared.parameters) != len(application.arguments):
            count = f"{len(declared.parameters)} arguments, not {len(application.arguments)}"
            raise wrong(application.origin, f"{declared.name} takes {count}")
        parameters = [parameter.type for parameter in declared.parameters]
        instance = TypeInstance(declared.name, declared.type_parameters, parameters, declared.result)
        arguments = self._with_sign(0).arguments(instance, application.arguments, expected, application.origin)
        values = instance.values
        self._require_instance(values, frozenset(instance.determined), application.origin)
        return self._applied(application, declared, arguments, values)

    def arguments(
        self, instance: "TypeInstance", arguments: Sequence[s.Expression], expected: s.Type | None, origin: Origin
    ) -> list[Typed]:
        """The values of arguments, which determine types for type parameters. expected: the type of the result."""
        found: dict[int, Typed] = {}
        while len(found) < len(arguments):
            before = len(found)
            for number in [number for number in range(len(arguments)) if number not in found]:
                wanted = instance.parameter(number)
                try:
                    value = self.typed(arguments[number], wanted)
                except NotModelled:  # what others determine may be needed for its type
                    if wanted is not None:
                        raise
                    continue
                if not matched(instance.parameters[number], value.type, instance.variables, instance.values):
                    known = substituted(instance.parameters[number], instance.values)
                    raise wrong(arguments[number].origin, f"this argument has type {value.type}, not {known}")
                found[number] = value
                instance.determined |= instance.values.keys()
            if len(found) == before and not (expected is not None and instance.matches_result(expected)):
                raise NotModelled(origin, f"{instance.name} with no type for {instance.missing}")
        if instance.missing and not (expected is not None and instance.matches_result(expected)):
            raise NotModelled(origin, f"{instance.name} with no type for {instance.missing}")
        return [found[number] for number in range(len(arguments))]

    def _require_instance(self, values: Mapping[str, s.Type], determined: frozenset[str], origin: Origin) -> None:
        """NotExact where a value of one of the other types would be needed of which nothing says which it has."""
        for name, type in values.items():
            if mentions(type, REST) and (name not in determined or type != REST):
                raise NotExact(origin, f"the type {type}")
            if not set(self.types.values()) - set(self._universe.parameters):
                self._universe.suggest(type, origin)

    def _applied(
        self,
        application: s.FunctionApplication,
        declared: s.FunctionDeclaration,
        arguments: Sequence[Typed],
        values: Mapping[str, s.Type],
    ) -> Typed:
        terms = [term for argument in arguments for term in argument.terms]
        name = built_in_name(declared)
        if name is not None:
            result = substituted(declared.result, values)
            sort = sort_of(result, declared.origin)
            return Typed(applied_built_in(name, terms, sort, application.origin), result)
        if declared.body is None:
            return self.symbols.applied(declared, values, terms)
        scope = {p.name: argument for p, argument in zip(declared.parameters, arguments, strict=True)}
        inner = TypedExpressionTranslator(self.symbols, scope, None, values, self.sign)
        return inner.value(declared.body, substituted(declared.result, values))

    def _operation(self, operation: s.Operation, expected: s.Type | None) -> Typed:
        operator = operation.operator
        if operator is s.Operator.NOT:
            return Typed(z3.Not(self._with_sign(-self.sign).condition(operation.operands[0])), s.BOOL)
        if operator is s.Operator.MINUS and len(operation.operands) == 1:
            operand = self._number(operation.operands[0])
            return Typed(-operand.term, operand.type)
        if operator in CONNECTIVES:
            operands = [
                self._with_sign(sign * self.sign).condition(operand)
                for sign, operand in zip(SIGNS.get(operator, (1, 1)), operation.operands, strict=True)
            ]
            return Typed(CONNECTIVES[operator](*operands), s.BOOL)
        return self._with_sign(0)._relation(operation, expected)

    def _relation(self, operation: s.Operation, expected: s.Type | None) -> Typed:
        operator = operation.operator
        if operator in (s.Operator.EQUAL, s.Operator.DIFFERENT):
            return self._equality(operation)
        if operator is s.Operator.CONCAT:
            return self._concatenation(operation)
        if operator in (s.Operator.BELOW, s.Operator.POWER):
            raise NotModelled(operation.origin, f"the operator {operator.value}")
        return self._arithmetic(operation, None if operator in COMPARISONS else expected)

    def _equality(self, operation: s.Operation) -> Typed:
        one, other = self._operands(operation, None)
        if one.type == other.type:
            equal = equality(one, other)
        elif self.types:
            equal = self._equality_of_types(one.type, other.type, operation)
        else:
            raise wrong(operation.origin, f"values of the types {one.type} and {other.type} are compared")
        return Typed(equal if operation.operator is s.Operator.EQUAL else z3.Not(equal), s.BOOL)

    def _equality_of_types(self, one: s.Type, other: s.Type, operation: s.Operation) -> z3.BoolRef:
        """False, for values of types that differ: instances of types that are the same for other type parameters."""
        unknown = frozenset(name for type in (one, other) for name in names_in_type(type) if AT in name)
        own = frozenset(name for type in self._universe.parameters for name in names_in_type(type))
        names = own | unknown | frozenset(names_in_type(REST))
        if not any(names.isdisjoint(names_in_type(type)) for type in (one, other)):
            raise NotModelled(operation.origin, f"a comparison of values of the types {one} and {other}")
        for open_type, type in ((one, other), (other, one)):
            values: dict[str, s.Type] = {}
            if not matched(open_type, type, names, values):
                continue
            if own & values.keys():
                raise NotModelled(operation.origin, f"a comparison of values of the types {one} and {other}")
            for found in values.values():
                self._universe.require(found, operation.origin)  # from now on apart from the rest
        return z3.BoolVal(False)

    def _concatenation(self, operation: s.Operation) -> Typed:
        parts = [self.typed(operand) for operand in operation.operands]
        widths = [bit_width(part.type) for part in parts]
        if None in widths:
            raise wrong(operation.origin, "the operands of ++ are not bit-vectors")
        total = sum(width for width in widths if width is not None)
        return Typed(z3.Concat(*(part.term for part in parts)), s.NamedType(f"bv{total}"))

    def _number(self, expression: s.Expression, expected: s.Type | None = None) -> Typed:
        found = self.typed(expression, expected)
        _require_number(expression, found)
        return found

    def _operands(self, operation: s.Operation, expected: s.Type | None) -> tuple[Typed, Typed]:
        """The operands of an operator, each of which may say the type of the other."""
        left, right = operation.operands
        try:
            one = self.typed(left, expected)
        except NotModelled:
            other = self.typed(right, expected)
            return self.typed(left, other.type), other
        return one, self.typed(right, one.type)

    def _arithmetic(self, operation: s.Operation, expected: s.Type | None) -> Typed:
        left, right = self._operands(operation, expected)
        for operand, value in zip(operation.operands, (left, right), strict=True):
            _require_number(operand, value)
        operator, divided = operation.operator, operation.operator is s.Operator.DIVIDED
        if divided:
            terms = [_as_real(left), _as_real(right)]
            return Typed(terms[0] / terms[1], s.REAL)
        if left.type != right.type:
            raise wrong(operation.origin, f"{operator.value} has operands of the types {left.type} and {right.type}")
        if operator in COMPARISONS:
            return Typed(COMPARISONS[operator](left.term, right.term), s.BOOL)
        if operator in (s.Operator.DIV, s.Operator.MOD) and left.type != s.INT:
            raise wrong(operation.origin, f"{operator.value} has operands of the type {left.type}")
        return Typed(ARITHMETIC[operator](left.term, right.term), left.type)

    def _part(
        self, whole: Typed, at: s.Expression, indices: Sequence[s.Expression], expected: s.Type | None
    ) -> "PartOfMap":
        """The part of a map at these indices. expected: its type, where the context knows it."""
        if not isinstance(whole.type, s.MapType):
            raise wrong(at.origin, f"this has type {whole.type}, and is no map")
        if len(whole.type.indices) != len(indices):
            raise wrong(at.origin, f"{len(indices)} indices for a map with {len(whole.type.indices)}")
        if not whole.type.type_parameters:
            terms = [self.of_type(index, wanted) for index, wanted in zip(indices, whole.type.indices, strict=True)]
            return PartOfMap(0, len(whole.terms), terms, whole.type.result)
        return self._part_of_polymorphic(whole.type, at, indices, expected)

    def _part_of_polymorphic(
        self, type: s.MapType, at: s.Expression, indices: Sequence[s.Expression], expected: s.Type | None
    ) -> "PartOfMap":
        found = TypeInstance("this map", type.type_parameters, type.indices, type.result)
        values = found.values
        arguments = self.arguments(found, indices, expected, at.origin)
        terms = [self._single(argument, at.origin) for argument in arguments]
        self._require_instance(values, frozenset(found.determined), at.origin)
        instance = tuple(values[name] for name in type.type_parameters)
        for value in instance:
            self._universe.require(value, at.origin)
        start = 0
        for other, parts in components_by_instance(type, at.origin, self._universe):
            if other == instance:
                break
            start += len(parts)
        return PartOfMap(start, start + len(parts), terms, instantiated_map(type, instance).result)

    def _select(self, select: s.Select, expected: s.Type | None) -> Typed:
        whole = self.typed(select.map)
        part = self._part(whole, select.map, select.indices, expected)
        return part.of(whole, select.origin)

    def _update(self, update: s.Update, expected: s.Type | None) -> Typed:
        return self._updated(self.typed(update.map), update.map, [update.indices], update.value)

    def _extract(self, extract: s.Extract, expected: s.Type | None) -> Typed:
        vector = self.typed(extract.vector)
        width = bit_width(vector.type)
        if width is not None and extract.low == extract.high <= width:
            raise NotModelled(extract.origin, "the type bv0")
        if width is None or not 0 <= extract.low < extract.high <= width:
            raise wrong(extract.origin, f"no bits [{extract.high}:{extract.low}] of a value of type {vector.type}")
        term: Any = vector.term
        return Typed(z3.Extract(extract.high - 1, extract.low, term), s.NamedType(f"bv{extract.high - extract.low}"))

    def _old_value(self, old: s.Old, expected: s.Type | None) -> Typed:
        if self._old is None:
            raise wrong(old.origin, "old stands only in bodies of procedures and in what they ensure")
        inner = {**self._scope, **self._old}
        translator = TypedExpressionTranslator(self.symbols, inner, self._old, self.types, self.sign)
        return translator.typed(old.body, expected)

    def _conversion(self, conversion: s.Conversion, expected: s.Type | None) -> Typed:
        body = self._number(conversion.body)
        term: Any = body.term
        if conversion.to == s.REAL:
            return Typed(_as_real(body), s.REAL)
        return Typed(z3.ToInt(term) if body.type == s.REAL else term, s.INT)

    def _coercion(self, coercion: s.Coercion, expected: s.Type | None) -> Typed:
        type = self._resolved(coercion.type, coercion.origin)
        return Typed(self.of_type(coercion.body, type), type)

    def _choice(self, choice: s.ConditionalExpression, expected: s.Type | None) -> Typed:
        condition = self._with_sign(0).condition(choice.condition)
        first = self.typed(choice.first, expected)
        second = self.value(choice.second, first.type)
        return merged_by(lambda one, other: z3.If(condition, one, other), [first, second])

    def _let(self, let: s.Let, expected: s.Type | None) -> Typed:
        if len(let.names) != len(let.values):
            raise wrong(let.origin, f"{len(let.values)} values for {len(let.names)} names")
        values = [self._with_sign(0).typed(value) for value in let.values]
        return self.within(dict(zip(let.names, values, strict=True))).typed(let.body, expected)

    def within(self, bound: Mapping[str, Typed]) -> "TypedExpressionTranslator":
        """Terms in the scope with more names, which hide those of the scope."""
        scope = {**self._scope, **bound}
        old = self._old if self._old is None else {n: v for n, v in self._old.items() if n not in bound}
        return TypedExpressionTranslator(self.symbols, scope, old, self.types, self.sign)

    def _quantified(self, quantified: s.Quantified, expected: s.Type | None) -> Typed:
        if quantified.type_parameters and quantified.binder is s.Binder.LAMBDA:
            return polymorphic_lambda(self._with_sign(0), quantified)
        if quantified.type_parameters:
            return Typed(over_types(self, quantified), s.BOOL)
        bound = {v.name: self.any_value(v.name, v.type, quantified.origin) for v in quantified.bound}
        return self._bound(quantified, bound)

    def _bound(self, quantified: s.Quantified, bound: Mapping[str, Typed]) -> Typed:
        """The quantified formula, or the map, with these constants for the bound variables."""
        inner = self.within(bound)
        variables = [term for value in bound.values() for term in value.terms]
        if quantified.binder is s.Binder.LAMBDA:
            return self._with_sign(0)._lambda(quantified, inner, list(bound.values()))
        with self.symbols.below_binder():
            body = inner.condition(quantified.body)
        if any(value.further for value in bound.values()):  # few of the terms of a polymorphic map are of use
            used = {str(variable) for variable in free_variables(body)}
            variables = [term for term in variables if str(term) in used]
        patterns = [self._pattern(inner, pattern, variables) for pattern in quantified.patterns]
        make = z3.ForAll if quantified.binder is s.Binder.FORALL else z3.Exists
        if not variables:
            return Typed(body, s.BOOL)
        usable = [pattern for pattern in patterns if pattern is not None]
        return Typed(make(variables, body, patterns=usable), s.BOOL)

    def instance(self, quantified: s.Quantified, instance: Sequence[s.Type]) -> Typed:
        """The quantified expression with types for its type parameters."""
        types = {**self.types, **dict(zip(quantified.type_parameters, instance, strict=True))}
        inner = TypedExpressionTranslator(self.symbols, self._scope, self._old, types, self.sign)
        at = quantified.origin
        bound = {v.name: inner._any_value(v.name, inner._resolved(v.type, at), at) for v in quantified.bound}
        return inner._bound(quantified, bound)

    def any_value(self, name: str, type: s.Type, origin: Origin) -> Typed:
        """A fresh constant of a type as it is written."""
        type = self._resolved(type, origin)
        if mentions(type, REST):
            raise NotExact(origin, f"the type {type}")
        return self._any_value(name, type, origin)

    def _any_value(self, name: str, type: s.Type, origin: Origin) -> Typed:
        parts = components(type, origin, self._universe)
        return typed_of([z3.FreshConst(part.sort, name) for part in parts], type)

    def _code(self, code: s.CodeExpression, expected: s.Type | None) -> Typed:
        return Typed(value_of_code(code, self), s.BOOL)

    def updated(self, whole: Typed, selections: Sequence[Sequence[s.Expression]], value: s.Expression) -> Typed:
        """The value of a variable after an assignment to a part of it, `whole[selections[0]][selections[1]]...`"""
        return self._with_sign(0)._updated(whole, value, selections, value)

    def _updated(
        self, whole: Typed, at: s.Expression, selections: Sequence[Sequence[s.Expression]], value: s.Expression
    ) -> Typed:
        if not selections:
            return self.value(value, whole.type)
        expected = self.typed(value).type if len(selections) == 1 and has_open_result(whole.type) else None
        part = self._part(whole, at, selections[0], expected)
        inner = part.of(whole, at.origin)
        new = self._updated(inner, at, selections[1:], value)
        terms = list(whole.terms)
        for number, term in zip(range(part.start, part.end), new.terms, strict=True):
            terms[number] = stored(terms[number], part.indices, term)
        return typed_of(terms, whole.type)

    @staticmethod
    def _pattern(
        inner: "TypedExpressionTranslator", pattern: Sequence[s.Expression], variables: Sequence[z3.ExprRef]
    ) -> Any:
        """The trigger as z3 takes it; None where a part is no term with an application, or a variable is missing."""
        try:
            terms = [inner._single(inner.typed(part), part.origin) for part in pattern]
        except NotModelled:
            return None
        if any(not term.num_args() or z3.is_bool(term) for term in terms):
            return None
        covered = {str(variable) for term in terms for variable in free_variables(term)}
        if not {str(variable) for variable in variables} <= covered:
            return None
        return z3.MultiPattern(*terms) if len(terms) > 1 else terms[0]

    def _lambda(self, quantified: s.Quantified, inner: "TypedExpressionTranslator", bound: Sequence[Typed]) -> Typed:
        body = inner.typed(quantified.body)
        terms = list(body.terms)
        for variable in reversed(bound):
            index: Any = self._single(variable, quantified.origin)
            terms = [z3.Lambda([index], term) for term in terms]
        return typed_of(terms, s.MapType(tuple(variable.type for variable in bound), body.type))


def _require_number(expression: s.Expression, value: Typed) -> None:
    if value.type not in (s.INT, s.REAL):
        raise wrong(expression.origin, f"this has type {value.type}, and is no number")


_KEEPING_SIGN = (
    s.Operation,
    s.Quantified,
    s.ConditionalExpression,
    s.Let,
    s.Old,
    s.Coercion,
    s.FunctionApplication,
)
"""Expressions that are weaker where their parts are, or see to their parts themselves."""

_METHODS: dict[type, Any] = {
    s.LiteralExpression: TypedExpressionTranslator._literal,
    s.Name: TypedExpressionTranslator._name,
    s.FunctionApplication: TypedExpressionTranslator._application,
    s.Operation: TypedExpressionTranslator._operation,
    s.Select: TypedExpressionTranslator._select,
    s.Update: TypedExpressionTranslator._update,
    s.Extract: TypedExpressionTranslator._extract,
    s.Old: TypedExpressionTranslator._old_value,
    s.Conversion: TypedExpressionTranslator._conversion,
    s.Coercion: TypedExpressionTranslator._coercion,
    s.ConditionalExpression: TypedExpressionTranslator._choice,
    s.Let: TypedExpressionTranslator._let,
    s.Quantified: TypedExpressionTranslator._quantified,
    s.CodeExpression: TypedExpressionTranslator._code,
}


def _as_real(number: Typed) -> z3.ExprRef:
    term: Any = number.term
    return z3.ToReal(term) if number.type == s.INT else term
