"""The benchmark of termination: its figures, and a task and a function whose certificates are checked three times."""

from dataclasses import replace
from pathlib import Path

from benchmarks.termination.__main__ import Answer, answered, entries, summary, table, tasks

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"


def test_a_task() -> None:
    (question,) = (q for q in tasks(FOLDER / "termination") if q.name == "reset-inner-unsafe")
    answer = answered(question, timeout=300)
    assert answer.verdict == "false(termination)" and not answer.is_wrong and not answer.is_refused
    assert set(answer.checkers) == {"z3", "cvc5"} and answer.alone == "accepted"
    assert replace(answer, expected=True).is_wrong and replace(answer, alone="rejected: no model").is_refused


def test_a_function() -> None:
    listed = entries(FOLDER / "functions" / "functions.csv", FOLDER / "functions")
    (question,) = (q for q in listed if q.name == "ring_put")
    answer = answered(question, timeout=300)
    assert answer.verdict == "true" and answer.alone == "accepted" and answer.expected is None


def test_figures() -> None:
    proved = Answer("one", "a", True, "true", "", 2.0, 2.0, ["z3", "cvc5"], "accepted", ["line 3: n - i decreases"])
    missed = replace(proved, name="b", expected=False, verdict="unknown", checkers=[], alone="", loops=[])
    wrong = replace(proved, group="two", expected=False, checkers=["z3"])
    lines = table([proved, missed, wrong]).splitlines()
    assert "| one | 1 of 1 | 0 of 1 | 0 | 1 | 1 | 1 | 2.0 |" in lines
    assert "| two |  | 0 of 1 | 1 | 1 | 0 | 1 | 2.0 |" in lines
    assert lines[-1] == "| all | 1 of 1 | 0 of 2 | 1 | 2 | 1 | 2 | 2.0 |"
    assert summary([proved, missed, wrong]) == "3: 2 true, 1 unknown; 2 true by ranks of loops"
