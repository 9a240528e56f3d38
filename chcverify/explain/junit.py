"""Results for continuous integration: the XML of JUnit, as servers read it. One test case for each verdict."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from xml.etree import ElementTree

from chcverify.explain.trace_lines import trace_lines
from chcverify.results.outcome import Outcome
from chcverify.task import Task

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class CaseResult(StrEnum):
    """The result of a test case. The values are the names of the elements that describe it, "" where there is none."""

    PASSED = ""
    FAILED = "failure"
    UNDECIDED = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class JunitCase:
    """One test case. line: in the file, 0 if it is about all of it. kind: of the failure. details: for people."""

    name: str
    file: str
    result: CaseResult
    line: int = 0
    seconds: float = 0.0
    kind: str = ""
    message: str = ""
    details: str = ""


def junit(outcome: Outcome, task: Task, version: str) -> str:
    """The document about the outcome of a run, with an XML declaration."""
    return _document(_cases(outcome, task), task.input_file, outcome.seconds, version)


def _cases(outcome: Outcome, task: Task) -> list[JunitCase]:
    """One case for the property of the task."""
    results = {"safe": CaseResult.PASSED, "unsafe": CaseResult.FAILED, "unknown": CaseResult.UNDECIDED}
    end = outcome.trace[-1] if outcome.trace else None
    message = outcome.reason if outcome.status == "unknown" else end.text if end else outcome.word
    return [
        JunitCase(
            task.property,
            end.origin.file if end else task.input_file,
            results[outcome.status],
            end.origin.line if end else 0,
            outcome.seconds,
            outcome.word,
            message,
            "\n".join(item.text for item in trace_lines(outcome.trace, verbose=False)) if outcome.trace else "",
        )
    ]


def _document(cases: Sequence[JunitCase], name: str, seconds: float, version: str) -> str:
    counts = {"tests": str(len(cases)), "time": f"{seconds:.3f}"}
    for attribute, result in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        counts[attribute] = str(sum(case.result.value == result for case in cases))
    root = ElementTree.Element("testsuites", {"name": "chcverify", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _xml(name), **counts})
    properties = ElementTree.SubElement(suite, "properties")
    ElementTree.SubElement(properties, "property", {"name": "chcverify", "value": version})
    for case in cases:
        _add(suite, case)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


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
