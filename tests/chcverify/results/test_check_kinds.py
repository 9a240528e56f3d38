"""Kinds of checks, and how they are selected."""

from chcverify.horn.origin import Origin
from chcverify.results.checks import (
    DEREFERENCES,
    Check,
    CheckKind,
    selected,
    violation_word,
)


def test_checks_are_selected_by_patterns() -> None:
    checks = [Check(Origin("d/a.c", line, 3), kind) for line in (1, 12) for kind in (CheckKind.NULL, CheckKind.BOUNDS)]
    lines = {pattern: sorted((c.origin.line, c.kind) for c in selected(checks, [pattern])) for pattern in PATTERNS}
    assert lines == PATTERNS


PATTERNS = {
    "null": [(1, "null"), (12, "null")],
    "*:1:3": [(1, "bounds"), (1, "null")],
    "null:d/a.c:1": [(1, "null")],
    "nul": [],
    "*": [(1, "bounds"), (1, "null"), (12, "bounds"), (12, "null")],
}


def test_words_of_violations() -> None:
    assert {violation_word(kind) for kind in DEREFERENCES} == {"false(valid-deref)"}
    assert violation_word(CheckKind.LEAK) == "false(valid-memtrack)"
    assert violation_word(CheckKind.DIVISION) == "false(division)"
