"""Which conversions and other values are violations of checks, and where."""

import time

import pytest

from chcverify.certificate.derivation import Step
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.results.checks import Check, CheckKind
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.cfa.program_checks import checks_of
from encoders.c.encoding.encoder import encode
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import ExecutionLimits, run
from encoders.c.frontend import load_source
from encoders.c.lowering.checks.value_checks import ValueChecks
from encoders.c.types.c_types import LP64

BEFORE = """\
struct bits { unsigned few : 3; int some : 3; };
enum colour { RED, GREEN };
unsigned char low(unsigned char c) { return c; }
short half(int x) { return x; }
static unsigned char table[4] = { 300, -1 };
"""
CHANGES = {
    "narrower": "int x = 300; unsigned char c = x;",
    "negative": "int x = -1; unsigned u = x;",
    "large": "unsigned u = 4000000000; int x = u;",
    "a constant": "unsigned u = -1;",
    "comparison": "int x = -1; unsigned u = 1; return x < u;",
    "operand": "int x = -2; unsigned long u = 1; u = u + x;",
    "compound assignment": "unsigned char c = 200; c += 100;",
    "increment": "unsigned char c = 255; c++;",
    "decrement": "unsigned char c = 0; --c;",
    "argument": "int x = 256; low(x);",
    "result": "half(40000);",
    "bit-field": "struct bits b; b.few = 8;",
    "signed bit-field": "struct bits b; b.some = 4;",
    "enumeration": "enum colour c = -1;",
    "complement": "unsigned char c = 1; c = ~c;",
    "branch": "int x = -1; unsigned u = 1; u = x < 0 ? x : u;",
    "branch without a middle": "int x = -1; unsigned u = 1; u = x ?: u;",
    "right side of a conjunction": "int x = -1; unsigned u = 1; return x < 0 && x < u;",
    "number with a point": "double d = 3e9; int x = d;",
    "cast of a number with a point": "double d = -1.0; unsigned u = (unsigned)d;",
    "no number": "double d = 0.0; int x = (int)(d / d);",
    "float": "float f = 9223372036854775808.0f; long x = f;",
}
KEEPS = {
    "fits": "int x = 255; unsigned char c = x;",
    "cast": "int x = 300; unsigned char c = (unsigned char)x; unsigned u = (unsigned)-x;",
    "to _Bool": "int x = 300; _Bool b = x; double d = 1e30; b = d;",
    "unsigned arithmetic": "unsigned u = 0; u = u - 1; u += 2; u--;",
    "left side of a compound assignment": "int x = -5; x *= 0u;",
    "branch that is not taken": "int x = -1; unsigned u = 1; u = x > 0 ? x : u;",
    "branch without a middle": "int x = 0; unsigned u = 1; u = x ?: u;",
    "conjunction that is decided": "int x = -1; unsigned u = 1; return x > 0 && x < u;",
    "whole part": "double d = -0.9; unsigned u = d; d = 255.9; unsigned char c = d; d = -2147483648.9; int x = d;",
    "static": "static unsigned u = -1; return table[0] != 44;",
    "pointer": "char a[3]; unsigned long n = a + 2 - a; int *p = 0; _Bool b = p;",
    "wider": "signed char c = -1; long x = c; int y = c; x += y;",
    "unevaluated": "unsigned long n = sizeof(char[(unsigned char)7]) + sizeof((unsigned char)1 + -1u);",
}


def checked(body: str, source: str = "{before}int main(void) {{ {body} return 0; }}\n"):
    return load_source(source.format(before=BEFORE, body=body), "test.c", LP64, "conversion")


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_a_changed_value_is_a_violation_with_a_derivation(name: str) -> None:
    program = checked(CHANGES[name])
    execution = run(program, Inputs(), ExecutionLimits(trace=0))
    assert execution.violation is not None, execution.reason
    check = execution.violation.check
    assert check.kind is CheckKind.CONVERSION and check in checks_of(program)
    encoding = encode(program, "conversion")
    derivation = derivation_of_run(encoding, execution.path, execution.inputs, violation=execution.violation)
    assert derivation is not None
    assert check_derivation(encoding.system, derivation, time.monotonic() + 600).accepted
    last = derivation.steps[-1]
    assert isinstance(last, Step) and encoding.infos[last.clause].check == check
    again = replay(encoding, derivation, traced=False)
    assert again.violation is not None and again.violation.check == check


@pytest.mark.parametrize("name", sorted(KEEPS))
def test_other_conversions_are_none(name: str) -> None:
    execution = run(checked(KEEPS[name]), Inputs(), ExecutionLimits(trace=0))
    assert execution.outcome == "end", execution.violation


def test_checks_stand_in_the_program_only_if_they_are_asked_for() -> None:
    body = "int x = 300; unsigned char c = x; return c < x;"
    assert checks_of(checked(body)) == (Check(checks_of(checked(body))[0].origin, CheckKind.CONVERSION),)
    plain = load_source(f"int main(void) {{ {body} }}\n", "test.c", LP64, "undefined-behaviour")
    assert not any(check.kind is CheckKind.CONVERSION for check in checks_of(plain))


def test_library_models_have_no_checks_of_values(peers) -> None:
    assert isinstance(peers.expressions.checks, ValueChecks)
    text = '#include <string.h>\nint main(void) {{ char a[4]; memset(a, 400, 4); return strlen("abc") > 3; }}\n'
    assert run(checked("", text), Inputs()).outcome == "end"


UNDEFINED = {
    "a null entry": (CheckKind.NULL, "int (*table[2])(void) = {main}; return table[zero + 1]();"),
    "clz": (CheckKind.BUILTIN, "return __builtin_clzl(zero);"),
    "ctz of the low half": (CheckKind.BUILTIN, "return __builtin_ctz(1ULL << 32);"),
    "no length": (CheckKind.VLA_BOUND, "int a[zero]; return sizeof a;"),
    "a negative length of rows": (CheckKind.VLA_BOUND, "int a[2][zero - 1]; return sizeof a;"),
    "a type's length": (CheckKind.VLA_BOUND, "return sizeof(int[zero]);"),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_has_no_meaning_is_a_violation_by_itself(name: str) -> None:
    """In the format of the competition, too, where functions without a body change nothing."""
    kind, body = UNDEFINED[name]
    program = load_source(f"void reach_error(void); int main(void) {{ int zero = 0; {body} }}", "t.c", LP64, kind.value)
    found = run(program, Inputs(), ExecutionLimits(trace=0))
    assert found.violation is not None and found.violation.check.kind is kind
    encoding = encode(program, kind.value)
    derivation = derivation_of_run(encoding, found.path, found.inputs, violation=found.violation)
    assert derivation is not None
    assert check_derivation(encoding.system, derivation, time.monotonic() + 600).accepted
