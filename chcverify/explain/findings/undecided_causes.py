"""Undecided checks by what they depend on: a construct that is not modelled is one cause, told once, with what can be
done about it."""

import re
from collections.abc import Iterable

from chcverify.lazy_dataclass import dataclass
from chcverify.results.checks import CheckVerdict

NEXT_STEP = "give it a meaning: a function of your own in its place, or an assumption before it that no run comes there"
_CONSTRUCT = re.compile(r"\bdepends on (.*?)(?:, if a run comes there|; the .*)?$")


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
            construct = _CONSTRUCT.search(verdict.reason)
            key = (verdict.reason, False) if construct is None else (construct[1], True)
            found.setdefault(key, []).append(verdict)
    causes = [UndecidedCause(text, is_construct, tuple(some)) for (text, is_construct), some in found.items()]
    return sorted(causes, key=lambda cause: -len(cause.verdicts))
