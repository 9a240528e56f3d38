"""Kinds of checks and the properties that they make up."""

from chcverify.horn.origin import Origin
from chcverify.results.checks import (
    DEREFERENCES,
    PROPERTY_CHECKS,
    Check,
    CheckKind,
    kinds_of,
    selected,
    violation_word,
)


def test_every_kind_is_a_property_of_its_own() -> None:
    assert all(PROPERTY_CHECKS[kind.value] == {kind} for kind in CheckKind)


def test_properties_of_the_competition() -> None:
    assert PROPERTY_CHECKS["unreach-call"] == {CheckKind.ASSERTION}
    assert PROPERTY_CHECKS["no-overflow"] == {CheckKind.OVERFLOW}
    assert PROPERTY_CHECKS["valid-memsafety"] == DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK}
    assert PROPERTY_CHECKS["valid-memcleanup"] == {CheckKind.CLEANUP}


def test_leaks_are_no_undefined_behaviour() -> None:
    assert not PROPERTY_CHECKS["undefined-behaviour"] & {CheckKind.LEAK, CheckKind.CLEANUP}


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


def test_properties_can_be_joined() -> None:
    assert kinds_of("unreach-call,division") == {CheckKind.ASSERTION, CheckKind.DIVISION}
