"""Verdicts for editors and code hosts: the Static Analysis Results Interchange Format (OASIS), version 2.1.0."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from chcverify.explain.assumptions import VACUOUS, assumption_text
from chcverify.explain.recorded_input import input_document, is_recorded
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import SAME_INPUTS, WITH_INPUTS
from chcverify.task import Task

if TYPE_CHECKING:  # their modules need z3
    from chcverify.horn.system import Origin
    from chcverify.results.assumption import Assumption
    from chcverify.results.source_facts import TraceStep

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "unreach-call": "The program can reach an error",
    "no-overflow": "A signed calculation can overflow",
    "check-sat": "The clauses have no model",
}


def sarif(outcome: Outcome, task: Task, version: str) -> dict[str, Any]:
    """The log: one result for a violation, none for a proof, a notification for `unknown`."""
    rule = {"id": task.property, "shortDescription": {"text": _RULES.get(task.property, task.property)}}
    invocation: dict[str, Any] = {
        "executionSuccessful": outcome.status != "unknown",
        "exitCode": outcome.exit_status,
    }
    if outcome.status == "unknown":
        reasons = "; ".join(f"{name}: {reason}" for name, reason in outcome.reasons.items())
        text = f"unknown: {outcome.reason}" + (f" ({reasons})" if reasons else "")
        notification: dict[str, Any] = {
            "level": "warning",
            "message": {"text": text},
            "associatedRule": {"id": task.property},
        }
        notification["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(task.input_file)}}]
        invocation["toolExecutionNotifications"] = [notification]
    notes = [_note(assumption) for assumption in outcome.assumptions]
    if outcome.is_vacuous:
        notes.append({"level": "note", "message": {"text": VACUOUS}})
    if notes:
        invocation.setdefault("toolExecutionNotifications", []).extend(notes)
    run = {
        "tool": {"driver": {"name": "chcverify", "version": version, "rules": [rule]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(outcome, task)] if outcome.status == "unsafe" else [],
    }
    if is_recorded(task):
        run["properties"] = {"input": input_document(task)}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _note(assumption: "Assumption") -> dict[str, Any]:
    """An assumption as a notification with its location."""
    region = {"startLine": assumption.line, "startColumn": max(1, assumption.column)}
    place = {"artifactLocation": _artifact(assumption.file)}
    return {
        "level": "warning" if assumption.kind == "undeclared" else "note",
        "message": {"text": assumption_text(assumption)},
        "locations": [{"physicalLocation": {**place, "region": region} if assumption.line >= 1 else place}],
    }


def _result(outcome: Outcome, task: Task) -> dict[str, Any]:
    text = _RULES.get(task.property, task.property)
    result: dict[str, Any] = {"ruleId": task.property, "ruleIndex": 0, "level": "error"}
    if not outcome.trace:
        place = {"physicalLocation": {"artifactLocation": _artifact(task.input_file)}}
        return {**result, "message": {"text": f"{text}."}, "locations": [place]}
    end = outcome.trace[-1]
    chosen = [step for step in outcome.trace if step.kind == "input"]
    inputs = [f"{name} = {value}" for step in chosen for name, value in step.changes or ((step.text, step.value),)]
    more = len(inputs) > 20 or any(step.text.endswith((SAME_INPUTS, WITH_INPUTS)) for step in outcome.trace)
    shown = ", ".join(inputs[:20]) + (", ..." if more else "")
    message = f"{text}: {end.text}" + (f", with the inputs {shown}." if inputs else ".")
    flow = [_flow(step, number) for number, step in enumerate(outcome.trace, 1)]
    return {
        **result,
        "message": {"text": message},
        "locations": [_location(end)],
        "codeFlows": [{"threadFlows": [{"locations": flow}]}],
    }


def _flow(step: "TraceStep", number: int) -> dict[str, Any]:
    changes = ", ".join(f"{name} = {value}" for name, value in step.changes)
    if step.holds is not None:
        changes = "true" if step.holds else "false"
    elif not changes:
        changes = step.value
    text = f"{step.text}: {changes}" if changes and changes != step.text else step.text or step.kind
    item: dict[str, Any] = {"location": {**_location(step), "message": {"text": text}}, "executionOrder": number}
    essential = {"input": "essential", "violation": "essential", "repeated": "unimportant"}
    item["importance"] = essential.get(step.kind, "important")
    if step.changes:
        item["state"] = {name: {"text": value} for name, value in step.changes}
    return item


def _location(step: "TraceStep") -> dict[str, Any]:
    place: dict[str, Any] = {"physicalLocation": _physical(step.origin)}
    if not step.function.startswith("<"):  # code before main is in no function of the source
        place["logicalLocations"] = [{"name": step.function, "kind": "function"}]
    return place


def _physical(origin: "Origin") -> dict[str, Any]:
    region = {"startLine": origin.line, "startColumn": max(1, origin.column)}
    artifact = {"artifactLocation": _artifact(origin.file)}
    return {**artifact, "region": region} if origin.line >= 1 else artifact


def _artifact(file: str) -> dict[str, str]:
    """Relative files stay so, for whoever shows them to resolve."""
    path = Path(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix(), errors="surrogateescape")}
