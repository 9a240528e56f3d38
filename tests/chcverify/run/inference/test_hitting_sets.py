"""Cheapest hitting sets, beside all subsets."""

import random
from itertools import combinations

import pytest

from chcverify.run.inference.hitting_sets import cheapest_hitting_set


def cost_by_trying(sets: list[frozenset[str]], weights: dict[str, int]) -> int:
    """The cost of the cheapest hitting set."""
    elements = sorted(weights)
    subsets = (set(chosen) for size in range(len(elements) + 1) for chosen in combinations(elements, size))
    return min(sum(weights[one] for one in chosen) for chosen in subsets if all(chosen & one for one in sets))


@pytest.mark.parametrize("seed", range(30))
def test_it_is_the_cheapest_that_hits_all(seed: int) -> None:
    draws = random.Random(seed)
    weights = {name: draws.randint(1, 20) for name in "abcdefgh"}
    sets = [frozenset(draws.sample(sorted(weights), draws.randint(1, 4))) for _ in range(draws.randint(0, 9))]
    found = cheapest_hitting_set(sets, weights)
    assert found is not None and all(found & one for one in sets)
    assert sum(weights[one] for one in found) == cost_by_trying(sets, weights)


def test_each_element_is_needed_for_a_set() -> None:
    sets = [frozenset("ab"), frozenset("ac"), frozenset("bc"), frozenset("d")]
    found = cheapest_hitting_set(sets, {"a": 1, "b": 2, "c": 5, "d": 9})
    assert found is not None and found == frozenset("abd")
    assert all(any(found & one == {element} for one in sets) for element in found)


def test_opposites_are_not_together() -> None:
    sets, weights = [frozenset("ab"), frozenset("cd")], {"a": 1, "b": 2, "c": 1, "d": 9}
    opposites = {"a": frozenset("c"), "c": frozenset("a")}
    assert cheapest_hitting_set(sets, weights, opposites) == frozenset("bc")
    assert cheapest_hitting_set([frozenset("a"), frozenset("c")], weights, opposites) is None
