"""Closed forms of cycles: clauses repeated three times in a row, the affine law of their states, and its range.

As in acceleration of counter automata (Finkel and Leroux: How to compose Presburger-accelerations, FSTTCS 2002), but a
law is read off a run and then evaluated, exactly, for all iterations at once (`families`).
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_FORMULAS, REPETITIONS
from chcverify.quick_dataclass import dataclass
from solvers.acceleration.compiled_rules import CompiledRule
from solvers.acceleration.parametric_values import OPERATIONS, UNBOUNDED_ITERATIONS, ParametricValue
from solvers.acceleration.run_values import (
    Affine,
    Array,
    ConstantArray,
    Filled,
    Number,
    State,
    Stored,
    Value,
    Write,
    affine,
    at,
    parts,
    read,
    writes,
)


@dataclass(frozen=True, eq=False)
class Taken:
    """One use of a rule: its slots and the state after it."""

    rule: CompiledRule
    slots: Sequence[Any]
    state: State


@dataclass(frozen=True, eq=False)
class LoopSummary:
    """A closed form of a cycle: for iteration n, 0 <= n < limit, the state at its beginning, and each rule's slots.

    past: how many of these iterations were already taken.
    """

    rules: tuple[CompiledRule, ...]
    begin: tuple[Value, ...]
    slots: tuple[Sequence[ParametricValue], ...]
    limit: int
    past: int

    @property
    def idle(self) -> bool:
        """True if no iteration changes the state."""
        return not any(_depends(value) for value in self.begin)

    def after(self, count: int) -> State:
        """The state after so many iterations."""
        return tuple(at(value, count) for value in self.begin)


@dataclass(frozen=True, eq=False)
class Accelerated:
    """`count` iterations of a cycle in one step, and the state after them."""

    law: LoopSummary
    count: int
    state: State


Entry = Taken | Accelerated


def _depends(value: Value) -> bool:
    return isinstance(value, Affine) or (isinstance(value, Filled | Stored) and at(value, 1) is not value)


def candidate_periods(codes: Sequence[int], visits: Sequence[int]) -> list[int]:
    """The lengths, in entries, of the cycles that were repeated `REPETITIONS` times at the end of the run.

    codes: one per entry, equal for the same rule. visits: the numbers of entries at which the run was at its current
    predicate, ascending, the current one included.
    """
    now = visits[-1]
    found = []
    for before in reversed(visits[-1 - MAX_ALTERNATIVES : -1]):
        length = now - before
        if now <= REPETITIONS * length:
            break
        if codes[now - 1] != codes[now - 1 - length] or codes[now - 1] != codes[now - 1 - 2 * length]:
            continue
        if codes[now - REPETITIONS * length : now - length] == codes[now - (REPETITIONS - 1) * length : now]:
            found.append(length)
    return found


def infer_summary(entries: Sequence[Entry], length: int, past: int) -> LoopSummary | None:
    """The summary of the cycle that the last entries repeated `REPETITIONS` times; None if no law fits.

    length: entries per iteration. past: how many of the observed iterations the summary covers, too: all, or 0 where
    some of them read cells that others of them wrote only later. Iteration 0 is the first one covered.
    """
    arguments = _fitted_arguments(entries, length, past)
    if arguments is None:
        return None
    taken = [entry for entry in entries[-REPETITIONS * length :] if isinstance(entry, Taken)]
    begin = tuple(argument.family for argument in arguments)
    state = [ParametricValue(value) for value in begin]
    rules = tuple(entry.rule for entry in taken[-length:])
    slots: list[Sequence[ParametricValue]] = []
    limit = min((argument.limit for argument in arguments), default=UNBOUNDED_ITERATIONS)
    for position, rule in enumerate(rules):
        observed = [taken[position + i * length].slots for i in range(REPETITIONS)]
        values, possible = rule.parametric_slots(state, _choices(rule, observed, past))
        slots.append(values)
        state = [values[i] for i in rule.head]
        limit = min(limit, possible, *(value.limit for value in (*state, *_named(rule, values))))
        if limit <= past:
            return None
    if not all(a.continues(value.value) for a, value in zip(arguments, state, strict=True)):
        return None
    return LoopSummary(rules, begin, tuple(slots), limit, past)


def _fitted_arguments(entries: Sequence[Entry], length: int, past: int) -> list["_Argument"] | None:
    """The law of each argument in the states between the observed iterations; None if one of them has none."""
    states = [entries[-1 - i * length].state for i in reversed(range(REPETITIONS + 1))]
    fitted: list[_Argument] = []
    for values in zip(*states, strict=True):
        argument = _Argument.fit(values, past)
        if argument is None:
            return None
        fitted.append(argument)
    return fitted


def _named(rule: CompiledRule, values: Sequence[ParametricValue]) -> list[ParametricValue]:
    """The values of the clause's own variables."""
    return [values[slot] for _, slot in rule.variables]


def _choices(rule: CompiledRule, observed: Sequence[Sequence[Any]], past: int) -> list[ParametricValue]:
    """The law of each free variable of the rule. observed: the rule's slots in each observed iteration."""
    return [_choice([row[slot] for row in observed], past) for slot, _ in rule.free]


def _choice(values: Sequence[Value], past: int) -> ParametricValue:
    """The affine law of the values; the last one as a constant if there is none."""
    next_ = _fit(values, past)
    return ParametricValue(values[-1] if next_ is None else next_)


def _fit(values: Sequence[Value], past: int) -> Value | None:
    """The affine law of the values in iterations ..., past - 2, past - 1, for iteration n; None if there is none."""
    last = values[-1]
    if isinstance(last, bool) or not isinstance(last, int | Fraction):
        return last if all(value is last for value in values) else None
    differences = {b - a for a, b in pairwise(values)}  # type: ignore[operator]
    if len(differences) != 1:
        return None
    (slope,) = differences
    return affine(last + (1 - past) * slope, slope)


@dataclass(frozen=True, eq=False)
class _Argument:
    """The closed form of an argument. stored: for an array, the writes of iteration n."""

    family: Value
    stored: tuple[Write, ...] = ()

    @staticmethod
    def fit(values: Sequence[Value], past: int) -> "_Argument | None":
        """The closed form from the values before iterations past - REPETITIONS, ..., past.

        None if there is no affine law.
        """
        last = values[-1]
        if not isinstance(last, ConstantArray | Stored | Filled):
            found = _fit(values[:-1], past)
            return _Argument(found) if found is not None and at(found, past) == last else None
        return _fit_array([v for v in values if isinstance(v, ConstantArray | Stored | Filled)], past)

    @property
    def limit(self) -> int:
        """The number of iterations in which the written cells that move differently stay apart."""
        return min((_apart(a.cell, b.cell) for a, b in combinations(self.stored, 2)), default=UNBOUNDED_ITERATIONS)

    def continues(self, end: Value | None) -> bool:
        """True if the value after iteration n equals the value assumed at the start of iteration n + 1.

        end: the value after iteration n.
        """
        if end is None:
            return False
        if not isinstance(end, ConstantArray | Stored | Filled):
            found, next_ = parts(end), parts(self.family)
            if found is None or next_ is None:
                return end is self.family
            return found == (next_[0] + next_[1], next_[1])
        assert isinstance(self.family, ConstantArray | Stored | Filled)
        return writes(end, self.family, MAX_FORMULAS) == list(self.stored)


def _fit_array(values: Sequence[Array], past: int) -> _Argument | None:
    """The first of the arrays overwritten by all iterations before n; None if the writes follow no affine law.

    values: the array before each observed iteration and after the last one.
    """
    stored = _fit_writes(values, past)
    if stored is None:
        return None
    moving = [write for write in stored if isinstance(write.cell, Affine)]
    if not all(isinstance(part, int) for w in moving for part in (w.cell.start, w.cell.slope)):  # type: ignore
        return None
    family = values[0]
    for write in sorted(moving, key=_precedence):
        family = _filled(family, write, REPETITIONS - past)
    for write in stored:
        if not isinstance(write.cell, Affine):
            before = _shift(write.value, -1)
            if past and read(values[0], write.cell) != at(before, 0):
                return None  # the cell's first value is not the one that an iteration writes
            family = Stored(family, write.cell, before)
    return _Argument(family, tuple(stored))


def _fit_writes(values: Sequence[Array], past: int) -> list[Write] | None:
    """The writes of iteration n to the array, in order; None if the iterations differ by more than an affine law."""
    rounds: list[list[Write]] = []
    for before, after in pairwise(values):
        written = writes(after, before, MAX_FORMULAS)
        if written is None:
            return None
        rounds.append(written)
    if len(set(map(len, rounds))) != 1:
        return None
    stored: list[Write] = []
    for same in zip(*rounds, strict=True):
        index = _fit([write.cell for write in same], past)
        value = _fit([write.value for write in same], past)
        if index is None or value is None:
            return None
        stored.append(Write(index, value))
    return stored


def _apart(one: Value, other: Value) -> int:
    """The number of iterations n for which all cells written so far by one write are below all cells of the other."""
    if _slope(one) == _slope(other):
        return UNBOUNDED_ITERATIONS
    less = OPERATIONS[z3.Z3_OP_LT]
    (low, high), (other_low, other_high) = _extent(one), _extent(other)
    orders = [
        less(ParametricValue(high), ParametricValue(other_low)),
        less(ParametricValue(other_high), ParametricValue(low)),
    ]
    return max(order.limit if order.value is True else 0 for order in orders)


def _slope(cell: Value) -> Number:
    return cell.slope if isinstance(cell, Affine) else 0


def _extent(cell: Value) -> tuple[Value, Value]:
    """The least and the greatest of the cells that were written up to now."""
    first = at(cell, -REPETITIONS)
    return (first, cell) if _slope(cell) >= 0 else (cell, first)


def _precedence(write: Write) -> int:
    """Sort key of writes to overlapping ranges: the write whose range starts closest comes last and goes on top."""
    assert isinstance(write.cell, Affine)
    start = int(write.cell.start)
    return -start if write.cell.slope > 0 else start


def _filled(below: Array, write: Write, before: int) -> Filled:
    """The array after the writes from `before` iterations before iteration 0 on."""
    index, value = write.cell, parts(write.value)
    assert isinstance(index, Affine)
    start, step = int(index.start - before * index.slope), int(index.slope)
    if value is None:
        return Filled(below, start, step, Affine(before, 1), write.value, 0)
    return Filled(below, start, step, Affine(before, 1), value[0] - before * value[1], value[1])


def _shift(value: Value, by: int) -> Value:
    """The value `by` iterations later."""
    return affine(value.start + by * value.slope, value.slope) if isinstance(value, Affine) else value
