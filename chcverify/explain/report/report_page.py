"""The report's page: its sections, its template, its security policy (nothing but its own script and style runs)."""

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from chcverify.errors import InputError
from chcverify.explain.report import sections
from chcverify.explain.report.html_pieces import details, scroll, section, text
from chcverify.explain.report.source_html import source_html
from chcverify.explain.report.svg import graph_svg
from chcverify.explain.report.timeline import timeline_html
from chcverify.explain.report.trace_html import inputs_of, path_of, trace_data, trace_html
from chcverify.explain.trace_lines import violated
from chcverify.results.outcome import Outcome
from chcverify.results.report_data import ReportData
from chcverify.task import Task, read_text

if TYPE_CHECKING:
    from chcverify.results.source_facts import TraceStep


def report(outcome: Outcome, task: Task, version: str) -> str:
    """The HTML of the outcome, complete in itself; the sources are read again from their files."""
    sources = _sources(outcome, task)
    report_data = outcome.report_data or ReportData()
    listing, numbers = source_html(sources, outcome.invariants, outcome.trace, outcome.loops)
    path = path_of(outcome.trace, report_data.variables)
    parts: list[tuple[str, str, str]] = []  # id, title, content
    if outcome.trace:
        parts.append(("trace", "Error path", _stepper(outcome.trace) + trace_html(path)))
    if outcome.checks:
        parts.append(("checks", "Checks", sections.checks(outcome)))
    parts.append(("source", "Source", listing))
    if report_data.derivation:
        parts.append(("derivation", "Derivation", sections.derivation(report_data, is_open=not outcome.trace)))
    if report_data.model:
        parts.append(("model", "Model", sections.model(report_data)))
    if report_data.graphs:
        parts.append(("graphs", "Graphs", _graphs(report_data)))
    if report_data.clauses:
        parts.append(("clauses", "Clauses", sections.clauses(report_data)))
    statistics = outcome.statistics
    parts.append(("time", "Time line", timeline_html(statistics.get("events", ()), outcome.seconds)))
    parts.append(("statistics", "Statistics", sections.statistics(outcome)))
    parts.append(("certificate", "Certificate", sections.certificate(outcome, task)))
    script, style = _resource("script.js"), _resource("style.css")
    return Template(_resource("page.html")).substitute(
        title=text(f"{outcome.word}: {task.input_file}"),
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src 'unsafe-inline'; base-uri 'none'",
        style=style,
        script=script,
        kind=outcome.status,
        headline=sections.headline(outcome, task),
        links="".join(f'<a href="#{identity}">{text(title)}</a>' for identity, title, _ in parts),
        sections="\n".join(section(identity, title, content) for identity, title, content in parts),
        data=_data(trace_data(path, numbers) if outcome.trace else {}),
        version=text(version),
    )


def _sources(outcome: Outcome, task: Task) -> dict[str, str]:
    """The input first, then other files that the trace or the invariants speak of, those that can be read."""
    names = [step.origin.file for step in outcome.trace]
    names += [invariant.origin.file for invariant in outcome.invariants]
    names += [note.origin.file for note in outcome.loops if note.origin is not None]
    found = {}
    for name in dict.fromkeys([task.input_file, *names]):
        try:
            found[name] = read_text(name)
        except InputError:
            continue  # a header of a system, or a file that is gone
    return found


def _stepper(trace: tuple["TraceStep", ...]) -> str:
    inputs = inputs_of(trace)
    shown = ", ".join(f"{name} = {value}" for name, value in inputs[:60]) + (", …" if len(inputs) > 60 else "")
    about = violated(trace)
    why = ""
    if about is not None:
        values = ", ".join(f"{name} = {value}" for name, value in about[1].items())
        why = f'<p>Violated: <code class="bad">{text(about[0])}</code> where <code>{text(values)}</code></p>'
    return sections.STEPPER + why + (f"<p>Inputs: <code>{text(shown)}</code></p>" if inputs else "")


def _graphs(report_data: ReportData) -> str:
    drawn = []
    for number, graph in enumerate(report_data.graphs):
        svg = scroll(graph_svg(graph, f"graph{number}"), graph.title, "figure")
        drawn.append(details(graph.title, svg, is_open=number == 0))
    return "\n".join(drawn) + sections.omissions(report_data)


def _data(values: Mapping[str, Any]) -> str:
    """JSON in which nothing can end the element that holds it."""
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _resource(name: str) -> str:
    return files("chcverify.explain.report").joinpath(name).read_text(encoding="utf-8")
