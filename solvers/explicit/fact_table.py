"""The table of facts: each once, indexed by the values of some arguments."""

from collections.abc import Iterator, Sequence
from dataclasses import field

from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from solvers.explicit.fact_values import ANY, AnyValue, Truth, Value, equal
from solvers.explicit.join_plans import Join, JoinPlan


@dataclass(frozen=True, eq=False, slots=True)
class Fact:
    """A fact and its derivation."""

    values: tuple[Value, ...]
    plan: JoinPlan
    premises: tuple[int, ...]
    """Numbers of facts, in the order of the plan's joins."""
    choice: tuple[Value, ...]
    """Values of the free variables."""
    sure: bool
    """No guard depended on ANY, so the fact holds for every value of ANY."""


def use_values(fact: Fact, facts: Sequence[Fact]) -> tuple[tuple[Value, ...], ...]:
    """The values of the atoms in the body of the fact's clause, in the order of the clause, and those of its head.

    facts: those that the fact's premises are numbers of.
    """
    premises = sorted(zip(fact.plan.joins, fact.premises, strict=True), key=lambda pair: pair[0].atom)
    return (*(facts[number].values for _, number in premises), fact.values)


@dataclass(slots=True)
class _Index:
    """The numbers of facts by the values at certain positions. open: numbers of facts with ANY there."""

    positions: tuple[int, ...]
    exact: dict[tuple[Value, ...], list[int]] = field(default_factory=dict)
    open: list[int] = field(default_factory=list)

    def add(self, number: int, values: Sequence[Value]) -> None:
        key = tuple(values[i] for i in self.positions)
        if is_open(key):
            self.open.append(number)
        else:
            self.exact.setdefault(key, []).append(number)


class Table:
    """The facts of an evaluation, in order of derivation. joined: for each predicate the numbers of facts for joins."""

    def __init__(self, system: HornSystem) -> None:
        self.facts: list[Fact] = []
        self.joined: dict[Predicate, list[int]] = {predicate: [] for predicate in system.predicates}
        self._known: set[tuple[Predicate, tuple[Value, ...]]] = set()
        self._indexes: dict[Predicate, dict[tuple[int, ...], _Index]] = {}

    def add(self, predicate: Predicate, fact: Fact) -> int | None:
        """Adds the fact; returns its number, or None if the table has it already."""
        key = (predicate, fact.values)
        if key in self._known:
            return None
        self._known.add(key)
        self.facts.append(fact)
        return len(self.facts) - 1

    def join(self, predicate: Predicate, number: int) -> None:
        """Makes the fact available to `matching`."""
        self.joined[predicate].append(number)
        for index in self._indexes.get(predicate, {}).values():
            index.add(number, self.facts[number].values)

    def matching(self, join: Join, slots: Sequence[Value]) -> Iterator[int]:
        """Numbers of the facts that may agree with the keys."""
        key = tuple(slots[slot] for _, slot in join.indexed)
        if not key or is_open(key):
            yield from self.joined[join.predicate]
            return
        positions = tuple(position for position, _ in join.indexed)
        indexes = self._indexes.setdefault(join.predicate, {})
        index = indexes.get(positions)
        if index is None:
            index = indexes[positions] = _Index(positions)
            for number in self.joined[join.predicate]:
                index.add(number, self.facts[number].values)
        yield from index.exact.get(key, ())
        yield from index.open


def is_open(key: Sequence[Value]) -> bool:
    """Is some value of the key not known?"""
    return any(isinstance(value, AnyValue) for value in key)


def agreement(join: Join, slots: Sequence[Value], values: Sequence[Value]) -> Truth:
    """True, False or ANY: whether the fact's values equal the keys' values."""
    result: Truth = True
    for position, slot in join.keys:
        same = equal(values[position], slots[slot])
        if same is False:
            return False
        if same is not True:
            result = ANY
    return result
