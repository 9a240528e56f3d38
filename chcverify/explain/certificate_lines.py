"""The lines of `-v` for a verdict about clauses: the model as written, or the facts of the derivation in order."""

import json
from typing import Any

from chcverify.display_limits import IN_A_PICTURE, LINE_CHARACTERS
from chcverify.explain.text_lines import Line, counted, line
from chcverify.results.outcome import Outcome


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
        title, shown = "derivation", _facts(json.loads(outcome.certificate))
    left = len(shown) - IN_A_PICTURE
    out = [line(title, "head"), *(line(f"  {text}", "value", hang=6) for text in shown[:IN_A_PICTURE])]
    return [*out, line(f"  ... {counted(left, 'more line')}: --certificate FILE ...", "dim")] if left > 0 else out


def _facts(derivation: dict[str, Any]) -> list[str]:
    """The facts that the steps derive, of which earlier ones, by which clause; numbers of steps and clauses from 0."""
    values = derivation.get("values", [])
    found = []
    for number, step in enumerate(derivation["steps"]):
        if "links" in step:
            found.append(f"{number}: a cycle of {counted(len(step['links']), 'clause')}, taken {step['count']} times")
            continue
        arguments = ", ".join(_short(values[a] if isinstance(a, int) else a) for a in step["arguments"])
        fact = step["predicate"] or "false"
        fact += f"({arguments})" if arguments else ""
        premises = f" from {', '.join(map(str, step['premises']))}" if step["premises"] else ""
        found.append(f"{number}: {fact}{premises} by clause {step['clause']}")
    return found


def _short(value: str | dict[str, Any]) -> str:
    """A value for people: the end of a long array is left out, and what it is stored into."""
    if isinstance(value, dict):
        return f"(store ... {' ... '.join(' '.join(map(str, pair)) for pair in value['stores'])})"
    return value if len(value) <= LINE_CHARACTERS else f"{value[:LINE_CHARACTERS]} ..."
