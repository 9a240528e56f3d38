"""Checks that no run reaches, as a model shows them: by its text at once, by questions while there is time."""

import math
from pathlib import Path

import pytest
import z3

from chcverify.certificate.model import Model
from chcverify.options import InputOptions
from chcverify.problems.c_problem import CProblem, load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.task import resolve
from encoders.c.certificates import vacuity
from encoders.c.certificates.vacuity import unreached_checks

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (n > 0) { assert(k > 1); assert(k > 2); }
  assert(n > 3);
  return 0;
}
"""


@pytest.fixture
def whole(tmp_path: Path) -> CProblem:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM)
    task = resolve(InputOptions(str(path), property="assertion"))
    problem = CheckProblems.of(load_c_program(task), task.property).of_checks(frozenset())
    assert isinstance(problem, CProblem)
    return problem


def unreached_lines(whole: CProblem, excluded: z3.BoolRef, until: float) -> set[int]:
    """By a model that holds everywhere but behind the first condition, where it is a formula that excludes all."""
    behind = {p for p in whole.system.predicates if p.origin.line == 5 and p.origin.column > 7}
    model = Model({p: excluded if p in behind else z3.BoolVal(True) for p in whole.system.predicates})
    return {check.origin.line for check in unreached_checks(whole.encoding, model, until)}


def test_where_the_model_is_false_no_time_is_needed(whole: CProblem) -> None:
    assert unreached_lines(whole, z3.BoolVal(False), until=0.0) == {5}


@pytest.mark.parametrize(("until", "seconds"), [(0.0, math.inf), (math.inf, 0.0)])
def test_questions_are_asked_within_the_time(
    whole: CProblem, until: float, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    excluded = z3.IntVal(1) > 2
    monkeypatch.setattr(vacuity, "GLANCE_S", math.inf)
    assert unreached_lines(whole, excluded, math.inf) == {5}
    monkeypatch.setattr(vacuity, "GLANCE_S", seconds)
    assert unreached_lines(whole, excluded, until) == set()
