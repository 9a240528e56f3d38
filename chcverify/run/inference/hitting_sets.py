"""The cheapest set that has an element of each of several sets, by branch and bound."""

from collections.abc import Iterable, Mapping

MOST_NODES = 20_000  # of the search, after which the best set so far is taken; chosen by hand


def cheapest_hitting_set(sets: Iterable[frozenset[str]], weights: Mapping[str, int]) -> frozenset[str]:
    """The cheapest set of elements that has one of each of these sets, none of which is empty.

    weights: of the elements, positive. Reiter: A theory of diagnosis from first principles (AIJ 1987) has hitting sets
    of conflicts as diagnoses.
    """
    different = set(sets)
    smallest = sorted((one for one in different if not any(other < one for other in different)), key=sorted)
    best = _greedy(smallest, weights)
    least, nodes = _sum(best, weights), 0
    work = [(frozenset[str](), frozenset[str]())]
    while work and nodes < MOST_NODES:
        chosen, excluded = work.pop()
        nodes += 1
        open_ = [one - excluded for one in smallest if chosen.isdisjoint(one)]
        cost = _sum(chosen, weights)
        if not open_ and cost < least:
            best, least = chosen, cost
        if not open_ or not all(open_) or cost + _bound(open_, weights) >= least:
            continue
        fewest: frozenset[str] = min(open_, key=len)
        branches = sorted(fewest, key=lambda one: (weights[one], one))
        # the cheapest is searched first, and those before it are not in the sets of the others
        work += [(chosen | {one}, excluded | set(branches[:n])) for n, one in reversed(list(enumerate(branches)))]
    return best


def _sum(elements: Iterable[str], weights: Mapping[str, int]) -> int:
    return sum(weights[one] for one in elements)


def _bound(sets: Iterable[frozenset[str]], weights: Mapping[str, int]) -> int:
    """What hitting these sets costs at least: some of them have no element in common."""
    used, least = frozenset[str](), 0
    for one in sorted(sets, key=len):
        if used.isdisjoint(one):
            used |= one
            least += min(weights[element] for element in one)
    return least


def _greedy(sets: Iterable[frozenset[str]], weights: Mapping[str, int]) -> frozenset[str]:
    """A set that hits all, cheap by itself for how many sets each of its elements hits."""
    open_, found = list(sets), frozenset[str]()
    while open_:
        elements = sorted({element for one in open_ for element in one})
        best = min(elements, key=lambda element: weights[element] / sum(element in one for one in open_))
        found |= {best}
        open_ = [one for one in open_ if best not in one]
    return found
