"""Problems of C programs and of clauses: what their certificates mean for the input."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.problems.c_problem import CProblem, load
from chcverify.problems.horn_problem import HORN_WORDS, HornProblem
from chcverify.problems.protocol import PutOff, Refused
from chcverify.results.checks import CheckKind
from chcverify.results.result import Safe
from chcverify.task import Task
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import run
from encoders.c.execution.testing.random_runs import KnownRuns
from solvers.engine import Context
from solvers.spacer import Spacer

PROGRAM = """void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (CONDITION) reach_error();
}
"""
CLAUSES = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 0))
(assert (forall ((x Int)) (=> (and (P x) (< x 5)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 5)) false)))
"""


@pytest.fixture
def program(tmp_path: Path):
    def make(condition: str, property: str = "unreach-call"):
        path = tmp_path / "a.c"
        path.write_text(PROGRAM.replace("CONDITION", condition))
        return load(Task(str(path), "c", property))

    return make


def test_a_violation_is_replayed_and_shown(program) -> None:
    problem = program("i == 5")
    assert isinstance(problem, CProblem) and problem.words["safe"] == "true"
    until = time.monotonic() + 600
    derivation = problem.find_violation_by_testing(0, until)
    assert derivation is not None
    assert check_derivation(problem.system, derivation, until).accepted
    problem.replay(derivation, until)
    assert problem.trace(derivation, until)[-1].kind == "violation"
    assert [origin.line for origin in problem.assertions()] == [7]
    assert {"main"} <= set(problem.variables())


def test_a_model_is_a_set_of_invariants(program) -> None:
    problem = program("i != n")
    result = Spacer().solve(problem.system, Context.within(600))
    assert isinstance(result, Safe)
    heads = [invariant for invariant in problem.invariants(result.model) if invariant.is_loop_head]
    assert heads and heads[0].origin.line == 6 and "i" in heads[0].text
    assert not problem.is_vacuous(result.model, time.monotonic() + 60)


def test_clauses_are_their_own_meaning(tmp_path: Path) -> None:
    path = tmp_path / "a.smt2"
    path.write_text(CLAUSES)
    problem = load(Task(str(path), "horn", "check-sat"))
    assert isinstance(problem, HornProblem) and problem.words == HORN_WORDS
    result = Spacer().solve(problem.system, Context.within(600))
    assert isinstance(result, Safe) and problem.invariants(result.model) == ()
    assert problem.find_violation_by_testing(0, time.monotonic() + 1) is None


def test_what_is_not_modelled_is_refused(program) -> None:
    with pytest.raises(Refused, match="no-data-race"):
        program("i > 5", "no-data-race")


MEMORY = """\
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
  BODY
  return 0;
}
"""


@pytest.fixture
def memory_problem(tmp_path: Path):
    def make(body: str) -> CProblem:
        path = tmp_path / "memory.c"
        path.write_text(MEMORY.replace("BODY", body))
        problem = load(Task(str(path), "c", "valid-memsafety"))
        assert isinstance(problem, CProblem)
        return problem

    return make


def test_the_derivation_of_a_later_violation_gives_way_to_that_of_the_first(memory_problem) -> None:
    problem = memory_problem("int *p = malloc(4); free(p); *p = 1; free(p);")
    program, until = problem.encoding.program, time.monotonic() + 600
    blind = run(replace(program, checks=frozenset({CheckKind.FREE})), Inputs())
    later = derivation_of_run(problem.encoding, blind.path, blind.inputs, violation=blind.violation)
    assert later is not None and check_derivation(problem.system, later, until).accepted
    assert (derived := problem.violated(later)) is not None and derived.kind is CheckKind.FREE
    first = problem.replay(later, until)
    assert first is not later and check_derivation(problem.system, first, until).accepted
    violated = problem.violated(first)
    assert violated is not None and violated.kind is CheckKind.LIFETIME and violated.origin.line == 4
    assert problem.replay(first, until) is first


def test_a_violation_behind_a_lost_block_is_the_one_that_is_derived(memory_problem) -> None:
    problem = memory_problem(
        "struct node *a = malloc(sizeof *a);\n  a->next = malloc(sizeof *a);\n  free(a);\n  a = a->next;"
    )
    until = time.monotonic() + 600
    derivation = problem.find_violation_by_testing(0, until)
    assert derivation is not None and check_derivation(problem.system, derivation, until).accepted
    assert problem.replay(derivation, until) is derivation
    violated = problem.violated(derivation)
    assert violated is not None and violated.kind is CheckKind.LIFETIME and violated.origin.line == 7
    assert problem.trace(derivation, until)[-1].origin.line == 7


def test_a_lost_block_is_shown_where_it_is_lost(memory_problem) -> None:
    problem = memory_problem("int *p = malloc(4);\n  p = 0;\n  p = malloc(8);\n  free(p);")
    until = time.monotonic() + 600
    derivation = problem.find_violation_by_testing(0, until)
    assert derivation is not None and problem.replay(derivation, until) is derivation
    violated = problem.violated(derivation)
    assert violated is not None and violated.kind is CheckKind.LEAK and violated.origin.line == 5


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("struct node *a = malloc(sizeof *a);\n  if (a->next) a->next->next = a;\n  free(a);", CheckKind.NULL),
        ("struct node *a = malloc(sizeof *a), *b = a->next;\n  free(a);\n  while (b) { b = b->next; }", CheckKind.NULL),
        ("struct node *a = malloc(sizeof *a), *b = a->next;\n  free(a);\n  free(b);", CheckKind.FREE),
        ("int *p[3];\n  p[0] = 0;\n  if (p[1]) *p[1] = 1;", CheckKind.NULL),
        ("int *p, **q = &p;\n  return **q;", CheckKind.NULL),
    ],
)
def test_the_use_of_a_pointer_that_nobody_wrote_is_derived(memory_problem, body: str, kind: CheckKind) -> None:
    problem = memory_problem(body)
    until = time.monotonic() + 600
    derivation = problem.find_violation_by_testing(0, until)
    assert derivation is not None and check_derivation(problem.system, derivation, until).accepted
    replayed = problem.replay(derivation, until)
    violated = problem.violated(replayed)
    assert violated is not None and violated.kind is kind


def test_pointers_that_nobody_wrote_are_equal_in_the_clauses_where_they_are_in_the_run(memory_problem) -> None:
    problem = memory_problem(
        "struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);\n"
        "  struct node *c = a->next, *d = b->next;\n  free(a);\n  free(b);\n  if (c && c == d) return c->next != 0;"
    )
    until = time.monotonic() + 600
    derivation = problem.find_violation_by_testing(0, until)
    assert derivation is not None and check_derivation(problem.system, derivation, until).accepted
    violated = problem.violated(problem.replay(derivation, until))
    assert violated is not None and violated.kind is CheckKind.NULL


def test_a_long_run_is_put_off_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "void reach_error(void);\nint main(void) { for (int i = 0; i < 200; i++) ; reach_error(); return 0; }"
    )
    problem = load(Task(str(path), "c", "unreach-call"))
    assert isinstance(problem, CProblem)
    short = replace(problem, known=KnownRuns(most_steps=100))
    with pytest.raises(PutOff):
        short.find_violation_by_testing(0, time.monotonic() + 600)
    assert short.known is not None
    short.known.most_steps = None
    derivation = short.find_violation_by_testing(0, time.monotonic() + 600)
    assert derivation is not None and check_derivation(short.system, derivation, time.monotonic() + 600).accepted
    short.replay(derivation, time.monotonic() + 600)
