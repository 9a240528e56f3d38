"""What is tried next for undecided groups: another turn, parts, and checks apart from those that depend on a trap."""

from pathlib import Path

import pytest

from chcverify.options import InputOptions
from chcverify.problems.c_problem import load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.results.checks import Check
from chcverify.results.reasons import Cause
from chcverify.run.groups.check_group import CheckGroup
from chcverify.run.groups.undecided_groups import NextGroups, after_derivation, groups_after
from chcverify.task import resolve
from encoders.c.cfa.program_checks import checks_of

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
char *strfry(char *);
char text[4];
int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n > 0);
  assert(n > 1);
  if (n > 5) strfry(text);
  assert(n > 2);
  return 0;
}
"""


@pytest.fixture
def problems(tmp_path: Path) -> CheckProblems:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM)
    task = resolve(InputOptions(str(path), property="assertion"))
    return CheckProblems.of(load_c_program(task), task.property)


@pytest.fixture
def checks(problems: CheckProblems) -> tuple[Check, ...]:
    return checks_of(problems.program)


def test_a_check_has_a_short_turn_and_a_long_one(problems: CheckProblems, checks: tuple[Check, ...]) -> None:
    first = CheckGroup(checks[:1], is_first=True)
    found = groups_after(first, Cause.TIME, problems, 3)
    assert found == NextGroups(last=(CheckGroup(checks[:1]),))
    assert groups_after(found.last[0], Cause.TIME, problems, 3) == NextGroups()
    assert groups_after(first, Cause.DEPENDS, problems, 3) == NextGroups(), "more time does not help"


def test_several_checks_are_parted_by_their_places(problems: CheckProblems, checks: tuple[Check, ...]) -> None:
    found = groups_after(CheckGroup(checks), Cause.TIME, problems, 3)
    assert not found.next and sorted(group.checks[0].origin.line for group in found.last) == [7, 8, 10]


def test_what_is_before_a_trap_does_not_wait_for_what_is_behind_it(
    problems: CheckProblems, checks: tuple[Check, ...]
) -> None:
    found = groups_after(CheckGroup(checks), Cause.DEPENDS, problems, 3)
    assert found.next == (CheckGroup(checks[:2]), CheckGroup(checks[2:]))


def test_checks_whose_violations_depend_on_one_thing_wait_together(checks: tuple[Check, ...]) -> None:
    one, two, three = checks
    found = after_derivation(CheckGroup((one, two)), [CheckGroup((three,))], [two], "strfry")
    assert found == [CheckGroup((one,)), CheckGroup((three,)), CheckGroup((two,), depends_on="strfry")]
    again = after_derivation(found[0], found[1:], [one, three], "strfry")
    assert again == [CheckGroup((two, one, three), depends_on="strfry")]
    other = after_derivation(CheckGroup((one,)), [CheckGroup((two,), depends_on="strfry")], [one], "memfrob")
    assert other == [CheckGroup((two,), depends_on="strfry"), CheckGroup((one,), depends_on="memfrob")]


def test_of_short_turns_the_farthest_check_comes_next(checks: tuple[Check, ...]) -> None:
    groups = [CheckGroup((check,), is_first=True) for check in checks]
    found = after_derivation(groups[0], groups[1:], [checks[0]], "strfry")
    assert [group.checks[0] for group in found] == [checks[2], checks[1], checks[0]]
