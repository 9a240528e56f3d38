"""Kinds of checks and the properties that they make up."""

from chcverify.results.checks import DEREFERENCES, PROPERTY_CHECKS, CheckKind


def test_every_kind_is_a_property_of_its_own() -> None:
    assert all(PROPERTY_CHECKS[kind.value] == {kind} for kind in CheckKind)


def test_properties_of_the_competition() -> None:
    assert PROPERTY_CHECKS["unreach-call"] == {CheckKind.ASSERTION}
    assert PROPERTY_CHECKS["no-overflow"] == {CheckKind.OVERFLOW}
    assert PROPERTY_CHECKS["valid-memsafety"] == DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK}
    assert PROPERTY_CHECKS["valid-memcleanup"] == {CheckKind.CLEANUP}


def test_leaks_are_no_undefined_behaviour() -> None:
    assert not PROPERTY_CHECKS["undefined-behaviour"] & {CheckKind.LEAK, CheckKind.CLEANUP}
