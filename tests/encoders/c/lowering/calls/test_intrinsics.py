"""Intrinsics of CBMC: those with a meaning here have it, the others are traps that name them."""

import pytest

from encoders.c.cfa.ir import Trap
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

ERROR = "extern void reach_error(void);\n"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("__CPROVER_overflow_plus(2147483647, 1)", True),
        ("__CPROVER_overflow_plus(2147483647, 1L)", False),
        ("__CPROVER_overflow_plus(4294967295u, 1u)", True),
        ("__CPROVER_overflow_minus(0ul, 1ul)", True),
        ("__CPROVER_overflow_minus(5, 7)", False),
        ("__CPROVER_overflow_mult(1ul << 32, 1ul << 32)", True),
        ("__CPROVER_overflow_mult((unsigned char)200, (unsigned char)2)", False),
    ],
)
def test_overflows(condition: str, holds: bool) -> None:
    program = load_source(f"{ERROR}int main(void) {{ if ({condition}) reach_error(); }}", "p.c", LP64)
    assert execute(program, Random(0, (), 9)).outcome == ("error" if holds else "end")


def test_a_precondition_is_checked() -> None:
    text = 'int main(void) { int x = 3; __CPROVER_precondition(x == 4, "four"); }'
    assert execute(load_source(text, "p.c", LP64), Random(0, (), 9)).outcome == "error"


@pytest.mark.parametrize("name", ["r_ok", "w_ok", "rw_ok", "havoc_object", "same_object", "OBJECT_SIZE", "forall"])
def test_intrinsics_without_a_meaning_are_named(name: str) -> None:
    program = load_source(f"int main(void) {{ int x; __CPROVER_{name}(&x); }}", "p.c", LP64)
    traps = [edge.operation for edge in program.functions["main"].edges if isinstance(edge.operation, Trap)]
    assert [f"__CPROVER_{name}" in trap.what for trap in traps] == [True]
