"""What stands for type parameters where functions are applied and polymorphic maps are read."""

from collections.abc import Sequence

import z3

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from encoders.boogie import syntax as s
from encoders.boogie.expressions.type_universe import NotExact, mentions
from encoders.boogie.expressions.typed_terms import Typed, selected, typed_of
from encoders.boogie.resolved_declarations import matched, names_in_type, substituted


class TypeInstance:
    """The types that stand for type parameters at one use. determined: those that its arguments say."""

    def __init__(
        self, name: str, variables: Sequence[str], parameters: Sequence[s.Type], result: s.Type | None
    ) -> None:
        self.name = name
        self.variables = frozenset(variables)
        self.parameters = parameters
        self._result = result
        self.values: dict[str, s.Type] = {}
        self.determined: set[str] = set()

    def parameter(self, number: int) -> s.Type | None:
        """The type of a parameter; None where it is not known yet."""
        type = self.parameters[number]
        is_known = not any(name in self.variables - self.values.keys() for name in names_in_type(type))
        return substituted(type, self.values) if is_known else None

    @property
    def missing(self) -> str:
        """A type parameter without a type; "" if there is none."""
        return min(self.variables - self.values.keys(), default="")

    def matches_result(self, expected: s.Type) -> bool:
        """Takes types from that of the result. True if none is missing then."""
        if self.missing and self._result is not None:
            matched(self._result, expected, self.variables, self.values)
        return not self.missing


@dataclass(frozen=True)
class PartOfMap:
    """An element of a map: in which of the map's terms it is, the indices, and its type."""

    start: int
    end: int
    indices: Sequence[z3.ExprRef]
    type: s.Type

    def of(self, whole: Typed, origin: Origin) -> Typed:
        """The element of a map."""
        arrays = whole.terms[self.start : self.end]
        if self.indices and any(array.sort().kind() != z3.Z3_ARRAY_SORT for array in arrays):
            raise NotExact(origin, f"the type {self.type}")
        return typed_of([selected(array, self.indices) for array in arrays], self.type)


def has_open_result(type: s.Type) -> bool:
    """True for a polymorphic map whose indices do not determine all of its type parameters."""
    if not isinstance(type, s.MapType):
        return False
    return any(not any(mentions(index, s.NamedType(name)) for index in type.indices) for name in type.type_parameters)
