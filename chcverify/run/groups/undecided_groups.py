"""What is tried next for a group of checks that a run has not decided."""

from chcverify.lazy_dataclass import dataclass
from chcverify.problems.check_problems import CheckProblems
from chcverify.results.checks import Check
from chcverify.results.reasons import Cause
from chcverify.run.groups.check_group import CheckGroup


@dataclass(frozen=True)
class NextGroups:
    """The groups whose turn it is next, and those that wait behind all others."""

    next: tuple[CheckGroup, ...] = ()
    last: tuple[CheckGroup, ...] = ()


def groups_after(
    group: CheckGroup, cause: Cause, open_check: Check | None, problems: CheckProblems, count: int
) -> NextGroups:
    """The groups that take the place of an undecided one; none where its checks stay undecided.

    cause: of the run's end. open_check: of several, the one whose violation depends on what is not modelled. count: of
    all checks of the program.
    """
    if cause is Cause.DEPENDS and open_check in group.checks and len(group.checks) > 1:  # it costs the others nothing
        alone = group.without([check for check in group.checks if check != open_check])
        return NextGroups((group.without([open_check]),), (alone,))
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
