"""What names mean at a place in a program."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import Declarations, wrong


@dataclass(frozen=True)
class NameScope:
    """The variables and type parameters that can be named at a place, and what else stands there."""

    declarations: Declarations
    variables: Mapping[str, s.Type]
    """Parameters, results, locals and bound variables."""
    types: frozenset[str] = frozenset()
    """Type parameters."""
    has_globals: bool = True
    """Can globals be named here?"""
    has_old: bool = False
    """Can the state at the beginning of the procedure be named here?"""
    has_strings: bool = False
    """Are strings values here, as in attributes?"""
    in_trigger: bool = False
    """Is this the trigger of a quantifier?"""

    def variable(self, name: str) -> s.Type | None:
        """The type of a variable or constant; None where there is none of that name."""
        if name in self.variables:
            return self.variables[name]
        declared = self.declarations.constants.get(name)
        if declared is None and self.has_globals:
            declared = self.declarations.globals.get(name)
        return None if declared is None else declared.type

    def type(self, type: s.Type, origin: Origin) -> s.Type:
        """The type without synonyms. InputError for what is none."""
        return self.declarations.type(type, origin, self.types)

    def within(self, variables: Mapping[str, s.Type], types: Iterable[str] = ()) -> "NameScope":
        """The scope with more names, which hide others."""
        return replace(self, variables={**self.variables, **variables}, types=self.types | set(types))


def require_distinct(names: Iterable[str], origin: Origin, what: str) -> None:
    """InputError where a name stands twice; "" is no name, and `_` may stand for several."""
    found: set[str] = set()
    for name in names:
        if name not in ("", "_") and name in found:
            raise wrong(origin, f"more than one {what} {name}")
        found.add(name)
