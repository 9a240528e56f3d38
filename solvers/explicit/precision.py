"""Precisions: the arguments whose values facts keep, and the values that are cases where nothing determines them."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.effort import MAX_COMPARED, MAX_TRIED
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.unionfind import UnionFind
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.explicit.fact_values import ANY, Others, Value, numeral

Position = tuple[Predicate, int]
"""An argument of a predicate, by its number."""
ClauseUse = tuple[int, tuple[tuple[Value, ...], ...] | None]
"""The number of a clause, and the values of its body atoms and its head (`use_values`); None for all uses."""


class ValuePrecision:
    """Facts keep the values of the tracked arguments; where such a value is not known, it may be one of given cases.

    The cases are values, and all others. Empty at first. impossible: uses of clauses that derive nothing.
    """

    def __init__(self) -> None:
        self._tracked: dict[Predicate, set[int]] = {}
        self._cases: dict[Predicate, dict[int, Sequence[Value]]] = {}
        self.impossible: set[ClauseUse] = set()

    def __len__(self) -> int:
        return sum(map(len, self._tracked.values()))

    def is_tracked(self, position: Position) -> bool:
        """Do facts keep the value of this argument?"""
        return position[1] in self._tracked.get(position[0], ())

    def has_cases(self, position: Position) -> bool:
        """Does the argument have cases where its value is not known?"""
        return position[1] in self._cases.get(position[0], ())

    def track(self, position: Position) -> None:
        """Facts keep the value of this argument from now on."""
        self._tracked.setdefault(position[0], set()).add(position[1])

    def distinguish(self, position: Position, values: Sequence[Value]) -> None:
        """The values, and all others, are the cases of this argument from now on."""
        is_complete = set(map(type, values)) == {bool} and len(values) == 2
        rest = () if is_complete else (Others(frozenset(values)),)
        self._cases.setdefault(position[0], {})[position[1]] = (*values, *rest)

    def refine(
        self, tracked: Iterable[Position], cases: Iterable[Position], compared: Mapping[Position, Sequence[Value]]
    ) -> None:
        """Tracks arguments, and distinguishes the cases of others by the values that these are compared with."""
        for position in tracked:
            self.track(position)
        for position in cases:
            self.distinguish(position, compared[position])

    def cases_of(self, predicate: Predicate) -> Mapping[int, Sequence[Value]]:
        """The cases of the predicate's arguments, by their numbers."""
        return self._cases.get(predicate, {})

    def abstracted(self, predicate: Predicate, values: Sequence[Value]) -> Iterable[tuple[Value, ...]]:
        """The facts that are kept in place of one with these values: together they cover it."""
        tracked, cases = self._tracked.get(predicate, set()), self._cases.get(predicate, {})
        number, choices = 1, list[Sequence[Value]]()
        for i, value in enumerate(values):
            choice: Sequence[Value] = (value if i in tracked else ANY,)
            if value is ANY and i in tracked and i in cases and number * len(cases[i]) <= MAX_TRIED:
                choice = cases[i]
            number *= len(choice)
            choices.append(choice)
        return itertools.product(*choices)


def compared_values(system: HornSystem) -> Mapping[Position, Sequence[Value]]:
    """Of each argument the values that clauses compare it with, or arguments that hand on its value; at most some."""
    arena, handed = Arena(), UnionFind[Position]()
    found: list[tuple[Position, ArenaTerm]] = []
    for clause in system.clauses:
        positions, compared = _of_clause(arena, clause)
        for same in positions.values():
            for position in same:
                handed.union(same[0], position)
        found += [(positions[key][0], value) for key, value in compared if key in positions]
    values: dict[Position, dict[Value, None]] = {}
    for position, term in found:
        values.setdefault(handed.find(position), {})[numeral(arena.wrap(term))] = None
    every = [(predicate, i) for predicate in system.predicates for i in range(predicate.arity)]
    known = {position: values.get(handed.find(position), {}) for position in every}
    flags = {(predicate, i): (False, True) for predicate, i in every if predicate.sorts[i] == z3.BoolSort()}
    return {**{place: tuple(some) for place, some in known.items() if 0 < len(some) <= MAX_COMPARED}, **flags}


def _of_clause(
    arena: Arena, clause: Clause
) -> tuple[dict[ArenaTerm, list[Position]], list[tuple[ArenaTerm, ArenaTerm]]]:
    """The arguments that have one value, by that value's class, and the classes with values they are compared with."""
    constraint = arena.handle(clause.constraint)
    classes = UnionFind[ArenaTerm]()
    for part in arena.conjuncts(constraint):
        if arena.kind(part) == z3.Z3_OP_EQ:
            left, right = arena.children(part)
            for variable, term in ((left, right), (right, left)):
                for leaf in _leaves(arena, term) if arena.is_variable(variable) else ():
                    classes.union(variable, leaf)
    positions: dict[ArenaTerm, list[Position]] = {}
    for application in clause.applications:
        for i, argument in enumerate(application.arguments):
            for leaf in _leaves(arena, arena.handle(argument)):
                positions.setdefault(classes.find(leaf), []).append((application.predicate, i))
    compared: list[tuple[ArenaTerm, ArenaTerm]] = []
    stack, seen = [constraint], {constraint}
    while stack:
        term = stack.pop()
        below = arena.children(term)
        if arena.kind(term) == z3.Z3_OP_EQ:
            for side, value in (below, reversed(below)):
                if arena.is_value(value) and not arena.is_array(value):
                    compared += [(classes.find(leaf), value) for leaf in _leaves(arena, side)]
        new = [child for child in below if child not in seen]
        seen.update(new)
        stack += new
    return positions, compared


def _leaves(arena: Arena, term: ArenaTerm) -> list[ArenaTerm]:
    """The variables that the term may be: itself, or those between which it chooses."""
    found, stack, seen = list[ArenaTerm](), [term], {term}
    while stack:
        part = stack.pop()
        if arena.is_variable(part):
            found.append(part)
        elif arena.kind(part) == z3.Z3_OP_ITE:
            new = [child for child in arena.children(part)[1:] if child not in seen]
            seen.update(new)
            stack += new
    return found
