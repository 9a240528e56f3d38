"""Tests from violations: programs that fail under gcc's sanitizers as the recorded run does."""

import shutil
import subprocess

import pytest

from chcverify.options import HarnessOptions, SourceFile
from chcverify.results.checks import CheckKind
from encoders.c.execution.native import confirmation
from encoders.c.execution.native.confirmation import confirm
from encoders.c.execution.native.instruments import instruments_of
from encoders.c.execution.native.native_harness import NotReplayable
from encoders.c.execution.native.program_texts import program_texts
from encoders.c.execution.native.violation_test import violation_test
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.frontend import Begin, load_files, load_source
from encoders.c.lowering.environment import Surroundings, VolatileReads
from encoders.c.types.c_types import LP64

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc runs the programs")
TYPES = {
    "char": "char", "uchar": "unsigned char", "short": "short", "ushort": "unsigned short", "int": "int",
    "uint": "unsigned", "long": "long", "ulong": "unsigned long", "longlong": "long long",
    "ulonglong": "unsigned long long", "bool": "_Bool", "float": "float", "double": "double", "size_t": "unsigned long",
}  # fmt: skip
ALL_TYPES = "".join(f"{c} __VERIFIER_nondet_{name}(void);" for name, c in TYPES.items())
READ_ALL = "".join(f"{c} v_{name} = __VERIFIER_nondet_{name}();" for name, c in TYPES.items())
CONFIRMED = {
    "inputs in order": "void reach_error() {} int __VERIFIER_nondet_int(void); int main() {"
    " int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_int(); if (a == b + 1 && b > 1) reach_error(); }",
    "all types": f"extern void reach_error(void); {ALL_TYPES} int main(void) {{ {READ_ALL}"
    " if (v_uchar > 3 && v_double > 0.5 && v_long < -1 && v_bool && v_float != v_int) reach_error(); }",
    "reach_error that asserts": "extern void __assert_fail(const char *, const char *, unsigned, const char *);"
    ' int __VERIFIER_nondet_int(void); void reach_error() { __assert_fail("0", "", 1, ""); }'
    " int main() { if (__VERIFIER_nondet_int() > 7) reach_error(); }",
    "assumption": "void reach_error(); extern void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void);"
    " int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 1); if (x < 9) reach_error(); }",
    "assert": "#include <assert.h>\nint __VERIFIER_nondet_int(void); int main() { int x = __VERIFIER_nondet_int();\n"
    " assert(x != 1); }",
    "undefined functions": "int value(int, char *); void effect(int *); double ratio(double); void reach_error(void);\n"
    'int main() { int x = value(3, "a"); effect(&x); if (x == 1 && ratio(0.5) > 2) reach_error(); }',
    "volatile": "volatile int reg; struct { volatile short s; } io; void reach_error(void);"
    "\nint main(void) { reg = 3; if (reg == 4 && reg == 5 && io.s < 0) { reg++; if (reg > 0) reach_error(); } }",
    "volatile in a macro's argument": "#define TWICE(x) ((x) + (x))\nvolatile int reg; void reach_error(void);\n"
    "int main(void) { int a = reg; if (TWICE(a) == 6) reach_error(); }",
    "argc": "void reach_error(); int main(int argc, char **argv) { if (argc == 2) reach_error(); }",
    "argv": "void reach_error(); int main(int argc, char **argv) {"
    " if (argc == 3 && argv[1][0] > 60 && argv[3] == 0) reach_error(); }",
    "an error of its own name": "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);"
    " int main(void) { if (__VERIFIER_nondet_int() == 1) __VERIFIER_error(); }",
    "functions that are not reached": "int other(void); void reach_error(void); int __VERIFIER_nondet_int(void);"
    " unsigned char __VERIFIER_nondet_uchar(void); int main(void) { if (__VERIFIER_nondet_int() > 1) reach_error();"
    " return other() + __VERIFIER_nondet_uchar(); }",
    "library": "#include <stdlib.h>\n#include <string.h>\nvoid reach_error(); int main() { char *p = malloc(4);"
    ' strcpy(p, "ab"); if (strlen(p) == 2) reach_error(); free(p); }',
}  # fmt: skip


def _kind(property):
    known = {kind.value: kind for kind in CheckKind}
    return known.get(property, CheckKind.OVERFLOW if property == "no-overflow" else CheckKind.ASSERTION)


def _test_of(text, property="unreach-call"):
    surroundings = Surroundings(None, VolatileReads.FRESH, False)
    program = load_source(text, "dir/test.c", LP64, property, surroundings=surroundings)
    execution = random_runs(program, seed=1, count=20_000)
    assert execution is not None and execution.outcome == "error"
    return violation_test(text, program, execution.inputs, _kind(property))


@needs_gcc
@pytest.mark.parametrize("name", CONFIRMED)
def test_the_test_fails_under_gcc(name):
    found = confirm(_test_of(CONFIRMED[name]), CheckKind.ASSERTION, 600)
    assert not found.reason, found.reason + found.code


@needs_gcc
def test_the_file_stands_alone(tmp_path):
    found = confirm(_test_of(CONFIRMED["undefined functions"]), CheckKind.ASSERTION, 600)
    (tmp_path / "t.c").write_text(found.code)
    command = next(line for line in found.code.splitlines() if "gcc " in line).split("&&")[0].split()
    done = subprocess.run([*(word if word != "THIS_FILE" else "t.c" for word in command), "-w"], cwd=tmp_path)
    assert done.returncode == 0
    ran = subprocess.run(["./failing"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode != 0 and "the violation is reached" in ran.stderr


@needs_gcc
def test_overflow_is_what_the_sanitizer_reports():
    text = "int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 < x; }"
    program = load_source(text, "test.c", LP64, "no-overflow")
    execution = random_runs(program, seed=1, count=20_000)
    assert execution is not None
    found = confirm(violation_test(text, program, execution.inputs, CheckKind.OVERFLOW), CheckKind.OVERFLOW, 600)
    assert not found.reason and "signed integer overflow" in found.failure


@needs_gcc
@pytest.mark.parametrize(
    ("kind", "body", "report"),
    [
        (CheckKind.DIVISION, "return 7 / (x - x);", "division by zero"),
        (CheckKind.SHIFT, "return 1 << (x | 64);", "shift exponent"),
        (CheckKind.OVERFLOW, "int y = 2147483647; return y + (x | 1) / (x | 1);", "signed integer overflow"),
        (CheckKind.SHIFT, "int y = 2147483647 + (x | 1) / (x | 1); return y << 3;", "left shift of negative value"),
        (CheckKind.BOUNDS, "int a[2] = {0, 1}; return a[2 + (x & 1)];", "out of bounds"),
        (
            CheckKind.BOUNDS,
            "char a[2] = {0, 1}, b[2]; memmove(b, a, -(x & 1) - 1); return b[0];",
            "negative-size-param",
        ),
        (CheckKind.BUILTIN, "unsigned long y = 0; return __builtin_ctzl(y);", "passing zero to ctz"),
        (CheckKind.VLA_BOUND, "int n = -3; char a[n]; return sizeof a == 7;", "non-positive value"),
        (CheckKind.NULL, "int *p = x ? 0 : &x; return *p;", "null pointer"),
        (CheckKind.LIFETIME, "char *p = malloc(3); free(p); return p[1];", "heap-use-after-free"),
        (CheckKind.FREE, "char *p = malloc(3); free(p); free(p); return 0;", "double-free"),
    ],
)
def test_each_kind_of_error_has_its_report(kind, body, report):
    """The inputs are those of a run to the end, since the errors are not violations of the program as it is loaded."""
    text = "#include <stdlib.h>\n#include <string.h>\nint __VERIFIER_nondet_int(void);\n"
    text += "int main(void) { int x = __VERIFIER_nondet_int(); "
    loaded = load_source(text + "if (x > 3) { extern void reach_error(void); reach_error(); } }", "test.c", LP64)
    execution = random_runs(loaded, seed=1, count=20_000)
    assert execution is not None
    test = violation_test(text + body + " }", loaded, execution.inputs, kind)
    found = confirm(test, kind, 600)
    assert not found.reason and report in found.failure, found.reason
    assert "fails before" in confirm(test, CheckKind.ASSERTION, 600).reason


SHOWN_BY_OTHERS = {
    "a narrow result": (CheckKind.CONVERSION, "unsigned char low = x | 256; return low;", "changed the value"),
    "a large number": (CheckKind.CONVERSION, "double d = 3e9 + x % 7; return (int)d;", "outside the range"),
    "a condition": (CheckKind.UNINITIALISED, "int y; if (x < 0) y = 1; if (y) return 1; return 0;", "uninitialised"),
    "a result of main": (CheckKind.UNINITIALISED, "int a[2]; a[0] = x; return a[1];", "uninitialised"),
}


@pytest.mark.parametrize("name", SHOWN_BY_OTHERS)
def test_what_gcc_s_sanitizers_do_not_look_for_is_shown_by_other_instruments(name):
    kind, body, report = SHOWN_BY_OTHERS[name]
    first = instruments_of(kind)[0]
    if any(shutil.which(program) is None for program in first.programs):
        pytest.skip(f"{first.name} is not installed")
    text = "int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); " + body + " }"
    found = confirm(_test_of(text, kind.value), kind, 600)
    if "does not compile it" in found.reason:
        pytest.skip(found.reason)
    assert not found.reason and report in found.failure, found.reason
    assert first.name in found.line and first.command("-fwrapv") in found.code


def test_what_is_read_and_not_used_is_not_confirmed():
    text = "int __VERIFIER_nondet_int(void); int main(void) { int y = __VERIFIER_nondet_int(), x; y = x; return 0; }"
    assert confirm(_test_of(text, CheckKind.UNINITIALISED.value), CheckKind.UNINITIALISED, 600).reason


@needs_gcc
def test_an_error_before_the_violation_is_no_confirmation():
    text = "void reach_error(void); int __VERIFIER_nondet_int(void); int main(void) { int a[2] = {0, 0}, i = 2;"
    text += " if (__VERIFIER_nondet_int() > 3) i = 2; a[0] = a[i]; reach_error(); }"
    found = confirm(_test_of(text), CheckKind.ASSERTION, 600)
    assert "fails before the violation, by runtime error: index 2 out of bounds" in found.reason


@needs_gcc
def test_calls_of_functions_without_effects_stay_in_the_test(tmp_path):
    """gcc leaves out such calls where the result is not used."""
    path = tmp_path / "remainder.c"
    path.write_text("__attribute__((const)) int remainder_of(int x, int y) { return x % y; }\n")
    begin = Begin("remainder_of", HarnessOptions())
    program = load_files([SourceFile(str(path))], LP64, "undefined-behaviour", begin=begin)
    execution = random_runs(program, seed=1, count=20_000)
    assert execution is not None and execution.violation.check.kind is CheckKind.DIVISION
    test = violation_test(program_texts(program), program, execution.inputs, CheckKind.DIVISION)
    found = confirm(test, CheckKind.DIVISION, 600)
    assert not found.reason and "division by zero" in found.failure, found.reason


@needs_gcc
def test_a_run_that_differs_is_no_confirmation():
    test = _test_of(CONFIRMED["inputs in order"])
    other = violation_test(
        test.program.text.replace("b > 1", "b > 1 && 0"), *_program_and_inputs(test.program.text), CheckKind.ASSERTION
    )
    assert "the run ends without the violation" in confirm(other, CheckKind.ASSERTION, 600).reason


def _program_and_inputs(text):
    program = load_source(text, "dir/test.c", LP64)
    execution = random_runs(program, seed=1, count=20_000)
    assert execution is not None
    return program, execution.inputs


@needs_gcc
def test_a_program_that_gcc_does_not_compile_is_not_confirmed():
    test = _test_of("void reach_error(void); int main(void) { reach_error(); }")
    broken = violation_test(
        "int main(void) { return x; }", *_program_and_inputs(test.program.text), CheckKind.ASSERTION
    )
    assert "gcc does not compile it" in confirm(broken, CheckKind.ASSERTION, 600).reason


def test_without_gcc_the_test_is_written_but_not_confirmed(monkeypatch):
    monkeypatch.setattr(confirmation.shutil, "which", lambda name: None)
    found = confirm(_test_of(CONFIRMED["argv"]), CheckKind.ASSERTION, 600)
    assert "__chcverify_string_1_2" in found.code and "not installed" in found.reason


def test_a_volatile_object_behind_a_macro_is_refused():
    text = "#define REG reg\nvolatile int reg; void reach_error(void); int main(void) { if (REG == 6) reach_error(); }"
    with pytest.raises(NotReplayable, match="line 2: the volatile object reg is not read by its own name"):
        _test_of(text).code()
