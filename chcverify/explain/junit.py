"""Results for continuous integration: the XML of JUnit, as servers read it. One test case for each verdict."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from chcverify.explain.trace_lines import trace_lines
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckStatus, CheckVerdict
from chcverify.results.outcome import Outcome
from chcverify.task import Task

if TYPE_CHECKING:  # its module needs z3
    from chcverify.results.source_facts import TraceStep

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class CaseResult(StrEnum):
    """The result of a test case. The values are the names of the elements that describe it, "" where there is none."""

    PASSED = ""
    FAILED = "failure"
    UNDECIDED = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class JunitCase:
    """One test case."""

    name: str
    file: str
    result: CaseResult
    line: int = 0
    """In the file, 0 if it is about all of it."""
    seconds: float = 0.0
    kind: str = ""
    """Of the failure."""
    message: str = ""
    details: str = ""
    """For people."""


def junit(outcome: Outcome, task: Task, version: str) -> str:
    """The document about the outcome of a run, with an XML declaration."""
    return junit_of_files([(outcome, task)], version)


def junit_of_files(results: Sequence[tuple[Outcome, Task]], version: str) -> str:
    """The document about runs on several files: a test suite for each."""
    suites = [(task.input_file, outcome.seconds, _cases(outcome, task)) for outcome, task in results]
    root = ElementTree.Element("testsuites", {"name": "chcverify", **_counts(suites)})
    for suite in suites:
        element = ElementTree.SubElement(root, "testsuite", {"name": _xml(suite[0]), **_counts([suite])})
        properties = ElementTree.SubElement(element, "properties")
        ElementTree.SubElement(properties, "property", {"name": "chcverify", "value": version})
        for case in suite[2]:
            _add(element, case)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


Suite = tuple[str, float, list[JunitCase]]
"""The file of a suite, its seconds and its cases."""


def _counts(suites: Sequence[Suite]) -> dict[str, str]:
    cases = [case for _, _, found in suites for case in found]
    counts = {"tests": str(len(cases)), "time": f"{sum(seconds for _, seconds, _ in suites):.3f}"}
    for attribute, result in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        counts[attribute] = str(sum(case.result.value == result for case in cases))
    return counts


def _cases(outcome: Outcome, task: Task) -> list[JunitCase]:
    """One case for each check, if they have verdicts of their own; else one for the property of the task."""
    if outcome.checks:
        return list(map(_of_check, outcome.checks))
    results = {"safe": CaseResult.PASSED, "unsafe": CaseResult.FAILED, "unknown": CaseResult.UNDECIDED}
    end = outcome.trace[-1] if outcome.trace else None
    message = outcome.reason if outcome.status == "unknown" else end.text if end else outcome.word
    return [
        JunitCase(
            task.property if task.entry is None else f"{task.entry}: {task.property}",
            end.origin.file if end else task.input_file,
            results[outcome.status],
            end.origin.line if end else 0,
            outcome.seconds,
            outcome.word,
            message,
            _text(outcome.trace),
        )
    ]


_CHECK_RESULTS = {
    CheckStatus.PROVED: CaseResult.PASSED,
    CheckStatus.VIOLATED: CaseResult.FAILED,
    CheckStatus.UNKNOWN: CaseResult.UNDECIDED,
    CheckStatus.NOT_REACHED: CaseResult.SKIPPED,
}


def _of_check(verdict: CheckVerdict) -> JunitCase:
    """The case of a check; one that no run reaches is skipped."""
    check, status = verdict.check, verdict.status
    return JunitCase(
        check.id,
        check.origin.file,
        _CHECK_RESULTS[status],
        check.origin.line,
        verdict.seconds,
        check.kind.value,
        verdict.reason or f"{status.value}: {check.text}",
        _text(verdict.trace),
    )


def _text(trace: "Sequence[TraceStep]") -> str:
    return "\n".join(item.text for item in trace_lines(trace, verbose=False)) if trace else ""


def _add(suite: ElementTree.Element, case: JunitCase) -> None:
    known = {"classname": _xml(case.file), "name": _xml(case.name), "file": _xml(case.file)}
    line = {"line": str(case.line)} if case.line else {}
    element = ElementTree.SubElement(suite, "testcase", {**known, **line, "time": f"{case.seconds:.3f}"})
    if case.result is not CaseResult.PASSED:
        reason = {"type": _xml(case.kind), "message": _xml(case.message)}
        ElementTree.SubElement(element, case.result.value, reason).text = _xml(case.details)


def _xml(text: str) -> str:
    """The text without characters that XML cannot express."""
    return _NOT_XML.sub("\ufffd", text)
