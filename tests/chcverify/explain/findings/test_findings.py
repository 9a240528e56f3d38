"""Baselines and justifications: names of checks that edits of other lines keep, and comments with reasons."""

from dataclasses import replace
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.explain.check_table import check_lines
from chcverify.explain.findings.baseline_file import baseline_text, read_baseline
from chcverify.explain.findings.check_identities import identities
from chcverify.explain.findings.suppressions import with_suppressions
from chcverify.explain.findings.undecided_causes import NEXT_STEP
from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.outcome import Outcome

TEXT = """int one(int a, int b) {
  int c = a / b;
  return c + a / b;
}
int two(int a, int b) { return a / b; }
"""


def checks_in(file: str, text: str) -> list[Check]:
    """A check of each division in a text."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        at = line.find("a / b")
        if at >= 0:
            found.append(Check(Origin(file, number, at + 1), CheckKind.DIVISION, "a / b"))
    return found


def outcome_of(path: Path, text: str, status: CheckStatus = CheckStatus.VIOLATED) -> Outcome:
    """An outcome with this verdict about each division of a file with the text."""
    path.write_text(text)
    verdicts = tuple(CheckVerdict(check, status) for check in checks_in(str(path), text))
    return Outcome("unsafe", "false(division)", checks=verdicts)


def test_identities_stay_when_other_lines_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = outcome_of(tmp_path / "a.c", TEXT)
    names = sorted(identities(v.check for v in before.checks).values())
    assert names == ["a.c:one:division:a / b:1", "a.c:one:division:a / b:2", "a.c:two:division:a / b:1"]
    after = outcome_of(tmp_path / "a.c", "/* a comment */\n\nint x;\n" + TEXT.replace("int c =", "int d; int c ="))
    assert sorted(identities(v.check for v in after.checks).values()) == names


def test_only_what_is_new_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    baseline = tmp_path / "b.json"
    baseline.write_text(baseline_text([outcome_of(file, TEXT)]))
    known = read_baseline(str(baseline))
    same = with_suppressions(outcome_of(file, "\n" + TEXT), known)
    assert (same.status, same.exit_status) == ("unsafe", 0)
    more = with_suppressions(outcome_of(file, TEXT + "int three(int a, int b) { return a / b; }\n"), known)
    assert [v.check.origin.line for v in more.checks if v.suppression is None] == [6]
    assert more.exit_status == 1
    lines = [line.text for line in check_lines(more.checks)]
    assert any("3 findings of the baseline not shown" in text for text in lines)


def test_what_was_undecided_and_is_violated_is_new(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    baseline = tmp_path / "b.json"
    baseline.write_text(baseline_text([outcome_of(file, TEXT, CheckStatus.UNKNOWN)]))
    known = read_baseline(str(baseline))
    assert with_suppressions(outcome_of(file, TEXT, CheckStatus.UNKNOWN), known).exit_status == 0
    assert with_suppressions(outcome_of(file, TEXT), known).exit_status == 1


@pytest.mark.parametrize("text", ["", "[]", '{"findings": [{"id": 1}]}', '{"findings": [{"id": "x", "verdict": "y"}]}'])
def test_what_is_no_baseline(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError):
        read_baseline(str(tmp_path / "b.json"))
    with pytest.raises(InputError):
        read_baseline(str(tmp_path / "missing.json"))


def test_a_comment_with_a_reason_silences_a_check_and_is_listed(tmp_path: Path) -> None:
    text = TEXT.replace("int c = a / b;", "int c = a / b; // chcverify: ignore division: b is measured")
    text = text.replace("int two", "/* chcverify: ignore null, division : checked */\nint two")
    found = with_suppressions(outcome_of(tmp_path / "a.c", text), {})
    reasons = {v.check.origin.line: v.suppression.reason for v in found.checks if v.suppression is not None}
    assert reasons == {2: "b is measured", 6: "checked"}
    lines = [line.text for line in check_lines(found.checks)]
    assert any("justified" in text and "b is measured" in text for text in lines)
    assert found.exit_status == 1


@pytest.mark.parametrize("comment", ["ignore division", "ignore division:", "ignore: reason", "ignore divisions: x"])
def test_a_comment_without_kind_or_reason_silences_nothing(tmp_path: Path, comment: str) -> None:
    text = TEXT.replace("int c = a / b;", f"int c = a / b; // chcverify: {comment}")
    found = with_suppressions(outcome_of(tmp_path / "a.c", text), {})
    assert all(verdict.suppression is None for verdict in found.checks)
    assert ":2: silences nothing" in found.claims[0]


def test_what_is_proved_is_not_silenced(tmp_path: Path) -> None:
    text = TEXT.replace("int c = a / b;", "int c = a / b; // chcverify: ignore division: b is measured")
    proved = replace(outcome_of(tmp_path / "a.c", text, CheckStatus.PROVED), status="safe")
    assert all(verdict.suppression is None for verdict in with_suppressions(proved, {}).checks)


def test_one_reason_of_many_checks_is_one_line(tmp_path: Path) -> None:
    text = "".join(f"int f{number}(int a, int b) {{ return a / b; }}\n" for number in range(5))
    found = outcome_of(tmp_path / "a.c", text, CheckStatus.UNKNOWN)
    checks = tuple(
        replace(verdict, reason="depends on ext at a.c:9", depends_on="ext at a.c:9") for verdict in found.checks
    )
    lines = [line.text for line in check_lines(checks)]
    assert [text for text in lines if "depends on ext" in text] == [
        f"  unknown     5 checks: depends on ext at a.c:9; {NEXT_STEP}; in a.c:1, a.c:2, a.c:3, a.c:4, ...; "
        "-v lists them"
    ]
    assert sum("depends on ext" in line.text for line in check_lines(checks, verbose=True)) == 5
    assert sum("depends on ext" in line.text for line in check_lines(checks[:3])) == 3
