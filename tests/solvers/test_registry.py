"""Names of engines: their own, and standard names as aliases."""

import pytest

from chcverify.portfolio.schedule import named
from solvers.registry import ALIASES, EngineEntry, canonical, engines, get, is_own, refusal


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_loads_the_engine_of_its_own_name(alias: str) -> None:
    own = ALIASES[alias]
    assert is_own(alias) and is_own(own) and own not in ALIASES
    assert get(alias).name == get(own).name


def test_aliases_are_not_listed_and_replace_no_engine() -> None:
    assert not ALIASES.keys() & engines().keys()
    assert canonical("df") == "df" and canonical("no such engine") == "no such engine"


def test_runs_are_named_by_the_own_name() -> None:
    assert [(run.engine, run.variant) for run in named(["k-induction@original", "abstract-interpretation"])] == [
        ("kind", "original"),
        ("df", "reduced"),
    ]


@pytest.mark.parametrize(
    ("engine", "option"),
    [("df-segments", "nested-loop-ends"), ("df-segments", "exclude-flags"), ("congruences", "last-clause")],
)
def test_heuristics_for_one_family_can_be_switched_off(engine: str, option: str) -> None:
    assert refusal(engine, option, "off") == refusal(engine, option, "on") == ""
    assert "on or off" in refusal(engine, option, "maybe")
    assert option in refusal(engine, "speed", "off")


def test_other_presets_have_no_options() -> None:
    assert refusal("df", "nested-loop-ends", "off") == "df has no options"


def test_a_target_that_names_no_class_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        EngineEntry("plug-in", "json", "a plug-in").load()
