"""The outcome that is shown for all checks: the worst status, and the violation that comes first in the source."""

from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus
from chcverify.results.outcome import Outcome
from chcverify.run.groups.shown_outcome import position_of, worst


def test_the_worst_status_counts() -> None:
    proved, violated, unknown = CheckStatus.PROVED, CheckStatus.VIOLATED, CheckStatus.UNKNOWN
    assert worst({proved, CheckStatus.NOT_REACHED}) == "safe"
    assert worst({proved, unknown}) == "unknown"
    assert worst({proved, unknown, violated}) == "unsafe"


def test_violations_are_in_the_order_of_the_source() -> None:
    checks = [Check(Origin("a.c", line, 1), CheckKind.NULL, "*p") for line in (12, 3)]
    outcomes = [Outcome("unsafe", "unsafe", violated=check) for check in checks]
    assert min(outcomes, key=position_of).violated == checks[1]
    assert position_of(Outcome("unknown", "unknown")) == ("", 0, 0)
