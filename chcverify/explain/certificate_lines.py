"""The lines of `-v` for a verdict about clauses: the model as written, or the facts of the derivation in order."""

import json
from typing import Any

from chcverify.explain.text_lines import Line, counted, line
from chcverify.results.outcome import Outcome

MAX_LINES = 100  # lines


def certificate_lines(outcome: Outcome) -> list[Line]:
    """The heading and at most MOST lines; nothing without a certificate."""
    if not outcome.certificate:
        return []
    if outcome.status == "safe":
        title, shown = (
            "model",
            (outcome.shown or outcome.certificate).strip().removeprefix("(\n").removesuffix("\n)").splitlines(),
        )
    else:
        title, shown = "derivation", [_fact(number, step) for number, step in enumerate(_steps(outcome.certificate))]
    left = len(shown) - MAX_LINES
    out = [line(title, "head"), *(line(f"  {text}", "value", hang=6) for text in shown[:MAX_LINES])]
    return [*out, line(f"  ... {counted(left, 'more line')}: --certificate FILE ...", "dim")] if left > 0 else out


def _steps(certificate: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = json.loads(certificate)["steps"]
    return steps


def _fact(number: int, step: dict[str, Any]) -> str:
    """The fact that the step derives, of which earlier ones, by which clause; numbers of steps and clauses from 0."""
    arguments = ", ".join(step["arguments"])
    fact = step["predicate"] or "false"
    fact += f"({arguments})" if arguments else ""
    premises = f" from {', '.join(map(str, step['premises']))}" if step["premises"] else ""
    return f"{number}: {fact}{premises} by clause {step['clause']}"
