"""Results as XML of JUnit."""

from xml.etree import ElementTree

import pytest

from chcverify.explain.junit import junit
from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import TraceStep
from chcverify.task import Task

TASK = Task("dir/p.c", "c", "unreach-call")
STEP = TraceStep(Origin("dir/p.c", 7, 3), "main", "violation", 'reach_error(\x00"<é>")')
OUTCOMES = {
    "": Outcome("safe", "true", seconds=1.25),
    "failure": Outcome("unsafe", "false(unreach-call)", seconds=1.25, trace=(STEP,)),
    "error": Outcome("unknown", "unknown", "time limit", seconds=1.25),
}


@pytest.mark.parametrize("kind", OUTCOMES)
def test_one_case_for_each_verdict(kind: str) -> None:
    root = ElementTree.fromstring(junit(OUTCOMES[kind], TASK, "1.0").encode())
    case = root.find("testsuite/testcase")
    assert case is not None and root.tag == "testsuites"
    assert (case.get("name"), case.get("file"), case.get("time")) == ("unreach-call", "dir/p.c", "1.250")
    assert [child.tag for child in case] == ([kind] if kind else [])
    assert (root.get("failures"), root.get("errors")) == (str(int(kind == "failure")), str(int(kind == "error")))


def test_a_violation_has_its_line_and_trace() -> None:
    case = ElementTree.fromstring(junit(OUTCOMES["failure"], TASK, "1.0").encode()).find("testsuite/testcase")
    assert case is not None and case.get("line") == "7"
    assert case[0].get("type") == "false(unreach-call)" and case[0].get("message") == 'reach_error(\ufffd"<é>")'
    assert "violation" in (case[0].text or "")


def test_unknown_has_its_reason() -> None:
    case = ElementTree.fromstring(junit(OUTCOMES["error"], TASK, "1.0").encode()).find("testsuite/testcase")
    assert case is not None and case[0].get("message") == "time limit"


def test_one_case_for_each_check() -> None:
    checks = [Check(Origin("p.c", line, 1), CheckKind.DIVISION, "a / b") for line in range(1, 5)]
    verdicts = tuple(CheckVerdict(c, status, trace=(STEP,)) for c, status in zip(checks, CheckStatus, strict=True))
    root = ElementTree.fromstring(junit(Outcome("unsafe", "false(division)", checks=verdicts), TASK, "1.0").encode())
    cases = root.findall("testsuite/testcase")
    assert [case.get("name") for case in cases] == [check.id for check in checks]
    assert [case[0].tag if len(case) else "" for case in cases] == ["", "failure", "error", "skipped"]
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == ("4", "1", "1", "1")
