"""Which of the outcomes of single groups is shown for all checks of a program."""

from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome, Status


def position_of(outcome: Outcome) -> tuple[str, int, int]:
    """The position of the violated check, by which the violation that comes first in the source is shown."""
    if outcome.violated is None:
        return "", 0, 0
    origin = outcome.violated.origin
    return origin.file, origin.line, origin.column


def worst(statuses: set[CheckStatus]) -> Status:
    """The status of a program whose checks have these: `unsafe` before `unknown` before `safe`."""
    if CheckStatus.VIOLATED in statuses:
        return "unsafe"
    return "unknown" if CheckStatus.UNKNOWN in statuses else "safe"
