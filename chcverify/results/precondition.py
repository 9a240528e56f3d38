"""What the callers of a function must guarantee: plain values."""

import re
from collections.abc import Sequence

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind


@dataclass(frozen=True)
class PreconditionCandidate:
    """A predicate that callers may have to guarantee, in ACSL."""

    text: str
    kinds: frozenset[CheckKind]
    """Of the checks that it may help."""
    names: frozenset[str]
    """Of the parameters and members in it."""
    cost: int
    """How late it is tried: the weaker and the simpler first."""
    is_expected: bool = True
    """Can it be expected of all callers, whatever the function does?"""
    is_validity: bool = False
    """Does it say that there is an object behind a pointer?"""
    relates: tuple[str, ...] = ()
    """The smaller and the larger integer, where it says how two are related; () for all others."""


@dataclass(frozen=True)
class Precondition:
    """What was inferred of the calls of a function."""

    requires: tuple[str, ...] = ()
    """Predicates of ACSL."""
    is_proved: bool = False
    """Do they exclude all latent violations, as certified proofs show?"""
    note: str = ""
    """Why they are not proved; "" if they are."""
    necessary: tuple[str, ...] = ()
    """Those predicates that a run breaks which keeps the others and meets a latent violation."""

    @property
    def is_necessary(self) -> bool:
        """Is each predicate shown to be needed by a run that violates a check without it?"""
        return bool(self.requires) and set(self.necessary) >= set(self.requires)

    @property
    def text(self) -> str:
        """The clause of a contract: `requires P && Q;`."""
        return f"requires {' && '.join(_joined(self.requires))};"


def owners_of(path: str) -> list[str]:
    """The pointers on the way to a member: of `a->b.c->d`, `a` and `a->b.c`."""
    steps = path.split("->")
    return ["->".join(steps[:length]) for length in range(1, len(steps))]


def _joined(requires: Sequence[str]) -> list[str]:
    """The predicates, those about the bounds of one operand as one chain: `0 <= i < n`."""
    found: list[str] = []
    positive = [text[: -len(" != 0")] for text in requires if text.endswith(" != 0")]
    positive = [operand for operand in positive if f"{operand} >= 0" in requires]
    requires = [text for text in requires if text.rpartition(" >= 0")[0] not in positive]
    requires = [f"{text[:-5]} > 0" if text[:-5] in positive else text for text in requires]
    for text in requires:
        lower = re.fullmatch(r"(\S+) >= 0", text)
        upper = None if lower is None else next((o for o in requires if o.startswith(f"{lower[1]} <")), None)
        is_upper = re.fullmatch(r"(\S+) <=? .*", text)
        if upper is not None:
            found.append(f"0 <= {upper}")
        elif (
            is_upper is None
            or f"{is_upper[1]} >= 0" not in requires
            or text != next(other for other in requires if other.startswith(f"{is_upper[1]} <"))
        ):
            found.append(text)
    return found
