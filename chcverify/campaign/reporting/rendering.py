"""The tables of a campaign as text, Markdown, CSV and one HTML page."""

import csv
import html
import io
import json
from collections.abc import Callable, Sequence

from chcverify.campaign.answers import Correctness
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.reporting.scores import ScoringScheme
from chcverify.campaign.reporting.tables import Row, disagreements, engine_shares, rows, unknown_reasons, wrong_answers
from chcverify.display_limits import IN_A_LIST
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class ReportTable:
    """Cells as text. numeric: the columns that are aligned to the right."""

    title: str
    header: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]
    numeric: frozenset[int]


_COLUMNS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("category", lambda row: row.category),
    ("tool", lambda row: row.tool),
    ("tasks", lambda row: str(row.tasks)),
    ("solved", lambda row: str(row.solved)),
    ("true", lambda row: str(row.correct_true)),
    ("false", lambda row: str(row.correct_false)),
    ("wrong", lambda row: str(row.wrong)),
    ("unconfirmed", lambda row: str(row.unconfirmed)),
    ("score", lambda row: str(row.score)),
    ("unjudged", lambda row: str(row.unjudged)),
    ("unknown", lambda row: str(row.unknown)),
    ("time-outs", lambda row: str(row.timeouts)),
    ("memory", lambda row: str(row.out_of_memory)),
    ("errors", lambda row: str(row.errors)),
    ("sum s", lambda row: f"{row.sum_seconds:.1f}"),
    ("mean s", lambda row: f"{row.mean_seconds:.2f}"),
    ("median s", lambda row: f"{row.median_seconds:.2f}"),
    ("cpu s", lambda row: f"{row.cpu_seconds:.1f}"),
    ("peak MB", lambda row: f"{row.peak_megabytes:.0f}"),
    ("median k", lambda row: "" if row.median_k is None else f"{row.median_k:g}"),
)


def campaign_tables(results: Sequence[RunResult], scheme: ScoringScheme) -> list[ReportTable]:
    """All tables, disagreements and wrong answers first."""
    tables = []
    contradictions = [
        (item.task, ", ".join(item.true), ", ".join(item.false), _expected(item.expected))
        for item in disagreements(results)
    ]
    if contradictions:
        tables.append(table_of("Disagreements", ("task", "true", "false", "expected"), contradictions))
    wrong = [(r.tool, r.task.path, r.answer.value, _expected(r.task.expected)) for r in wrong_answers(results)]
    if wrong:
        tables.append(table_of("Wrong answers", ("tool", "task", "answer", "expected"), wrong))
    body = [tuple(show(row) for _, show in _COLUMNS) for row in rows(results, scheme)]
    tables.append(table_of(f"Results (score: {scheme.name})", tuple(name for name, _ in _COLUMNS), body))
    shares = [(share.tool, share.engine, str(share.decided)) for share in engine_shares(results)]
    if shares:
        tables.append(table_of("Deciding engines", ("tool", "engine", "tasks"), shares))
    reasons = [(tool, reason, str(number)) for tool, reason, number in unknown_reasons(results)[:IN_A_LIST]]
    if reasons:
        tables.append(table_of("Undecided, by reason", ("tool", "reason", "runs"), reasons))
    return tables


def _expected(expected: bool | None) -> str:
    return {True: "true", False: "false", None: ""}[expected]


def table_of(title: str, header: tuple[str, ...], body: Sequence[tuple[str, ...]]) -> ReportTable:
    columns = range(len(header))
    numeric = frozenset(c for c in columns if all(_is_number(line[c]) for line in body))
    return ReportTable(title, header, tuple(body), numeric)


def _is_number(text: str) -> bool:
    return not text or text.replace(".", "", 1).lstrip("-").isdigit()


def as_text(tables: Sequence[ReportTable]) -> str:
    """Tables for a terminal, with aligned columns."""
    parts = []
    for table in tables:
        lines = [table.header, *table.body]
        widths = [max(len(line[column]) for line in lines) for column in range(len(table.header))]
        parts.append("\n".join([table.title, *(_aligned(line, widths, table.numeric) for line in lines)]))
    return "\n\n".join(parts)


def _aligned(line: Sequence[str], widths: Sequence[int], numeric: frozenset[int]) -> str:
    cells = (
        cell.rjust(width) if column in numeric else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(line, widths, strict=True))
    )
    return "  ".join(cells).rstrip()


def as_markdown(tables: Sequence[ReportTable]) -> str:
    parts = []
    for table in tables:
        rule = tuple("---:" if column in table.numeric else "---" for column in range(len(table.header)))
        lines = (table.header, rule, *(tuple(cell.replace("|", "\\|") for cell in line) for line in table.body))
        parts.append("\n".join([f"## {table.title}", "", *(f"| {' | '.join(line)} |" for line in lines)]))
    return "\n\n".join(parts) + "\n"


def as_csv(results: Sequence[RunResult]) -> str:
    """One line per run, for spreadsheets and scripts."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("tool", "category", "task", "property", "expected", "answer", "correctness", "wall_seconds", "cpu_seconds",
         "peak_megabytes", "method", "engine", "final_k", "reason", "host")
    )  # fmt: skip
    for r in results:
        writer.writerow(
            (r.tool, r.task.category, r.task.path, r.task.property_name, _expected(r.task.expected), r.answer.value,
             r.correctness.value, r.wall_seconds, r.cpu_seconds, r.peak_megabytes, r.method.value, r.engine,
             "" if r.final_k is None else r.final_k, r.reason, r.host)
        )  # fmt: skip
    return out.getvalue()


def as_json(results: Sequence[RunResult]) -> str:
    """A list of runs: task, tool, answer, correct (null if unjudged or undecided), seconds, cpu_seconds, ..."""
    correct = {Correctness.CORRECT: True, Correctness.WRONG: False}
    runs = [
        {
            "task": r.task.path,
            "category": r.task.category,
            "tool": r.tool,
            "answer": r.answer.value,
            "correct": correct.get(r.correctness),
            "seconds": r.wall_seconds,
            "cpu_seconds": r.cpu_seconds,
            "peak_megabytes": r.peak_megabytes,
            "engine": r.engine,
            "k": r.final_k,
            "reason": r.reason,
        }
        for r in results
    ]
    return json.dumps(runs, indent=1) + "\n"


_STYLE = """
body { font: 14px sans-serif; margin: 2em; } table { border-collapse: collapse; margin-bottom: 2em; }
td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left; } td.n { text-align: right; }
tr:nth-child(even) { background: #f6f6f6; } img, svg { max-width: 100%; }
"""


def as_html(title: str, tables: Sequence[ReportTable], images: Sequence[tuple[str, str]] = ()) -> str:
    """One page without links to other files. images: (caption, SVG text)."""
    parts = [f"<h2>{html.escape(table.title)}</h2>\n{_html_table(table)}" for table in tables]
    parts += [f"<h2>{html.escape(caption)}</h2>\n{svg[svg.find('<svg') :]}" for caption, svg in images]
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    body = f"<h1>{html.escape(title)}</h1>\n" + "\n".join(parts)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


def _html_table(table: ReportTable) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table.header)
    lines = "\n".join(
        "<tr>"
        + "".join(
            f"<td{' class=n' if column in table.numeric else ''}>{html.escape(cell)}</td>"
            for column, cell in enumerate(line)
        )
        + "</tr>"
        for line in table.body
    )
    return f"<table><tr>{head}</tr>\n{lines}</table>"
