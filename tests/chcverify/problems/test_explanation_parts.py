"""The test program and the report data of a verdict, and the message that replaces them where making them fails."""

import time
from pathlib import Path

from chcverify.certificate.derivation import Derivation
from chcverify.problems.c_problem import load
from chcverify.problems.explanation_parts import failing_test_of, report_of
from chcverify.problems.horn_problem import HORN_WORDS, HornProblem
from chcverify.problems.protocol import Problem
from chcverify.task import Task

EMPTY = Derivation(())


def program(tmp_path: Path) -> Problem:
    file = tmp_path / "a.c"
    file.write_text("void reach_error(void); int main(void) { reach_error(); }")
    return load(Task(str(file), "c", "unreach-call"))


def test_a_missing_test_has_a_reason(tmp_path: Path) -> None:
    problem = HornProblem(program(tmp_path).system, HORN_WORDS)
    found = failing_test_of(problem, EMPTY, time.monotonic() + 10)
    assert (found.code, found.line) == ("", "not written: clauses are no program")


def test_a_report_has_clauses_and_variables(tmp_path: Path) -> None:
    found = report_of(program(tmp_path), None)
    assert found.clauses and "main" in found.variables and not found.omitted


def test_a_missing_report_has_a_reason(tmp_path: Path, monkeypatch) -> None:
    problem = program(tmp_path)
    monkeypatch.setattr(type(problem), "graphs", lambda self: 1 // 0)
    (omitted,) = report_of(problem, None).omitted
    assert omitted == "Clauses and graphs are missing: ZeroDivisionError: integer division or modulo by zero"
