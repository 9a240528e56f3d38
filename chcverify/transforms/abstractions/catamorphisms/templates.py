"""The templates: which components the variants of a system use."""

from collections.abc import Callable, Mapping

from chcverify.horn.system import HornSystem
from chcverify.transforms.abstractions.catamorphisms.basic_components import Datatypes, add_basic, datatypes_of
from chcverify.transforms.abstractions.catamorphisms.clause_folds import add_clause_folds
from chcverify.transforms.abstractions.catamorphisms.components import Template
from chcverify.transforms.abstractions.catamorphisms.element_components import add_occurrences, add_order


def sizes(system: HornSystem) -> Template:
    """Sizes, constructors, and the fields of records."""
    types = datatypes_of(system)
    add_basic(types)
    return _template(types)


def clause_folds(system: HornSystem) -> Template | None:
    """The same, and what the clauses compute by structural recursion; None if that is nothing."""
    types = datatypes_of(system)
    add_basic(types)
    before = _count(types)
    ghosts = add_clause_folds(types, system)
    return _template(types, ghosts) if _count(types) > before else None


def order(system: HornSystem) -> Template | None:
    """Sizes and constructors, and the order of numbers in lists and trees; None without such numbers.

    Made for tasks about sorting; does nothing for datatypes without numbers in them.
    """
    types = datatypes_of(system)
    add_basic(types)
    before = _count(types)
    add_order(types)
    return _template(types) if _count(types) > before else None


def members(system: HornSystem) -> Template | None:
    """Sizes and constructors, and how often a number occurs in lists and trees; None without such numbers.

    Made for tasks about membership and permutations; does nothing for datatypes without numbers in them.
    """
    types = datatypes_of(system)
    add_basic(types)
    before = _count(types)
    add_occurrences(types)
    return _template(types, 1) if _count(types) > before else None


def _count(types: Datatypes) -> int:
    return sum(map(len, types.components.values()))


def _template(types: Datatypes, ghosts: int = 0) -> Template:
    return Template({key: tuple(found) for key, found in types.components.items()}, ghosts)


TEMPLATES: Mapping[str, Callable[[HornSystem], Template | None]] = {
    "sizes": sizes,
    "folds": clause_folds,
    "order": order,
    "members": members,
}
"""By the names of the variants of a system."""
