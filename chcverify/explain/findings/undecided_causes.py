"""Undecided checks by their causes: all that depend on one construct that is not modelled have one cause, with what the
user can do about it."""

from collections.abc import Iterable

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckVerdict

MEANING = "a function of your own in its place, or an assumption before it that no run comes there"
NEXT_STEP = f"give it a meaning: {MEANING}"


@dataclass(frozen=True)
class UndecidedCause:
    """What several checks are undecided for."""

    text: str
    """The reason, or the construct that is not modelled, with its position."""
    is_construct: bool
    """Is it a construct?"""
    verdicts: tuple[CheckVerdict, ...]

    def sentence(self) -> str:
        """The cause as the end of a line about its checks."""
        return f"depends on {self.text}; {NEXT_STEP}" if self.is_construct else self.text


def undecided_causes(verdicts: Iterable[CheckVerdict]) -> list[UndecidedCause]:
    """The causes of undecided checks, the most frequent first. Verdicts without a reason are left out.

    Checks that depend on one construct have one cause, whether or not there was time left for them.
    """
    found: dict[tuple[str, bool], list[CheckVerdict]] = {}
    for verdict in verdicts:
        if verdict.reason:
            key = (verdict.depends_on or verdict.reason, bool(verdict.depends_on))
            found.setdefault(key, []).append(verdict)
    causes = [UndecidedCause(text, is_construct, tuple(some)) for (text, is_construct), some in found.items()]
    return sorted(causes, key=lambda cause: -len(cause.verdicts))
