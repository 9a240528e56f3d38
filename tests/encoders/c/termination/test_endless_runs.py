"""Runs that do not end are found, checked, and free of undefined behaviour."""

import time
from pathlib import Path

import pytest

from chcverify.certificate.kernel.policy import certify
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.frontend import load_program
from encoders.c.termination.endless_runs import find_endless_run, reason_against, trace_of
from encoders.c.types.c_types import DATA_MODELS

HEADER = "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n"
ENDLESS = {
    "toggle": "int main(void) { int x = 0; while (1) x = !x; }",
    "choices": "int main(void) { int x = 0; while (x < 3) { int y = __VERIFIER_nondet_int(); if (y == 5) x = 1; } }",
    "recursion": "int f(int x) { return x > 0 ? f(x) : 0; } int main(void) { return f(__VERIFIER_nondet_int()); }",
    "local array": "int main(void) { int a[2] = {1, 0}; while (a[0] + a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; } }",
}
NONE = {
    "ends": "int main(void) { for (int i = 0; i < 50; i++) ; }",
    "aborts": "int main(void) { while (1) if (__VERIFIER_nondet_int() <= 0x7fffffff) abort(); }",
    "overflow": "int main(void) { int x; while (1) { x = 2147483647; x = x + 1; } }",
    "out of bounds": "int a[2]; int main(void) { int i = __VERIFIER_nondet_int(); while (i == 7) a[i] = 1; }",
}


def encoding(code: str, folder: Path) -> Encoding:
    path = folder / "program.c"
    path.write_text(HEADER + code, encoding="utf-8")
    return encode(load_program(str(path), DATA_MODELS["LP64"], "termination"), "termination")


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_runs_are_found(name: str, tmp_path: Path) -> None:
    system = encoding(ENDLESS[name], tmp_path)
    found = find_endless_run(system, 0, time.monotonic() + 600, long=False)
    assert found is not None
    assert certify(system.system, found.lasso, time.monotonic() + 600, "off").accepted
    assert reason_against(system, found, time.monotonic() + 600) == ""
    assert trace_of(system, found)


@pytest.mark.parametrize("name", NONE)
def test_there_is_none(name: str, tmp_path: Path) -> None:
    assert find_endless_run(encoding(NONE[name], tmp_path), 0, time.monotonic() + 30, long=False) is None
