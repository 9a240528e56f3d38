"""The table of functions that were verified one by one, in the terminal and as a file."""

import json

import pytest

from chcverify.display_limits import IN_A_LINE
from chcverify.explain.entries.entry_documents import table_document
from chcverify.explain.entries.entry_table import CheckCounts, EntryTable, entry_assumptions, sum_line
from chcverify.horn.origin import Origin
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import TraceStep

FUNCTIONS = (
    EntryFunction("f", "src/a.c", 2),
    EntryFunction("longer_name", "src/a.c", 9),
    EntryFunction("g", "src/part/b.c", 4),
)


def assumed(name: str, kind: str = "function") -> Assumption:
    return Assumption(kind, name, "returns anything", "a.c", 3, 1)


def verdict(line: int, status: CheckStatus, reason: str = "") -> CheckVerdict:
    step = TraceStep(Origin("src/a.c", line), "f", "violation", "a[i] | b: access beyond the end")
    check = Check(Origin("src/a.c", line), CheckKind.BOUNDS, "a[i] | b")
    return CheckVerdict(check, status, reason, trace=(step,) if status is CheckStatus.VIOLATED else ())


def outcomes() -> list[Outcome]:
    violated = [verdict(7, CheckStatus.VIOLATED), verdict(8, CheckStatus.PROVED), verdict(9, CheckStatus.NOT_REACHED)]
    open_ = [verdict(line, CheckStatus.UNKNOWN, reason) for line, reason in enumerate(["hard", "hard", "why", "other"])]
    return [
        Outcome("unsafe", "false(valid-deref)", checks=tuple(violated), seconds=1.25),
        Outcome("unknown", "unknown", "4 of 4 checks undecided", checks=tuple(open_), seconds=2),
        Outcome("safe", "true", seconds=0.5),
    ]


def test_a_row_for_each_function_and_their_sum() -> None:
    table = EntryTable(FUNCTIONS, with_checks=True)
    rows = [[line.text for line in table.rows(*row)] for row in zip(FUNCTIONS, outcomes(), strict=True)]
    assert table.heading().text.split() == ["verdict", "seconds", "checks", "proved", "violated", "unknown", "function"]
    assert rows[0][0].split() == ["false(valid-deref)", "1.25", "3", "2", "1", "0", "f"]
    assert rows[0][1].strip() == "a.c:7: bounds: a[i] | b (access beyond the end)"
    assert rows[1][0].split()[1:6] == ["2.00", "4", "0", "0", "4"]
    assert [row.strip() for row in rows[1][1:]] == [
        "2 checks unknown: hard",
        "1 check unknown: why",
        "1 check unknown for other reasons",
    ]
    assert rows[2][0].split() == ["true", "0.50", "0", "0", "0", "0", "g"]
    assert sum_line(outcomes()).text == (
        "3 functions: 1 true, 1 false, 1 unknown; 7 checks: 1 proved, 1 violated, 4 unknown, 1 not reached; 3.8 s"
    )


def test_one_verdict_for_each_function() -> None:
    table = EntryTable(FUNCTIONS, with_checks=False)
    step = TraceStep(Origin("src/a.c", 7), "f", "violation", "reach_error()")
    (row, why) = table.rows(FUNCTIONS[0], Outcome("unsafe", "false(unreach-call)", trace=(step,), seconds=1.25))
    assert row.text.split() == ["false(unreach-call)", "1.25", "f", "a.c:2"]
    assert why.text.strip() == "reach_error() at a.c:7"
    (row, why) = table.rows(FUNCTIONS[1], Outcome("unknown", "unknown", "time limit", seconds=2))
    assert why.text.strip() == "unknown: time limit"
    assert sum_line([Outcome("safe", "true", seconds=0.5)]).text == "1 function: 1 true, 0 false, 0 unknown; 0.5 s"


def test_numbers_are_not_known_of_a_run_that_was_stopped() -> None:
    assert CheckCounts.of(Outcome("unknown", "unknown", "time limit during encode")) is None
    table = EntryTable(FUNCTIONS, with_checks=True)
    row, _ = table.rows(FUNCTIONS[0], Outcome("unknown", "unknown", "time limit during encode", seconds=2))
    assert row.text.split()[2:6] == ["-"] * 4


@pytest.mark.parametrize("decided", [1, 3])
def test_the_table_as_a_file(decided: int) -> None:
    table = EntryTable(FUNCTIONS, with_checks=True)
    rows = list(zip(FUNCTIONS, outcomes(), strict=True))[:decided]
    text = table_document(table, rows, "table.md")
    lines = text.splitlines()
    assert lines[2] == "| `f` | a.c:2 | 3 | 2 | 1 | 0 | 1.25 | false(valid-deref) |"
    assert f"{decided} function" in text and "## Violations" in text and "a[i] \\| b" in text
    assert ("## Undecided" in text) == (decided > 1)
    found = json.loads(table_document(table, rows, "table.json"))["functions"]
    assert [row["function"] for row in found] == [entry.name for entry, _ in rows]
    assert (found[0]["checks"], found[0]["violated"], len(found[0]["open"])) == (3, 1, 1)


def test_each_assumption_is_listed_once() -> None:
    many = tuple(assumed(f"f{number}") for number in range(IN_A_LINE + 2))
    outcome = Outcome("safe", "true", assumptions=(*many, assumed("g", "undeclared")))
    lines = entry_assumptions([(EntryFunction("main", "a.c", 1), outcome)] * 2)
    assert len(lines) == 2
    assert lines[0].startswith("assumed: f0, f1") and "and 2 more:" in lines[0]
    assert lines[1] == "warning: g returns anything"
