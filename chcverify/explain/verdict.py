"""The verdict for people: who decided, in what time, what was checked; why there is none, and what might help."""

import re
from collections.abc import Mapping
from typing import Any

from chcverify.explain.invariants import invariant_lines
from chcverify.explain.page import Line, line
from chcverify.explain.trace import trace_lines
from chcverify.outcome import Outcome

_STYLE = {"safe": "good", "unsafe": "bad", "unknown": "open"}


def verdict_lines(outcome: Outcome, verbose: bool) -> list[Line]:
    """The headline, then the invariants or the trace."""
    out = [_headline(outcome)]
    if outcome.status == "unknown":
        if any(reason != outcome.reason for reason in outcome.reasons.values()):
            out += _reasons(outcome.reasons)
        out += [line(f"  {hint}", "dim") for hint in hints(" ".join((outcome.reason, *outcome.reasons.values())))]
    if outcome.contradicts_task:
        promised = "true" if outcome.expected else "false"
        out.append(line(f"the task definition expects the verdict {promised}: one of them is wrong", "bad"))
    if outcome.invariants:
        out += invariant_lines(outcome.invariants, verbose)
    if outcome.trace:
        out += trace_lines(outcome.trace, verbose)
    if verbose and not outcome.invariants and not outcome.trace:
        from chcverify.explain.certificate import certificate_lines

        out += certificate_lines(outcome)
    return out


def _reasons(reasons: Mapping[str, str]) -> list[Line]:
    """A line for each reason, with the engines that gave it."""
    grouped: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        grouped.setdefault(reason, []).append(name)
    return [Line(((f"  {', '.join(names)}: ", "head"), (reason, "")), hang=4) for reason, names in grouped.items()]


def cross_check_lines(compared: Mapping[str, Any]) -> list[Line]:
    """What the engines of a cross-check answered, and where their certificates are if they disagree."""
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


def hints(reason: str) -> list[str]:
    """What might help, by the words of the reason."""
    if "unsupported" in reason:
        return ["the construct is not modelled; a smaller program without it may be decidable"]
    if "certificate refused" in reason:
        return ["an answer was found but not accepted; another --engine may give one with a better certificate"]
    if "during encode" in reason:
        limit = "--memory" if "memory" in reason else "--timeout"
        return [f"it was still being read and translated: a larger {limit} or a smaller input may help"]
    if re.search(r"\b(time|timeout|canceled)\b", reason):
        return ["a larger --timeout or another --engine may help"]
    if re.search(r"\bmemory\b", reason):
        return ["a larger --memory or another --engine may help"]
    return []
