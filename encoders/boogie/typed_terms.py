"""Terms of z3 with the types that they have in Boogie; the sorts of types."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.horn.origin import Origin
from chcverify.lazy_dataclass import dataclass
from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import NotModelled, bit_width, is_without_terms


@dataclass(frozen=True)
class Typed:
    """A term and the type that the expression has in Boogie."""

    term: z3.ExprRef
    type: s.Type


Scope = Mapping[str, Typed]


def sort_of(type: s.Type, origin: Origin) -> z3.SortRef:
    """The sort of the values of a type without synonyms. NotModelled for polymorphic maps and type variables."""
    if isinstance(type, s.MapType):
        if type.type_parameters:
            raise NotModelled(origin, f"the polymorphic map type {type}")
        sort = sort_of(type.result, origin)
        for index in reversed(type.indices):
            sort = z3.ArraySort(sort_of(index, origin), sort)
        return sort
    width = bit_width(type)
    if width is not None:
        if not width:
            raise NotModelled(origin, "the type bv0")
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
