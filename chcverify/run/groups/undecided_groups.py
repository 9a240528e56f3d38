"""What is tried next for a group of checks that a run has not decided."""

from collections.abc import Sequence

from chcverify.problems.check_problems import CheckProblems
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.run.cached_checks import UndecidedReason
from chcverify.run.groups.check_group import CheckGroup


@dataclass(frozen=True)
class NextGroups:
    """The groups whose turn it is next, and those that wait behind all others."""

    next: tuple[CheckGroup, ...] = ()
    last: tuple[CheckGroup, ...] = ()


def after_derivation(
    group: CheckGroup, others: Sequence[CheckGroup], open_checks: Sequence[Check], depends_on: str
) -> list[CheckGroup]:
    """The groups that wait after a run of a group has derived violations that depend on what is not modelled.

    Those checks, of all groups, are not proved; only runs that violate them are looked for, for all together and last.
    others: the groups that wait. open_checks: those checks. depends_on: what is not modelled.
    """
    found, derived, waiting = frozenset(open_checks), dict[Check, None](), list[CheckGroup]()
    for part in (group, *others):
        if not part.depends_on and part.leaves_traps == group.leaves_traps:
            derived.update((check, None) for check in part.checks if check in found)
            part = part.without(found)
        if part.checks:
            waiting.append(part)
    last = CheckGroup(tuple(derived), group.leaves_traps, depends_on=depends_on)
    if not group.is_first:
        return last.joined(waiting)
    # A derivation to the check that is farthest away passes most others.
    farthest = next((part for part in reversed(waiting) if part.is_first), None)
    return last.joined(sorted(waiting, key=lambda part: part is not farthest))


def groups_after(group: CheckGroup, cause: Cause, problems: CheckProblems, count: int) -> NextGroups:
    """The groups that take the place of an undecided one; none where its checks stay undecided.

    cause: of the run's end. count: of all checks of the program.
    """
    if cause is Cause.DEPENDS and (parts := _parted_by_traps(problems, group, count)):
        return NextGroups(parts)
    if len(group.checks) > 1:
        slices = group.slices(problems.cone_sizes)
        return NextGroups(last=tuple(slices if len(slices) > 1 else group.parts()))
    if group.is_first and cause is not Cause.DEPENDS:
        return NextGroups(last=(CheckGroup(group.checks, group.leaves_traps),))
    return NextGroups()


def _parted_by_traps(problems: CheckProblems, group: CheckGroup, count: int) -> tuple[CheckGroup, ...]:
    """Of a group whose verdict depends on what is not modelled: the checks to which no run comes behind that, and the
    others; () where that does not help."""
    if group.leaves_traps:
        return ()
    before = problems.without_trap_before(group.checks)
    after = tuple(check for check in group.checks if check not in before)
    if before and len(before) == count:  # the group of all checks keeps all traps, so that it can prove the program
        return (CheckGroup(before, leaves_traps=True),)
    return (CheckGroup(before), CheckGroup(after)) if before and after else ()


def undecided_reason(group: CheckGroup, outcome: Outcome) -> UndecidedReason:
    """Why the checks of a group stay undecided; what their derived violations depend on is known before the run."""
    if group.depends_on and not outcome.depends_on:
        return UndecidedReason(f"depends on {group.depends_on}", group.depends_on)
    return UndecidedReason(outcome.reason, outcome.depends_on)
