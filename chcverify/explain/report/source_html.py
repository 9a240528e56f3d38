"""The source with the invariants at their lines and marks at the lines of the trace."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from chcverify.explain.invariant_lines import ordered
from chcverify.explain.report.html_pieces import details, text
from chcverify.results.source_facts import SourceInvariant, TraceStep

MAX_LINES = 6000


def source_html(
    files: Mapping[str, str], invariants: Sequence[SourceInvariant], trace: Sequence[TraceStep]
) -> tuple[str, dict[str, int]]:
    """The files, and the number of each: line L of file F has the id `line-F-L`."""
    notes: dict[tuple[str, int], list[SourceInvariant]] = defaultdict(list)
    for invariant in ordered(invariants):
        notes[invariant.origin.file, invariant.origin.line].append(invariant)
    visited = {(step.origin.file, step.origin.line) for step in trace}
    ends = {(step.origin.file, step.origin.line) for step in trace if step.kind == "violation"}
    numbers = {name: number for number, name in enumerate(files)}
    parts = []
    for name, content in files.items():
        number = numbers[name]
        lines = content.split("\n")
        lines = lines[:-1] if lines[-1] == "" else lines
        shown = []
        for line, code in enumerate(lines[:MAX_LINES], 1):
            kind = " error" if (name, line) in ends else " visited" if (name, line) in visited else ""
            shown.append(_note(notes.get((name, line), ()), code))
            shown.append(
                f'<li id="line-{number}-{line}" class="line{kind}" value="{line}"><code>{text(code) or " "}</code></li>'
            )
        cut = f"<p>{len(lines) - MAX_LINES} more lines are not shown.</p>" if len(lines) > MAX_LINES else ""
        listing = f'<div class="code" role="region" tabindex="0" aria-label="{text(name)}"><ol>\n'
        listing += "\n".join(filter(None, shown)) + f"\n</ol></div>{cut}"
        parts.append(listing if number == 0 else details(name, listing, is_open=any(file == name for file, _ in notes)))
    switch = ""
    if any(not invariant.is_loop_head for invariant in invariants):
        checked = "" if any(invariant.is_loop_head for invariant in invariants) else " checked"
        switch = f'<p><label><input type="checkbox" id="everywhere"{checked}> invariants at every line</label></p>\n'
    return switch + "\n".join(parts), numbers


def _note(invariants: Sequence[SourceInvariant], code: str) -> str:
    """What holds before the line, loop invariants foremost; several places of one line are told apart by column."""
    if not invariants:
        return ""
    indent = len(code) - len(code.lstrip())
    items = []
    for invariant in invariants:
        word = "loop invariant" if invariant.is_loop_head else f"at column {invariant.origin.column}"
        kind = "loop" if invariant.is_loop_head else "local"
        items.append(f'<p class="{kind}"><b>{word}</b> {_formula(invariant.text)}</p>')
    kind = "loop" if any(invariant.is_loop_head for invariant in invariants) else "local"
    return f'<li class="note {kind}" style="--indent:{indent}">{"".join(items)}</li>'


def _formula(invariant: str) -> str:
    return "not reachable" if invariant == "0" else f"<code>{text(invariant)}</code>"
