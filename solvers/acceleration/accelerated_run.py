"""One concrete run with accelerated cycles: from a fact, rule by rule, to a query, a dead end or the limit."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from chcverify.effort import MAX_ALTERNATIVES, MAX_FORMULAS, REPETITIONS
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from solvers.acceleration.compiled_rules import CompiledRule
from solvers.acceleration.loop_acceleration import (
    Accelerated,
    Entry,
    LoopSummary,
    Taken,
    candidate_periods,
    infer_summary,
)
from solvers.acceleration.nondeterminism import RunChoices
from solvers.acceleration.parametric_values import UNBOUNDED_ITERATIONS
from solvers.acceleration.run_values import State

MIN_GAIN_RULES = 100
"""Rules that a cycle must replace; a shorter one may be part of a longer cycle. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class CompiledRules:
    """The rules of a system by the predicate they start from; queries apart. code: a number for each rule."""

    facts: Sequence[CompiledRule]
    onward: Mapping[Predicate, Sequence[CompiledRule]]
    queries: Mapping[Predicate, Sequence[CompiledRule]]
    code: Mapping[CompiledRule, int]


class AcceleratedRun:
    """A run under construction.

    entries: the rules taken and cycles accelerated so far. cut: True if the run ended at its limit of entries.
    accelerated: number of accelerated cycles. endless: number of times that the run came to a cycle without a bound.
    """

    def __init__(self, program: CompiledRules, choices: RunChoices, most: int, going_on: Callable[[], bool]) -> None:
        self.entries: list[Entry] = []
        self.cut = False
        self.accelerated = 0
        self.endless = 0
        self._program = program
        self._choices = choices
        self._most = most
        self._going_on = going_on
        self._codes: list[int] = []
        self._visits: dict[Predicate, list[int]] = {}
        self._patience: dict[tuple[int, int], tuple[int, int]] = {}

    def reaches_query(self) -> bool:
        """Executes the run; True if it ends with a query, which is then its last entry."""
        rule = self._step((), self._program.facts)
        while rule is not None:
            target = rule.target
            if target is None:
                return True
            self.cut = len(self.entries) >= self._most
            if self.cut or self._has_accelerated_enough():
                return False
            self._visits.setdefault(target, []).append(len(self.entries))
            if self._accelerate(target):
                self._visits[target].append(len(self.entries))
            rule = self._next(target)
        return False

    def _has_accelerated_enough(self) -> bool:
        """True if the run came to too many unbounded or too many accelerated cycles."""
        return self.endless > MAX_ALTERNATIVES or self.accelerated > MAX_FORMULAS

    def could_differ(self) -> bool:
        """True if the run chose a value or one of several rules."""
        for before, entry in pairwise(self.entries):
            if isinstance(entry, Taken) and entry.rule.source is not None:
                others = self._program.onward.get(entry.rule.source, ())
                if any(rule is not entry.rule and rule.begin(before.state) is not None for rule in others):
                    return True
        return self._choices.made or len(self._program.facts) > 1

    def _next(self, predicate: Predicate) -> CompiledRule | None:
        state = self.entries[-1].state
        return self._step(state, self._program.queries.get(predicate, ())) or self._step(
            state, self._program.onward.get(predicate, ())
        )

    def _step(self, state: State, rules: Sequence[CompiledRule]) -> CompiledRule | None:
        """Takes the first rule that can be used, in the run's order."""
        for rule in self._choices.order(rules) if len(rules) > 1 else rules:
            if not self._going_on():
                return None
            slots = rule.begin(state)
            if slots is not None and self._choices.complete(rule, slots):
                self.entries.append(Taken(rule, slots, rule.result(slots)))
                self._codes.append(self._program.code[rule])
                return rule
        return None

    def _accelerate(self, predicate: Predicate) -> bool:
        """Replaces the last repetitions of a cycle by its summary, if there is one that is long enough."""
        now = len(self.entries)
        for length in candidate_periods(self._codes, self._visits[predicate]):
            key = (length, sum(self._codes[-length:]))  # the same wherever in the cycle the run is
            next_try, wait = self._patience.get(key, (0, length))
            if now < next_try:
                continue
            found = infer_summary(self.entries, length, REPETITIONS)
            found = found or infer_summary(self.entries, length, 0)
            if found is not None and found.idle:
                self.endless += 1
                self._choices.forget(found.rules)
            elif found is not None and (found.limit - found.past) * length >= MIN_GAIN_RULES:
                self._forget(now - found.past * length)
                count = self._count(found)
                self.entries.append(Accelerated(found, count, found.after(count)))
                self._codes.append(-1 - self.accelerated)  # unlike any other
                self._choices.forget(found.rules)
                self.accelerated += 1
                return True
            self._patience[key] = (now + wait, 2 * wait)
        return False

    def _count(self, law: LoopSummary) -> int:
        """The number of iterations to take: the limit, or a chosen number if the cycle has no bound."""
        if law.limit < UNBOUNDED_ITERATIONS:
            return law.limit
        self.endless += 1
        return law.past + self._choices.count()

    def _forget(self, end: int) -> None:
        """Removes the entries from `end` on, which a summary replaces."""
        del self.entries[end:], self._codes[end:]
        for visits in self._visits.values():
            while visits and visits[-1] > end:
                visits.pop()
