"""Intrinsics of CBMC: those with a meaning here have it, the others are traps that name them."""

import pytest

from encoders.c.cfa.ir import CheckAccess, Havoc, Nondet, Trap
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_source
from encoders.c.lowering.environment import Surroundings, UndefinedFunctions
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
        ("__CPROVER_overflow_shl(1, 30)", False),
        ("__CPROVER_overflow_shl(1, 31)", True),
        ("__CPROVER_overflow_shl(1u, 31)", False),
        ("__CPROVER_overflow_shl(2u, 31)", True),
        ("__CPROVER_overflow_shl(-1, 31)", False),
        ("__CPROVER_overflow_shl(-2, 31)", True),
        ("__CPROVER_overflow_shl(1l, 62)", False),
        ("__CPROVER_overflow_shl(~0ul, 63)", True),
        ("__CPROVER_overflow_shl(0, 99)", False),
        ("__CPROVER_overflow_shl(1, 99)", True),
        ("__CPROVER_overflow_shl(1, -1)", False),
        ("__CPROVER_overflow_unary_minus(-2147483647 - 1)", True),
        ("__CPROVER_overflow_unary_minus(-2147483647)", False),
        ("__CPROVER_overflow_unary_minus((signed char)-128)", False),
    ],
)
def test_overflows(condition: str, holds: bool) -> None:
    program = load_source(f"{ERROR}int main(void) {{ if ({condition}) reach_error(); }}", "p.c", LP64)
    assert execute(program, Random(0, (), 9)).outcome == ("error" if holds else "end")


def test_a_precondition_is_checked() -> None:
    text = 'int main(void) { int x = 3; __CPROVER_precondition(x == 4, "four"); }'
    assert execute(load_source(text, "p.c", LP64), Random(0, (), 9)).outcome == "error"


@pytest.mark.parametrize("name", ["OBJECT_SIZE", "forall"])
def test_intrinsics_without_a_meaning_are_named(name: str) -> None:
    program = load_source(f"int main(void) {{ int x; __CPROVER_{name}(&x); }}", "p.c", LP64)
    traps = [edge.operation for edge in program.functions["main"].edges if isinstance(edge.operation, Trap)]
    assert [f"__CPROVER_{name}" in trap.what for trap in traps] == [True]


MEMORY = "assertion,bounds,null,lifetime"


@pytest.mark.parametrize("name", ["r_ok", "w_ok", "rw_ok"])
@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("%s(a, sizeof a)", ""),
        ("%s(a + 1, 3 * sizeof *a)", ""),
        ("%s(a + 1, 3 * sizeof *a + 1)", "bounds"),
        ("%s(a + 3)", ""),
        ("%s(a + 4)", "bounds"),
        ("%s(p, 1)", "null"),
        ("p == 0 || %s(p, 1)", ""),
        ("1 && %s(a - 1, 4)", "bounds"),
        ("%s(a, 0)", ""),
        ("%s(a + 4, a - a)", ""),
        ("%s(a + 5, a - a)", "bounds"),
        ("%s(p, 0)", "null"),
    ],
)
def test_an_assertion_about_accesses_checks_them(name: str, claim: str, kind: str) -> None:
    for asserting in ("assert", "precondition"):
        condition = claim % f"__CPROVER_{name}"
        text = f'int main(void) {{ int a[4], *p = 0; __CPROVER_{asserting}({condition}, ""); return 0; }}'
        program = load_source(text, "p.c", LP64, MEMORY)
        assert any(isinstance(edge.operation, CheckAccess) for edge in program.functions["main"].edges)
        execution = execute(program, Random(0, (), 9))
        found = "" if execution.violation is None else execution.violation.check.kind.value
        assert (execution.outcome, found) == ("error" if kind else "end", kind)


@pytest.mark.parametrize("tool", ["CPROVER", "ESBMC"])
@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("p, 4", True),
        ("p, 5", False),
        ("p + 1, 1", False),
        ("q, 1", False),
        ("p, 0", True),
        ("q, 0", False),
    ],
)
def test_other_uses_say_the_truth(tool: str, condition: str, holds: bool) -> None:
    text = f"{ERROR}int main(void) {{ int x, *p = &x, *q = 0; if (__{tool}_r_ok({condition})) reach_error(); }}"
    program = load_source(text, "p.c", LP64, MEMORY)
    outcomes = {execute(program, Random(seed, (0, 1), 9)).outcome for seed in range(20)}
    assert outcomes - {"stuck"} == {"error" if holds else "end"}


def test_without_lifetimes_nothing_is_known_of_other_uses() -> None:
    program = load_source("int main(void) { int x; return __CPROVER_r_ok(&x, 4); }", "p.c", LP64)
    assert execute(program, Random(0, (), 9)).outcome == "stuck"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("__CPROVER_forall { int i; (i >= 0 && i < n) ==> a[i] < 4 }", True),
        ("__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] < 3 }", False),
        ("__CPROVER_exists { int i; (i >= 0 && i < n) && a[i] == 3 }", True),
        ("__CPROVER_exists { int i; (0 <= i && i < n) && a[i] == 4 }", False),
        ("__CPROVER_exists { int i; (2 <= i && i < n) && (a[i] == 1 || a[i] == 2) }", False),
    ],
)
def test_quantifiers_over_ranges(condition: str, holds: bool) -> None:
    text = f"{ERROR}int main(void) {{ int a[3] = {{1, 2, 3}}, n = 3; if ({condition}) reach_error(); return 0; }}"
    assert execute(load_source(text, "p.c", LP64), Random(0, (), 9)).outcome == ("error" if holds else "end")


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("__CPROVER_same_object(a, a + 2)", True),
        ("__CPROVER_same_object(a, &b)", False),
        ("__CPROVER_POINTER_OBJECT(a) == __CPROVER_POINTER_OBJECT(a + 3)", True),
        ("__CPROVER_POINTER_OBJECT(a) != __CPROVER_POINTER_OBJECT((void *)&b)", True),
        ("__CPROVER_POINTER_OBJECT(a) != __CPROVER_POINTER_OBJECT(p)", True),
        ("__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT((int *)0)", True),
        ("__CPROVER_same_object(h, h + 1)", True),
        ("__CPROVER_same_object(h, h2)", False),
    ],
)
def test_objects_of_pointers_are_compared(condition: str, holds: bool) -> None:
    text = f"""{ERROR}void *malloc(unsigned long);
    int main(void) {{ int a[3], b, *p = 0; char *h = malloc(2), *h2 = malloc(1);
      if ({condition}) reach_error(); return 0; }}"""
    program = load_source(text, "p.c", LP64)
    assert execute(program, Random(0, (), 9)).outcome == ("error" if holds else "end")


def test_an_uninterpreted_function_is_an_estimate() -> None:
    declared = f"{ERROR}int __CPROVER_uninterpreted_f(void *);"
    text = f"{declared} int main(void) {{ int x; if (__CPROVER_uninterpreted_f(&x)) %s }}"
    for rest in ("reach_error();", "x = 1;"):
        program = load_source(text % rest, "p.c", LP64)
        nondet = [e.operation for e in program.functions["main"].edges if isinstance(e.operation, Nondet)]
        assert [each.is_estimate for each in nondet] == [True]


@pytest.mark.parametrize("mode", list(UndefinedFunctions)[:2])
def test_an_object_gets_any_contents_behind_an_estimate(mode: UndefinedFunctions) -> None:
    text = "int main(void) { int x = 1; __CPROVER_havoc_object(&x); return x; }"
    edges = load_source(text, "p.c", LP64, MEMORY, surroundings=Surroundings(mode)).functions["main"].edges
    operations = [type(edge.operation) for edge in edges]
    first = operations.index(CheckAccess)
    assert operations[first : first + 3] == [CheckAccess, Nondet, Havoc]
    assert any(isinstance(edge.operation, Nondet) and edge.operation.is_estimate for edge in edges)


def test_a_number_is_no_object() -> None:
    program = load_source("int main(void) { __CPROVER_havoc_object(3); }", "p.c", LP64)
    assert any(isinstance(edge.operation, Trap) for edge in program.functions["main"].edges)
