"""Types with unknown parts, which are found by unification (Robinson 1965)."""

from collections.abc import Iterable, Mapping

from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import names_in_type, substituted

_UNKNOWN = "unknown "
"""With a number behind it, the name of an unknown type: no name of a program has a blank."""


class TypeUnifier:
    """What the unknown types of one expression or command stand for, as far as that is known."""

    def __init__(self) -> None:
        self._values: dict[str, s.Type] = {}
        self._count = 0

    def unknown(self) -> s.NamedType:
        """A new unknown type."""
        self._count += 1
        return s.NamedType(f"{_UNKNOWN}{self._count}")

    def instance(self, parameters: Iterable[str]) -> dict[str, s.Type]:
        """Unknown types for type parameters."""
        return {name: self.unknown() for name in parameters}

    def known(self, type: s.Type) -> s.Type:
        """The type with what its unknown parts stand for."""
        if isinstance(type, s.NamedType):
            if type.name in self._values:
                return self.known(self._values[type.name])
            return s.NamedType(type.name, tuple(map(self.known, type.arguments))) if type.arguments else type
        return s.MapType(tuple(map(self.known, type.indices)), self.known(type.result), type.type_parameters)

    def unify(self, one: s.Type, other: s.Type) -> bool:
        """True if the types are the same for some values of their unknown parts, which these get."""
        one, other = self.known(one), self.known(other)
        if one == other:
            return True
        if is_unknown(one):
            return self._bind(one, other)
        if is_unknown(other):
            return self._bind(other, one)
        if isinstance(one, s.NamedType) and isinstance(other, s.NamedType):
            if one.name != other.name or len(one.arguments) != len(other.arguments):
                return False
            return all(map(self.unify, one.arguments, other.arguments))
        if not isinstance(one, s.MapType) or not isinstance(other, s.MapType):
            return False
        if len(one.indices) != len(other.indices) or len(one.type_parameters) != len(other.type_parameters):
            return False
        renaming: Mapping[str, s.Type] = {
            name: s.NamedType(own) for name, own in zip(other.type_parameters, one.type_parameters, strict=True)
        }
        parts = [substituted(part, renaming) for part in (*other.indices, other.result)]
        return all(map(self.unify, (*one.indices, one.result), parts))

    def _bind(self, unknown: s.Type, type: s.Type) -> bool:
        assert isinstance(unknown, s.NamedType)
        if unknown.name in names_in_type(type):
            return False
        self._values[unknown.name] = type
        return True


def is_unknown(type: s.Type) -> bool:
    """True for an unknown type."""
    return isinstance(type, s.NamedType) and type.name.startswith(_UNKNOWN)
