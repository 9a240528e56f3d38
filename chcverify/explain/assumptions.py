"""The assumptions of a verdict as lines of text."""

from chcverify.results.assumption import Assumption
from chcverify.results.outcome import Outcome

VACUOUS = "vacuous: no assertion can be reached"


def assumption_texts(outcome: Outcome) -> list[str]:
    """Returns one line for each assumption and warning, and one if no assertion can be reached.

    The contracts that stand for bodies are not proved in the run of one outcome.
    """
    lines = [assumption_text(assumption) for assumption in outcome.assumptions]
    lines += [f"warning: {claim}" for claim in outcome.claims]
    return [*lines, VACUOUS] if outcome.is_vacuous else lines


def assumption_text(assumption: Assumption) -> str:
    """Returns the line of one assumption; undeclared functions and loop invariants without use get a warning."""
    if assumption.kind == "contract":
        return contract_text(assumption, is_proved=False)
    return f"{assumption_word(assumption)}: {assumption.text}"


def contract_text(assumption: Assumption, is_proved: bool) -> str:
    """Returns the line of a contract that stands for the body of its function."""
    how = "proved" if is_proved else "not proved"
    return f"assumed: contract of {assumption.subject} ({assumption.place}), {how} in this run"


def assumption_word(assumption: Assumption) -> str:
    """Returns the first word of an assumption's line."""
    return "warning" if assumption.kind in ("undeclared", "invariant") else "assumed"
