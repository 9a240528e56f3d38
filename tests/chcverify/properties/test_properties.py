"""Properties as objects."""

from chcverify.properties.registry import FORMULAS, PROPERTIES, kinds_of
from chcverify.results.checks import DEREFERENCES, CheckKind


def test_every_kind_is_a_property_of_its_own() -> None:
    assert all(PROPERTIES[kind.value].kinds == {kind} for kind in CheckKind)


def test_properties_of_the_competition() -> None:
    assert PROPERTIES["unreach-call"].kinds == {CheckKind.ASSERTION}
    assert PROPERTIES["no-overflow"].kinds == {CheckKind.OVERFLOW}
    assert PROPERTIES["valid-memsafety"].kinds == DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK}
    assert PROPERTIES["valid-memcleanup"].kinds == {CheckKind.CLEANUP}


def test_leaks_are_no_undefined_behaviour() -> None:
    assert not PROPERTIES["undefined-behaviour"].kinds & {CheckKind.LEAK, CheckKind.CLEANUP}


def test_properties_can_be_joined() -> None:
    assert kinds_of("unreach-call,division") == {CheckKind.ASSERTION, CheckKind.DIVISION}


def test_formulas_of_property_files_name_properties() -> None:
    assert FORMULAS["LTL(Fend)"] == "termination"
    assert FORMULAS["LTL(Gvalid-deref)"] == "valid-memsafety"


def test_only_sets_of_checks_can_be_joined() -> None:
    alone = {name for name, item in PROPERTIES.items() if not item.is_set_of_checks}
    assert alone == {"no-data-race", "no-deadlock", "termination", "check-sat", "coverage", "coverage-error-call"}
