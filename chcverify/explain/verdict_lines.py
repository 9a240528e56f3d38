"""The verdict for people: who decided, in what time, what was checked; why there is none, and what might help."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from chcverify.display_limits import IN_A_LINE
from chcverify.explain.findings.undecided_causes import MEANING
from chcverify.explain.invariant_lines import invariant_lines
from chcverify.explain.text_lines import Line, line
from chcverify.explain.trace_lines import trace_lines
from chcverify.horn.origin import Origin
from chcverify.results.outcome import Obstacle, Outcome
from chcverify.results.reasons import Cause

_STYLE = {"safe": "good", "unsafe": "bad", "unknown": "open"}


def verdict_lines(outcome: Outcome, verbose: bool) -> list[Line]:
    """The headline, then the invariants or the trace."""
    out = [_headline(outcome)]
    if outcome.status == "unknown":
        out += unknown_lines(outcome, verbose)
    if outcome.contradicts_task:
        promised = "true" if outcome.expected else "false"
        out.append(line(f"the task definition expects the verdict {promised}: one of them is wrong", "bad"))
    out += [line(f"  {text}", hang=4) for text in (*outcome.loops, *outcome.explanation)]
    if outcome.invariants:
        out += invariant_lines(outcome.invariants, verbose)
    if outcome.trace:
        out += trace_lines(outcome.trace, verbose)
    if verbose:
        out += [line(f"warning: {note}", hang=4) for note in outcome.statistics.get("cache", {}).get("notes", ())]
    if verbose and not outcome.invariants and not outcome.trace:
        from chcverify.explain.certificate_lines import certificate_lines

        out += certificate_lines(outcome)
    return out


def unknown_lines(outcome: Outcome, verbose: bool) -> list[Line]:
    """The obstacle and hints for a verdict `unknown`; with `verbose` the reason of each engine, too."""
    several = any(reason != outcome.reason for reason in outcome.reasons.values())
    out = [line(f"  hard: {obstacle_text(outcome.obstacle)}", hang=8)] if outcome.obstacle else []
    advice = "; ".join(hints(outcome))
    if several and not verbose:
        advice = "; ".join(filter(None, (advice, "-v says why each engine gave up")))
    out += [line(f"  {advice}", "dim", hang=4)] if advice else []
    return out + (_reasons(outcome.reasons) if several and verbose else [])


def _reasons(reasons: Mapping[str, str]) -> list[Line]:
    """A line for each reason, with the engines that gave it."""
    grouped: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        grouped.setdefault(reason, []).append(name)
    return [Line(((f"  {', '.join(names)}: ", "head"), (reason, "")), hang=4) for reason, names in grouped.items()]


def cross_check_lines(compared: Mapping[str, Any]) -> list[Line]:
    """The answers of the engines of a cross-check, and the files of their certificates if they disagree."""
    said = ", ".join(f"{label}: {word}" for label, word in compared["answers"].items()) or "no engine answered"
    only = "" if len(compared["answers"]) > 1 else " (nothing to compare)"
    out = [Line((("cross-check  ", "head"), (f"{said}{only}", "" if compared["agree"] else "bad")), hang=13)]
    return out + [line(f"  certificate: {file}") for file in compared.get("files", ())]


def _headline(outcome: Outcome) -> Line:
    if outcome.status == "unknown":
        return Line((("unknown", "open"), (f" after {outcome.seconds:.2f} s: {outcome.reason}", "")), hang=2)
    what = "model" if outcome.status == "safe" else "derivation"
    accepted = f"; {what} accepted by {' and '.join(outcome.checkers)}" if outcome.checkers else ""
    by = f" by {outcome.engine}" if outcome.engine else ""
    return Line(
        ((outcome.word, _STYLE[outcome.status]), (f": decided{by} in {outcome.seconds:.2f} s{accepted}", "")), 2
    )


def obstacle_text(obstacle: Obstacle) -> str:
    """The assertions and loops that were hard, by their lines."""
    noun = "assertion" if obstacle.of_program else "query"
    what = f"the {_named(obstacle.assertions, noun)}" if obstacle.assertions else "the queries"
    if obstacle.loops:
        file = obstacle.assertions[-1].file if obstacle.assertions else ""
        return f"{what} behind the {_named(obstacle.loops, 'loop', file)}"
    return what + (f" over {_listed(obstacle.predicates)}" if obstacle.predicates else "")


def _named(origins: Sequence[Origin], noun: str, file: str = "") -> str:
    """`loop at a.c:3`; `loops at a.c:3, b.c:4 and 2 more`; `loops at lines 3, 4` in the file that was named last."""
    plural = {"query": "queries"}.get(noun, f"{noun}s") if len(origins) > 1 else noun
    if all(origin.file == file for origin in origins):
        return f"{plural} at line{'s' * (len(origins) > 1)} {_listed([str(origin.line) for origin in origins])}"
    lines = []
    for origin in origins:
        same = origin.file == file
        lines.append(str(origin.line) if same else f"{os.path.basename(origin.file)}:{origin.line}")
        file = origin.file
    return f"{plural} at {_listed(lines)}"


def _listed(items: Sequence[str]) -> str:
    more = len(items) - IN_A_LINE
    return ", ".join(items[:IN_A_LINE]) + (f" and {more} more" if more > 0 else "")


_HINTS: Mapping[Cause, str] = {
    Cause.UNSUPPORTED: "the construct is not modelled; a smaller program without it may be decidable",
    Cause.DEPENDS: f"to decide it, give that construct a meaning: {MEANING}",
    Cause.REFUSED: "an answer was found but not accepted; another --engine may give one with a better certificate",
    Cause.NOT_CONFIRMED: "a violation was derived, but its run depends on what is not modelled or not defined",
    Cause.TIME: "a larger --timeout or another --engine may help",
    Cause.NOT_STARTED: "a larger --timeout may help",
    Cause.MEMORY: "a larger --memory or another --engine may help",
    Cause.NOT_CACHED: "a run with --cache, without --cache-only, may decide it and store a certificate",
    Cause.GAVE_UP: "another --engine may help",
    Cause.NO_FORM: "another --engine may help",
}


def hints(outcome: Outcome) -> list[str]:
    """Hints for a run without a verdict, by the kind of the reason."""
    if not outcome.is_read and outcome.cause in (Cause.TIME, Cause.MEMORY):
        limit = "--memory" if outcome.cause is Cause.MEMORY else "--timeout"
        return [f"it was still being read and translated: a larger {limit} or a smaller input may help"]
    return [_HINTS[outcome.cause]] if outcome.cause in _HINTS else []
