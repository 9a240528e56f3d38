"""Inequalities between variables that a loop moves together, from the first two states at its head."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from chcverify.effort import MAX_COMBINED
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.relations.linear_inequalities import (
    LEAST_NUMBER,
    Inequalities,
    fewest,
    inequality,
    least,
)


def on_a_line(
    known: Inequalities, ones: Sequence[Value], others: Sequence[Value], groups: Iterable[Sequence[int]]
) -> Inequalities:
    """The inequalities with those that say how two variables move together from one state to another.

    Where `i` and `j` are constant in both, and have changed by a and b, `a * j - b * i` is the same in both: as that
    of variables that a loop moves by constant steps stays (Karr 1976). ones, others: the values in both states.
    groups: positions that may be related to each other. Of other variables that change both, the order is said that
    their values have in both states, as of `written <= read` where a loop moves one of them at times only.
    """
    found = dict(known)
    for group in groups:
        points = [(position, _constant(ones[position]), _constant(others[position])) for position in group]
        moved = [(position, a, b - a) for position, a, b in points if a is not None and b is not None and a != b]
        for position, start, step in moved[1 : MAX_COMBINED + 1]:
            first, begin, stride = moved[0]
            for sign in (1, -1):
                number = sign * (stride * start - step * begin)
                line = inequality({position: sign * stride, first: -sign * step}, number)
                found.setdefault(line.form, line.number)
        are_constant = {position for position, *_ in moved}
        changed = [position for position in group if ones[position] != others[position]][:MAX_COMBINED]
        for position, other in combinations(changed, 2):
            if are_constant.issuperset((position, other)):
                continue
            for sign in (1, -1):
                form = ((position, sign), (other, -sign))
                number = min(least(form, ones), least(form, others))
                if number >= LEAST_NUMBER:
                    found.setdefault(form, number)
    return fewest(found)


def _constant(value: Value) -> int | None:
    """The number that a value is, if it is one."""
    is_one = isinstance(value, tuple) and len(value) == 1 and value[0][0] == value[0][1]
    return value[0][0] if is_one else None  # type: ignore[index]
