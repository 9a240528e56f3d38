"""Expressions as terms of z3, with their types.

Values of declared types are of a sort of their own: nothing but equality is known of them. Maps of several indices are
arrays of arrays. An uninterpreted function is an array that never changes, since what holds for every array holds for
every function; a function with a body stands for its body.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from chcverify.horn.origin import Origin
from chcverify.terms.core.traversal import substitute
from encoders.boogie import syntax as s
from encoders.boogie.code_expressions import value_of_code
from encoders.boogie.resolved_declarations import (
    Declarations,
    NotModelled,
    bit_width,
    matched,
    substituted,
    wrong,
)
from encoders.boogie.typed_terms import Scope, Typed, selected, sort_of, stored


def constant_name(name: str) -> str:
    """The name in clauses of a declared constant; no identifier has a blank, so kinds of names do not meet."""
    return f"constant {name}"


class InterpretedSymbols:
    """The constants and uninterpreted functions that translated expressions use, as constants of z3."""

    def __init__(self, declarations: Declarations) -> None:
        self.declarations = declarations
        self.used: dict[str, z3.ExprRef] = {}

    def constant(self, variable: s.DeclaredVariable) -> Typed:
        """The value of a declared constant."""
        name = constant_name(variable.name)
        return Typed(self._symbol(name, sort_of(variable.type, variable.origin)), variable.type)

    def function(self, declared: s.FunctionDeclaration, values: Mapping[str, s.Type]) -> z3.ExprRef:
        """The array that stands for a function, for these types in place of its type parameters."""
        types = [substituted(parameter.type, values) for parameter in declared.parameters]
        result = substituted(declared.result, values)
        sort = sort_of(s.MapType(tuple(types), result) if types else result, declared.origin)
        instance = ", ".join(str(values[name]) for name in declared.type_parameters)
        return self._symbol(f"function {declared.name}<{instance}>" if instance else f"function {declared.name}", sort)

    def _symbol(self, name: str, sort: z3.SortRef) -> z3.ExprRef:
        return self.used.setdefault(name, z3.Const(name, sort))

    def distinct_constants(self) -> list[z3.BoolRef]:
        """For each type: the used constants that are declared unique differ."""
        groups: dict[s.Type, list[z3.ExprRef]] = {}
        for variable in self.declarations.unique:
            if (name := constant_name(variable.name)) in self.used:
                groups.setdefault(variable.type, []).append(self.used[name])
        return [z3.Distinct(*group) for group in groups.values() if len(group) > 1]


class TypedExpressionTranslator:
    """Terms for expressions in a scope; `old` is the scope for what stands in `old(...)`."""

    def __init__(
        self,
        symbols: InterpretedSymbols,
        scope: Scope,
        old: Scope | None = None,
        types: Mapping[str, s.Type] | None = None,
    ) -> None:
        self._symbols = symbols
        self._declarations = symbols.declarations
        self._scope = scope
        self._old = old
        self._types = types or {}  # what the type parameters of a function stand for, in its body

    def condition(self, expression: s.Expression) -> z3.BoolRef:
        """The formula of a condition; InputError if its type is not bool."""
        found: Any = self.of_type(expression, s.BOOL)
        formula: z3.BoolRef = found
        return formula

    def of_type(self, expression: s.Expression, type: s.Type) -> z3.ExprRef:
        """The term; InputError if the expression does not have that type."""
        found = self.typed(expression, type)
        if found.type != type:
            raise wrong(expression.origin, f"this has type {found.type}, not {type}")
        return found.term

    def typed(self, expression: s.Expression, expected: s.Type | None = None) -> Typed:
        """The term and type. expected: the type where the context knows it, for functions whose type parameters their
        arguments do not determine. InputError for what is not well typed, NotModelled for what has no term."""
        method: Callable[[Any, s.Type | None], Typed] | None = _METHODS.get(type(expression))
        if method is None:
            raise NotModelled(expression.origin, type(expression).__name__.lower())
        return method.__get__(self)(expression, expected)  # type: ignore[no-any-return]

    def _resolved(self, type: s.Type, origin: Origin) -> s.Type:
        """A type as it is written here, without synonyms and type parameters."""
        return substituted(self._declarations.type(type, origin, frozenset(self._types)), self._types)

    def _literal(self, literal: s.LiteralExpression, expected: s.Type | None) -> Typed:
        width = bit_width(literal.type)
        if width is not None:
            sort_of(literal.type, literal.origin)
            if int(literal.text) >= 1 << width:
                raise wrong(literal.origin, f"{literal.text} does not fit into {width} bits")
            return Typed(z3.BitVecVal(int(literal.text), width), literal.type)
        if literal.type == s.BOOL:
            return Typed(z3.BoolVal(literal.text == "true"), literal.type)
        if literal.type == s.INT:
            return Typed(z3.IntVal(literal.text), literal.type)
        if literal.type == s.REAL:
            return Typed(z3.RealVal(literal.text), literal.type)
        raise wrong(literal.origin, "a string is no value")

    def _name(self, name: s.Name, expected: s.Type | None) -> Typed:
        if name.name in self._scope:
            return self._scope[name.name]
        if name.name in self._declarations.constants:
            return self._symbols.constant(self._declarations.constants[name.name])
        raise wrong(name.origin, f"undeclared identifier: {name.name}")

    def _application(self, application: s.FunctionApplication, expected: s.Type | None) -> Typed:
        declared = self._declarations.functions.get(application.function)
        if declared is None:
            raise wrong(application.origin, f"undeclared function: {application.function}")
        if len(declared.parameters) != len(application.arguments):
            count = f"{len(declared.parameters)} arguments, not {len(application.arguments)}"
            raise wrong(application.origin, f"{declared.name} takes {count}")
        variables = frozenset(declared.type_parameters)
        values: dict[str, s.Type] = {}
        arguments = []
        for parameter, argument in zip(declared.parameters, application.arguments, strict=True):
            wanted = substituted(parameter.type, values)
            found = self.typed(argument, wanted)
            if not matched(parameter.type, found.type, variables, values):
                raise wrong(argument.origin, f"this argument has type {found.type}, not {wanted}")
            arguments.append(found)
        if variables - values.keys() and expected is not None:
            matched(declared.result, expected, variables, values)
        if missing := variables - values.keys():
            raise NotModelled(application.origin, f"{declared.name} with no type for {min(missing)}")
        return Typed(self._applied(application, declared, arguments, values), substituted(declared.result, values))

    def _applied(
        self,
        application: s.FunctionApplication,
        declared: s.FunctionDeclaration,
        arguments: Sequence[Typed],
        values: Mapping[str, s.Type],
    ) -> z3.ExprRef:
        terms = [argument.term for argument in arguments]
        name = built_in_name(declared)
        if name is not None:
            result = sort_of(substituted(declared.result, values), declared.origin)
            return applied_built_in(name, terms, result, application.origin)
        if declared.body is None:
            return selected(self._symbols.function(declared, values), terms)
        scope = {
            parameter.name: Typed(term, substituted(parameter.type, values))
            for parameter, term in zip(declared.parameters, terms, strict=True)
        }
        inner = TypedExpressionTranslator(self._symbols, scope, None, values)
        if values:
            return inner.typed(declared.body, substituted(declared.result, values)).term
        return inner.of_type(declared.body, declared.result)

    def _operation(self, operation: s.Operation, expected: s.Type | None) -> Typed:
        operator = operation.operator
        if operator is s.Operator.NOT:
            return Typed(z3.Not(self.condition(operation.operands[0])), s.BOOL)
        if operator is s.Operator.MINUS and len(operation.operands) == 1:
            operand = self._number(operation.operands[0])
            return Typed(-operand.term, operand.type)
        if operator in _CONNECTIVES:
            operands = [self.condition(operand) for operand in operation.operands]
            return Typed(_CONNECTIVES[operator](*operands), s.BOOL)
        if operator in (s.Operator.EQUAL, s.Operator.DIFFERENT):
            return self._equality(operation)
        if operator is s.Operator.CONCAT:
            return self._concatenation(operation)
        if operator in (s.Operator.BELOW, s.Operator.POWER):
            raise NotModelled(operation.origin, f"the operator {operator.value}")
        return self._arithmetic(operation, None if operator in _COMPARISONS else expected)

    def _equality(self, operation: s.Operation) -> Typed:
        left, right = operation.operands
        one = self.typed(left)
        other = self.typed(right, one.type)
        if one.type != other.type:
            raise wrong(operation.origin, f"values of the types {one.type} and {other.type} are compared")
        equal = one.term == other.term
        return Typed(equal if operation.operator is s.Operator.EQUAL else z3.Not(equal), s.BOOL)

    def _concatenation(self, operation: s.Operation) -> Typed:
        parts = [self.typed(operand) for operand in operation.operands]
        widths = [bit_width(part.type) for part in parts]
        if None in widths:
            raise wrong(operation.origin, "the operands of ++ are not bit-vectors")
        total = sum(width for width in widths if width is not None)
        return Typed(z3.Concat(*(part.term for part in parts)), s.NamedType(f"bv{total}"))

    def _number(self, expression: s.Expression, expected: s.Type | None = None) -> Typed:
        found = self.typed(expression, expected)
        if found.type not in (s.INT, s.REAL):
            raise wrong(expression.origin, f"this has type {found.type}, and is no number")
        return found

    def _arithmetic(self, operation: s.Operation, expected: s.Type | None) -> Typed:
        left = self._number(operation.operands[0], expected)
        right = self._number(operation.operands[1], left.type)
        operator, divided = operation.operator, operation.operator is s.Operator.DIVIDED
        if divided:
            terms = [_as_real(left), _as_real(right)]
            return Typed(terms[0] / terms[1], s.REAL)
        if left.type != right.type:
            raise wrong(operation.origin, f"{operator.value} has operands of the types {left.type} and {right.type}")
        if operator in _COMPARISONS:
            return Typed(_COMPARISONS[operator](left.term, right.term), s.BOOL)
        if operator in (s.Operator.DIV, s.Operator.MOD) and left.type != s.INT:
            raise wrong(operation.origin, f"{operator.value} has operands of the type {left.type}")
        return Typed(_ARITHMETIC[operator](left.term, right.term), left.type)

    def _map(self, expression: s.Expression, indices: Sequence[s.Expression]) -> tuple[Typed, list[z3.ExprRef]]:
        """A map and its indices."""
        found = self.typed(expression)
        if not isinstance(found.type, s.MapType):
            raise wrong(expression.origin, f"this has type {found.type}, and is no map")
        if len(found.type.indices) != len(indices):
            raise wrong(expression.origin, f"{len(indices)} indices for a map with {len(found.type.indices)}")
        terms = [self.of_type(index, wanted) for index, wanted in zip(indices, found.type.indices, strict=True)]
        return found, terms

    def _select(self, select: s.Select, expected: s.Type | None) -> Typed:
        found, indices = self._map(select.map, select.indices)
        assert isinstance(found.type, s.MapType)
        return Typed(selected(found.term, indices), found.type.result)

    def _update(self, update: s.Update, expected: s.Type | None) -> Typed:
        found, indices = self._map(update.map, update.indices)
        assert isinstance(found.type, s.MapType)
        value = self.of_type(update.value, found.type.result)
        return Typed(stored(found.term, indices, value), found.type)

    def _extract(self, extract: s.Extract, expected: s.Type | None) -> Typed:
        vector = self.typed(extract.vector)
        width = bit_width(vector.type)
        if width is None or not 0 <= extract.low < extract.high <= width:
            raise wrong(extract.origin, f"no bits [{extract.high}:{extract.low}] of a value of type {vector.type}")
        term: Any = vector.term
        return Typed(z3.Extract(extract.high - 1, extract.low, term), s.NamedType(f"bv{extract.high - extract.low}"))

    def _old_value(self, old: s.Old, expected: s.Type | None) -> Typed:
        if self._old is None:
            raise wrong(old.origin, "old stands only in bodies of procedures and in what they ensure")
        inner = {**self._scope, **self._old}
        return TypedExpressionTranslator(self._symbols, inner, self._old, self._types).typed(old.body, expected)

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
        condition = self.condition(choice.condition)
        first = self.typed(choice.first, expected)
        return Typed(z3.If(condition, first.term, self.of_type(choice.second, first.type)), first.type)

    def _let(self, let: s.Let, expected: s.Type | None) -> Typed:
        if len(let.names) != len(let.values):
            raise wrong(let.origin, f"{len(let.values)} values for {len(let.names)} names")
        values = [self.typed(value) for value in let.values]
        return self.within(dict(zip(let.names, values, strict=True))).typed(let.body, expected)

    def within(self, bound: Mapping[str, Typed]) -> "TypedExpressionTranslator":
        """Terms in the scope with more names, which hide those of the scope."""
        scope = {**self._scope, **bound}
        old = self._old if self._old is None else {n: v for n, v in self._old.items() if n not in bound}
        return TypedExpressionTranslator(self._symbols, scope, old, self._types)

    def _quantified(self, quantified: s.Quantified, expected: s.Type | None) -> Typed:
        if quantified.type_parameters:
            raise NotModelled(quantified.origin, f"{quantified.binder.value} over types")
        bound = {v.name: self.any_value(v.name, v.type, quantified.origin) for v in quantified.bound}
        inner = self.within(bound)
        variables = [value.term for value in bound.values()]
        if quantified.binder is s.Binder.LAMBDA:
            return self._lambda(quantified, inner, list(bound.values()))
        body = inner.condition(quantified.body)
        patterns = [self._pattern(inner, pattern) for pattern in quantified.patterns]
        make = z3.ForAll if quantified.binder is s.Binder.FORALL else z3.Exists
        if not variables:
            return Typed(body, s.BOOL)
        usable = [pattern for pattern in patterns if pattern is not None]
        return Typed(make(variables, body, patterns=usable), s.BOOL)

    def any_value(self, name: str, type: s.Type, origin: Origin) -> Typed:
        """A fresh constant of a type as it is written."""
        type = self._resolved(type, origin)
        return Typed(z3.FreshConst(sort_of(type, origin), name), type)

    def _code(self, code: s.CodeExpression, expected: s.Type | None) -> Typed:
        return Typed(value_of_code(code, self), s.BOOL)

    def updated(self, whole: Typed, selections: Sequence[Sequence[s.Expression]], value: s.Expression) -> Typed:
        """The value of a variable after an assignment to a part of it, `whole[selections[0]][selections[1]]...`"""
        if not selections:
            return Typed(self.of_type(value, whole.type), whole.type)
        if not isinstance(whole.type, s.MapType) or len(whole.type.indices) != len(selections[0]):
            raise wrong(value.origin, f"a part of a value of type {whole.type} is assigned")
        indices = [self.of_type(i, type) for i, type in zip(selections[0], whole.type.indices, strict=True)]
        inner = Typed(selected(whole.term, indices), whole.type.result)
        return Typed(stored(whole.term, indices, self.updated(inner, selections[1:], value).term), whole.type)

    @staticmethod
    def _pattern(inner: "TypedExpressionTranslator", pattern: Sequence[s.Expression]) -> Any:
        """The trigger as z3 takes it; None where a part of it is no term with an application."""
        terms = [inner.typed(part).term for part in pattern]
        if any(not term.num_args() or z3.is_bool(term) for term in terms):
            return None
        return z3.MultiPattern(*terms) if len(terms) > 1 else terms[0]

    def _lambda(self, quantified: s.Quantified, inner: "TypedExpressionTranslator", bound: Sequence[Typed]) -> Typed:
        body = inner.typed(quantified.body)
        term = body.term
        for variable in reversed(bound):
            term = z3.Lambda([variable.term], term)
        return Typed(term, s.MapType(tuple(variable.type for variable in bound), body.type))


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

_CONNECTIVES: dict[s.Operator, Callable[..., z3.BoolRef]] = {
    s.Operator.EQUIVALENT: lambda a, b: a == b,
    s.Operator.IMPLIES: z3.Implies,
    s.Operator.AND: z3.And,
    s.Operator.OR: z3.Or,
}
_COMPARISONS: dict[s.Operator, Callable[[Any, Any], z3.BoolRef]] = {
    s.Operator.LESS: lambda a, b: a < b,
    s.Operator.AT_MOST: lambda a, b: a <= b,
    s.Operator.GREATER: lambda a, b: a > b,
    s.Operator.AT_LEAST: lambda a, b: a >= b,
}
_ARITHMETIC: dict[s.Operator, Callable[[Any, Any], z3.ExprRef]] = {
    s.Operator.PLUS: lambda a, b: a + b,
    s.Operator.MINUS: lambda a, b: a - b,
    s.Operator.TIMES: lambda a, b: a * b,
    s.Operator.DIV: lambda a, b: a / b,
    s.Operator.MOD: lambda a, b: a % b,
}


def _as_real(number: Typed) -> z3.ExprRef:
    term: Any = number.term
    return z3.ToReal(term) if number.type == s.INT else term


def built_in_name(declared: s.FunctionDeclaration) -> str | None:
    """The function of SMT-LIB that an attribute says a function is; None if there is none."""
    for attribute in declared.attributes:
        if attribute.name in ("bvbuiltin", "builtin") and attribute.arguments:
            (text, *_) = attribute.arguments
            return text.text if isinstance(text, s.LiteralExpression) else None
    return None


def applied_built_in(name: str, terms: Sequence[z3.ExprRef], result: z3.SortRef, origin: Origin) -> z3.ExprRef:
    """A function of SMT-LIB applied to terms; NotModelled for one that z3 does not know or that gives another sort."""
    names = {f"a{i}": term for i, term in enumerate(terms)}
    plain = {name: z3.Const(name, term.sort()) for name, term in names.items()}
    value = z3.Const("r", result)
    function = f"(_ {name})" if " " in name and not name.startswith("(") else name
    try:
        (equation,) = z3.parse_smt2_string(
            f"(assert (= r ({function} {' '.join(names)})))", decls={**plain, "r": value}
        )
    except (z3.Z3Exception, ValueError):
        raise NotModelled(origin, f"the built-in function {name}") from None
    found = equation.arg(1)
    applied: z3.ExprRef = substitute(found, [(plain[key], term) for key, term in names.items()])
    return applied
