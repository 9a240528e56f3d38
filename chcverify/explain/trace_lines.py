"""The error trace: step by step with values, repeated loop iterations folded, the violated condition at the end."""

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

from chcverify.display_limits import IN_A_LIST, IN_A_PICTURE
from chcverify.explain.text_lines import Line, counted, line
from chcverify.results.repeated_steps import folds
from chcverify.results.source_facts import CYCLE, INTERRUPT, SAME_INPUTS, WITH_INPUTS, TraceStep

_HALF = (IN_A_PICTURE - IN_A_LIST) // 2  # lines of a long trace that are shown at its beginning, and at its end
_NAME = re.compile(r"[A-Za-z_]\w*")
_RESERVED_MEMBER = re.compile(r"[^=]*\.__")


def trace_lines(steps: Sequence[TraceStep], verbose: bool) -> list[Line]:
    """The trace for people.

    Without `verbose` initial values of members that are the implementation's own are left out, long repetitions show
    their first, second and last iteration, and of a trace that is still long only the beginning and the end.
    """
    out = _all_lines(steps if verbose else [step for step in steps if not _is_internal(step)], verbose)
    if not verbose and len(out) > 2 * _HALF + 1:
        out = [
            *out[:_HALF],
            line(f"      ... {counted(len(out) - 2 * _HALF, 'more line')}: -v ...", "dim"),
            *out[-_HALF:],
        ]
    return [line("error trace", "head"), *out, *_violated_lines(steps), *_input_lines(steps)]


def _all_lines(steps: Sequence[TraceStep], verbose: bool) -> list[Line]:
    hidden = {} if verbose else {fold.hidden.start: fold for fold in folds(steps)}
    out: list[Line] = []
    heading = None
    index = 0
    while index < len(steps):
        if (fold := hidden.get(index)) is not None:
            skipped = steps[index : index + fold.period]
            places = sorted({step.origin.line for step in skipped})
            span = f"line {places[0]}" if len(places) == 1 else f"lines {places[0]} to {places[-1]}"
            out.append(line(f"      ... {counted(fold.hidden_iterations, 'more iteration')} of {span} ...", "dim"))
            index = fold.hidden.stop
            continue
        step = steps[index]
        index += 1
        if _is_start(step):
            continue
        if step.kind == "repeated":
            out.append(line(f"      ... {step.text} ...", "dim"))
            continue
        if (step.function, step.thread) != heading:
            heading = (step.function, step.thread)
            name = "the start of the program" if _is_initialisation(step) else step.function.strip("<>")
            thread = "" if step.thread is None or _is_initialisation(step) else f", thread {step.thread}"
            whole = f"  {step.origin.file}" if os.path.basename(step.origin.file) != step.origin.file else ""
            out.append(Line((("  in ", "dim"), (name, "head"), (thread, "dim"), (whole, "dim"))))
        out.append(_step_line(step))
    return out


def _is_initialisation(step: TraceStep) -> bool:
    """True for steps of the initialisation before main, whose function has no name of the source."""
    return step.function.startswith("<") and not step.function.startswith(INTERRUPT)


def _is_internal(step: TraceStep) -> bool:
    """True for the initial value of a member whose name is reserved (C11 7.1.3), as in types of a system's headers."""
    return _is_initialisation(step) and _RESERVED_MEMBER.match(step.text) is not None


def _is_start(step: TraceStep) -> bool:
    return step.kind == "call" and _is_initialisation(step)


def _step_line(step: TraceStep) -> Line:
    place = f"  {os.path.basename(step.origin.file)}:{step.origin.line}"  # the heading has all of it
    values = ", ".join(f"{name} = {value}" for name, value in step.changes)
    if not values and step.value:
        values = f"= {step.value}"
    values = "" if values == step.text else values
    mark = {"input": "  <- input", "violation": "  <- violation"}.get(step.kind, "")
    style = "bad" if step.kind in ("violation", CYCLE) else ""
    text = step.text
    if step.kind == "condition":
        text = f"condition{'' if step.holds is None else ' true' if step.holds else ' false'}: {text}"
    return Line(
        ((place, "dim"), (f"  {text}", style), (f"   {values}" if values else "", "value"), (mark, style or "dim")),
        hang=6,
    )


def violated(steps: Sequence[TraceStep]) -> tuple[str, dict[str, str]] | None:
    """The violated condition, and the values of the names in it as far as steps of the trace contain them.

    It is what the violation itself says (`assert(x > 0)`), else the last condition before it; if that asks only for an
    argument of the function that it is in, as assertions made of functions do, then the call.
    """
    if not steps or steps[-1].kind != "violation":
        return None
    at = len(steps) - 1
    if not _values(steps, at):
        conditions = (i for i in range(at - 1, -1, -1) if steps[i].kind == "condition")
        at = next(conditions, at)
        call = next((i for i in range(at - 1, -1, -1) if steps[i].kind == "call"), None)
        if call is not None and steps[call].function != steps[at].function == steps[-1].function:
            parameters = {name for name, _ in steps[call].changes}
            if set(_NAME.findall(steps[at].text)) <= parameters and _values(steps, call):
                at = call
    values = _values(steps, at)
    return (steps[at].text, values) if values else None


def _values(steps: Sequence[TraceStep], at: int) -> dict[str, str]:
    """The last values of the names in a step's text that its own activation gave them, in the order of the text."""
    function, found = steps[at].function, dict[str, str]()
    for i in range(at - 1, -1, -1):
        step = steps[i]
        is_begin = step.kind == "call" and steps[i + 1].function == function
        if step.function == function and is_begin:
            return {}  # recursion: whose variables they are is not certain
        if is_begin or (step.kind != "call" and step.function == function):
            for name, value in dict(step.changes).items():
                found.setdefault(name, value)
        if is_begin:
            break
    return {name: found[name] for name in dict.fromkeys(_NAME.findall(steps[at].text)) if name in found}


def _violated_lines(steps: Sequence[TraceStep]) -> list[Line]:
    about = violated(steps)
    if about is None:
        return []
    values = ", ".join(f"{name} = {value}" for name, value in about[1].items())
    return [Line((("violated  ", "head"), (about[0], "bad"), ("  where ", "dim"), (values, "value")), hang=10)]


def _input_lines(steps: Iterable[TraceStep]) -> list[Line]:
    """All undetermined values in order: what reproduces the run."""
    values: list[str] = []
    for step in steps:
        if step.kind == "input":
            given = step.changes or (((step.text, step.value),) if step.value else ())
            values += [f"{name} = {value}" for name, value in given]
        elif step.kind == "repeated" and step.text.endswith((SAME_INPUTS, WITH_INPUTS)):
            values.append("...")
    if not values:
        return []
    in_all = "" if "..." in values else f"{len(values)} in all: "
    shown = values if len(values) <= 20 else [*values[:19], f"... ({in_all}--trace)"]
    return [Line((("inputs  ", "head"), (", ".join(shown), "value")), hang=8)]


def trace_json(steps: Sequence[TraceStep]) -> list[dict[str, Any]]:
    """One object per step; `changes` maps names to values as printed; `holds`, `value`, `thread` if it has them."""
    return [
        {
            "file": step.origin.file,
            "line": step.origin.line,
            "column": step.origin.column,
            "function": step.function,
            "kind": step.kind,
            "text": step.text,
            "changes": dict(step.changes),
            **({} if step.holds is None else {"holds": step.holds}),
            **({"value": step.value} if step.value else {}),
            **({} if step.thread is None else {"thread": step.thread}),
        }
        for step in steps
    ]
