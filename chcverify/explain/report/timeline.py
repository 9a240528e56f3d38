"""The time line: a bar for each phase and each engine."""

from collections.abc import Mapping, Sequence
from typing import Any

from chcverify.explain.report.html_pieces import scroll, text
from chcverify.quick_dataclass import dataclass

_BEGINS = {"start": "engine", "back-translation": "back", "certify": "check"}
_DONE = {"engine": "answered", "back": "carried back", "check": "checked"}
_ENDS = {"unknown": "gave up", "refused": "certificate refused"}
_ROW, _LABEL, _WIDTH = 24, 190, 620


@dataclass(frozen=True)
class Bar:
    """A stretch of time of one row."""

    row: str
    """Who was at work."""
    start: float
    """Seconds since the start of the run."""
    end: float
    """Seconds since the start of the run."""
    kind: str
    """One of "phase", "engine", "back" and "check"."""
    note: str = ""


def bars(events: Sequence[Mapping[str, Any]], seconds: float) -> list[Bar]:
    """From the events of the statistics: phases follow one another, an engine works until it gives up or answers."""
    out: list[Bar] = []
    open_: dict[str, tuple[float, str]] = {}  # who -> since when, kind of the bar
    phase = ("start", 0.0)
    for event in events:
        now, engine, what = float(event["seconds"]), str(event["engine"]), str(event["phase"])
        if not engine:
            out.append(Bar(*phase, now, "phase"))
            phase = (what, now)
        elif what in _BEGINS:
            if engine in open_:
                since, kind = open_[engine]
                out.append(Bar(engine, since, now, kind, _DONE[kind]))
            open_[engine] = (now, _BEGINS[what])
        elif what in _ENDS and engine in open_:
            since, kind = open_.pop(engine)
            out.append(Bar(engine, since, now, kind, _ENDS[what]))
    out.append(Bar(*phase, seconds, "phase"))
    last = next((bar.start for bar in out if bar.kind == "phase" and bar.row == "explain"), seconds)
    out += [Bar(engine, since, last, kind, "until the end") for engine, (since, kind) in open_.items()]
    return out


def timeline_html(events: Sequence[Mapping[str, Any]], seconds: float) -> str:
    if not events:
        return "<p>Nothing was recorded.</p>"
    items = bars(events, seconds)
    rows = list(dict.fromkeys(bar.row for bar in sorted(items, key=lambda bar: (bar.kind != "phase", bar.start))))
    span = max(seconds, *(bar.end for bar in items), 1e-3)
    height = (len(rows) + 1) * _ROW
    out = []
    for tick in _ticks(span):
        x = _LABEL + tick / span * _WIDTH
        out.append(f'<path class="tick" d="M{x:.1f} 0V{height - _ROW}"/>')
        out.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{tick:g} s</text>')
    for number, row in enumerate(rows):
        out.append(f'<text x="{_LABEL - 10}" y="{number * _ROW + 16}" text-anchor="end">{text(row)}</text>')
    for bar in items:
        x, y = _LABEL + bar.start / span * _WIDTH, rows.index(bar.row) * _ROW + 4
        width = max(2.0, (bar.end - bar.start) / span * _WIDTH)
        note = f"{bar.row}: {bar.start:.2f} s to {bar.end:.2f} s{f', {bar.note}' if bar.note else ''}"
        out.append(
            f'<rect class="{bar.kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_ROW - 8}" rx="3">'
            f"<title>{text(note)}</title></rect>"
        )
    total = _LABEL + _WIDTH + 40
    svg = f'<svg width="{total}" height="{height}" viewBox="0 0 {total} {height}" role="img" aria-label="Time line">'
    legend = '<p class="legend"><span class="phase">phase</span> <span class="engine">engine</span> '
    legend += '<span class="back">back-translation to the original clauses</span> '
    legend += '<span class="check">check of a certificate</span></p>'
    return legend + scroll(f"{svg}{''.join(out)}</svg>", "Time line", "figure")


def _ticks(span: float) -> list[float]:
    """Five to ten round numbers from 0 on."""
    step = 10.0
    while step > span:
        step /= 10
    while span / step > 10:
        step *= 10
    step = next(part for part in (step / 5, step / 2, step) if span / part <= 10)
    return [round(number * step, 9) for number in range(int(span / step + 1e-9) + 1)]
