"""Quantifiers over types as conjunctions of instances, and polymorphic maps by lambda."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Protocol

import z3

from encoders.boogie import syntax as s
from encoders.boogie.expressions.interpreted_symbols import InterpretedSymbols
from encoders.boogie.expressions.type_universe import REST, NotExact, mentions
from encoders.boogie.expressions.typed_terms import Typed, typed_of
from encoders.boogie.resolved_declarations import NotModelled, substituted, with_own_parameters

AT = " at "
"""In the names of types of which nothing is known, at which conditions that hold for all types are to be shown."""


class TypeScope(Protocol):
    """What gives terms to quantified expressions for instances of their type parameters."""

    @property
    def symbols(self) -> InterpretedSymbols:
        """The constants and functions, with the types at which there are instances."""
        ...

    @property
    def types(self) -> Mapping[str, s.Type]:
        """What type parameters of the scope stand for."""
        ...

    @property
    def sign(self) -> int:
        """1 where a weaker part makes the whole weaker, -1 where it makes it stronger, 0 elsewhere."""
        ...

    def instance(self, quantified: s.Quantified, instance: Sequence[s.Type]) -> Typed:
        """The quantified expression with types for its type parameters."""
        ...


def over_types(scope: TypeScope, quantified: s.Quantified) -> z3.BoolRef:
    """The formula of a quantifier over types: the conjunction (or disjunction) of its instances.

    With one variable of each type that is bound, of a type that is not in a map, the rest of the types is an
    instance like the others, and the formula is equivalent. Else it is weaker where it is assumed; where it is to
    be shown, it has an instance for a type of which nothing is known. (That shows it only outside of other quantifiers,
    whose variables may depend on the type; they are refused there.)
    """
    scope.symbols.universe.require_quantifiers()
    is_universal = quantified.binder is s.Binder.FORALL
    join = z3.And if is_universal else z3.Or
    count = len(quantified.type_parameters)
    try:
        _require_one_variable_each(quantified)
        instances = list(scope.symbols.universe.instances(count))
        found = [_instance_of_formula(scope, quantified, instance) for instance in instances]
    except NotExact:
        if scope.sign != (1 if is_universal else -1):
            raise
        scope.symbols.weakened = scope.symbols.weakened or quantified.origin
        if not scope.symbols.translates_axioms:
            if scope.symbols.is_below_binder or scope.types:
                raise
            _require_unknown_types(scope.symbols, quantified)
        instances = [types for types in scope.symbols.universe.instances(count) if REST not in types]
        found = [_instance_of_formula(scope, quantified, instance) for instance in instances]
    return join(*found, *_instances_of_parameters(scope, quantified))


def _require_unknown_types(symbols: InterpretedSymbols, quantified: s.Quantified) -> None:
    """Adds a type of which nothing is known for each type parameter: no other quantifier has the same."""
    for name in quantified.type_parameters:
        symbols.unknown_types += 1
        found = s.NamedType(f"{name}{AT}{quantified.origin} {symbols.unknown_types}")
        symbols.universe.require(found, quantified.origin)


def _instances_of_parameters(scope: TypeScope, quantified: s.Quantified) -> list[z3.BoolRef]:
    """Further instances, which follow from the quantified formula: with the type parameters of the procedure, which are
    instances of their own. NotModelled where these would be needed for an equivalent formula, and do not follow."""
    if scope.sign != (1 if quantified.binder is s.Binder.FORALL else -1):
        if scope.symbols.universe.parameters:
            raise NotModelled(quantified.origin, f"{quantified.binder.value} over types in a polymorphic procedure")
        return []
    found = []
    for instance in product(scope.symbols.universe.parameters, repeat=len(quantified.type_parameters)):
        try:
            found.append(_instance_of_formula(scope, quantified, instance))
        except NotModelled:
            continue
    return found


def _require_one_variable_each(quantified: s.Quantified) -> None:
    types = [variable.type for variable in quantified.bound]
    for name in quantified.type_parameters:
        if sum(mentions(type, s.NamedType(name)) for type in types) != 1:
            raise NotExact(quantified.origin, f"{quantified.binder.value} over types")


def polymorphic_lambda(scope: TypeScope, quantified: s.Quantified) -> Typed:
    """A polymorphic map: an array for each instance of the type parameters."""
    _require_one_variable_each(quantified)
    names = quantified.type_parameters
    values = [scope.instance(quantified, instance) for instance in scope.symbols.universe.instances(len(names))]
    last = values[-1].type  # that for the rest of the types, which shows where a type parameter stands
    if mentions(last, REST) and len(names) > 1:
        raise NotModelled(quantified.origin, "lambda over types")
    assert isinstance(last, s.MapType)
    result = substituted(last.result, {REST.name: s.NamedType(names[0])})
    known = frozenset((*scope.types, *names))
    at = quantified.origin
    indices = [scope.symbols.declarations.type(bound.type, at, known) for bound in quantified.bound]
    found = with_own_parameters(s.MapType(tuple(indices), result, names))
    return typed_of([term for value in values for term in value.terms], substituted(found, scope.types))


def _instance_of_formula(scope: TypeScope, quantified: s.Quantified, instance: Sequence[s.Type]) -> z3.BoolRef:
    formula: Any = scope.instance(quantified, instance).term
    found: z3.BoolRef = formula
    return found
