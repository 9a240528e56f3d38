"""Bounds of arguments that a clause copies: widening must not pass the bounds of what is copied.

A parameter that two nested loops hand to each other has the same range in both. If widening let it grow in one of them,
the other would take that over, and no descent could undo it, as each bound would be justified by the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, is_variable
from chcverify.terms.core.unionfind import UnionFind
from solvers.abstract_interpretation.domains.basic_domains import AbstractValue, Bounds, Stops

Features = Mapping[Predicate, Sequence[Sequence[z3.ExprRef]]]
Values = Mapping[Predicate, Mapping[Any, Sequence[AbstractValue]]]
_Column = tuple[int, int]
"""A component and the position of a feature in it."""


class CopiedBounds:
    """The bounds of what is copied, for one fixpoint.

    features: of each predicate for each component. values: the current ones by predicate and partition.
    """

    def __init__(self, system: HornSystem, features: Features, values: Values) -> None:
        self._system = system
        self._values = values
        self._columns: dict[Predicate, dict[int, list[_Column]]] = {}
        for predicate in system.predicates:
            columns = self._columns[predicate] = {}
            for c, own in enumerate(features[predicate]):
                for i, feature in enumerate(own):
                    columns.setdefault(feature.get_id(), []).append((c, i))
        self._sources: dict[int, list[tuple[_Column, Predicate, _Column]]] = {}

    def stops(self, index: int) -> dict[_Column, Stops]:
        """For features of the clause's head that are arguments of its body: their bounds there, in all partitions."""
        if index not in self._sources:
            self._sources[index] = list(self._copies(self._system.clauses[index]))
        found: dict[_Column, Stops] = {}
        for target, predicate, (c, i) in self._sources[index]:
            bounds = [own for values in self._values[predicate].values() if isinstance(own := values[c], Bounds)]
            lows = [low for value in bounds if (low := value.bound(i, -1)) is not None]
            highs = [high for value in bounds if (high := value.bound(i, 1)) is not None]
            found[target] = lows, highs
        return found

    def _copies(self, clause: Clause) -> Iterator[tuple[_Column, Predicate, _Column]]:
        assert clause.head is not None
        equal: UnionFind[int] = UnionFind()
        for part in filter(z3.is_eq, conjuncts(clause.constraint)):
            if all(map(is_variable, part.children())):
                equal.union(part.arg(0).get_id(), part.arg(1).get_id())
        sources = {
            equal.find(argument.get_id()): (atom.predicate, formal)
            for atom in clause.body
            for argument, formal in zip(atom.arguments, atom.predicate.formals, strict=True)
        }
        for argument, formal in zip(clause.head.arguments, clause.head.predicate.formals, strict=True):
            predicate, copied = sources.get(equal.find(argument.get_id()), (None, None))
            if predicate is not None and copied is not None:
                targets = self._columns[clause.head.predicate].get(formal.get_id(), [])
                origins = {c: (c, i) for c, i in self._columns[predicate].get(copied.get_id(), [])}
                yield from ((target, predicate, origins[target[0]]) for target in targets if target[0] in origins)
