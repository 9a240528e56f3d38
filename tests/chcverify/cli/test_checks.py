"""The command's options for single checks, and the outputs with their verdicts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chcverify.certificate.files.certificate_text import model_from_text
from chcverify.certificate.files.named_checks import named_checks, with_checks
from chcverify.explain.check_table import check_lines, summary_line
from chcverify.explain.report.sections import checks as checks_section
from chcverify.explain.sarif import KIND_TEXTS, sarif
from chcverify.horn.origin import Origin
from chcverify.horn.system import HornSystem
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.outcome import Outcome
from chcverify.task import Task

PROGRAM = """#include <assert.h>
int main(int argc, char **argv) {
  assert(argc >= 0);
  if (argc < 0) assert(argc == 1);
  return 0;
}
"""
CHECK = Check(Origin("a.c", 3, 7), CheckKind.BOUNDS, "a[i] = 1")
OTHER = Check(Origin("a.c", 9, 1), CheckKind.ASSERTION, "assert(i < n)")
VERDICTS = (
    CheckVerdict(CHECK, CheckStatus.PROVED, engine="pdr"),
    CheckVerdict(OTHER, CheckStatus.VIOLATED, engine="bmc"),
    CheckVerdict(Check(Origin("a.c", 12), CheckKind.NULL, "*p"), CheckStatus.UNKNOWN, "no time was left for it"),
)
OUTCOME = Outcome("unsafe", "false(unreach-call)", checks=VERDICTS)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "chcverify", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_text(PROGRAM)
    return path


def test_checks_are_listed(file: Path) -> None:
    done = command("--list-checks", str(file))
    assert done.returncode == 0
    assert [line.partition("  ")[2] for line in done.stdout.splitlines()] == ["assert(argc >= 0)", "assert(argc == 1)"]


def test_checks_of_several_entries_are_listed_once_and_chosen(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "static int g(int a, int b) { return a / b; }\n"
        "int f(int a) { return g(a, 2); }\nint h(int a) { return g(a, 3); }\nint k(int a) { return a; }\n"
    )
    entries = ["--entry", "[fhk]", "--property", "division", str(path)]
    listed = command("--list-checks", *entries)
    identifier, source = listed.stdout.split("  ")
    assert listed.returncode == 0 and source == "a / b\n", "f and h both have it, k has none"
    done = command("--check", identifier, *entries)
    assert (done.returncode, done.stdout) == (0, "true\n")
    assert "2 functions" in done.stderr, "k, without the check, is left out"
    done = command("--check", "division:a.c:9:9", *entries)
    assert done.returncode == 2 and "no check is called division:a.c:9:9" in done.stderr and not done.stdout


def test_certificates_of_checks_are_accepted(file: Path, tmp_path: Path) -> None:
    done = command("--all-checks", "--certificates", str(tmp_path / "out"), "--vacuity", "error", str(file))
    assert done.stdout == "true\n" and done.returncode == 5, "no run reaches the second assertion"
    (certificate,) = (tmp_path / "out").iterdir()
    assert len(named_checks(certificate.read_text())) == 2
    assert command("check", str(certificate), str(file)).stdout == "accepted\n"


def test_certificates_of_several_functions_are_in_directories_of_their_names(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int f(int *p) { return p[0]; }\nint g(int a) { return 1 << (a & 7); }\n")
    options = ["--property", "undefined-behaviour", str(path)]
    assert command("--entry", "*", "--certificates", str(tmp_path / "out"), *options).stdout == "true\n"
    folders = {folder.name: list(folder.iterdir()) for folder in (tmp_path / "out").iterdir()}
    assert set(folders) == {"f", "g"} and all(folders.values())
    for name, certificates in folders.items():
        for certificate in certificates:
            assert command("check", str(certificate), "--entry", name, *options).stdout == "accepted\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--check", "bounds:*"], "no check is called bounds:*"),
        (["--certificates", "out"], "--certificates needs --all-checks"),
        (["--all-checks", "--certificate", "out"], "--certificates DIR writes that of each check"),
        (["--property", "no-data-race,termination"], "no-data-race is decided alone"),
        (["--property", "termination", "--all-checks"], "--all-checks: not with termination"),
        (["--property", "no-data-race", "--test", "out"], "--test: not with no-data-race"),
        (["--property", "undefined-behaviour,termination", "--check", "a"], "--check: not with undefined-behaviour"),
        (["--property", "unreach-call,frob"], "not a property"),
    ],
)
def test_bad_options(file: Path, options: list[str], message: str, tmp_path: Path) -> None:
    options = [str(tmp_path / "out") if option == "out" else option for option in options]
    done = command(*options, str(file))
    assert done.returncode == 2 and message in done.stderr and not done.stdout


def test_options_of_checks_are_refused_for_clauses(tmp_path: Path) -> None:
    path = tmp_path / "a.smt2"
    path.write_text("(set-logic HORN)\n(assert (=> true false))\n(check-sat)\n")
    for option in (["--list-checks"], ["--check", "x"], ["--all-checks"]):
        done = command(*option, str(path))
        assert done.returncode == 2 and f"{option[0]}: for C programs only" in done.stderr


def test_names_of_checks_stand_in_certificates() -> None:
    ids = (CHECK.id, OTHER.id)
    for text in ('{"format": "chcverify-derivation", "version": 1}', "((define-fun P () Bool true))"):
        assert named_checks(text) == ()
        assert named_checks(with_checks(text, ids)) == ids
    assert json.loads(with_checks("{}".replace("}", '"a": 1}'), ids))["checks"] == list(ids)
    assert not model_from_text(HornSystem((), ()), with_checks("()", ids)).interpretations


def test_the_table_has_a_line_for_each_check() -> None:
    texts = [line.text for line in check_lines(VERDICTS)]
    assert texts[0].split() == ["proved", "bounds", "line", "3:", "a[i]", "=", "1"]
    assert texts[2].endswith("(no time was left for it)")
    assert texts[3] == summary_line(VERDICTS).text == "3 checks: 1 proved, 1 violated, 1 unknown"
    assert not check_lines(())


def test_many_proved_checks_are_counted_only() -> None:
    many = tuple(CheckVerdict(Check(Origin("a.c", n), CheckKind.NULL), CheckStatus.PROVED) for n in range(50))
    assert [line.text for line in check_lines(many)] == ["50 checks: 50 proved"]
    assert len(check_lines(many, verbose=True)) == 51


def test_every_check_is_in_sarif() -> None:
    log = sarif(OUTCOME, Task("a.c", "c", "undefined-behaviour"), "0")
    results = log["runs"][0]["results"]
    assert [(r["ruleId"], r.get("kind", "fail"), r["level"]) for r in results] == [
        ("bounds", "pass", "none"),
        ("assertion", "fail", "error"),
        ("null", "open", "none"),
    ]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in results)
    assert set(KIND_TEXTS) == set(CheckKind)


def test_every_check_is_in_statistics_and_report() -> None:
    documents = json.loads(json.dumps(OUTCOME.statistics_document()))["checks"]
    assert [document["verdict"] for document in documents] == ["proved", "violated", "unknown"]
    assert documents[0]["id"] == "bounds:a.c:3:7" and documents[0]["line"] == 3
    assert "a.c:9:1" in checks_section(OUTCOME)
