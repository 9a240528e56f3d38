"""Narrowing: bounds that widening has set too wide come back, one descending step each.

For a post-fixpoint X of the consequences F, let X' be X with one bound moved inwards so far that no consequence of X
lies beyond: F(X) <= X' <= X, and as F is monotone, F(X') <= F(X) <= X'. So every moved bound leaves the values
inductive, and it may end at any time (Cousot and Cousot: Abstract interpretation, POPL 1977, section 9.3).
"""

from fractions import Fraction

import z3

from chcverify.horn.system import Predicate
from chcverify.terms.walk import substitute
from solvers.invariants.domains import Bounds, numeral
from solvers.invariants.fixpoint import Answer, Cell, Fixpoint, plain

PASSES = 2
MOST_STEPS = 24  # of the search for one bound
HORIZON = Fraction(1 << 40)  # a feature that exceeds it has no bound


def narrow(fixpoint: Fixpoint) -> int:
    """Descends from the fixpoint that `run` has reached; the number of bounds that became tighter."""
    descent = _Descent(fixpoint)
    total = 0
    for _ in range(PASSES):
        tightened = descent.once()
        total += tightened
        if not tightened or descent.exhausted:
            break
    return total


class _Descent:
    def __init__(self, fixpoint: Fixpoint) -> None:
        self._fixpoint = fixpoint
        self._left = fixpoint.budget.queries

    @property
    def exhausted(self) -> bool:
        return self._left <= 0 or self._fixpoint.context.remaining() <= 0

    def once(self) -> int:
        """Tries every bound that widening has set, in evaluation order; how many became tighter."""
        tightened = 0
        for predicate in sorted(self._fixpoint.values, key=lambda p: self._fixpoint.order[p]):
            for cell, values in self._fixpoint.values[predicate].items():
                for value, features in zip(values, self._fixpoint.features[predicate], strict=True):
                    if isinstance(value, Bounds) and cell is not None:
                        tightened += sum(
                            self._tighten(predicate, cell, value, i, side, features[i]) for i, side in value.moved()
                        )
        return tightened

    def _tighten(
        self, predicate: Predicate, cell: Cell, value: Bounds, i: int, side: int, feature: z3.ArithRef
    ) -> bool:
        """Moves one bound as far inwards as no consequence exceeds it; upper bounds of -feature are its lower ones."""
        old = value.bound(i, side)
        high = HORIZON if old is None else side * old
        if old is None and self._beyond(predicate, cell, side * feature, high) is not Answer.NONE:
            return False
        low = self._beyond(predicate, cell, side * feature, None)
        gap = Fraction(0)
        for _ in range(MOST_STEPS):
            if isinstance(low, Answer) or low >= high or self.exhausted:
                break
            tried = low + gap if low + gap < high else max(low, Fraction((low + high) // 2))
            reached = self._beyond(predicate, cell, side * feature, tried)
            if reached is Answer.UNKNOWN:
                break
            if isinstance(reached, Fraction):
                low, gap = reached, max(Fraction(1), 2 * gap)
            else:
                high, gap = tried, Fraction(gap // 4)
        if isinstance(low, Answer) or high == (None if old is None else side * old):
            return False
        value.tighten(i, side, side * high)
        self._fixpoint.changed(predicate, cell)
        return True

    def _beyond(
        self, predicate: Predicate, cell: Cell, feature: z3.ArithRef, bound: Fraction | None
    ) -> Fraction | Answer:
        """The feature's value in a consequence that lies in the cell and above the bound."""
        goal = self._fixpoint.cell_formula(predicate, cell)
        if bound is not None:
            goal = z3.And(goal, feature > numeral(bound, feature))
        for index in self._fixpoint.system.defining[predicate]:
            self._left -= 1
            # values(body) & constraint & head in the cell & feature(head) > bound
            found = self._fixpoint.step(index, goal)
            if found is Answer.NONE:
                continue
            if isinstance(found, Answer):
                return found
            head = self._fixpoint.system.clauses[index].head
            assert head is not None
            instance = zip(predicate.formals, head.arguments, strict=True)
            reached = plain(found.eval(substitute(feature, instance), model_completion=True))
            return Answer.UNKNOWN if reached is None else Fraction(reached)
        return Answer.NONE
