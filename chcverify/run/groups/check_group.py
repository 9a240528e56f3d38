"""A group of checks that are decided together, and its parts."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, LONG_STEP_S, MAX_ALTERNATIVES
from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, Check, CheckKind

_OF_ACCESSES = DEREFERENCES | {CheckKind.FREE}
_PLAIN = frozenset({CheckKind.NULL, CheckKind.LIFETIME, CheckKind.FREE})


@dataclass
class CheckGroup:
    """Checks that are decided together, in the order of the source.

    leaves_traps: those behind which no run comes to a check are left out, although these are all checks. is_first: it
    has its first, short turn. depends_on: the violation of each of the checks was derived, and depends on this, which
    is not modelled; so none of them is proved. "" for other groups.
    """

    checks: tuple[Check, ...]
    leaves_traps: bool = False
    is_first: bool = False
    depends_on: str = ""

    def check_of(self, violated: Check | None) -> Check | None:
        """The check of the group that a run violates; None if it is none. Blocks are lost anywhere in the program."""
        if violated is not None and violated.kind is CheckKind.LEAK:
            return next((check for check in self.checks if check.kind is CheckKind.LEAK), None)
        return violated if violated in self.checks else None

    def without(self, checks: Container[Check]) -> "CheckGroup":
        """The group without some checks."""
        return replace(self, checks=tuple(check for check in self.checks if check not in checks))

    def joined(self, others: "Sequence[CheckGroup]") -> "list[CheckGroup]":
        """The other groups and this one; of those that depend on the same, one has the checks of both."""
        for number, other in enumerate(others):
            if self.depends_on and other.depends_on == self.depends_on and other.leaves_traps == self.leaves_traps:
                both = replace(other, checks=(*other.checks, *self.checks))
                return [*others[:number], both, *others[number + 1 :]]
        return [*others, self]

    def slices(self, sizes: Mapping[Check, int]) -> "list[CheckGroup]":
        """The group in parts that share most of what they depend on, those with the least before the others.

        A part has the checks of one access: whether a pointer is null, its object alive and the index in its bounds
        follows from the same facts; or the other checks of one place, which are about numbers (the overflow of
        `sum += node->value`). sizes: of what each check depends on.
        """
        places: dict[tuple[Origin, bool], list[Check]] = {}
        for check in self.checks:
            places.setdefault((check.origin, check.kind in _OF_ACCESSES), []).append(check)
        parts = [CheckGroup(tuple(checks), self.leaves_traps) for checks in places.values()]
        return sorted(parts, key=lambda part: max(sizes.get(check, 0) for check in part.checks))

    def parts(self) -> "list[CheckGroup]":
        """The group in two parts: the checks of kinds that usually hold first, else two parts of equal size.

        A proof that all pointers are valid often needs no relation between numbers; that of bounds and overflow does.
        """
        plain = tuple(check for check in self.checks if check.kind in _PLAIN)
        others = tuple(check for check in self.checks if check.kind not in _PLAIN)
        if plain and others:
            return [CheckGroup(plain), CheckGroup(others)]
        middle = len(self.checks) // 2
        return [CheckGroup(self.checks[:middle]), CheckGroup(self.checks[middle:])]


def first_turn_s(left_s: float, share_s: float, least_s: float) -> float:
    """The seconds of a group's first turn, which is short: at most LONG_STEP_S, and half of all that is left.

    share_s: the group's share of the time for all first turns. With 0.8 s for PDR, two checks of a function of a public
    project were left that it decides in 1.5 s.
    """
    return min(EQUAL_SHARE * left_s, max(least_s, min(LONG_STEP_S, share_s)))


def later_turn_s(checks: int, others: int, left_s: float, least_s: float) -> float:
    """The seconds of a group's later turn. One of many checks is more likely to be hard or violated.

    checks: the number of the group's. others: the number of groups that wait.
    """
    if not others and checks == 1:
        return left_s
    if others:
        return min(left_s, max(least_s, left_s / (1 + others)))
    return left_s * (EQUAL_SHARE if checks <= MAX_ALTERNATIVES else EARLY_SHARE)
