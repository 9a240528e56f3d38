"""Runs that end inside a function which is summarised and does not return: their choices before its call count."""

import time

import pytest

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.derivation_to_inputs import inputs_of
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.encoding.encoder import encode
from encoders.c.execution.testing.random_runs import KnownRuns, random_runs
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

CHOSEN = "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
DEREFERENCE = (
    CHOSEN
    + """static int read(int depth, int *p) { if (depth > 0) return read(depth - 1, p); return *p; }
int main(void) { int cell = 5; int *p = __VERIFIER_nondet_uchar() > 3 ? 0 : &cell; return read(2, p); }"""
)
AFTER_A_CALL = DEREFERENCE.replace("return read(2, p);", "read(1, &cell); return read(2, p);")


@pytest.mark.parametrize("text", [DEREFERENCE, AFTER_A_CALL])
def test_the_derivation_replays(text: str) -> None:
    program = load_source(text, "a.c", LP64, "valid-memsafety")
    known = KnownRuns()
    execution = random_runs(program, seed=0, count=200, known=known)
    assert execution is not None and execution.outcome == "error"
    encoding = encode(program, "valid-memsafety")
    derivation = derivation_of_run(encoding, execution.path, execution.inputs)
    assert derivation is not None and check_derivation(encoding.system, derivation, time.monotonic() + 600).accepted
    assert any(isinstance(step.value, int) and step.value > 3 for step in inputs_of(encoding, derivation))
    again = replay(encoding, derivation, known=known)
    assert again.outcome == "error" and again.violation is not None
    assert again.violation.check == execution.violation.check
