"""The source with the invariants at their lines and marks at the lines of the trace."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from chcverify.display_limits import IN_A_PAGE
from chcverify.explain.invariant_lines import ordered
from chcverify.explain.report.html_pieces import details, text
from chcverify.results.source_facts import LoopNote, SourceInvariant, TraceStep


def source_html(
    files: Mapping[str, str],
    invariants: Sequence[SourceInvariant],
    trace: Sequence[TraceStep],
    loops: Sequence[LoopNote] = (),
) -> tuple[str, dict[str, int]]:
    """The files, and the number of each: line L of file F has the id `line-F-L`."""
    notes: dict[_Line, list[SourceInvariant | LoopNote]] = defaultdict(list)
    for invariant in ordered(invariants):
        notes[invariant.origin.file, invariant.origin.line].append(invariant)
    for note in loops:
        if note.origin is not None:
            notes[note.origin.file, note.origin.line].append(note)
    visited = {(step.origin.file, step.origin.line) for step in trace}
    ends = {(step.origin.file, step.origin.line) for step in trace if step.kind == "violation"}
    marks = {**dict.fromkeys(visited, " visited"), **dict.fromkeys(ends, " error")}
    numbers = {name: number for number, name in enumerate(files)}
    parts = []
    for name, content in files.items():
        listing = _listing(name, numbers[name], content, notes, marks)
        is_open = any(file == name for file, _ in notes)
        parts.append(listing if numbers[name] == 0 else details(name, listing, is_open=is_open))
    return _switch(invariants) + "\n".join(parts), numbers


_Line = tuple[str, int]  # file and line


def _listing(
    name: str,
    number: int,
    content: str,
    notes: Mapping[_Line, Sequence[SourceInvariant | LoopNote]],
    marks: Mapping[_Line, str],
) -> str:
    """One file. notes: of lines. marks: the CSS classes of lines that the trace passes."""
    lines = content.split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    shown = []
    for line, code in enumerate(lines[:IN_A_PAGE], 1):
        shown.append(_note(notes.get((name, line), ()), code))
        start = f'<li id="line-{number}-{line}" class="line{marks.get((name, line), "")}" value="{line}">'
        shown.append(f"{start}<code>{text(code) or ' '}</code></li>")
    cut = f"<p>{len(lines) - IN_A_PAGE} more lines are not shown.</p>" if len(lines) > IN_A_PAGE else ""
    begin = f'<div class="code" role="region" tabindex="0" aria-label="{text(name)}"><ol>\n'
    return begin + "\n".join(filter(None, shown)) + f"\n</ol></div>{cut}"


def _switch(invariants: Sequence[SourceInvariant]) -> str:
    """The switch that shows invariants beside those at loop heads; on where there are no others, "" without any."""
    if all(invariant.is_loop_head for invariant in invariants):
        return ""
    checked = "" if any(invariant.is_loop_head for invariant in invariants) else " checked"
    return f'<p><label><input type="checkbox" id="everywhere"{checked}> invariants at every line</label></p>\n'


def _note(notes: Sequence[SourceInvariant | LoopNote], code: str) -> str:
    """What is said before the line: loop invariants first; several in one line are distinguished by column."""
    if not notes:
        return ""
    indent = len(code) - len(code.lstrip())
    items = []
    for note in notes:
        if isinstance(note, LoopNote):
            items.append(f'<p class="loop"><b>runs</b> {text(note.text)}</p>')
            continue
        word = "loop invariant" if note.is_loop_head else f"at column {note.origin.column}"
        kind = "loop" if note.is_loop_head else "local"
        items.append(f'<p class="{kind}"><b>{word}</b> {_formula(note.text)}</p>')
    kind = "loop" if any(isinstance(note, LoopNote) or note.is_loop_head for note in notes) else "local"
    return f'<li class="note {kind}" style="--indent:{indent}">{"".join(items)}</li>'


def _formula(invariant: str) -> str:
    return "not reachable" if invariant == "0" else f"<code>{text(invariant)}</code>"
