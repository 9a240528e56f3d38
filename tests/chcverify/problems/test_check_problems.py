"""The problems of groups of checks: they share the clauses of all checks and differ in their violations only."""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.problems.c_problem import CProblem, load_c_program
from chcverify.problems.check_problems import CheckProblems, sizes_of_cones
from chcverify.problems.horn_problem import HORN_WORDS, HornProblem
from chcverify.problems.protocol import Problem
from chcverify.results.checks import Check
from chcverify.results.result import Safe, Unsafe
from chcverify.task import Task
from encoders.c.cfa.program_checks import checks_of
from solvers.engine import Context
from solvers.spacer import Spacer

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
char *strfry(char *);
char text[4];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 9) return 0;
  int m = n + 1;
  assert(n != 7);
  assert(m > n);
  BODY
  assert(n != 8);
  return 0;
}
"""
Made = tuple[CheckProblems, tuple[Check, ...]]


@pytest.fixture
def problems(tmp_path: Path) -> Callable[..., Made]:
    def make(body: str = "", property: str = "unreach-call", text: str = PROGRAM) -> Made:
        path = tmp_path / "p.c"
        path.write_text(text.replace("BODY", body))
        program = load_c_program(Task(str(path), "c", property, all_checks=True))
        return CheckProblems.of(program, property), checks_of(program)

    return make


def without(checks: Sequence[Check], *kept: Check) -> frozenset[Check]:
    return frozenset(checks) - frozenset(kept)


def violations(problem: Problem) -> set[Check]:
    """The checks whose violations are queries of the problem's clauses."""
    assert isinstance(problem, CProblem)
    return {info.check for info in problem.encoding.infos if info.check is not None}


def test_each_group_has_the_violations_of_its_checks_and_all_other_clauses(problems) -> None:
    made, checks = problems()
    whole = made.of_checks(frozenset())
    assert len(checks) == 3 and violations(whole) == set(checks)
    shared = {c for c, i in zip(whole.system.clauses, whole.encoding.infos, strict=True) if i.check is None}
    for number in range(8):
        kept = [check for index, check in enumerate(checks) if number >> index & 1]
        part = made.of_checks(without(checks, *kept))
        assert violations(part) == set(kept) and shared <= set(part.system.clauses) <= set(whole.system.clauses)


def test_each_check_is_decided_by_its_own_problem(problems) -> None:
    made, checks = problems()
    for check, holds in zip(checks, (False, True, False), strict=True):
        problem = made.of_checks(without(checks, check))
        result = Spacer().solve(problem.system, Context.within(600))
        assert isinstance(result, Safe) is holds, check.id
        if isinstance(result, Unsafe):
            until = time.monotonic() + 600
            assert check_derivation(problem.system, result.derivation, until).accepted
            assert problem.violated(problem.replay(result.derivation, until)) == check


def test_a_trap_counts_for_the_checks_behind_it_only(problems) -> None:
    made, (first, second, last) = problems("if (n == 3) strfry(text);")
    checks = (first, second, last)
    before, behind = made.of_checks(without(checks, first, second)), made.of_checks(without(checks, last))
    assert "strfry" in made.left_out(before) and made.left_out(behind) == ""
    assert made.left_out(made.of_checks(frozenset())) == "", "the problem of all checks has all traps"
    assert made.without_trap_before(checks) == (first, second)
    assert made.without_later_traps() is None, "a check is behind it"


def test_traps_behind_all_checks_can_be_left_out_and_excluded(problems) -> None:
    text = PROGRAM.replace("assert(n != 8);", "if (m < n) strfry(text);")
    made, checks = problems(text=text)
    assert made.without_trap_before(checks) == checks
    part, traps = made.without_later_traps(), made.traps()
    assert part is not None and "strfry" in made.left_out(part) and violations(part) == set(checks)
    assert traps is not None and not violations(traps)
    assert isinstance(Spacer().solve(traps.system, Context.within(600)), Safe), "no run comes to it"


def test_no_clauses_are_shared_where_lost_blocks_are_looked_for(problems) -> None:
    text = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) *p = 1; return 0; }\n"
    made, checks = problems(property="valid-memsafety", text=text)
    assert made.encoding is None and made.positions is None
    assert made.traps() is None and made.without_later_traps() is None and made.without_trap_before(checks) == ()
    problem = made.of_checks(without(checks, checks[0]))
    assert isinstance(problem, CProblem) and violations(problem) <= {checks[0]} and made.left_out(problem) == ""


def test_clauses_of_no_program_leave_nothing_out(problems) -> None:
    made, _ = problems("if (n == 3) strfry(text);")
    assert made.left_out(HornProblem(made.of_checks(frozenset()).system, HORN_WORDS)) == ""


@pytest.mark.parametrize("seed", range(20))
def test_sizes_of_cones_are_those_of_a_search_from_each_predicate(seed: int) -> None:
    draw = random.Random(seed)
    predicates = [Predicate(f"p{i}", ()) for i in range(12)]
    truth = z3.BoolVal(True)
    clauses = [
        Clause(draw.choice(predicates)(), tuple(one() for one in draw.sample(predicates, draw.randint(0, 2))), truth)
        for _ in range(draw.randint(5, 25))
    ]
    system = HornSystem(tuple(predicates), tuple(clauses))

    def cone(predicate: Predicate) -> set[Predicate]:
        found, work = {predicate}, [predicate]
        while work:
            bodies = (clauses[index].body for index in system.defining[work.pop()])
            fresh = {atom.predicate for body in bodies for atom in body} - found
            found |= fresh
            work += fresh
        return found

    sizes = sizes_of_cones(system, predicates)
    assert sizes == {predicate: len(cone(predicate)) for predicate in predicates}
