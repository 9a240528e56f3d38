"""Parts of groups of checks: by places and what these depend on, by kinds, in halves."""

from pathlib import Path

from chcverify.horn.origin import Origin
from chcverify.options import InputOptions
from chcverify.problems.c_problem import load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.results.checks import Check, CheckKind
from chcverify.run.groups.check_group import CheckGroup, first_turn_s, later_turn_s
from chcverify.task import resolve
from encoders.c.cfa.program_checks import checks_of


def check(line: int, kind: CheckKind) -> Check:
    return Check(Origin("a.c", line, 1), kind, "x")


def test_slices_have_the_checks_of_one_place_the_cheapest_first() -> None:
    group = CheckGroup(
        (check(1, CheckKind.NULL), check(2, CheckKind.NULL), check(2, CheckKind.BOUNDS), check(3, CheckKind.DIVISION))
    )
    sizes = dict(zip(group.checks, (9, 2, 4, 3), strict=True))
    lines = [[c.origin.line for c in part.checks] for part in group.slices(sizes)]
    assert lines == [[3], [2, 2], [1]]
    assert sorted(map(len, (part.checks for part in group.parts()))) == [2, 2], "plain kinds apart from others"


def test_numbers_are_decided_apart_from_accesses() -> None:
    access = (check(1, CheckKind.BOUNDS), check(1, CheckKind.NULL), check(1, CheckKind.LIFETIME))
    number = check(1, CheckKind.OVERFLOW)
    group = CheckGroup((access[0], number, *access[1:]))
    slices = group.slices(dict.fromkeys(group.checks, 1))
    assert [part.checks for part in slices] == [access, (number,)]


def test_what_comes_later_depends_on_more(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("""extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n > 5) s = 10 / (n - 7);
  for (int i = 0; i < n; i++) s += i & 3;
  return 10 / (s - 5);
}
""")
    task = resolve(InputOptions(str(path), property="division"))
    program = load_c_program(task)
    sizes = CheckProblems.of(program, task.property).cone_sizes
    first, second = (sizes[found] for found in checks_of(program))
    assert 0 < first < second


def test_first_turns_are_short() -> None:
    assert first_turn_s(16.0, 4.0, 1.5) == 4.0
    assert first_turn_s(16.0, 0.8, 1.5) == 1.5
    assert first_turn_s(2.0, 0.8, 1.5) == 1.0, "no more than half of the time"
    assert first_turn_s(900.0, 450.0, 1.5) == 10.0


def test_of_many_checks_each_has_less_time() -> None:
    assert [later_turn_s(checks, 0, 16.0, 1.5) for checks in (1, 2, 40)] == [16.0, 8.0, 4.0]
    assert later_turn_s(40, 3, 16.0, 1.5) == 4.0 and later_turn_s(40, 99, 16.0, 1.5) == 1.5
