"""The checks of C programs: what can be wrong at a position of the source; verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass

if TYPE_CHECKING:  # its module needs z3
    from chcverify.results.source_facts import TraceStep


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
    OVERLAP = "overlap"  # memory that a library function copies onto a part of itself (C11 7.24.2.1)
    UNREACHABLE = "unreachable"  # code marked unreachable
    BUILTIN = "builtin"  # an argument for which a built-in function of gcc has no result
    VLA_BOUND = "vla-bound"  # a length of an array that is not positive (C11 6.7.6.2p5)
    CONTRACT = "contract"  # what a contract requires at a call, or ensures and leaves unchanged when it returns
    INVARIANT = "invariant"  # a loop invariant that an annotation claims


DEREFERENCES = frozenset({CheckKind.BOUNDS, CheckKind.NULL, CheckKind.LIFETIME})  # SV-COMP: valid-deref
MEMORY_SAFETY = DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK}
UNDEFINED_BEHAVIOUR = DEREFERENCES | {
    CheckKind.ASSERTION,
    CheckKind.FREE,
    CheckKind.DIVISION,
    CheckKind.SHIFT,
    CheckKind.OVERFLOW,
    CheckKind.OVERLAP,
    CheckKind.UNREACHABLE,
    CheckKind.BUILTIN,
    CheckKind.VLA_BOUND,
}

# What SV-COMP calls the violation of a kind; other kinds have their own names.
_COMPETITION_NAMES = {
    CheckKind.ASSERTION: "unreach-call",
    **dict.fromkeys(DEREFERENCES, "valid-deref"),
    CheckKind.FREE: "valid-free",
    CheckKind.LEAK: "valid-memtrack",
    CheckKind.CLEANUP: "valid-memcleanup",
    CheckKind.OVERFLOW: "no-overflow",
}


def violation_word(kind: CheckKind) -> str:
    """The verdict about a program that violates a check of this kind: `false(valid-deref)`, `false(division)`."""
    return f"false({_COMPETITION_NAMES.get(kind, kind.value)})"


@dataclass(frozen=True, order=True)
class Check:
    """What is checked at a position of the source. text: the expression or statement, as the user wrote it."""

    origin: Origin
    kind: CheckKind
    text: str = field(default="", compare=False)

    @property
    def id(self) -> str:
        """KIND:FILE:LINE:COLUMN, by which options select it."""
        return f"{self.kind}:{self.origin}"


def selected(checks: Iterable[Check], patterns: Iterable[str]) -> frozenset[Check]:
    """The checks whose id, or a part of it between colons from its start, matches one of the patterns (* and ?)."""
    wanted = tuple(patterns)
    return frozenset(check for check in checks if any(_matches(check.id, pattern) for pattern in wanted))


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}:*")


class CheckStatus(StrEnum):
    """The verdict about one check. NOT_REACHED: proved, since no run comes there."""

    PROVED = "proved"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    NOT_REACHED = "not reached"


class ViolationClass(StrEnum):
    """The calls that meet a violation (Le, Raad, Villard, Berdine, Dreyer, O'Hearn, OOPSLA 2022, section 3)."""

    MANIFEST = "manifest"  # also calls that keep all that can be expected of a caller
    LATENT = "latent"  # only those that break the precondition that was inferred
    INTERNAL = "internal"  # none of the project, whose calls alone lead to the function
    OPEN = ""  # not known


@dataclass(frozen=True)
class Suppression:
    """Why a violated or undecided check is not reported. in_source: by a comment; else by a baseline."""

    reason: str
    in_source: bool


@dataclass(frozen=True)
class CheckVerdict:
    """The verdict about a check, over runs that violate no other check before it."""

    check: Check
    status: CheckStatus
    reason: str = ""
    """Why the verdict is unknown."""
    engine: str = ""
    checkers: tuple[str, ...] = ()
    seconds: float = 0.0
    """Seconds of the run that decided it."""
    certificate: str = ""
    """The text of the certificate; several proved checks may share one."""
    covered: tuple[str, ...] = ()
    """The ids of the checks in whose clauses the certificate is."""
    trace: tuple[TraceStep, ...] = ()
    """The error trace of a violation."""
    meets: ViolationClass = ViolationClass.OPEN
    """Which calls meet a violation, if that was asked for."""
    suppression: Suppression | None = None
    """The comment or baseline that silences it; None if it is to be reported."""
    depends_on: str = ""
    """The construct that is not modelled, with its position, on which an unknown verdict depends."""

    @property
    def is_reported(self) -> bool:
        """False for what is silenced, and for a violation that no call of the project meets."""
        return self.suppression is None and self.meets is not ViolationClass.INTERNAL

    def document(self) -> dict[str, Any]:
        """The verdict as a JSON object, without certificate and trace."""
        return {
            "id": self.check.id,
            "kind": self.check.kind.value,
            **{name: value for name, value in asdict(self.check.origin).items() if name != "note"},
            "text": self.check.text,
            "verdict": self.status.value,
            "reason": self.reason,
            "engine": self.engine,
            "checkers": list(self.checkers),
            "seconds": round(self.seconds, 3),
            **({"class": self.meets.value} if self.meets else {}),
            **({} if self.suppression is None else {"suppressed": self.suppression.reason}),
        }
