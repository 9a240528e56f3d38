"""Random runs of groups of checks: each certified violation leaves its neighbours to the next group."""

import math
import time
from dataclasses import replace
from pathlib import Path

from chcverify.options import InputOptions, Limits, Options
from chcverify.problems.c_problem import load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.problems.protocol import Problem
from chcverify.results.checks import CheckKind
from chcverify.results.events import ignore
from chcverify.run.check_groups import GroupRun
from chcverify.run.groups.check_group import CheckGroup
from chcverify.run.groups.check_testing import CheckTesting, RunSearchLimits
from chcverify.run.phases import Phases
from chcverify.task import Task
from encoders.c.cfa.program_checks import checks_of

PROGRAM = """extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  int s = 0, t[3] = {0};
  for (int i = 0; i < 300; i++) s += i & 1;
  if (n == 7) t[s - 147] = 1;
  if (n == 8) t[s - 146] = 2;
  return t[s - 148];
}
"""
NESTED = """extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int t[2] = {0};
  if (__VERIFIER_nondet_uchar() == 101 && __VERIFIER_nondet_uchar() == 52)
    if (__VERIFIER_nondet_uchar() == 203 && __VERIFIER_nondet_uchar() == 77)
      if (__VERIFIER_nondet_uchar() == 154) t[__VERIFIER_nondet_uchar() + 2] = 1;
  return 0;
}
"""
ANY = RunSearchLimits(math.inf)


def group_runs_of(tmp_path: Path, text: str = PROGRAM) -> CheckTesting:
    path = tmp_path / "a.c"
    path.write_text(text)
    task = Task(str(path), "c", "valid-memsafety", all_checks=True)
    options = Options(InputOptions(str(path)), limits=Limits(timeout=600))
    program = load_c_program(task)
    problems = CheckProblems.of(replace(program, checks=program.checks - {CheckKind.LEAK}), task.property)

    def begun(problem: Problem) -> GroupRun:
        return GroupRun(task, options, time.monotonic(), ignore, lambda task: problem, None)

    return CheckTesting(problems, tuple(checks_of(problems.program)), begun, Phases())


def test_violations_of_several_checks_and_then_none(tmp_path: Path) -> None:
    testing = group_runs_of(tmp_path)
    group, lines = CheckGroup(testing.checks), []
    while (found := testing.violation(group, ANY)) is not None:
        violated = group.check_of(found.outcome.violated)
        assert violated is not None and found.outcome.checkers
        lines.append(violated.origin.line)
        group = group.without([violated])
        assert not testing.is_tested
    assert sorted(lines) == [6, 7] and testing.is_tested and not testing.put_off


def test_a_run_that_is_too_long_is_found_again(tmp_path: Path) -> None:
    testing = group_runs_of(tmp_path)
    group = CheckGroup(testing.checks)
    assert testing.violation(group, replace(ANY, most_steps=100)) is None
    assert sorted(check.origin.line for check in testing.put_off) == [6, 7] and testing.is_tested  # the others hold
    found = testing.violation(group, ANY)
    assert found is not None and found.outcome.status == "unsafe"


def test_a_quick_search_leaves_the_other_runs_to_later_ones(tmp_path: Path) -> None:
    testing = group_runs_of(tmp_path)
    group = CheckGroup(testing.checks)
    assert testing.violation(group, replace(ANY, random_s=0.0)) is None and testing.is_tested
    assert testing.known is not None and testing.known.attempts is not None
    assert testing.known.attempts.current() is not None
    found = testing.violation(group, ANY)
    assert found is not None and found.outcome.status == "unsafe"


def test_a_violation_of_guided_runs_is_certified(tmp_path: Path) -> None:
    testing = group_runs_of(tmp_path, NESTED)
    group = CheckGroup(testing.checks)
    assert testing.violation(group, ANY) is None and testing.is_tested
    found = testing.violation(group, replace(ANY, guided_s=600.0))
    assert found is not None and found.outcome.status == "unsafe" and found.outcome.checkers
    violated = found.group.check_of(found.outcome.violated)
    assert violated is not None and violated.origin.line == 6


def test_guided_runs_keep_to_the_time_of_the_clock(tmp_path: Path) -> None:
    testing = group_runs_of(tmp_path, NESTED)
    group = CheckGroup(testing.checks)
    assert testing.violation(group, RunSearchLimits(until=time.monotonic(), guided_s=600.0)) is None
    assert testing.guided is not None and testing.guided.count == 0


def test_a_certificate_has_no_more_time_than_the_search(tmp_path: Path) -> None:
    testing = group_runs_of(tmp_path)
    group = CheckGroup(testing.checks)
    assert testing.violation(group, RunSearchLimits(until=time.monotonic())) is None
    found = testing.violation(group, ANY)  # it is found again
    assert found is not None and found.outcome.status == "unsafe"
