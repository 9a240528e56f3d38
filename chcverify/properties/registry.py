"""All properties by name."""

from collections.abc import Mapping

from chcverify.errors import InputError
from chcverify.properties.data_races import NO_DATA_RACE
from chcverify.properties.deadlocks import NO_DEADLOCK
from chcverify.properties.property import CHECKS_DECIDER, Property
from chcverify.properties.termination import TERMINATION
from chcverify.results.checks import MEMORY_SAFETY, UNDEFINED_BEHAVIOUR, CheckKind

_OF_CHECKS = (
    Property(
        "unreach-call",
        ("LTL(G!call(reach_error()))", "LTL(G!call(__VERIFIER_error()))"),
        frozenset({CheckKind.ASSERTION}),
        violation="The program can reach an error",
    ),
    Property(
        "no-overflow",
        ("LTL(G!overflow)",),
        frozenset({CheckKind.OVERFLOW}),
        violation="A signed calculation can overflow",
    ),
    Property("valid-memsafety", ("LTL(Gvalid-free)", "LTL(Gvalid-deref)", "LTL(Gvalid-memtrack)"), MEMORY_SAFETY),
    Property("valid-memcleanup", ("LTL(Gvalid-memcleanup)",), frozenset({CheckKind.CLEANUP})),
    Property("undefined-behaviour", (), UNDEFINED_BEHAVIOUR),
)
# The last two formulas are none of SV-COMP.
_FORMULAS_OF_KINDS = {CheckKind.CONVERSION: ("LTL(G!conversion)",), CheckKind.UNINITIALISED: ("LTL(G!uninitialised)",)}
_OTHERS = (
    NO_DATA_RACE,
    NO_DEADLOCK,
    TERMINATION,
    Property("check-sat", ("sat",), violation="The clauses have no model"),
    Property("coverage", decider=""),
    Property("coverage-error-call", decider=""),
)

PROPERTIES: Mapping[str, Property] = {
    item.name: item
    for item in (
        *_OF_CHECKS,
        *(Property(kind.value, _FORMULAS_OF_KINDS.get(kind, ()), frozenset({kind})) for kind in CheckKind),
        *_OTHERS,
    )
}
FORMULAS: Mapping[str, str] = {formula: item.name for item in PROPERTIES.values() for formula in item.formulas}
"""The name of the property that a formula of a property file stands for."""

_OF_COMPETITION = frozenset({"unreach-call", "no-overflow", "valid-memsafety", "valid-memcleanup", "termination"})


def parts(names: str) -> tuple[Property, ...]:
    """The properties of a name, or of several with commas between them. KeyError for unknown names."""
    return tuple(PROPERTIES[name] for name in names.split(","))


def kinds_of(names: str) -> frozenset[CheckKind]:
    """The kinds of checks of a property, or of several with commas between them. KeyError for unknown names."""
    return frozenset(kind for item in parts(names) for kind in item.kinds)


def ends_of(names: str, is_function: bool = False) -> frozenset[CheckKind]:
    """The kinds whose violation ends a run that nothing is said about: none that is looked for. KeyError as above.

    is_function: of a function by itself, with any arguments.
    """
    items = parts(names)
    wanted = frozenset(kind for item in items if item.is_set_of_checks for kind in item.kinds)
    ends = frozenset(kind for item in items for kind in item.ends)
    more = frozenset(kind for item in items for kind in item.ends_of_functions) if is_function else frozenset()
    return (ends | more) - wanted


def decider_of(names: str) -> str:
    """The module that decides a property, or several with commas between them. KeyError for unknown names."""
    return next((item.decider for item in parts(names) if item.decider not in ("", CHECKS_DECIDER)), CHECKS_DECIDER)


def asks_beyond_competition(names: str, kind: CheckKind) -> bool:
    """True if one of the properties, with commas between them, that looks for this kind is none of SV-COMP's."""
    return any(kind in item.kinds and item.name not in _OF_COMPETITION for item in parts(names))


def is_about_values(names: str) -> bool:
    """True if properties of programs, by their names with commas between them, are about more than assertions."""
    return bool(kinds_of(names) - {CheckKind.ASSERTION})


def require_decider(names: str, decider: str) -> None:
    """InputError if a property is decided by another module of runs than this one."""
    if decider_of(names) != decider:
        raise InputError("--property", 0, 0, f"{names} is not decided by a model alone, as is needed here")
