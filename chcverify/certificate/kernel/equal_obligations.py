"""Obligations that differ in the names of their variables only: one of them is asked for all.

A formula holds for all values of its variables whatever their names are, as long as different ones have different
names. The variables of each obligation are therefore numbered in the order in which they occur.
"""

import time
from collections.abc import Sequence

import z3

from chcverify.certificate.kernel.obligation import Obligation
from chcverify.effort import MAX_BUILT, MAX_COMPARED
from chcverify.terms.core.numbered_variables import with_numbered_variables


def without_equal_ones(obligations: Sequence[Obligation], until: float) -> list[Obligation]:
    """The obligations without those that say the same as an earlier one; in their order.

    until: time.monotonic(), after which nothing is left out any more.
    """
    # Asking fewer takes less time than a glance at them is worth.
    if len(obligations) < MAX_COMPARED or any(obligation.ground for obligation in obligations):
        return list(obligations)
    found: list[Obligation] = []
    known: dict[int, z3.BoolRef] = {}  # by their ids, which nothing else has while they are kept
    for position, obligation in enumerate(obligations):
        if len(known) == MAX_BUILT or time.monotonic() >= until:
            return [*found, *obligations[position:]]
        formula = with_numbered_variables(obligation.negated(), obligation.variables)
        if formula.get_id() not in known:
            known[formula.get_id()] = formula
            found.append(obligation)
    return found
