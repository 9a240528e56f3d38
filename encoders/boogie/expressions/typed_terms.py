"""Terms of z3 with the types that they have in Boogie; the sorts of types.

A value of a polymorphic map type has a term for each instance of its type parameters; other values have one.
"""

from collections.abc import Callable, Mapping, Sequence

import z3

from chcverify.effort import MAX_BUILT, MAX_COMBINED, MAX_COMPARED
from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction
from encoders.boogie import syntax as s
from encoders.boogie.expressions.type_universe import REST, NotExact, TypeUniverse, mentions
from encoders.boogie.resolved_declarations import NotModelled, bit_width, is_without_terms, substituted


@dataclass(frozen=True)
class Typed:
    """A value: its term and the type that it has in Boogie. further: the terms after the first of a polymorphic map."""

    term: z3.ExprRef
    type: s.Type
    further: tuple[z3.ExprRef, ...] = ()

    @property
    def terms(self) -> tuple[z3.ExprRef, ...]:
        """All terms, in the order of `components`."""
        return (self.term, *self.further)


Scope = Mapping[str, Typed]


def typed_of(terms: Sequence[z3.ExprRef], type: s.Type) -> Typed:
    """The value with these terms."""
    first, *further = terms
    return Typed(first, type, tuple(further))


def merged_by(merge: Callable[..., z3.ExprRef], values: Sequence[Typed]) -> Typed:
    """The value whose terms a function makes from those of values of one type."""
    terms = [merge(*group) for group in zip(*(value.terms for value in values), strict=True)]
    return typed_of(terms, values[0].type)


def equality(one: Typed, other: Typed) -> z3.BoolRef:
    """The formula that two values of one type are the same."""
    return conjunction([a == b for a, b in zip(one.terms, other.terms, strict=True)])


@dataclass(frozen=True)
class MapComponent:
    """A term of a value: its sort, what the names of variables get as suffix, and its type, None for other types."""

    sort: z3.SortRef
    suffix: str
    type: s.Type | None


def components(type: s.Type, origin: Origin, universe: TypeUniverse) -> tuple[MapComponent, ...]:
    """What the terms of a value of this type are."""
    if not isinstance(type, s.MapType):
        return (MapComponent(sort_of(type, origin), "", type),)
    found = [part for _, parts in components_by_instance(type, origin, universe) for part in parts]
    if len(found) > MAX_COMPARED:
        raise NotModelled(origin, f"the polymorphic map type {type} with more than {MAX_COMPARED} instances")
    return tuple(found)


def components_by_instance(
    type: s.MapType, origin: Origin, universe: TypeUniverse
) -> list[tuple[tuple[s.Type, ...], tuple[MapComponent, ...]]]:
    """For each instance of the type parameters the components, in their order; of other maps there is one instance."""
    if mentions(type, REST):
        raise NotExact(origin, f"the type {type}")
    if not type.type_parameters:
        return [((), _components_of_instance(type, "", origin, universe))]
    found = []
    for instance in universe.instances(len(type.type_parameters)):
        plain, suffix = instantiated_map(type, instance), f"<{', '.join(map(str, instance))}>"
        try:
            parts = _components_of_instance(plain, suffix, origin, universe)
        except NotExact:  # all that matters is if two maps have the same elements of other types
            parts = (MapComponent(z3.DeclareSort(f"elements {suffix} of {plain}"), suffix, None),)
        found.append((instance, parts))
    return found


def _components_of_instance(
    plain: s.MapType, suffix: str, origin: Origin, universe: TypeUniverse
) -> tuple[MapComponent, ...]:
    """An array for each component of the elements."""
    found = []
    for part in components(plain.result, origin, universe):
        sort = part.sort
        for index in reversed(plain.indices):
            sort = z3.ArraySort(sort_of(index, origin), sort)
        is_sayable = part.type is not None and not mentions(plain, REST)
        type = s.MapType(plain.indices, part.type) if is_sayable and part.type is not None else None
        found.append(MapComponent(sort, suffix + part.suffix, type))
    return tuple(found)


def instantiated_map(type: s.MapType, instance: Sequence[s.Type]) -> s.MapType:
    """The map type with types for its type parameters."""
    found = substituted(s.MapType(type.indices, type.result), dict(zip(type.type_parameters, instance, strict=True)))
    assert isinstance(found, s.MapType)
    return found


def sort_of(type: s.Type, origin: Origin) -> z3.SortRef:
    """The sort of the values of a type without synonyms. NotModelled for polymorphic maps, which have many terms."""
    if isinstance(type, s.MapType):
        if type.type_parameters:
            raise NotModelled(origin, f"a value that contains the polymorphic map type {type}")
        if mentions(type, REST):
            raise NotExact(origin, f"the type {type}")
        sort = sort_of(type.result, origin)
        for index in reversed(type.indices):
            sort = z3.ArraySort(sort_of(index, origin), sort)
        return sort
    width = bit_width(type)
    if width is not None:
        if not 0 < width <= MAX_BUILT:
            raise NotModelled(origin, f"the type bv{width}")
        return z3.BitVecSort(width)
    if is_without_terms(type):
        raise NotModelled(origin, f"the type {type}")
    built_in = {"int": z3.IntSort, "bool": z3.BoolSort, "real": z3.RealSort}
    return built_in[type.name]() if type.name in built_in else z3.DeclareSort(f"type {type}")


def selected(array: z3.ExprRef, indices: Sequence[z3.ExprRef]) -> z3.ExprRef:
    """The element of an array of arrays at these indices."""
    for index in indices:
        array = z3.Select(array, index)
    return array


def stored(array: z3.ExprRef, indices: Sequence[z3.ExprRef], value: z3.ExprRef) -> z3.ExprRef:
    """The array of arrays with another element at these indices."""
    if not indices:
        return value
    inner = stored(z3.Select(array, indices[0]), indices[1:], value) if len(indices) > 1 else value
    return z3.Store(array, indices[0], inner)


def real_value(literal: s.LiteralExpression) -> z3.ExprRef:
    """The value of a literal of type real. NotModelled for one with too many digits."""
    if len(literal.text.lower().partition("e")[2]) > MAX_COMBINED:
        raise NotModelled(literal.origin, f"an exponent of more than {MAX_COMBINED} digits")
    value: z3.ExprRef = z3.RealVal(literal.text)
    return value
