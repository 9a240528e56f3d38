"""Verdicts for editors and code hosts: the Static Analysis Results Interchange Format (OASIS), version 2.1.0."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from chcverify.explain.assumptions import VACUOUS, assumption_text
from chcverify.explain.check_table import precondition_text
from chcverify.inputs.recorded_input import input_document, is_recorded
from chcverify.properties.registry import parts
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import CYCLE, SAME_INPUTS, WITH_INPUTS
from chcverify.task import Task

if TYPE_CHECKING:  # their modules need z3
    from chcverify.horn.system import Origin
    from chcverify.results.assumption import Assumption
    from chcverify.results.source_facts import LoopNote, TraceStep

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
KIND_TEXTS = {
    CheckKind.ASSERTION: "The program can reach an error",
    CheckKind.BOUNDS: "An access can be outside its object",
    CheckKind.NULL: "An access can be through a null or invalid pointer",
    CheckKind.LIFETIME: "An access can be to an object that lives no more",
    CheckKind.FREE: "A pointer can be freed that is no living block's",
    CheckKind.LEAK: "A block can be lost",
    CheckKind.CLEANUP: "A block can be left when the program ends",
    CheckKind.DIVISION: "A divisor can be zero",
    CheckKind.SHIFT: "A shift can be undefined",
    CheckKind.OVERFLOW: "A signed calculation can overflow",
    CheckKind.CONVERSION: "A conversion can change a value",
    CheckKind.UNINITIALISED: "A value can be read that nobody wrote",
    CheckKind.OVERLAP: "Memory can be copied onto a part of itself",
    CheckKind.UNREACHABLE: "Code marked unreachable can be reached",
    CheckKind.BUILTIN: "A built-in function can be called with an argument that it has no result for",
    CheckKind.VLA_BOUND: "The length of an array can be zero or negative",
    CheckKind.INVARIANT: "A loop invariant can be violated",
    CheckKind.CONTRACT: "A contract can be violated",
}
_RESULT_KINDS = {
    CheckStatus.PROVED: "pass",
    CheckStatus.UNKNOWN: "open",
    CheckStatus.NOT_REACHED: "notApplicable",
}


def sarif(outcome: Outcome, task: Task, version: str) -> dict[str, Any]:
    """The log: one result for a violation, one for each loop that is shown to end, a notification for `unknown`."""
    if outcome.checks:
        return _log(_rules_of_kinds(), _invocation(outcome, task), _results_of_checks(outcome), version)
    rule = {"id": task.property, "shortDescription": {"text": _sentence(task.property)}}
    found = _Finding(task.property, 0, _sentence(task.property), outcome.trace)
    results = [_result(found, task.input_file)] if outcome.status == "unsafe" else []
    if outcome.loops:
        results = _with_loops(results, outcome.loops, task.property)
    return _log([rule], _invocation(outcome, task), results, version)


def _sentence(names: str) -> str:
    """What is wrong with a program that violates a property, or one of several."""
    return " or ".join(item.sentence for item in parts(names))


def _invocation(outcome: Outcome, task: Task) -> dict[str, Any]:
    """The run: its success, why there is no verdict, and the assumptions."""
    invocation: dict[str, Any] = {
        "executionSuccessful": outcome.status != "unknown",
        "exitCode": outcome.exit_status,
    }
    if is_recorded(task):
        invocation["properties"] = {"input": input_document(task)}
    if outcome.status == "unknown":
        reasons = "; ".join(f"{name}: {reason}" for name, reason in outcome.reasons.items())
        text = f"unknown: {outcome.reason}" + (f" ({reasons})" if reasons else "")
        notification: dict[str, Any] = {
            "level": "warning",
            "message": {"text": text},
        }
        if not outcome.checks:
            notification["associatedRule"] = {"id": task.property}
        notification["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(task.input_file)}}]
        invocation["toolExecutionNotifications"] = [notification]
    notes = [_note(assumption) for assumption in outcome.assumptions]
    if outcome.is_vacuous:
        notes.append({"level": "note", "message": {"text": VACUOUS}})
    if notes:
        invocation.setdefault("toolExecutionNotifications", []).extend(notes)
    return invocation


def _log(
    rules: list[dict[str, Any]], invocation: dict[str, Any], results: list[dict[str, Any]], version: str
) -> dict[str, Any]:
    run = {
        "tool": {"driver": {"name": "chcverify", "version": version, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
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


@dataclass(frozen=True)
class _Finding:
    """A violation to report. rule_index: of the rule in the log. text: of the rule."""

    rule: str
    rule_index: int
    text: str
    trace: "tuple[TraceStep, ...]"


def _rules_of_kinds() -> list[dict[str, Any]]:
    return [{"id": kind.value, "shortDescription": {"text": KIND_TEXTS[kind]}} for kind in CheckKind]


def _suppressed(result: dict[str, Any], verdict: CheckVerdict) -> dict[str, Any]:
    """The result with what silences it, as section 3.27.23 of SARIF says it."""
    found = verdict.suppression
    if found is None:
        return result
    kind = "inSource" if found.in_source else "external"
    return {**result, "suppressions": [{"kind": kind, "justification": found.reason}]}


def _results_of_checks(outcome: Outcome) -> list[dict[str, Any]]:
    """A result for each check: an error for a violated one; others are passed, open or not applicable."""
    kinds, out = list(CheckKind), []
    for verdict in outcome.checks:
        check, index = verdict.check, kinds.index(verdict.check.kind)
        if verdict.status is CheckStatus.VIOLATED:
            found = _Finding(check.kind.value, index, KIND_TEXTS[check.kind], verdict.trace)
            result = _with_class(_result(found, check.origin.file), verdict, outcome)
            out.append(_suppressed(result, verdict))
            continue
        message = f"{verdict.status.value}: {check.text}" + (f" ({verdict.reason})" if verdict.reason else "")
        out.append(
            {
                "ruleId": check.kind.value,
                "ruleIndex": index,
                "kind": _RESULT_KINDS[verdict.status],
                "level": "none",
                "message": {"text": message},
                "locations": [{"physicalLocation": _physical(check.origin)}],
            }
        )
    return out


def _with_class(result: dict[str, Any], verdict: CheckVerdict, outcome: Outcome) -> dict[str, Any]:
    """The result of a violation with the class of the calls that meet it; a note, if only wrong calls do."""
    if not verdict.meets:
        return result
    properties: dict[str, Any] = {"class": verdict.meets.value}
    if verdict.meets is ViolationClass.INTERNAL:
        text = f"{result['message']['text']} No call of the project meets it."
        return {**result, "level": "note", "message": {"text": text}, "properties": properties}
    if verdict.meets is ViolationClass.MANIFEST or outcome.precondition is None:
        return {**result, "properties": properties}
    properties["precondition"] = outcome.precondition.text
    text = f"{result['message']['text']} Only calls meet it that break: {precondition_text(outcome.precondition)}."
    return {**result, "level": "note", "message": {"text": text}, "properties": properties}


def _result(found: _Finding, file: str) -> dict[str, Any]:
    text = found.text
    result: dict[str, Any] = {"ruleId": found.rule, "ruleIndex": found.rule_index, "level": "error"}
    if not found.trace:
        place = {"physicalLocation": {"artifactLocation": _artifact(file)}}
        return {**result, "message": {"text": f"{text}."}, "locations": [place]}
    end = found.trace[-1]
    chosen = [step for step in found.trace if step.kind == "input"]
    inputs = [f"{name} = {value}" for step in chosen for name, value in step.changes or ((step.text, step.value),)]
    more = len(inputs) > 20 or any(step.text.endswith((SAME_INPUTS, WITH_INPUTS)) for step in found.trace)
    shown = ", ".join(inputs[:20]) + (", ..." if more else "")
    message = f"{text}: {end.text}" + (f", with the inputs {shown}." if inputs else ".")
    flow = [_flow(step, number) for number, step in enumerate(found.trace, 1)]
    return {
        **result,
        "message": {"text": message},
        "locations": [_location(end)],
        "codeFlows": [{"threadFlows": [{"locations": flow}]}],
    }


def _with_loops(results: list[dict[str, Any]], loops: "tuple[LoopNote, ...]", property_: str) -> list[dict[str, Any]]:
    """The result of a run that does not end, with the loop that it does not leave; else a result for each loop."""
    places = [
        ({"physicalLocation": _physical(note.origin)} if note.origin else {"logicalLocations": [{"name": note.place}]})
        for note in loops
    ]
    if not results:
        passed = {"ruleId": property_, "ruleIndex": 0, "kind": "pass", "level": "none"}
        return [
            {**passed, "message": {"text": f"ends: {note.text}"}, "locations": [place]}
            for note, place in zip(loops, places, strict=True)
        ]
    related = [
        {**place, "id": number, "message": {"text": note.text}}
        for number, (note, place) in enumerate(zip(loops, places, strict=True), 1)
    ]
    return [{**result, "relatedLocations": related} for result in results]


def _flow(step: "TraceStep", number: int) -> dict[str, Any]:
    changes = ", ".join(f"{name} = {value}" for name, value in step.changes)
    if step.holds is not None:
        changes = "true" if step.holds else "false"
    elif not changes:
        changes = step.value
    text = f"{step.text}: {changes}" if changes and changes != step.text else step.text or step.kind
    item: dict[str, Any] = {"location": {**_location(step), "message": {"text": text}}, "executionOrder": number}
    essential = {"input": "essential", "violation": "essential", CYCLE: "essential", "repeated": "unimportant"}
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
