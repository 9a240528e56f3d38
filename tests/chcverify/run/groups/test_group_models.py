"""Models of easy checks, as what engines know of the clauses of other groups."""

import time
from pathlib import Path

from chcverify.options import InputOptions, Limits, Options
from chcverify.problems.c_problem import load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.run.groups.check_group import CheckGroup
from chcverify.run.groups.easy_checks import QUICK_SOURCES, EasyChecks
from chcverify.run.groups.group_models import EasyModels, read_models
from chcverify.task import resolve
from encoders.c.cfa.program_checks import checks_of

TEXT = """#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
  char *p = malloc(n);
  if (!p) return 0;
  for (unsigned k = 0; k < n; k++) p[k] = 1;
  free(p);
  return p[i];
}
"""


def test_models_of_easy_checks_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(TEXT)
    given = InputOptions(str(path), property="undefined-behaviour")
    task = resolve(given)
    program = load_c_program(task)
    checks = tuple(checks_of(program))
    problems = CheckProblems.of(program, task.property)
    known = EasyModels()
    assert not known.invariants(problems, checks).fit(problems.of_checks(frozenset()).system)
    easy = EasyChecks(task, Options(given, Limits()), problems, checks, checks, QUICK_SOURCES)
    for proved in easy._proved(time.monotonic() + 60):
        if proved.model:
            known.add(CheckGroup(proved.checks, proved.leaves_traps), proved.model)
    (model,) = read_models(problems, checks, known.models)
    rest = problems.of_checks(frozenset(known.models[0][0].checks)).system
    found = known.invariants(problems, checks)
    assert found is known.invariants(problems, checks) and found.fit(rest)
    assert found.known.items() <= model.interpretations.items()
    assert len(found.pruned(problems.of_checks(frozenset()).system)[0].queries) < len(
        problems.of_checks(frozenset()).system.queries
    )


def test_a_text_that_is_no_model_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(TEXT)
    task = resolve(InputOptions(str(path), property="undefined-behaviour"))
    program = load_c_program(task)
    problems, checks = CheckProblems.of(program, task.property), tuple(checks_of(program))
    known = EasyModels()
    known.add(CheckGroup(checks), "(define-fun")
    assert not known.invariants(problems, checks).known
