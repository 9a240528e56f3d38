"""Properties as objects."""

import pytest

from chcverify.errors import InputError
from chcverify.properties.registry import FORMULAS, PROPERTIES, decider_of, ends_of, kinds_of
from chcverify.results.checks import DEREFERENCES, CheckKind
from chcverify.task import property_name


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


def test_what_is_looked_for_does_not_end_runs() -> None:
    assert ends_of("termination") == {CheckKind.OVERFLOW}
    assert ends_of("no-overflow,termination") == ends_of("division") == frozenset()


def test_termination_can_be_joined_with_sets_of_checks() -> None:
    assert property_name("undefined-behaviour,termination") == "undefined-behaviour,termination"
    assert decider_of("undefined-behaviour,termination") == PROPERTIES["termination"].decider
    with pytest.raises(InputError, match="no-data-race is decided alone"):
        property_name("no-data-race,termination")


def test_formulas_of_property_files_name_properties() -> None:
    assert FORMULAS["LTL(Fend)"] == "termination"
    assert FORMULAS["LTL(Gvalid-deref)"] == "valid-memsafety"


def test_only_sets_of_checks_can_be_joined() -> None:
    alone = {name for name, item in PROPERTIES.items() if not item.is_set_of_checks}
    assert alone == {"no-data-race", "no-deadlock", "termination", "check-sat", "coverage", "coverage-error-call"}
