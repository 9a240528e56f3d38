"""Obligations that differ in the names of their variables only: one of them is asked for all.

A formula holds for all values of its variables whatever their names are, as long as different ones have different
names. The variables of each obligation are therefore numbered in the order in which they occur.
"""

import time
from collections.abc import Sequence

import z3

from chcverify.certificate.kernel.obligation import Obligation
from chcverify.terms.core.numbered_variables import with_numbered_variables

MIN_OBLIGATIONS = 64  # of fewer, asking all takes less time than a glance at them is worth
MAX_DIFFERENT = (
    1_000  # formulas that are kept for comparison; what follows them is all asked, so that memory is bounded
)


def without_equal_ones(obligations: Sequence[Obligation], until: float) -> list[Obligation]:
    """The obligations without those that say the same as an earlier one; in their order.

    until: time.monotonic(), after which nothing is left out any more.
    """
    if len(obligations) < MIN_OBLIGATIONS or any(obligation.ground for obligation in obligations):
        return list(obligations)
    found: list[Obligation] = []
    known: dict[int, z3.BoolRef] = {}  # by their ids, which nothing else has while they are kept
    for position, obligation in enumerate(obligations):
        if len(known) == MAX_DIFFERENT or time.monotonic() >= until:
            return [*found, *obligations[position:]]
        formula = with_numbered_variables(obligation.negated(), obligation.variables)
        if formula.get_id() not in known:
            known[formula.get_id()] = formula
            found.append(obligation)
    return found
