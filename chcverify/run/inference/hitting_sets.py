"""The cheapest set that has an element of each of several sets, by branch and bound."""

import math
from collections.abc import Iterable, Mapping

from chcverify.effort import MAX_BUILT


def cheapest_hitting_set(
    sets: Iterable[frozenset[str]], weights: Mapping[str, int], opposites: Mapping[str, frozenset[str]] | None = None
) -> frozenset[str] | None:
    """The cheapest set of elements that has one of each of these sets, and none with one of its opposites; None if
    none is found.

    weights: of the elements, positive. Reiter: A theory of diagnosis from first principles (AIJ 1987) has hitting sets
    of conflicts as diagnoses.
    """
    different, opposed = set(sets), opposites or {}
    smallest = sorted((one for one in different if not any(other < one for other in different)), key=sorted)
    best: frozenset[str] | None = None
    least, nodes = math.inf, 0
    work = [(frozenset[str](), frozenset[str]())]
    while work and nodes < MAX_BUILT:
        chosen, excluded = work.pop()
        nodes += 1
        open_ = [one - excluded for one in smallest if chosen.isdisjoint(one)]
        cost = sum(weights[one] for one in chosen)
        if not open_ and cost < least:
            best, least = chosen, cost
        if not open_ or not all(open_) or cost + _bound(open_, weights) >= least:
            continue
        fewest: frozenset[str] = min(open_, key=len)
        # the last is searched first: that which hits most for its weight; those before it are not in the sets of others
        branches = sorted(fewest, key=lambda one: (sum(one in other for other in open_) / weights[one], one))
        for number, one in enumerate(branches):
            others = excluded.union(branches[number + 1 :], opposed.get(one, ()))
            work.append((chosen | {one}, others))
    return best


def _bound(sets: Iterable[frozenset[str]], weights: Mapping[str, int]) -> int:
    """What hitting these sets costs at least: some of them have no element in common."""
    used, least = frozenset[str](), 0
    for one in sorted(sets, key=len):
        if used.isdisjoint(one):
            used |= one
            least += min(weights[element] for element in one)
    return least
