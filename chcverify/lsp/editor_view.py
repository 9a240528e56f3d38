"""Results in an editor: diagnostics with traces, invariants as inlay hints, lenses, as plain values from 0."""

from enum import IntEnum

from chcverify.display_limits import IN_A_PICTURE
from chcverify.lsp.document_runs import OpenDocument
from chcverify.lsp.function_scan import FunctionPosition, functions
from chcverify.lsp.verification import ReportedError, SourcePoint
from chcverify.quick_dataclass import dataclass


class Severity(IntEnum):
    """The severities of the protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3


@dataclass(frozen=True)
class Position:
    """Line and character from 0."""

    line: int
    character: int


@dataclass(frozen=True)
class Note:
    """A diagnostic from `start` to `end`. related: the steps of an error trace."""

    start: Position
    end: Position
    severity: Severity
    code: str
    message: str
    related: tuple[SourcePoint, ...] = ()


@dataclass(frozen=True)
class Hint:
    """A text that is shown at a position, and what a pointer over it shows."""

    at: Position
    label: str
    tooltip: str


@dataclass(frozen=True)
class Lens:
    """A command above a function. title: what it shows."""

    at: Position
    function: str
    title: str


def notes(document: OpenDocument) -> list[Note]:
    """The diagnostics of the document: violations, unusable input, and functions without a verdict."""
    lines = document.text.split("\n")
    found: list[Note] = []
    where = {item.name: item for item in functions(document.text)}
    for function, result in document.results.items():
        found += [_violation(item, document, where.get(function), lines) for item in result.findings]
        if result.problem is not None:
            start, end = _word(lines, result.problem.line, result.problem.column)
            found.append(Note(start, end, Severity.WARNING, "input", result.problem.text))
        elif result.word == "unknown":
            start, end = _name(where.get(function), lines)
            found.append(Note(start, end, Severity.INFORMATION, "unknown", f"no verdict: {result.reason}"))
    return found


def _violation(
    finding: ReportedError, document: OpenDocument, function: FunctionPosition | None, lines: list[str]
) -> Note:
    """A violation in another file is shown at the function that was verified."""
    here = finding.at.file == document.path
    start, end = _word(lines, finding.at.line, finding.at.column) if here else _name(function, lines)
    return Note(start, end, Severity.ERROR, finding.rule, finding.at.text, finding.steps[-IN_A_PICTURE:])


def hints(document: OpenDocument, first: int, last: int) -> list[Hint]:
    """The proved invariants of loops, at the ends of the lines first to last (from 0) where the loops begin."""
    lines = document.text.split("\n")
    by_line: dict[int, list[str]] = {}
    for result in document.results.values():
        for item in result.invariants:
            if item.file == document.path and first <= item.line - 1 <= last and item.line <= len(lines):
                by_line.setdefault(item.line - 1, []).append(item.text)
    return [
        Hint(Position(line, len(lines[line].rstrip("\r"))), f"invariant: {_short(texts)}", "\n".join(texts))
        for line, texts in sorted(by_line.items())
    ]


def _short(texts: list[str], most: int = 80) -> str:
    text = " && ".join(dict.fromkeys(texts))
    return text if len(text) <= most else text[: most - 3] + "..."


def lenses(document: OpenDocument) -> list[Lens]:
    """A lens for each function: what it was verified to, or the offer to do that."""
    found = []
    for item in functions(document.text):
        result = document.results.get(item.name)
        if document.running == item.name:
            title = "verifying ..."
        elif result is None:
            title = "verify this function"
        else:
            word = result.word or "not readable"
            title = f"{word} ({result.seconds:.1f} s), verify again" if result.word else f"{word}, verify again"
        found.append(Lens(Position(item.line - 1, item.column - 1), item.name, title))
    return found


def _name(function: FunctionPosition | None, lines: list[str]) -> tuple[Position, Position]:
    """The name of a function, or the beginning of the text."""
    return _word(lines, function.line, function.column) if function else (Position(0, 0), Position(0, 0))


def _word(lines: list[str], line: int, column: int) -> tuple[Position, Position]:
    """The word at a position from 1, or one character."""
    row = min(max(0, line - 1), len(lines) - 1)
    start = min(max(0, column - 1), len(lines[row]))
    end = start
    while end < len(lines[row]) and (lines[row][end].isalnum() or lines[row][end] == "_"):
        end += 1
    return Position(row, start), Position(row, min(max(end, start + 1), len(lines[row])))
