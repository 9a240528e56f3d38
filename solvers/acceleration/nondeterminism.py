"""Nondeterministic choices of a run: values of variables that nothing determines, and the order of the rules.

A choice is repeated each time, so that iterations of a loop look alike, until the run accelerates the loop.
"""

import random
from collections.abc import Sequence
from typing import Any, Literal

import z3

from chcverify.effort import MAX_ALTERNATIVES, MOMENT_MS
from chcverify.terms.core.traversal import substitute
from solvers.acceleration.compiled_rules import CompiledRule, UnsupportedClause
from solvers.acceleration.run_values import ConstantArray, Value
from solvers.acceleration.value_terms import ValueTerms, value_of

Style = Literal["zero", "up", "down", "any"]
STYLES: Sequence[Style] = ("zero", "up", "down", "any")
"""The styles of the first runs; later runs have the last one."""
ChoiceKey = tuple[int, int]  # a rule's identity and a slot


class RunChoices:
    """The choices of one run.

    made: True if a value was chosen, so that another run could differ. style: of the first values. fresh: probability
    of choosing a value anew. pool: integers to choose from.
    """

    def __init__(self, seed: int, style: Style, fresh: float, pool: Sequence[int]) -> None:
        self.random = random.Random(seed)
        self.made = False
        self._style = style
        self._fresh = fresh
        self._pool = pool
        self._values: dict[ChoiceKey, Value] = {}
        self._ranks: dict[int, float] = {}
        self._refused: dict[int, int] = {}
        self._drawn = 0

    def order(self, rules: Sequence[CompiledRule]) -> list[CompiledRule]:
        """The rules in the order in which to try them."""
        for rule in rules:
            if id(rule) not in self._ranks or (self._fresh and self.random.random() < self._fresh):
                self._ranks[id(rule)] = self.random.random()
        return sorted(rules, key=lambda rule: self._ranks[id(rule)])

    def forget(self, rules: Sequence[CompiledRule]) -> None:
        """Drops the choices for these rules; they are made anew the next time."""
        for rule in rules:
            self._ranks.pop(id(rule), None)
            for slot, _ in rule.free:
                self._values.pop((id(rule), slot), None)

    def count(self) -> int:
        """The number of iterations to take of a cycle without a bound; at least 1."""
        return max(1, abs(self.random.choice(self._pool)))

    def complete(self, rule: CompiledRule, slots: list[Any]) -> bool:
        """Chooses the free variables so that the rule can be used; False if no attempt succeeds."""
        if not rule.free:
            return rule.finish(slots)
        self.made = True
        for draw in range(MAX_ALTERNATIVES):
            for slot, variable in rule.free:
                slots[slot] = self._value((id(rule), slot), variable.sort(), draw)
            if rule.finish(slots):
                for slot, _ in rule.free:
                    self._values[id(rule), slot] = slots[slot]
                return True
        return self._solve(rule, slots)

    def _value(self, key: ChoiceKey, sort: z3.SortRef, draw: int) -> Value:
        if draw or key not in self._values or (self._fresh and self.random.random() < self._fresh):
            return self._draw(sort, "any" if draw else self._style)
        return self._values[key]

    def _draw(self, sort: z3.SortRef, style: Style) -> Value:
        if isinstance(sort, z3.ArraySortRef):
            return ConstantArray(self._draw(sort.range(), style))
        if sort == z3.BoolSort():
            return style == "up" if style != "any" else self.random.random() < 0.5
        self._drawn += 1
        if style == "any":
            return self.random.choice(self._pool)
        return {"zero": 0, "up": self._drawn, "down": -self._drawn}[style]

    def _solve(self, rule: CompiledRule, slots: list[Any]) -> bool:
        """Fills the free variables by a solver's model; rules for which it has none are tried ever more rarely."""
        refused = self._refused.get(id(rule), 0)
        if refused and self.random.random() > 0.5**refused:
            return False
        terms = ValueTerms()
        known = [(v, terms.of(value, v.sort())) for v, value in zip(rule.inputs, slots, strict=False)]
        solver = z3.SimpleSolver()
        solver.set("timeout", MOMENT_MS)
        solver.set("random_seed", self.random.randrange(1 << 16))
        solver.add(substitute(rule.constraint, known))
        # exists free variables. constraint with the state's values
        if solver.check() == z3.sat:
            model = solver.model()
            try:
                for slot, variable in rule.free:
                    slots[slot] = value_of(model.eval(variable, model_completion=True))
            except UnsupportedClause:
                return False
            return rule.finish(slots)
        self._refused[id(rule)] = refused + 1
        return False


def can_draw(sort: z3.SortRef) -> bool:
    """True if runs have values of this sort."""
    if isinstance(sort, z3.ArraySortRef):
        return can_draw(sort.domain()) and can_draw(sort.range())
    return bool(sort in (z3.IntSort(), z3.RealSort(), z3.BoolSort()))
