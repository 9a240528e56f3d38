"""Disjoint sets with union by joining representatives (union-find).

Tarjan: Efficiency of a good but not linear set union algorithm (1975); paths are halved as in Tarjan and van Leeuwen
(1984). Classes are not balanced by rank: the caller decides which representative stays, and the sets here are small.
"""

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class UnionFind(Generic[K]):
    """A partition of all hashable keys; a key that was never joined is alone in its class."""

    def __init__(self) -> None:
        self._parent: dict[K, K] = {}

    def find(self, key: K) -> K:
        """The representative of the key's class."""
        parent = self._parent
        while (above := parent.get(key, key)) != key:
            parent[key] = key = parent.get(above, above)
        return key

    def union(self, one: K, other: K) -> K:
        """Joins the classes of both keys; returns the representative, which is that of `other`."""
        left, right = self.find(one), self.find(other)
        if left != right:
            self._parent[left] = right
        return right

    def classes(self, keys: Iterable[K]) -> dict[K, list[K]]:
        """The given keys by representative, both in the order of the keys."""
        groups: dict[K, list[K]] = {}
        for key in keys:
            groups.setdefault(self.find(key), []).append(key)
        return groups
