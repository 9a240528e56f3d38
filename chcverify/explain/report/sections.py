"""The sections of the report that are texts and tables."""

import base64
import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chcverify.display_limits import IN_A_PAGE, IN_A_PICTURE
from chcverify.errors import InputError
from chcverify.explain.assumptions import assumption_texts
from chcverify.explain.report.html_pieces import details, scroll, table, text
from chcverify.explain.report.svg import graph_svg
from chcverify.explain.text_lines import counted
from chcverify.explain.verdict_lines import hints, obstacle_text
from chcverify.inputs.recorded_input import command_arguments, is_recorded, sha256
from chcverify.options import MEGABYTE
from chcverify.results.outcome import Outcome
from chcverify.results.report_data import CycleText, Graph, GraphEdge, GraphNode, ReportData
from chcverify.task import Task, read_text

MEANING = {
    ("c", "safe"): "No run of the program violates the property.",
    ("c", "unsafe"): "A run of the program violates the property.",
    ("horn", "safe"): "The clauses have a model.",
    ("horn", "unsafe"): "The clauses have no model: they derive false.",
}

STEPPER = """<div id="stepper" class="stepper" hidden>
<div class="buttons" role="group" aria-label="Steps">
<button type="button" data-go="first" aria-label="First step">«</button>
<button type="button" data-go="previous" aria-label="Previous step">‹</button>
<button type="button" data-go="next" aria-label="Next step">›</button>
<button type="button" data-go="last" aria-label="Last step">»</button>
<input type="range" min="0" value="0" aria-label="Step"><output></output></div>
<p class="now" aria-live="polite"></p>
<div class="scroll" role="region" tabindex="0" aria-label="Values"><table class="state">
<caption class="hidden">Values after this step</caption><tbody></tbody></table></div>
<p class="hint">Keys: <kbd>←</kbd> <kbd>→</kbd> or <kbd>k</kbd> <kbd>j</kbd>, <kbd>Home</kbd>, <kbd>End</kbd></p>
</div>
"""


def headline(outcome: Outcome, task: Task) -> str:
    """The verdict, its meaning, the engine that decided and the checkers that accepted."""
    lines = [f'<h1><span class="verdict {outcome.status}">{text(outcome.word)}</span> {text(task.input_file)}</h1>']
    if outcome.status == "unknown":
        lines.append(f"<p>No verdict after {outcome.seconds:.2f} s: {text(outcome.reason)}.</p>")
        if len(set(outcome.reasons.values())) > 1:
            rows = [(text(name), text(reason)) for name, reason in outcome.reasons.items()]
            lines.append(table("What the engines say", ("engine", "reason"), rows))
        if outcome.obstacle:
            lines.append(f"<p>Hard: {text(obstacle_text(outcome.obstacle))}.</p>")
        lines += [f"<p>{text(hint)}</p>" for hint in hints(outcome)]
    else:
        what = "model" if outcome.status == "safe" else "derivation"
        said = f" The {what} was accepted by {' and '.join(outcome.checkers)}." if outcome.checkers else ""
        by = f" by {outcome.engine}" if outcome.engine else ""
        lines.append(f"<p>{MEANING[task.language, outcome.status]}</p>")
        lines.append(f"<p>Decided{text(by)} in {outcome.seconds:.2f} s.{text(said)}</p>")
    model = f", data model {task.data_model or 'LP64'}" if task.language == "c" else ""
    lines.append(f'<p class="quiet">Property: {text(task.property)}{text(model)}</p>')
    if is_recorded(task):
        lines.append(f'<p class="quiet">Input: <code>{text(command_arguments(task))}</code></p>')
    if outcome.contradicts_task:
        lines.append('<p class="alarm">The task definition expects the other verdict: one of them is wrong.</p>')
    lines += [f'<p class="alarm">Undefined behaviour on the way: {text(warning)}</p>' for warning in outcome.warnings]
    if outcome.loops or outcome.explanation:
        reasons = [str(reason) for reason in (*outcome.loops, *outcome.explanation)]
        lines.append("<ul>" + "".join(f"<li>{text(reason)}</li>" for reason in reasons) + "</ul>")
    notes = assumption_texts(outcome)
    if notes:
        lines.append("<ul>" + "".join(f"<li>{text(note)}</li>" for note in notes) + "</ul>")
    return "\n".join(lines)


def checks(outcome: Outcome) -> str:
    """The verdict of each check."""
    rows = []
    for verdict in outcome.checks:
        origin = verdict.check.origin
        position = f"{origin.file}:{origin.line}:{origin.column}"
        what = f"<code>{text(verdict.check.text)}</code>"
        why = text(verdict.reason or verdict.engine)
        rows.append((text(verdict.status.value), text(verdict.check.kind.value), text(position), what, why))
    intro = "<p>Each verdict is about runs that violate no other check before.</p>"
    return intro + table("", ("verdict", "kind", "position", "check", "engine or reason"), rows)


def model(report_data: ReportData) -> str:
    rows = [
        (f"<code>{text(item.atom)}</code>", f"<code>{text(item.text)}</code>", text(item.position))
        for item in report_data.model
    ]
    intro = "<p>Read in place of the predicates, these formulas make every clause true.</p>"
    return intro + table("", ("predicate", "holds only if", "position"), rows)


def derivation(report_data: ReportData, is_open: bool) -> str:
    shown = {line.number for line in report_data.derivation}
    rows = []
    for line in report_data.derivation:
        premises = [f'<a href="#fact-{n}">{n}</a>' if n in shown else str(n) for n in line.premises]
        links = line.cycle.links if line.cycle else ()
        rows.append(
            (
                f'<span id="fact-{line.number}">{line.number}</span>',
                f"<code>{text(line.fact)}</code>{_cycle(line.cycle)}",
                ", ".join(f'<a href="#clause-{n}">{n}</a>' for n in [n for n, _ in links] or [line.clause]),
                ", ".join(premises) or "–",
            )
        )
    intro = "<p>Every fact follows by its clause from those of its premises; the last one is false.</p>"
    steps = details(counted(len(rows), "step"), table("", ("step", "fact", "clause", "premises"), rows), is_open)
    return intro + steps + _tree(report_data)


def _cycle(cycle: CycleText | None) -> str:
    """The facts that lead to the fact in each iteration of a cycle."""
    if cycle is None:
        return ""
    facts = ", ".join(f"<code>{text(fact)}</code>" for _, fact in cycle.links)
    return f"<br>{counted(cycle.count, 'time')}, for n = 0, …, {cycle.count - 1}: {facts}"


def _tree(report_data: ReportData) -> str:
    """The derivation as a graph, premises above, if it is small."""
    lines = report_data.derivation
    if len(lines) > IN_A_PICTURE or lines[0].number:
        return ""
    nodes = [
        GraphNode(
            str(line.number), (_shortened(line.fact),), "error" if line is lines[-1] else "", link=f"fact-{line.number}"
        )
        for line in lines
    ]
    arrows = [GraphEdge(str(p), str(line.number), "", "") for line in lines for p in line.premises]
    graph = Graph("Derivation", tuple(nodes), tuple(arrows))
    return details("As a graph", scroll(graph_svg(graph, "derivation"), "Derivation", "figure"), is_open=True)


def _shortened(fact: str) -> str:
    return fact if len(fact) <= 48 else fact[:47] + "…"


def clauses(report_data: ReportData) -> str:
    rows = [
        (
            f'<span id="clause-{clause.number}">{clause.number}</span>',
            f"<code>{text(clause.text)}</code>",
            text(" ".join(filter(None, (clause.position, clause.name)))),
        )
        for clause in report_data.clauses
    ]
    return details(counted(len(rows), "clause"), table("", ("number", "clause", "position"), rows)) + omissions(
        report_data
    )


def omissions(report_data: ReportData) -> str:
    return "".join(f'<p class="quiet">{text(sentence)}</p>' for sentence in report_data.omitted)


def statistics(outcome: Outcome) -> str:
    """Phases, sizes, transforms, and the statistics of each engine."""
    given = outcome.statistics
    parts = []
    if phases := given.get("phases"):
        parts.append(table("Phases", ("phase", "seconds"), [(text(n), f"{s:.3f}") for n, s in phases.items()]))
    engines = dict(given.get("engines", {}))
    stages = engines.get("system reduced", {}).get("stages", ())
    if stages:
        columns = ("name", "predicates", "clauses", "arguments", "seconds")
        rows = [[_figure(stage.get(column, "")) for column in columns] for stage in stages]
        parts.append(details("Transforms", table("", ("transform", *columns[1:]), rows)))
    elif size := given.get("system"):
        parts.append(table("Clauses", ("of the input", "number"), [(text(n), text(v)) for n, v in size.items()]))
    for name, figures in engines.items():
        rows = [[text(key), _figure(value)] for key, value in figures.items() if key != "stages"]
        if rows:
            parts.append(details(name, table("", ("figure", "value"), rows)))
    return "\n".join(parts) or "<p>Nothing was recorded.</p>"


def _figure(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Mapping):
        return "<br>".join(f"{text(key)}: {_figure(part)}" for key, part in value.items())
    return text(value)


def certificate(outcome: Outcome, task: Task) -> str:
    """The certificate itself, who accepted it, and the commands that check it again."""
    if not outcome.certificate:
        return "<p>Without a verdict there is no certificate.</p>"
    name = "model.smt2" if outcome.status == "safe" else "derivation.json"
    verdicts = outcome.statistics.get("certificate", {}).get("verdicts", ())
    rows = [
        (text(v["checker"]), "accepted" if v["accepted"] else "not accepted", text(v["reason"] or "")) for v in verdicts
    ]
    parts = [table("Checkers", ("checker", "verdict", "reason"), rows)] if rows else []
    parts.append(_again(task, name))
    parts.append(_fingerprints(outcome, task))
    content = outcome.certificate
    if len(content) <= MEGABYTE:
        encoded = base64.b64encode(content.encode()).decode()
        parts.append(f'<p><a download="{name}" href="data:text/plain;base64,{encoded}">Save {name}</a></p>')
    else:
        parts.append(
            "<p>The certificate is too long to be part of this file: <code>--certificate</code> writes it.</p>"
        )
    lines = content.splitlines()
    cut = "\n".join(lines if len(lines) <= IN_A_PAGE else [*lines[:IN_A_PAGE], "…"])
    parts.append(details(name, scroll(f"<pre>{text(cut)}</pre>", name)))
    return "\n".join(parts)


def _again(task: Task, name: str) -> str:
    given = shlex.quote(task.input_file)
    if is_recorded(task):
        given = command_arguments(replace(task, property="unreach-call", data_model=None))
    model = f" --data-model {task.data_model}" if task.language == "c" and task.data_model else ""
    wanted = f" --property {task.property}" if task.language == "c" and task.property != "unreach-call" else ""
    lines = [f"chcverify check {name} {given}{wanted}{model}"]
    if task.language == "c":
        lines += [f"chcverify export {given}{wanted}{model} -o clauses.smt2"]
    checker = "check_termination.py" if task.property == "termination" else "check_certificate.py"
    lines.append(f"python {checker} {name} {given if task.language == 'horn' else 'clauses.smt2'}")
    intro = "<p>To check it again, save it beside the input; the last command uses z3 and nothing of chcverify:</p>"
    return intro + scroll(f"<pre>{text(chr(10).join(lines))}</pre>", "Commands")


def _fingerprints(outcome: Outcome, task: Task) -> str:
    rows = [("certificate", f"<code>{hashlib.sha256(outcome.certificate.encode()).hexdigest()}</code>")]
    try:
        data = read_text(task.input_file).encode()
        rows.append((text(task.input_file), f"<code>{hashlib.sha256(data).hexdigest()}</code>"))
        rows += [(text(source.path), f"<code>{sha256(source.path)}</code>") for source in task.files[1:]]
    except InputError:
        pass
    return table("SHA-256", ("file", "fingerprint"), rows)
