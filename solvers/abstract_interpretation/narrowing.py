"""Narrowing: tightens bounds that widening has set too wide, one descending step each.

For a post-fixpoint X of the consequences F, let X' be X with bounds moved inwards so far that no consequence of X lies
beyond: F(X) <= X' <= X, and as F is monotone, F(X') <= F(X) <= X'. So the moved bounds keep the values inductive, and
the descent may stop at any time. Cousot, Cousot: Abstract interpretation (POPL 1977) [CousotCousot1977], section 9.3.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import z3

from chcverify.effort import MAX_COMBINED, MAX_COMPARED, MAX_FORMULAS
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, disjunction
from chcverify.terms.native.model_values import values_in
from solvers.abstract_interpretation.domains.basic_domains import Bounds, numeral
from solvers.abstract_interpretation.fixpoint import Cell, Fixpoint, StepAnswer

UNBOUNDED_FROM = Fraction(1 << 40)
"""A feature that exceeds this counts as unbounded."""


def narrow(fixpoint: Fixpoint, settled: Sequence[Predicate], thorough: bool = False) -> int:
    """Descends from the fixpoint that `Fixpoint.steps` has reached; returns the number of tightened bounds.

    settled: the predicates to look at, whose clauses all hold of the current values. thorough: with queries for each
    of their partitions (MAX_COMPARED for each partition).
    """
    if not settled:  # a system need not have predicates at all
        return 0
    descent = _Descent(fixpoint, settled, thorough)
    total = 0
    for _ in range(2):  # descending passes over all bounds
        tightened = descent.once()
        total += tightened
        if not tightened or descent.exhausted:
            break
    return total


@dataclass
class _BoundSide:
    """One bound: of the feature, or of its negation for a lower bound.

    least: the greatest value seen in a consequence; None before the first. raises: how often it has grown.
    """

    value: Bounds
    i: int
    side: int
    feature: z3.ArithRef
    least: Fraction | None = None
    raises: int = 0

    @property
    def bound(self) -> Fraction | None:
        """The upper bound of the feature."""
        bound = self.value.bound(self.i, self.side)
        return None if bound is None else self.side * bound

    @property
    def is_loose(self) -> bool:
        """True if no consequence is known to attain the bound."""
        return self.bound is None or self.least is None or self.least < self.bound

    def above(self, value: Fraction | None) -> z3.BoolRef:
        """feature > value"""
        return z3.BoolVal(True) if value is None else self.feature > numeral(value, self.feature)

    @property
    def limit(self) -> Fraction:
        """The bound, or from where on the feature counts as unbounded."""
        return UNBOUNDED_FROM if self.bound is None else self.bound

    @property
    def below(self) -> z3.BoolRef:
        """feature < limit"""
        return self.feature < numeral(self.limit, self.feature)

    def tighten(self, bound: Fraction | None) -> bool:
        """Sets a bound that was shown to hold; True if it is tighter than the old one."""
        if bound is None or (self.bound is not None and bound >= self.bound):
            return False
        self.value.tighten(self.i, self.side, self.side * bound)
        return True


class _Descent:
    """One descent over all bounds that widening has set; stops when the budget of queries is used up."""

    def __init__(self, fixpoint: Fixpoint, settled: Sequence[Predicate], thorough: bool) -> None:
        self._fixpoint = fixpoint
        self._settled = sorted(settled, key=lambda p: fixpoint.order[p])
        partitions = sum(len(fixpoint.values[predicate]) for predicate in settled)
        more = MAX_COMPARED * partitions if thorough else 0
        self._left = max(MAX_FORMULAS * len(settled) // len(fixpoint.values), more)

    @property
    def exhausted(self) -> bool:
        return self._left <= 0 or self._fixpoint.context.remaining() <= 0

    def once(self) -> int:
        """Tries every bound that widening has set, in evaluation order; returns the number of tightened bounds."""
        fixpoint, tightened = self._fixpoint, 0
        for predicate in self._settled:
            for cell in fixpoint.values[predicate]:
                sides = [] if cell is None else self._unattained(predicate, cell, list(self._moved(predicate, cell)))
                many = self._tighten_together(predicate, cell, sides)
                alone = [side for side in sides if side.raises > MAX_COMBINED]
                many += sum(self._tighten(predicate, cell, side) for side in alone)
                if many:
                    fixpoint.changed(predicate, cell)
                tightened += many
        return tightened

    def _moved(self, predicate: Predicate, cell: Cell) -> Iterator[_BoundSide]:
        values, features = self._fixpoint.values[predicate][cell], self._fixpoint.features[predicate]
        for value, own in zip(values, features, strict=True):
            if isinstance(value, Bounds):
                yield from (_BoundSide(value, i, side, side * own[i]) for i, side in value.moved())

    def _unattained(self, predicate: Predicate, cell: Cell, sides: list[_BoundSide]) -> list[_BoundSide]:
        """The sides without those whose limits consequences attain, as long as single models remove several of them.

        Values without bounds, such as cells that nothing has written, are told apart here, by one query for many.
        """
        for index in self._fixpoint.system.defining[predicate]:
            for kind in (1, -1):
                while not self.exhausted:
                    below = [side.below for side in sides if side.side == kind]
                    self._left -= 1
                    # values(body) & constraint & head in the cell & feature(head) >= limit for many sides
                    found = self._fixpoint.step_violating_many(
                        index, self._fixpoint.cell_formula(predicate, cell), below
                    )
                    left = [] if found is None else [side for side in sides if not self._attains(found, index, side)]
                    if found is None or len(left) == len(sides):
                        break
                    sides = left
        return sides

    def _attains(self, model: z3.ModelRef, index: int, side: _BoundSide) -> bool:
        reached = self._reached(model, index, side)
        return reached is not None and reached >= side.limit

    def _tighten_together(self, predicate: Predicate, cell: Cell, sides: list[_BoundSide]) -> int:
        """Moves bounds to the largest values that consequences reach, if few models suffice to find these values."""
        for index in self._fixpoint.system.defining[predicate]:
            while sides and not self.exhausted:
                # values(body) & constraint & head in the cell & some feature(head) > its greatest value seen
                found = self._step(index, predicate, cell, disjunction(side.above(side.least) for side in sides))
                if found is StepAnswer.NONE:
                    break
                if isinstance(found, StepAnswer) or not self._raise(found, index, sides):
                    return 0
                sides = [side for side in sides if side.is_loose and side.raises <= MAX_COMBINED]
        return 0 if self.exhausted else sum(side.tighten(side.least) for side in sides)

    def _raise(self, model: z3.ModelRef, index: int, sides: Sequence[_BoundSide]) -> bool:
        """Raises `least` of each side to the value that its feature has in the model; False if one has no value."""
        for side in sides:
            reached = self._reached(model, index, side)
            if reached is None:
                return False
            if side.least is None or reached > side.least:
                side.least, side.raises = reached, side.raises + 1
        return True

    def _tighten(self, predicate: Predicate, cell: Cell, side: _BoundSide) -> bool:
        """Moves one bound as far inwards as no consequence exceeds it."""
        low, high = side.least, side.limit
        reached = self._beyond(predicate, cell, side, high if side.bound is None else high - 1)
        if low is None or reached is StepAnswer.UNKNOWN or (isinstance(reached, Fraction) and reached >= high):
            return False
        if reached is StepAnswer.NONE and side.bound is not None:
            high -= 1
        gap = Fraction(1)
        # Widening stops at constants of the program, which are often one too far: the next number is tried first.
        tried = low + gap if side.bound is None else max(low, high - 1)
        for _ in range(MAX_COMPARED):
            if low >= high or self.exhausted:
                break
            reached = self._beyond(predicate, cell, side, tried)
            if reached is StepAnswer.UNKNOWN:
                break
            if isinstance(reached, Fraction):
                low, gap = reached, 2 * gap
            else:
                high, gap = tried, max(Fraction(1), Fraction(gap // 4))
            tried = low + gap if low + gap < high else max(low, Fraction((low + high) // 2))
        return side.tighten(high)

    def _beyond(self, predicate: Predicate, cell: Cell, side: _BoundSide, bound: Fraction) -> Fraction | StepAnswer:
        """The feature's value in a consequence that lies in the cell and above the bound."""
        for index in self._fixpoint.system.defining[predicate]:
            # values(body) & constraint & head in the cell & feature(head) > bound
            found = self._step(index, predicate, cell, side.above(bound))
            if isinstance(found, z3.ModelRef):
                reached = self._reached(found, index, side)
                return StepAnswer.UNKNOWN if reached is None else reached
            if found is StepAnswer.UNKNOWN:
                return found
        return StepAnswer.NONE

    def _step(self, index: int, predicate: Predicate, cell: Cell, goal: z3.BoolRef) -> z3.ModelRef | StepAnswer:
        self._left -= 1
        return self._fixpoint.step(index, conjunction([self._fixpoint.cell_formula(predicate, cell), goal]))

    def _reached(self, model: z3.ModelRef, index: int, side: _BoundSide) -> Fraction | None:
        """The feature's value in the head of a step."""
        head = self._fixpoint.system.clauses[index].head
        assert head is not None
        value = values_in(model, [head.instance(side.feature)])[0]
        return None if value is None else Fraction(value)
