"""The clauses of memory safety derive every violation of a run, with the right kind, and small correct programs have
none."""

import time
from dataclasses import replace

import pytest

from chcverify.certificate.derivation import Step
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.results.checks import CheckKind
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import ExecutionLimits, run
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from tests.encoders.c.execution.memory.test_memory_runs import CORRECT, PRELUDE, VIOLATIONS

ENDLESS = {"in an endless loop"}  # no run comes to a location where lost blocks are looked for and ends there
MOVED = {"a pointer moved beyond the end"}  # not modelled in the clauses: a trap


def encoded(body: str, property: str = "valid-memsafety", before: str = "") -> Encoding:
    text = f"{PRELUDE}{before}int main(void) {{ {body} }}\n"
    return encode(load_source(text, "test.c", LP64, property), property)


@pytest.mark.parametrize("name", sorted(VIOLATIONS.keys() - ENDLESS - MOVED))
def test_runs_that_violate_are_derived(name: str) -> None:
    kind, body = VIOLATIONS[name]
    encoding = encoded(body)
    program = encoding.program
    execution = run(program, Inputs(), ExecutionLimits(trace=0))
    violation = execution.violation
    assert violation is not None and violation.check.kind is kind
    if kind is CheckKind.LEAK:  # the clauses look for lost blocks at the end of the run
        execution = run(replace(program, checks=program.checks - {kind}), execution.inputs, ExecutionLimits(trace=0))
    derivation = derivation_of_run(encoding, execution.path, execution.inputs, violation=violation)
    assert derivation is not None
    assert check_derivation(encoding.system, derivation, time.monotonic() + 600).accepted
    last = derivation.steps[-1]
    assert isinstance(last, Step)
    check = encoding.infos[last.clause].check
    assert check is not None and check.kind is kind
    again = replay(encoding, derivation, traced=False)
    assert again.outcome == "error" and again.violation is not None and again.violation.check.kind is kind


@pytest.mark.parametrize("name", sorted(CORRECT))
def test_correct_runs_violate_no_clause(name: str) -> None:
    """No violation is derived along the run, whichever object is tracked: the interpreter's path has only steps."""
    encoding = encoded(CORRECT[name])
    execution = run(encoding.program, Inputs(), ExecutionLimits(trace=0))
    assert execution.outcome == "end"
    assert derivation_of_run(encoding, execution.path, execution.inputs) is None


def test_programs_without_such_a_property_have_the_same_clauses() -> None:
    body = "int *p = malloc(8), x; { int y = 1; int *q = &y; x = *q; } p[1] = x; free(p); return p[1];"
    plain = encoded(body, "unreach-call")
    assert not list(plain.objects.all())
    assert not any(info.failure is not None for info in plain.infos)


def test_a_region_with_few_variables_tracks_none() -> None:
    encoding = encoded("int a[3], b[4]; int *p = x ? a : b; p[2] = 1;", "bounds", "int x;")
    assert not list(encoding.objects.all())
    kinds = {info.check.kind for info in encoding.infos if info.check is not None}
    assert kinds == {CheckKind.BOUNDS}


def test_accesses_that_intervals_decide_have_no_clause() -> None:
    encoding = encoded(
        "int a[3]; set(a, 3);", "bounds", "void set(int *p, int n) { for (int i = 0; i < 3; i++) p[i] = n; }"
    )
    assert not any(info.check is not None for info in encoding.infos)


def test_violations_inside_library_models_are_at_the_call() -> None:
    encoding = encoded("char a[2]; strcpy(a, x);", "bounds", "char x[9];")
    checks = {info.check for info in encoding.infos if info.check is not None}
    assert checks and {check.origin.file for check in checks} == {"test.c"}
    assert {check.text for check in checks} == {"strcpy(a, x)"}
