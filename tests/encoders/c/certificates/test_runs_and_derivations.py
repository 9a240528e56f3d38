"""Runs, inputs, derivations, replays, invariants: the way from certificates back to C."""

import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.certificate.model import Model
from encoders.c.certificates.clause_plans import ClausePlans
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.invariants.source_invariants import source_invariants
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.encoding.encoder import encode
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import ExecutionLimits, run
from encoders.c.execution.testing.random_runs import random_runs

LOOP = """int main() {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n) i++;
  if (i == 7) reach_error();
  return 0;
}"""
RECURSIVE = """int g;
int f(int n) { g++; if (n <= 0) return __VERIFIER_nondet_int(); int a = f(n - 1); return a + f(n - 2); }
int main() { int r = f(3); if (r == 0 && g == 9) reach_error(); }"""
MEMORY = """struct s { char c; int a[3]; };
int main() {
  struct s *p = malloc(sizeof(struct s));
  int x[50], i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 3) return 0;
  p->a[i] = 4;
  if (p->a[0] + p->a[2] == 4 + p->c && x[9] == p->c && i != 1) reach_error();
}"""
INLINED = """int get(int k) { int v = __VERIFIER_nondet_int(); return v + k; }
int main() { int a = get(1), b = get(2); if (a == 1 && b == 2) reach_error(); }"""

OBJECT_OF_CALLER = """void inc(int *p, int n) {
  if (n > 0) { int t = *p; int *q = &t; *q += 1; *p = t; inc(p, n - 1); } }
int main() { int x = 0; inc(&x, 3); if (x == 3) reach_error(); }"""
PARAMETER = """int f(int n) { int *p = &n; *p -= 1; if (n <= 0) return 0; int r = f(n); return n + r; }
int main() { if (f(3) == 3) reach_error(); }"""

ARGUMENT_FROM_MEMORY = """int product(int *to, int n, int more) {
  if (n <= 0) return more;
  int local = *to; int *at = &local;
  if (*at > 1) *at *= *to; else local <<= 1;
  return product(to, n - 1, *to * more) + *to; }
int main() {
  int cell = 2, total = product(&cell, 2, 1), later = __VERIFIER_nondet_int();
  if (total > 3 && later > 0) reach_error(); }"""
REPEATED_CALLS = (
    ARGUMENT_FROM_MEMORY.split("int main")[0]
    + """int main() {
  int cell = 2, i;
  for (i = 0; i < 3; i++) product(&cell, 1, i);
  if (i == 3 && __VERIFIER_nondet_int() > 0) reach_error(); }"""
)


@pytest.mark.parametrize(
    "text", [LOOP, RECURSIVE, MEMORY, INLINED, OBJECT_OF_CALLER, PARAMETER, ARGUMENT_FROM_MEMORY, REPEATED_CALLS]
)
def test_random_run_becomes_a_derivation_that_replays(load, text):
    program = load(text)
    execution = random_runs(program, seed=3, count=3000, steps=400)
    assert execution is not None and execution.outcome == "error"
    encoding = encode(program)
    plans = ClausePlans()
    derivation = derivation_of_run(encoding, execution.path, execution.inputs, plans=plans)
    assert derivation is not None and check_derivation(encoding.system, derivation, time.monotonic() + 600).accepted
    again = replay(encoding, derivation)
    assert again.outcome == "error" and again.trace[-1].kind == "violation"
    repeated = derivation_of_run(encoding, execution.path, execution.inputs, plans=plans)
    assert repeated is not None and [step.clause for step in repeated.steps] == [s.clause for s in derivation.steps]


def test_calls_that_repeat_share_their_derivation(load):
    program = load(
        """int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int main() { if (fib(16) == 987) reach_error(); }"""
    )
    execution = random_runs(program, 0, 4, longer=1000)
    encoding = encode(program)
    derivation = derivation_of_run(encoding, execution.path, execution.inputs)
    assert len(execution.path) > 12_000 and len(derivation.steps) < 200
    assert check_derivation(encoding.system, derivation, time.monotonic() + 600).accepted
    assert replay(encoding, derivation).steps == execution.steps


def test_changed_derivation_does_not_replay(load):
    program = load(INLINED)
    encoding = encode(program)
    execution = random_runs(program, seed=3, count=3000)
    derivation = derivation_of_run(encoding, execution.path, execution.inputs)
    steps = [
        Step(s.clause, tuple(z3.IntVal(5) if z3.is_int(a) else a for a in s.arguments), s.premises)
        for s in derivation.steps
    ]
    assert replay(encoding, Derivation(tuple(steps))).outcome != "error"


def test_other_inputs_end(load):
    execution = run(load(LOOP), Inputs())
    assert execution.outcome == "end"
    assert [step.text for step in execution.trace if step.kind == "input"] == ["__VERIFIER_nondet_int()"]


def test_limits(load):
    assert run(load("int main(){ while (1); }"), Inputs(), ExecutionLimits(steps=50)).outcome == "limit"
    assert (
        run(load("void f(int n){ f(n + 1); } int main(){ f(0); }"), Inputs(), ExecutionLimits(depth=20)).outcome
        == "limit"
    )


def test_trace_tells_places_and_values(load):
    execution = run(load("int main(){ int a[4]; int i = 2; a[i] = 5; if (a[2] == 5) reach_error(); }"), Inputs())
    changes = [change for step in execution.trace for change in step.changes]
    assert ("a[2]", "5") in changes and execution.trace[-1].origin.line == 2


def test_invariants_are_c(load):
    encoding = encode(load(LOOP))
    head = next(predicate for predicate, lvalue in encoding.locations.items() if lvalue.location.is_loop_head)
    i, n = (head.formals[head.names.index(name)] for name in ("i", "n"))
    everywhere = {predicate: z3.BoolVal(True) for predicate in encoding.system.predicates}
    invariants = source_invariants(encoding, Model({**everywhere, head: z3.Not(i - n > 0)}))
    assert [invariant.text for invariant in invariants] == ["i <= n"]
    assert invariants[0].is_loop_head and invariants[0].function == "main" and invariants[0].origin.line == 5


def test_invariants_of_loop_heads_alone(load):
    encoding = encode(load(LOOP))
    false = Model({predicate: z3.BoolVal(False) for predicate in encoding.system.predicates})
    everywhere, heads = source_invariants(encoding, false), source_invariants(encoding, false, only_loop_heads=True)
    assert heads and len(heads) < len(everywhere)
    assert heads == [invariant for invariant in everywhere if invariant.is_loop_head]
