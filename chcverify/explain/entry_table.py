"""The verdicts of several entries for people: a row for each function, what was assumed, and the sums."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chcverify.explain.assumptions import assumption_word, contract_text
from chcverify.explain.text_lines import Line, counted, line
from chcverify.results.outcome import Outcome

if TYPE_CHECKING:
    from chcverify.results.entry_function import EntryFunction

_STYLE = {"safe": "good", "unsafe": "bad", "unknown": "open"}
MAX_NAMES = 4  # of functions in one line


def entry_rows(rows: "Sequence[tuple[EntryFunction, Outcome]]") -> list[Line]:
    """A line for each function: verdict, time, name, position, and why it is false or unknown."""
    width = max((len(entry.name) for entry, _ in rows), default=0)
    words = max((len(outcome.word) for _, outcome in rows), default=0)
    found = []
    for entry, outcome in rows:
        head = f"{outcome.word:<{words}}"
        text = f"  {outcome.seconds:6.2f} s  {entry.name:<{width}}  {entry.file}:{entry.line}{_why(outcome)}"
        found.append(Line(((head, _STYLE[outcome.status]), (text, "")), hang=words + 2))
    return [*found, _sum([outcome for _, outcome in rows])]


def entry_assumptions(rows: "Sequence[tuple[EntryFunction, Outcome]]", modular: bool = False) -> list[str]:
    """What was assumed, each text once, with the functions that it is about.

    modular: does the row of a function show that it keeps its contract, if it has one?
    """
    proved = {entry.name for entry, outcome in rows if modular and outcome.status == "safe"}
    contracts = dict.fromkeys(a for _, outcome in rows for a in outcome.assumptions if a.kind == "contract")
    subjects: dict[tuple[str, str], dict[str, None]] = {}
    for _, outcome in rows:
        for assumption in outcome.assumptions:
            if assumption.kind == "contract":
                continue
            word = assumption_word(assumption)
            subject = "callbacks" if assumption.subject.startswith("chcverify_callback") else assumption.subject
            subjects.setdefault((word, assumption.effect), {})[subject] = None
    lines = [f"{word}: {_listed(list(names))} {effect}" for (word, effect), names in subjects.items()]
    lines += [contract_text(contract, contract.subject in proved) for contract in contracts]
    return [*lines, *dict.fromkeys(f"warning: {claim}" for _, outcome in rows for claim in outcome.claims)]


def _listed(names: list[str]) -> str:
    more = len(names) - MAX_NAMES
    text = ", ".join(names[:MAX_NAMES])
    return f"{text} and {more} more:" if more > 0 else text + ":" * (len(names) > 1)


def _why(outcome: Outcome) -> str:
    if outcome.status == "unknown":
        return f": {outcome.reason}"
    if outcome.trace:
        end = outcome.trace[-1]
        return f": {end.text} at {end.origin.file}:{end.origin.line}"
    return ""


def _sum(outcomes: Sequence[Outcome]) -> Line:
    counts = {status: sum(outcome.status == status for outcome in outcomes) for status in _STYLE}
    seconds = sum(outcome.seconds for outcome in outcomes)
    words = ", ".join(
        f"{number} {name}" for name, number in zip(("true", "false", "unknown"), counts.values(), strict=True)
    )
    return line(f"{counted(len(outcomes), 'function')}: {words}; {seconds:.1f} s", "dim")
