"""SARIF logs of hand-made verdicts, and the command's files where there is no verdict."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chcverify.explain.sarif import sarif
from chcverify.horn.system import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.outcome import Outcome
from chcverify.results.precondition import Precondition
from chcverify.results.source_facts import CYCLE, LoopNote, TraceStep
from chcverify.task import Task

TASK = Task("a b.c", "c", "unreach-call")
TRACE = (
    TraceStep(Origin("a b.c", 2, 3), "<init>", "statement", "g = 0", (("g", "0"),)),
    TraceStep(Origin("a b.c", 4, 7), "main", "input", "nondet()", (("n", "3"),)),
    TraceStep(Origin("a b.c", 6, 5), "main", "violation", "reach_error()"),
)


def test_loops_that_end_are_results() -> None:
    notes = (
        LoopNote(Origin("a b.c", 4, 3), "line 4", "n - i decreases and stays ≥ 0"),
        LoopNote(None, "f", "n decreases"),
    )
    log = sarif(Outcome("safe", "true", loops=notes), Task("a b.c", "c", "termination"), "1.2")
    first, second = log["runs"][0]["results"]
    assert first["kind"] == second["kind"] == "pass" and first["ruleId"] == "termination"
    assert "n - i decreases" in first["message"]["text"]
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 3}
    assert second["locations"] == [{"logicalLocations": [{"name": "f"}]}]


def test_the_loop_of_a_run_that_does_not_end_is_related() -> None:
    note = LoopNote(Origin("a b.c", 4, 3), "line 4", "the run comes back to this state with x = 0: it never ends")
    trace = (*TRACE[:2], TraceStep(Origin("a b.c", 4, 3), "main", CYCLE, "the same state as before"))
    outcome = Outcome("unsafe", "false(termination)", trace=trace, loops=(note,))
    (result,) = sarif(outcome, Task("a b.c", "c", "termination"), "1.2")["runs"][0]["results"]
    assert result["level"] == "error" and "does not end: the same state as before" in result["message"]["text"]
    (related,) = result["relatedLocations"]
    assert related["message"]["text"] == note.text and related["physicalLocation"]["region"]["startLine"] == 4
    assert result["codeFlows"][0]["threadFlows"][0]["locations"][-1]["importance"] == "essential"


def test_a_violation_is_one_result_with_its_path() -> None:
    log = sarif(Outcome("unsafe", "false(unreach-call)", trace=TRACE), TASK, "1.2")
    (run,) = log["runs"]
    (result,) = run["results"]
    assert (log["version"], run["tool"]["driver"]["version"]) == ("2.1.0", "1.2")
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "unreach-call"
    place = result["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "a%20b.c"}, "region": {"startLine": 6, "startColumn": 5}}
    assert "n = 3" in result["message"]["text"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [s["location"]["physicalLocation"]["region"]["startLine"] for s in steps] == [2, 4, 6]
    assert [s["executionOrder"] for s in steps] == [1, 2, 3]
    assert steps[1]["state"] == {"n": {"text": "3"}}
    assert "logicalLocations" not in steps[0]["location"]


@pytest.mark.parametrize(
    ("meets", "level", "text"),
    [
        (ViolationClass.MANIFEST, "error", ""),
        (ViolationClass.LATENT, "note", "Only calls meet it that break: requires n > 0;"),
        (ViolationClass.INTERNAL, "note", "No call of the project meets it."),
    ],
)
def test_violations_that_callers_of_the_project_do_not_meet_are_notes(
    meets: ViolationClass, level: str, text: str
) -> None:
    check = Check(Origin("a b.c", 6, 5), CheckKind.DIVISION, "1 / n")
    verdict = CheckVerdict(check, CheckStatus.VIOLATED, trace=TRACE, meets=meets)
    known = Precondition(("n > 0",), True) if meets is ViolationClass.LATENT else None
    outcome = Outcome("unsafe", "false(division)", trace=TRACE, checks=(verdict,), precondition=known)
    (result,) = sarif(outcome, TASK, "1.2")["runs"][0]["results"]
    assert (result["level"], result["properties"]["class"]) == (level, meets.value)
    assert text in result["message"]["text"]


def test_true_has_no_result_and_unknown_a_notification() -> None:
    (run,) = sarif(Outcome("safe", "true"), TASK, "1")["runs"]
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]
    (run,) = sarif(Outcome("unknown", "unknown", "no time", {"pdr": "tired"}), TASK, "1")["runs"]
    (invocation,) = run["invocations"]
    assert run["results"] == [] and not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "unknown: no time (pdr: tired)"


def test_files_without_a_verdict_and_that_cannot_be_written(tmp_path: Path) -> None:
    program, log, target = tmp_path / "p.c", tmp_path / "p.sarif", tmp_path / "p.yml"
    program.write_text('int main(void) {\n  __asm__("nop");\n}\n')
    command = [sys.executable, "-m", "chcverify"]
    options = ["--sarif", str(log), "--witness", str(target)]
    ended = subprocess.run([*command, str(program), *options], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.returncode) == ("unknown\n", 3)
    assert f"no verdict, so {target} is not written" in ended.stderr
    assert not target.exists()
    assert json.loads(log.read_text())["runs"][0]["invocations"][0]["exitCode"] == 3
    for option in ("--sarif", "--witness"):
        nowhere = str(tmp_path / "nowhere" / "f")
        ended = subprocess.run([*command, str(program), option, nowhere], capture_output=True, text=True, check=False)
        assert (ended.stdout, ended.returncode) == ("", 2)
        assert "no such directory" in ended.stderr


def test_clauses_have_no_witness(tmp_path: Path) -> None:
    clauses = tmp_path / "c.smt2"
    clauses.write_text("(set-logic HORN)\n(assert false)\n(check-sat)\n")
    command = [sys.executable, "-m", "chcverify", str(clauses), "--witness", str(tmp_path / "w.yml")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.returncode) == ("", 2)
    assert "for C programs only" in ended.stderr


def test_steps_say_whether_conditions_held_and_what_inputs_were() -> None:
    place = Origin("p.c", 3, 5)
    steps = (
        TraceStep(place, "main", "condition", "x < 2", holds=False),
        TraceStep(place, "main", "input", "f()", value="7"),
        TraceStep(place, "main", "violation", "reach_error()"),
    )
    log = sarif(Outcome("unsafe", "false", trace=steps), Task("p.c", "c", "unreach-call"), "1")
    result = log["runs"][0]["results"][0]
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [item["location"]["message"]["text"] for item in flow] == ["x < 2: false", "f(): 7", "reach_error()"]
    assert result["message"]["text"].endswith("with the inputs f() = 7.")
