"""Runs of programs over bit-vectors are derived, though no object of 64-bit addresses is the tracked one."""

import math
import time
from pathlib import Path

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.options import InputOptions
from chcverify.problems.c_problem import CProblem, load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.task import resolve

PROGRAM = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), *p = malloc(4 * sizeof(int)), *q = malloc(sizeof(int));
  if (!p || !q) return 0;
  *q = WORD;
  p[*q & 7] = 10 / n;
  free(p);
  free(q);
  return 0;
}
"""


@pytest.mark.parametrize("word", ["n", "n ^ __VERIFIER_nondet_int()"])
@pytest.mark.parametrize("property", ["division", "bounds"])
def test_a_violation_by_a_random_run_is_derived(tmp_path: Path, word: str, property: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM.replace("WORD", word))
    task = resolve(InputOptions(str(path), property=property))
    whole = CheckProblems.of(load_c_program(task), property).of_checks(frozenset())
    assert isinstance(whole, CProblem)
    derivation = whole.find_violation_by_testing(0, time.monotonic() + 600)
    assert derivation is not None and certify(whole.system, derivation, math.inf, "off").accepted
    violated = whole.violated(whole.replay(derivation, math.inf))
    assert violated is not None and (violated.kind.value, violated.origin.line) == (property, 7)
