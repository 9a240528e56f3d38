"""Violations of internal functions, judged at the calls of the project."""

import json
import subprocess
import sys
from pathlib import Path

from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome
from chcverify.run.inference.project_calls import callers_first, judged_at_calls

CHECK = Check(Origin("a.c", 2, 5), CheckKind.DIVISION, "a / b")
INNER = EntryFunction("inner", "a.c", 1, ("one", "two"))
VIOLATED = Outcome("unsafe", "false(division)", checks=(CheckVerdict(CHECK, CheckStatus.VIOLATED),))


def caller(status: CheckStatus) -> Outcome:
    """The outcome of a caller with a verdict about the check."""
    return Outcome("safe", "true", checks=(CheckVerdict(CHECK, status),))


def classes(others: dict[str, Outcome]) -> set[ViolationClass]:
    """The classes of the violations of the inner function."""
    return {verdict.meets for verdict in judged_at_calls(INNER, VIOLATED, others).checks}


def test_a_violation_is_internal_if_the_check_is_proved_in_all_callers() -> None:
    proved, unreached = caller(CheckStatus.PROVED), caller(CheckStatus.NOT_REACHED)
    assert classes({"one": proved, "two": unreached}) == {ViolationClass.INTERNAL}
    assert judged_at_calls(INNER, VIOLATED, {"one": proved, "two": unreached}).exit_status == 0
    for other in (caller(CheckStatus.VIOLATED), caller(CheckStatus.UNKNOWN), Outcome("unknown", "unknown")):
        assert classes({"one": proved, "two": other}) == {ViolationClass.OPEN}
    assert classes({"one": proved}) == {ViolationClass.OPEN}


def test_callers_come_first() -> None:
    outer = EntryFunction("outer", "a.c", 9)
    assert callers_first([INNER, outer]) == (outer, INNER)


TEXT = """
static int quot(int a, int b) { return a / b; }
static int item(const int *a, unsigned i) { return a[i]; }
int sum(const int a[static 4]) { int s = 0; for (unsigned i = 0; i < 4; i++) s ^= item(a, i); return s; }
int half(int x) { return x > 0 ? quot(x, 2) : 0; }
int bad(int x) { return quot(x > 0 ? x : 1, 0); }
"""


def test_calls_that_break_a_precondition_are_findings_with_both_places(tmp_path: Path) -> None:
    source, table = tmp_path / "a.c", tmp_path / "t.json"
    source.write_text(TEXT)
    options = ["--entry", "*", "--property", "division,bounds,overflow", "--timeout", "60", "--config", "none"]
    command = [sys.executable, "-m", "chcverify", str(source), *options, "--table", str(table)]
    assert subprocess.run(command, check=False, capture_output=True, timeout=900).returncode == 1
    document = json.loads(table.read_text())
    found = {row["function"]: {one["class"] for one in row["open"]} for row in document["functions"]}
    assert found == {
        "sum": set(),
        "half": set(),
        "bad": {"manifest"},
        "item": {"internal"},
        "quot": {"latent", "internal"},
    }
    (broken,) = document["broken_calls"]
    assert (broken["caller"], broken["callee"], broken["call"]["line"]) == ("bad", "quot", 6)
    assert broken["check"].startswith("division:") and "b != 0" in " ".join(broken["requires"])
