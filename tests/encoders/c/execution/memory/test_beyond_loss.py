"""Runs that lose a block are continued to their end or to another violation."""

import pytest

from chcverify.results.checks import CheckKind
from encoders.c.execution.beyond_loss import beyond_loss
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import Execution, run
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

LOSES = "#include <stdlib.h>\nint main(void) { int *p = malloc(4), *q = 0; p = q; %s return 0; }\n"


def continued(rest: str) -> tuple[Execution, Execution]:
    """The run up to its first violation, and what it becomes when it goes on."""
    program = load_source(LOSES % rest, "loses.c", LP64, "valid-memsafety")
    first = run(program, Inputs())
    return first, beyond_loss(program, first)


@pytest.mark.parametrize(
    ("rest", "kind"), [("", CheckKind.LEAK), ("*p = 1;", CheckKind.NULL), ("free(p);", CheckKind.LEAK)]
)
def test_a_later_violation_counts(rest: str, kind: CheckKind) -> None:
    first, after = continued(rest)
    assert first.violation is not None and first.violation.check.kind is CheckKind.LEAK
    assert after.violation is not None and after.violation.check.kind is kind
    assert len(after.path) >= len(first.path)


def test_other_runs_stay_as_they_are() -> None:
    program = load_source("int main(void) { int *p = 0; return *p; }\n", "null.c", LP64, "valid-memsafety")
    first = run(program, Inputs())
    assert beyond_loss(program, first) is first
