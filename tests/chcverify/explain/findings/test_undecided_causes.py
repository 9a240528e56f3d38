"""Undecided checks are grouped by what they depend on: one cause, one line, the number of its checks, a next step."""

from chcverify.explain.check_table import check_lines
from chcverify.explain.entries.entry_table import undecided
from chcverify.explain.findings.undecided_causes import NEXT_STEP, undecided_causes
from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.outcome import Outcome

REASONS = (
    *["depends on assembler statement at a.c:7"] * 3,
    "depends on assembler statement at a.c:7; the runs that do not come there are proved",
    *["no time was left for it; depends on assembler statement at a.c:7, if a run comes there"] * 2,
    "no time was left for it",
    "",
)
VERDICTS = tuple(
    CheckVerdict(
        Check(Origin("a.c", line, 3), CheckKind.BOUNDS, "p[i]"),
        CheckStatus.UNKNOWN,
        reason,
        depends_on="assembler statement at a.c:7" if "assembler" in reason else "",
    )
    for line, reason in enumerate(REASONS, 20)
)


def test_one_construct_is_one_cause() -> None:
    found = [(cause.text, cause.is_construct, len(cause.verdicts)) for cause in undecided_causes(VERDICTS)]
    assert found == [("assembler statement at a.c:7", True, 6), ("no time was left for it", False, 1)]


def test_the_table_of_checks_tells_it_once() -> None:
    texts = [line.text for line in check_lines(VERDICTS)]
    (told,) = [text for text in texts if "assembler" in text]
    assert "6 checks: depends on assembler statement at a.c:7" in told and NEXT_STEP in told
    assert "in a.c:20, a.c:21" in told
    assert not any("assembler" in text for text in texts if text is not told)


def test_the_table_of_functions_tells_it_once() -> None:
    texts = undecided(Outcome("unknown", "unknown", checks=VERDICTS))
    assert texts[0].startswith("6 checks unknown: depends on assembler statement at a.c:7; give it a meaning")
    assert texts[1:] == ["1 check unknown: no time was left for it", "1 check unknown for other reasons"]
