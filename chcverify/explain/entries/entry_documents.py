"""The table of functions as a file: Markdown for people, JSON for programs."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from chcverify.explain.entries.broken_calls import broken_calls
from chcverify.explain.entries.entry_table import CheckCounts, EntryTable, entry_assumptions, sum_line, undecided
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome

if TYPE_CHECKING:
    from chcverify.results.entry_function import EntryFunction

Rows = Sequence[tuple["EntryFunction", Outcome]]


def table_document(table: EntryTable, rows: Rows, path: str) -> str:
    """The text of the table's file, JSON if its name ends with `.json`, else Markdown.

    rows: the functions that are decided so far.
    """
    return _json(table, rows) if path.endswith(".json") else _markdown(table, rows)


def _markdown(table: EntryTable, rows: Rows) -> str:
    """A table of all functions, then the violations, what is undecided, and what was assumed."""
    head = "| function | position | checks | proved | violated | unknown | seconds | verdict |\n"
    lines = [head + "|---|---|--:|--:|--:|--:|--:|---|"]
    for entry, outcome in rows:
        counts = CheckCounts.of(outcome)
        numbers = asdict(counts).values() if counts is not None else ["-"] * 4
        where = table.position(entry.file, entry.line)
        cells = [f"`{entry.name}`", where, *map(str, numbers), f"{outcome.seconds:.2f}", outcome.word]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", sum_line([outcome for _, outcome in rows]).text]
    lines += _section("Violations", [(entry, table.violations(outcome)) for entry, outcome in rows])
    calls = [f"- {_escaped(table.broken_call(call))}" for call in broken_calls(rows)]
    lines += ["", "## Calls that break a precondition", "", *calls] if calls else []
    lines += _section("What callers must guarantee", [(entry, table.latent(outcome)) for entry, outcome in rows])
    lines += _section(
        "Violated by no call of the project", [(entry, table.internal(outcome)) for entry, outcome in rows]
    )
    lines += _section("Justified or known", [(entry, table.silenced(outcome)) for entry, outcome in rows])
    lines += _section("Undecided", [(entry, undecided(outcome)) for entry, outcome in rows])
    assumed = [f"- {_escaped(text)}" for text in entry_assumptions(rows)]
    if assumed:
        lines += ["", "## Assumptions", "", *assumed]
    return "\n".join(lines) + "\n"


def _section(title: str, texts: "Sequence[tuple[EntryFunction, list[str]]]") -> list[str]:
    """A list with the name of the function before each text; nothing if there are none."""
    items = [f"- `{entry.name}`: {_escaped(text)}" for entry, found in texts for text in found]
    return ["", f"## {title}", "", *items] if items else []


def _escaped(text: str) -> str:
    """The text without what Markdown would take for markup."""
    return "".join(f"\\{character}" if character in "\\`*_|<" else character for character in text)


def _json(table: EntryTable, rows: Rows) -> str:
    """The rows with all checks that are not proved."""
    document: dict[str, Any] = {"format": 1, "functions": [_row(table, entry, outcome) for entry, outcome in rows]}
    if calls := broken_calls(rows):
        document["broken_calls"] = [call.document() for call in calls]
    return json.dumps(document, indent=2) + "\n"


def _precondition(outcome: Outcome) -> dict[str, Any]:
    """What callers must guarantee; nothing where that was not inferred."""
    found = outcome.precondition
    if found is None:
        return {}
    return {
        "requires": list(found.requires),
        "requires_proved": found.is_proved,
        "requires_necessary": list(found.necessary),
    }


def _row(table: EntryTable, entry: "EntryFunction", outcome: Outcome) -> dict[str, Any]:
    counts = CheckCounts.of(outcome)
    proved = (CheckStatus.PROVED, CheckStatus.NOT_REACHED)
    return {
        "function": entry.name,
        "file": entry.file,
        "line": entry.line,
        "verdict": outcome.word,
        "seconds": round(outcome.seconds, 3),
        **({} if counts is None else asdict(counts)),
        "reason": outcome.reason,
        "violations": table.violations(outcome),
        **_precondition(outcome),
        "open": [verdict.document() for verdict in outcome.checks if verdict.status not in proved],
    }
