"""The checks of C programs: what can be wrong at a position of the source, and the properties as sets of kinds."""

from dataclasses import dataclass
from enum import StrEnum

from chcverify.horn.origin import Origin


class CheckKind(StrEnum):
    """A kind of error. The values are the names that options and outputs use."""

    ASSERTION = "assertion"  # reach_error, a failed assert
    BOUNDS = "bounds"  # an access outside an object
    NULL = "null"  # an access through a null or invalid pointer
    LIFETIME = "lifetime"  # an access to an object after free, or after its block has ended
    FREE = "free"  # free of what is no living block's first byte
    LEAK = "leak"  # a living block that no pointer of a living object leads to (SV-COMP: valid-memtrack)
    CLEANUP = "cleanup"  # a living block when the program ends (SV-COMP: valid-memcleanup)
    DIVISION = "division"  # division by zero
    SHIFT = "shift"  # a shift count outside the width, a left shift of a negative value
    OVERFLOW = "overflow"  # signed arithmetic whose result does not fit (SV-COMP: no-overflow)
    CONVERSION = "conversion"  # a conversion that changes the value of an integer
    UNINITIALISED = "uninitialised"  # a read of what nobody wrote
    UNREACHABLE = "unreachable"  # code marked unreachable


DEREFERENCES = frozenset({CheckKind.BOUNDS, CheckKind.NULL, CheckKind.LIFETIME})  # SV-COMP: valid-deref
MEMORY_SAFETY = DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK}
UNDEFINED_BEHAVIOUR = DEREFERENCES | {
    CheckKind.ASSERTION,
    CheckKind.FREE,
    CheckKind.DIVISION,
    CheckKind.SHIFT,
    CheckKind.OVERFLOW,
    CheckKind.UNREACHABLE,
}

PROPERTY_CHECKS: dict[str, frozenset[CheckKind]] = {
    "unreach-call": frozenset({CheckKind.ASSERTION}),
    "no-overflow": frozenset({CheckKind.OVERFLOW}),
    "valid-memsafety": MEMORY_SAFETY,
    "valid-memcleanup": frozenset({CheckKind.CLEANUP}),
    "undefined-behaviour": UNDEFINED_BEHAVIOUR,
    **{kind.value: frozenset({kind}) for kind in CheckKind},
}
"""The kinds of checks that a property of C programs is made of, by its name."""


@dataclass(frozen=True, order=True)
class Check:
    """What is checked at a position of the source. text: the expression or statement, as the user wrote it."""

    origin: Origin
    kind: CheckKind
    text: str = ""
