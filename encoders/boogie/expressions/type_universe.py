"""The types at which type parameters are instantiated, so that quantifiers over types and polymorphic maps have terms.

A program uses finitely many types at which polymorphic maps are read and written: these are listed. `REST` is the
disjoint union of all types that are not listed, `C REST` the union of `C t` over these. A polymorphic map is one
array for each listed type and one for the rest, which no command of the program tells apart (for the idea, the
monomorphisation of Boogie 3). What needs another type makes the universe grow, and the translation begins again.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import TypeVar

from chcverify.effort import MAX_COMPARED
from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import NotModelled, names_in_type

T = TypeVar("T")

REST = s.NamedType("other types")
"""All types that are not listed. No type of a program has a blank in its name."""


class NotExact(NotModelled):
    """A term with the rest of the types does not mean the same for each of them."""


class UniverseChanged(Exception):
    """The translation has to begin again with another universe."""

    def __init__(self, universe: "TypeUniverse") -> None:
        super().__init__()
        self.universe = universe


@dataclass(frozen=True)
class TypeUniverse:
    """The listed types, and the type parameters of the procedure, which may be any type."""

    listed: tuple[s.Type, ...] = ()
    parameters: tuple[s.Type, ...] = ()
    has_quantifiers: bool = False
    """Over types: then the types of functions are listed, too, so that axioms about these are instantiated."""

    def require(self, type: s.Type, origin: Origin) -> None:
        """Raises UniverseChanged, with the type listed, unless it is listed or the rest of the types.

        Raises NotModelled where it may be the same as another type.
        """
        if type == REST or type in self.listed:
            return
        if any(mentions(type, parameter) for parameter in self.parameters):
            raise NotModelled(origin, f"a polymorphic map or a comparison at the type {type}, which may be any")
        if mentions(type, REST):
            raise NotExact(origin, f"the type {type}")
        if len(self.listed) >= MAX_COMPARED:
            raise NotModelled(origin, f"polymorphism at more than {MAX_COMPARED} types")
        raise UniverseChanged(replace(self, listed=(*self.listed, type)))

    def suggest(self, type: s.Type, origin: Origin) -> None:
        """Lists a type of which quantifiers over types may speak, if there is place for it."""
        if self.has_quantifiers and len(self.listed) < MAX_COMPARED and not self._is_open(type):
            self.require(type, origin)

    def _is_open(self, type: s.Type) -> bool:
        return any(mentions(type, other) for other in (REST, *self.parameters))

    def require_quantifiers(self) -> None:
        """Raises UniverseChanged unless types at which functions are applied are listed, too."""
        if not self.has_quantifiers:
            raise UniverseChanged(replace(self, has_quantifiers=True))

    def instances(self, count: int) -> Iterator[tuple[s.Type, ...]]:
        """The types for so many type parameters at which a polymorphic map has arrays of its own."""
        yield from product((*self.listed, REST), repeat=count)


def mentions(type: s.Type, part: s.Type) -> bool:
    """True if a type without arguments stands in the type."""
    return isinstance(part, s.NamedType) and part.name in names_in_type(type)


def translated_with_universe(universe: TypeUniverse, translate: Callable[[TypeUniverse], T]) -> T:
    """What a translation gives with a universe that has all types that it needs."""
    while True:
        try:
            return translate(universe)
        except UniverseChanged as change:
            universe = change.universe
