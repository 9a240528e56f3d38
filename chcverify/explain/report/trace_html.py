"""The error path as steps with the values of variables by stack frame: what the page's script walks through."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from chcverify.display_limits import IN_A_PAGE
from chcverify.explain.report.html_pieces import text
from chcverify.explain.text_lines import counted
from chcverify.quick_dataclass import dataclass
from chcverify.results.repeated_steps import folds
from chcverify.results.source_facts import CYCLE, TraceStep

GLOBALS = 0  # the frame of what is set before main


@dataclass(frozen=True)
class Shown:
    """A step, or `count` iterations as one. frame: in which control is afterwards. changes: (frame, name, value)."""

    step: TraceStep
    frame: int
    changes: tuple[tuple[int, str, str], ...]
    skipped: int = 0


@dataclass(frozen=True)
class ErrorPath:
    """frames: the function of each and the frame that called it; frame 0 holds the globals."""

    steps: list[Shown]
    frames: list[tuple[str, int]]


def path_of(trace: Sequence[TraceStep], variables: Mapping[str, Collection[str]] | None = None) -> ErrorPath:
    """Frames come from calls and returns; what is set before main is global from then on, as are the names under "".

    variables: names by the function that declares them; one that declares the name of a global means its own by it.
    """
    own = variables or {}
    frames = [("globals", -1)]
    stack = [GLOBALS]
    known = set(own.get("", ()))
    steps = []
    for index, step in enumerate(trace):
        initial = step.function.startswith("<")
        if step.kind == "return" and len(stack) > 1:
            stack.pop()
        if step.kind == "call":
            after = trace[index + 1].function if index + 1 < len(trace) else step.text.partition("(")[0]
            frames.append((after, stack[-1]))
            stack.append(len(frames) - 1)
        elif stack[-1] == GLOBALS and not initial:  # a trace that begins inside a function
            frames.append((step.function, GLOBALS))
            stack.append(len(frames) - 1)
        here = stack[-1]
        if initial:
            known |= {name for name, _ in step.changes}
        visible = set[str]() if step.kind == "call" else known.difference(own.get(step.function, ()))
        changes = [(GLOBALS if _is_one_of(name, visible) else here, name, value) for name, value in step.changes]
        steps.append(Shown(step, here, tuple(changes)))
    return ErrorPath(_folded(trace, steps), frames)


def _is_one_of(name: str, known: set[str]) -> bool:
    return name in known or any(name.startswith((f"{base}[", f"{base}.")) for base in known)


def _folded(trace: Sequence[TraceStep], steps: list[Shown]) -> list[Shown]:
    """All steps if they are few, else without the inner iterations of repetitions; their changes are kept, merged."""
    if len(steps) <= IN_A_PAGE:
        return steps
    out: list[Shown] = []
    done = 0
    for fold in folds(trace):
        start, end = fold.hidden.start, fold.hidden.stop
        if start >= end:
            continue
        out += steps[done:start]
        merged = {(frame, name): value for step in steps[start:end] for frame, name, value in step.changes}
        changes = tuple((frame, name, value) for (frame, name), value in merged.items())
        out.append(Shown(trace[end - 1], steps[end - 1].frame, changes, fold.hidden_iterations))
        done = end
    return [*out, *steps[done:]]


def trace_html(path: ErrorPath) -> str:
    """The steps as a list that is readable without the script, which makes a stepper of it."""
    items = []
    for number, shown in enumerate(path.steps):
        step = shown.step
        what, mark = _what(shown), "repeated" if shown.skipped else step.kind
        values = ", ".join(f"{name} = {value}" for _, name, value in shown.changes[:12])
        values = values or (f"= {step.value}" if step.value else "")
        values += ", …" if len(shown.changes) > 12 else ""
        show_values = f' <span class="values">{text(values)}</span>' if values and values != what else ""
        indent = min(12, _depth(path, shown.frame))
        where = f"{'harness ' * step.origin.file.startswith('<harness')}{step.origin.line}"
        items.append(
            f'<li id="step-{number}" class="{mark}" style="--depth:{indent}"><span class="where">{where}'
            f"</span> <code>{text(what)}</code>{show_values}{_badge(mark, step.holds)}</li>"
        )
    return '<ol class="steps">\n' + "\n".join(items) + "\n</ol>"


def _what(shown: Shown) -> str:
    return counted(shown.skipped, "more iteration") if shown.skipped else shown.step.text


def _badge(kind: str, holds: bool | None) -> str:
    if kind == "condition" and holds is not None:
        return f' <span class="badge {"true" if holds else "false"}">{"true" if holds else "false"}</span>'
    return (
        f' <span class="badge {kind}">{kind}</span>' if kind in ("input", "violation", "call", "return", CYCLE) else ""
    )


def _depth(path: ErrorPath, frame: int) -> int:
    depth = 0
    while frame > GLOBALS and depth < 12:
        frame = path.frames[frame][1]
        depth += 1
    return max(0, depth - 1)


def trace_data(path: ErrorPath, numbers: Mapping[str, int]) -> dict[str, Any]:
    """For the script: steps as [file number, line, function, kind, text, frame, changes], and the frames."""
    steps = [
        [
            numbers.get(shown.step.origin.file, -1),
            shown.step.origin.line,
            path.frames[shown.frame][0],
            "repeated" if shown.skipped else shown.step.kind,
            _what(shown) + _answer(shown),
            shown.frame,
            list(map(list, shown.changes)),
        ]
        for shown in path.steps
    ]
    return {"steps": steps, "frames": [list(frame) for frame in path.frames]}


def inputs_of(trace: Iterable[TraceStep]) -> list[tuple[str, str]]:
    """The undetermined values in order: what reproduces the run."""
    inputs = (step for step in trace if step.kind == "input")
    return [change for step in inputs for change in step.changes or (((step.text, step.value),) if step.value else ())]


def _answer(shown: Shown) -> str:
    step = shown.step
    if shown.skipped or (step.holds is None and (shown.changes or not step.value)):
        return ""
    return f" = {step.value}" if step.holds is None else f" is {'true' if step.holds else 'false'}"
