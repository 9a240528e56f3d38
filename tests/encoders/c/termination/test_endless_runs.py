"""Runs that do not end are found, checked, and free of undefined behaviour."""

import time
from pathlib import Path

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause
from chcverify.options import SourceFile
from chcverify.results.source_facts import CYCLE
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.frontend import load_files
from encoders.c.termination.endless_runs import (
    are_inputs,
    find_endless_run,
    long_runs,
    reason_against,
    reason_against_long_run,
    trace_of,
    trace_of_long_run,
)
from encoders.c.types.c_types import DATA_MODELS

HEADER = "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n"
ENDLESS = {
    "toggle": "int main(void) { int x = 0; while (1) x = !x; }",
    "choices": "int main(void) { int x = 0; while (x < 3) { int y = __VERIFIER_nondet_int(); if (y == 5) x = 1; } }",
    "choices that alternate": "int main(void) { int y = 5; while (y > 0 && y < 9)"
    " { if (__VERIFIER_nondet_int() & 1) y++; else y--; if (y == 5) y = 5; } }",
    "recursion": "int f(int x) { return x > 0 ? f(x) : 0; } int main(void) { return f(__VERIFIER_nondet_int()); }",
    "local array": "int main(void) { int a[2] = {1, 0}; while (a[0] + a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; } }",
    "division": "int main(void) { unsigned x = 1, y = __VERIFIER_nondet_int(); while (x < y && x < y / x) x *= x; }",
    "pointer to a divisor": "int main(void) { int d = 3, x = 0, *p = &d; while (x % *p == 0) { int y = x; x = y; } }",
}
NONE = {
    "ends": "int main(void) { for (int i = 0; i < 50; i++) ; }",
    "aborts": "int main(void) { while (1) if (__VERIFIER_nondet_int() <= 0x7fffffff) abort(); }",
    "shift": "int main(void) { unsigned y = 9; int z; while (1) { z = 1u >> y; y = y > 20 ? 40 : y + 1; } }",
    "divisor behind a pointer": "int main(void) { int d = 900, *p = &d, z; while (1) { z = 10 / *p; --*p; } }",
    "overflow": "int main(void) { int x; while (1) { x = 2147483647; x = x + 1; } }",
    "division": "int main(void) { unsigned y = 900, z; while (1) { z = 10 / y; y--; } }",
    "out of bounds": "int a[2]; int main(void) { int i = __VERIFIER_nondet_int(); while (i == 7) a[i] = 1; }",
}


def encoding(code: str, folder: Path) -> Encoding:
    path = folder / "program.c"
    path.write_text(HEADER + code, encoding="utf-8")
    return encode(load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "termination"), "termination")


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_runs_are_found(name: str, tmp_path: Path) -> None:
    system = encoding(ENDLESS[name], tmp_path)
    found = find_endless_run(system, 0, time.monotonic() + 600, long=False)
    assert found is not None
    assert certify(system.system, found.lasso, time.monotonic() + 600, "off").accepted
    assert reason_against(system, found, time.monotonic() + 600) == ""
    trace = trace_of(system, found)
    first, last = (index for index, step in enumerate(trace) if step.kind == CYCLE)
    assert first < last == len(trace) - 1 and trace[first].origin == trace[last].origin


@pytest.mark.parametrize("name", NONE)
def test_there_is_none(name: str, tmp_path: Path) -> None:
    assert find_endless_run(encoding(NONE[name], tmp_path), 0, time.monotonic() + 30, long=False) is None


# Runs whose state need not recur: what the clauses leave open must be inputs ------------------------------------------

LONG = {
    "input": ("int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) x += 2; }", True),
    "uninitialised": ("int main(void) { unsigned x; while (x != 7) x += 2; }", False),
    "shift": ("int main(void) { unsigned x = 0, y = 1; while (y) { y = (y << x) | 1; x += 2; } }", False),
}


@pytest.mark.parametrize("name", LONG)
def test_values_that_are_no_inputs_are_seen(name: str, tmp_path: Path) -> None:
    code, are_all = LONG[name]
    made = encoding(code, tmp_path)
    clauses = made.system.clauses
    opened = [are_inputs(made, i, _open(clause)) for i, clause in enumerate(clauses) if clause.body]
    assert all(opened) == are_all


def _open(clause: Clause) -> list[z3.ExprRef]:
    given = {argument.get_id() for atom in clause.body for argument in atom.arguments}
    found = [] if clause.head is None else [a for a in clause.head.arguments if z3.is_const(a) and str(a)[0] == "?"]
    return [argument for argument in found if argument.get_id() not in given]


def test_long_runs_are_followed_and_checked(tmp_path: Path) -> None:
    made = encoding(LONG["input"][0], tmp_path)
    run = next(long_runs(made, 0, time.monotonic() + 600))
    assert len(run.steps) > 100 and reason_against_long_run(made, run, time.monotonic() + 600) == ""
    trace = trace_of_long_run(made, run, len(run.steps) // 2)
    assert [step.kind for step in trace].count(CYCLE) == 2 and trace[-1].kind == CYCLE
    code = "int main(void) { int x, y = 0; while (y < 9) { y = __VERIFIER_nondet_int(); if (x) y = 1; } }"
    wrong, until = encoding(code, tmp_path), time.monotonic() + 600
    assert reason_against_long_run(wrong, next(long_runs(wrong, 0, until)), until).startswith("undefined behaviour")
