"""The assumptions of a verdict as lines of text."""

from chcverify.results.assumption import Assumption
from chcverify.results.outcome import Outcome

VACUOUS = "vacuous: no assertion can be reached"


def assumption_texts(outcome: Outcome) -> list[str]:
    """Returns one line for each assumption and warning, and one if no assertion can be reached."""
    lines = [assumption_text(assumption) for assumption in outcome.assumptions]
    return [*lines, VACUOUS] if outcome.is_vacuous else lines


def assumption_text(assumption: Assumption) -> str:
    """Returns the line of one assumption; undeclared functions get a warning."""
    word = "warning" if assumption.kind == "undeclared" else "assumed"
    return f"{word}: {assumption.text}"
