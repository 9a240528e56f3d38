"""Violations that depend on what is not modelled: the checks that one derivation opens, and runs that stay modelled."""

from pathlib import Path

import pytest

from chcverify.problems.c_problem import load_c_program
from chcverify.results.checks import CheckKind
from chcverify.results.result import Safe, Unsafe
from chcverify.task import Task
from encoders.c.certificates.traps import open_checks, without_traps
from encoders.c.cfa import ir
from encoders.c.cfa.program_checks import assuming, checks_of, selectable
from encoders.c.encoding.encoder import encode
from solvers.engine import Context
from solvers.spacer import Spacer

TEXT = """struct s { int a, b; };
struct s *get(struct s *);
int f(int n) {
  struct s *p = get(0);
  int sum = p->a;
  sum ^= p->b;
  if (sum == 3)
    return 10 / n;
  return sum;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> ir.Program:
    path = tmp_path / "p.c"
    path.write_text(TEXT)
    return selectable(load_c_program(Task(str(path), "c", "undefined-behaviour", entry="f")))


def test_a_derivation_derives_the_violations_of_all_accesses_that_it_passes(program: ir.Program) -> None:
    checks = checks_of(program)
    last = next(check for check in checks if check.kind is CheckKind.BOUNDS and check.origin.line == 6)
    encoding = encode(assuming(program, frozenset(checks) - {last}))
    result = Spacer().solve(encoding.system, Context.within(60))
    assert isinstance(result, Unsafe)
    found = open_checks(encoding, result.derivation)
    assert last in found
    first = {check.kind for check in found if check.origin.line == 5}
    assert first == {CheckKind.NULL, CheckKind.LIFETIME, CheckKind.BOUNDS}
    assert not any(check.kind is CheckKind.DIVISION for check in found)


def test_runs_that_are_modelled_end_at_open_checks(program: ir.Program) -> None:
    checks = checks_of(program)
    others = frozenset(check for check in checks if check.kind is not CheckKind.DIVISION)
    encoding = encode(assuming(program, others))
    result = Spacer().solve(encoding.system, Context.within(60))
    assert isinstance(result, Unsafe), "reads through the pointer give any value"
    modelled = without_traps(encoding)
    assert modelled is not None and len(modelled.clauses) == len(encoding.system.clauses)
    assert isinstance(Spacer().solve(modelled, Context.within(60)), Safe), "the division is behind such reads"
