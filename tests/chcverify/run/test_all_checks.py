"""A verdict for each check: against what is true of small programs, with certificates that are checked again."""

import time
from pathlib import Path
from typing import Any

import pytest

from chcverify import api
from chcverify.certificate.files.certificate_text import derivation_from_text, model_from_text
from chcverify.certificate.kernel.policy import certify
from chcverify.options import InputOptions, Limits, Options
from chcverify.problems.c_problem import load
from chcverify.results.checks import CheckKind, CheckStatus, CheckVerdict
from chcverify.results.events import ignore
from chcverify.results.outcome import Outcome
from chcverify.run import all_checks, driver
from chcverify.run.groups import check_testing
from chcverify.run.supervisor import supervise
from chcverify.task import resolve

PROVED, VIOLATED = CheckStatus.PROVED, CheckStatus.VIOLATED
UNKNOWN, NOT_REACHED = CheckStatus.UNKNOWN, CheckStatus.NOT_REACHED
PROGRAM = """extern int __VERIFIER_nondet_int(void);
#include <assert.h>

int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 30) return 0;
  for (int i = 0; i < n; i++) s += 2;
  assert(s == 2 * n);
  assert(s != 20);
  if (n > 40) assert(s == 7);
  assert(s != 42);
  assert(s <= 60);
  return 0;
}
"""
EXPECTED = {8: PROVED, 9: VIOLATED, 10: NOT_REACHED, 11: VIOLATED, 12: PROVED}


def verdicts(outcome: Outcome) -> dict[int, CheckStatus]:
    return {verdict.check.origin.line: verdict.status for verdict in outcome.checks}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "several.c"
    path.write_text(PROGRAM)
    return path


def test_every_check_has_a_verdict(file: Path) -> None:
    outcome = api.verify(str(file), all_checks=True, timeout=600, jobs=2)
    assert verdicts(outcome) == EXPECTED
    assert outcome.word == "false(unreach-call)" and outcome.exit_status == 1
    assert outcome.violated is not None and outcome.violated.origin.line == 9, "the first in the source is shown"
    assert {v.check.origin.line for v in outcome.checks if v.trace} == {9, 11}
    for verdict in outcome.checks:
        assert certified(file, verdict), verdict.check.id


def certified(file: Path, verdict: CheckVerdict) -> bool:
    """Is the certificate of a verdict one for the clauses of the checks that it names?"""
    system = load(resolve(InputOptions(str(file), selected_checks=verdict.covered))).system
    assert verdict.check.id in verdict.covered
    if verdict.status is VIOLATED:
        return certify(system, derivation_from_text(system, verdict.certificate), float("inf"), "off").accepted
    return certify(system, model_from_text(system, verdict.certificate), float("inf"), "off").accepted


def test_a_selected_check_is_decided_alone(file: Path) -> None:
    proved = api.verify(str(file), checks=["*:12:*"], timeout=600, jobs=2)
    assert proved.status == "safe", "violations of other checks are not looked for"
    violated = api.verify(str(file), checks=["*:11:*"], timeout=600, jobs=2)
    assert violated.violated is not None and violated.violated.origin.line == 11


def test_a_violated_check_ends_runs(tmp_path: Path) -> None:
    file = tmp_path / "twice.c"
    file.write_text(PROGRAM.partition("int main")[0] + "int main(void) { int n = 3; assert(n > 3); assert(n > 4); }\n")
    outcome = api.verify(str(file), all_checks=True, timeout=600, jobs=2)
    assert [verdict.status for verdict in outcome.checks] == [VIOLATED, NOT_REACHED], "no run gets to the second"


def test_several_properties(tmp_path: Path) -> None:
    file = tmp_path / "both.c"
    file.write_text(PROGRAM.replace("if (n < 0 || n > 30) return 0;", "if (n < 0) return 0; if (n > 30) n = 30 + n;"))
    outcome = api.verify(str(file), property="unreach-call,no-overflow", timeout=600, jobs=2)
    found = {(v.check.kind.value, v.check.origin.line): v.status for v in outcome.checks}
    assert found["overflow", 6] is VIOLATED, "30 + n"
    assert found["assertion", 9] is VIOLATED
    assert PROVED not in found.values() or outcome.exit_status == 1


def test_a_violated_check_of_memory_ends_runs(tmp_path: Path) -> None:
    file = tmp_path / "memory.c"
    file.write_text("int main(void) { int a[3] = {0}; int *p = a; for (int i = 0; i < 4; i++) p[i] = 1; return *p; }\n")
    outcome = api.verify(str(file), property="bounds,null,division", timeout=600, jobs=2)
    found = {(verdict.check.kind.value, verdict.check.text): verdict.status for verdict in outcome.checks}
    assert outcome.word == "false(valid-deref)"
    assert found["bounds", "p[i] = 1"] is VIOLATED
    assert set(found.values()) == {VIOLATED, PROVED, NOT_REACHED} or set(found.values()) == {VIOLATED, PROVED}


def test_without_time_nothing_is_proved(file: Path) -> None:
    outcome = api.verify(str(file), all_checks=True, timeout=0.4, jobs=2)
    assert outcome.status != "safe"
    assert set(verdicts(outcome).values()) <= {UNKNOWN, VIOLATED}  # a short run may violate a check at once


def test_a_program_without_checks(tmp_path: Path) -> None:
    file = tmp_path / "nothing.c"
    file.write_text("int main(void) { return 0; }\n")
    outcome = api.verify(str(file), all_checks=True, timeout=600, jobs=2)
    assert outcome.word == "true" and not outcome.checks


def test_what_is_not_modelled_is_unknown(tmp_path: Path) -> None:
    file = tmp_path / "assembler.c"
    file.write_text('int main(void) { int x; asm("nop" : "=r"(x)); return x; }\n')
    assert api.verify(str(file), all_checks=True, timeout=600, jobs=2).status == "unknown"


def test_a_lost_block_ends_no_run(tmp_path: Path) -> None:
    """What a run loses is one check of the program, and the checks behind it have verdicts of their own."""
    path = tmp_path / "loses.c"
    path.write_text(
        "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n"
        "  int *p = malloc(4), a[2] = {0}, i = __VERIFIER_nondet_int() == 1;\n"
        "  p = 0;\n  a[i] = 1;\n  a[i + 1] = 1;\n  return 0;\n}\n"
    )
    options = {"property": "bounds,leak", "all_checks": True, "timeout": 600, "jobs": 2}
    found = {(v.check.kind.value, v.check.origin.line): v.status for v in api.verify(str(path), **options).checks}
    assert found == {("leak", 3): VIOLATED, ("bounds", 6): PROVED, ("bounds", 7): VIOLATED}


def test_what_was_decided_stays_when_the_run_is_stopped(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decided = all_checks.AllChecksRun._violated

    def hang(self: all_checks.AllChecksRun, *arguments: Any) -> Any:
        if any(verdict.status is VIOLATED for verdict in self.verdicts.values()):
            time.sleep(1000)
        return decided(self, *arguments)

    monkeypatch.setattr(all_checks.AllChecksRun, "_violated", hang)
    task = resolve(InputOptions(str(file), all_checks=True))
    outcome = supervise(task, Options(InputOptions(str(file)), Limits(timeout=15, jobs=2)), time.monotonic())
    found = verdicts(outcome)
    assert VIOLATED in found.values() and UNKNOWN in found.values(), outcome.reason
    assert outcome.word == "false(unreach-call)" and outcome.exit_status == 1 and outcome.trace
    assert {v.reason for v in outcome.checks if v.status is UNKNOWN} == {"the run was stopped before"}


def test_an_answer_is_checked_beyond_the_turn_of_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the certificate takes longer than the turn; no second turn is needed."""
    path = tmp_path / "one.c"
    path.write_text("#include <assert.h>\nint main(void) { int i = 0; while (i < 9) i++; assert(i == 9); return 0; }\n")
    turns: list[float] = []
    check, turn_s = driver.certify, 4.0

    def later_turn_s(*arguments: float) -> float:
        turns.append(turn_s)
        return turn_s

    def slow(*arguments: Any) -> Any:
        time.sleep(turn_s + 1)
        return check(*arguments)

    monkeypatch.setattr(all_checks.AllChecksRun, "_prove_easy", lambda *arguments: None)
    monkeypatch.setattr(all_checks, "later_turn_s", later_turn_s)
    monkeypatch.setattr(driver, "certify", slow)
    task = resolve(InputOptions(str(path), all_checks=True))
    options = Options(InputOptions(str(path)), Limits(timeout=600, jobs=1))
    outcome = all_checks.run(task, options, time.monotonic(), ignore)
    assert outcome.word == "true" and len(turns) == 1


def test_the_checks_of_a_program_whose_clauses_take_too_long_are_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_checks.CheckProblems, "of", lambda *arguments: time.sleep(1000))
    task = resolve(InputOptions(str(file), all_checks=True))
    outcome = supervise(task, Options(InputOptions(str(file)), Limits(timeout=4, jobs=1)), time.monotonic())
    assert verdicts(outcome) == dict.fromkeys(EXPECTED, UNKNOWN) and outcome.word == "unknown"


def test_phases_cover_all_groups_and_add_up(file: Path) -> None:
    outcome = api.verify(str(file), all_checks=True, timeout=600, jobs=1)
    phases = outcome.statistics["phases"]
    assert {"encode", "random runs", "easy checks", "explain"} <= set(phases)
    assert sum(phases.values()) <= outcome.seconds


def test_a_run_without_inputs_is_tried_before_proofs(tmp_path: Path) -> None:
    """Each violation is found by a run; behind it the next one, which the run of all checks does not come to."""
    path = tmp_path / "one_run.c"
    path.write_text("""#include <assert.h>
int main(void) {
  int s = 0;
  for (int i = 0; i < 300; i++) s += i & 7;
  assert(s != 1048);
  assert(s < 0);
  assert(s == 1040 || s > 5);
  return 0;
}
""")
    outcome = api.verify(str(path), all_checks=True, timeout=600, jobs=1)
    assert {v.check.origin.line: v.engine for v in outcome.checks if v.status is VIOLATED} == {6: "random runs"}
    assert all(v.status is not UNKNOWN for v in outcome.checks)


def test_invariants_are_those_of_all_proofs(tmp_path: Path) -> None:
    path = tmp_path / "holds.c"
    path.write_text("""#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), t[8] = {0}, s = 0;
  for (int i = 0; i < 8; i++) t[i & 7] = n;
  for (int i = 0; i < 1000; i++) { assert(s <= i); if (n) s++; }
  return 0;
}
""")
    outcome = api.verify(str(path), property="undefined-behaviour,assertion", timeout=600, jobs=1)
    assert outcome.word == "true"
    assert any("s" in found.text for found in outcome.invariants), outcome.invariants


def test_long_runs_come_after_proofs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two violated checks the one behind a short run is decided first; both have certified runs."""
    path = tmp_path / "a.c"
    path.write_text(
        "int __VERIFIER_nondet_int(void);\nint main(void) {\n"
        "  int n = __VERIFIER_nondet_int(), t[4], s = 0;\n"
        "  if (n > 3) { s = t[n + 4 - n]; }\n"
        "  for (int i = 0; i < 300; i++) s = i & 3;\n"
        "  t[s] = 1;\n"
        "  return t[s + 1];\n}\n"
    )
    monkeypatch.setattr(check_testing, "QUICK_STEPS", 200)
    outcome = api.verify(str(path), property="valid-memsafety", all_checks=True, timeout=600, jobs=1)
    found = {v.check.origin.line: v for v in outcome.checks if v.check.kind is CheckKind.BOUNDS}
    assert {line: v.status for line, v in found.items()} == {4: VIOLATED, 6: PROVED, 7: VIOLATED}
    assert found[4].engine == found[7].engine == "random runs"
