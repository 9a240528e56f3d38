"""C integers as mathematical ones, where operations on bits that are not linear have any result within bounds.

The clauses have every run of the program, and more: proofs about all runs carry over, runs do not.
"""

import z3

from encoders.c.analysis import machine_intervals
from encoders.c.analysis.machine_intervals import Interval
from encoders.c.encoding.integer_theory import BoundedTerm, Fresh, NotLinear
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.types.c_types import CInteger


class EstimatedIntegers(LinearIntegers):
    """Theory of Ints, with estimates."""

    has_estimates = True

    def binary(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, fresh: Fresh) -> BoundedTerm:
        try:
            return super().binary(operator, left, right, kind, fresh)
        except NotLinear:
            assert left.range is not None and right.range is not None
            bounds = machine_intervals.bits(operator, left.range, right.range)
            bounds = machine_intervals.meet(bounds, machine_intervals.of_type(kind)) or machine_intervals.of_type(kind)
            least, most = _limits(operator, left, right)
            return _between(fresh(kind).term, [z3.IntVal(bounds[0]), *least], [z3.IntVal(bounds[1]), *most], bounds)

    def shift(
        self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, count: CInteger, fresh: Fresh
    ) -> BoundedTerm:
        try:
            return super().shift(operator, left, right, kind, count, fresh)
        except NotLinear:
            other = fresh(kind)
            assert left.range is not None and right.range is not None
            if operator == "<<" or left.range[0] < 0 or not machine_intervals.inside(right.range, (0, kind.width - 1)):
                return other
            most = z3.If(right.term >= 1, left.term / 2, left.term)
            return _between(other.term, [z3.IntVal(0)], [most], (0, left.range[1]))


def _limits(operator: str, left: BoundedTerm, right: BoundedTerm) -> tuple[list[z3.ExprRef], list[z3.ExprRef]]:
    """Terms that the result of an operation on bits is at least, and at most."""
    assert left.range is not None and right.range is not None
    a, b = left.term, right.term
    if operator == "&":
        return [], [part.term for part in (left, right) if part.range is not None and part.range[0] >= 0]
    if left.range[0] < 0 or right.range[0] < 0:
        return [], []
    return ([a, b] if operator == "|" else [a - b, b - a]), [a + b]


def _between(any_value: z3.ExprRef, least: list[z3.ExprRef], most: list[z3.ExprRef], bounds: Interval) -> BoundedTerm:
    """Any value that is at least and at most as large as these terms say; the first of `least` is no smaller than
    what `bounds` begins with, and is the value where the other one does not fit."""
    fits = z3.And([any_value >= term for term in least] + [any_value <= term for term in most])
    return BoundedTerm(z3.If(fits, any_value, _largest(least)), bounds)


def _largest(terms: list[z3.ExprRef]) -> z3.ExprRef:
    found = terms[0]
    for term in terms[1:]:
        found = z3.If(term > found, term, found)
    return found
