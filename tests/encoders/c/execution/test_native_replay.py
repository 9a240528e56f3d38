"""Native replays: what the machine confirms, what it does not, and what is never run."""

import shutil

import pytest

from encoders.c.execution.native.native_replay import NativeLimits, _Replay, replay_native
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc runs the programs")

DECLARATIONS = """extern void abort(void); extern int puts(const char *); extern void *malloc(unsigned long);
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); double __VERIFIER_nondet_double(void);
long __VERIFIER_nondet_long(void); _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int);
"""
CONFIRMED = {
    "inputs in order": "void reach_error() {} int main() { int a = __VERIFIER_nondet_int();"
    " int b = __VERIFIER_nondet_int(); if (a == b + 1 && b > 1) reach_error(); return 1; }",
    "static reach_error": "static void reach_error(void) { abort(); }"
    " int main() { if (__VERIFIER_nondet_bool()) reach_error(); }",
    "reach_error that asserts": "extern void __assert_fail(const char *, const char *, unsigned, const char *);"
    ' void reach_error() { __assert_fail("0", "", 1, ""); }'
    " int main() { if (__VERIFIER_nondet_bool()) reach_error(); }",
    "types": "void reach_error(); int main() { unsigned char c = __VERIFIER_nondet_uchar();"
    " double d = __VERIFIER_nondet_double(); long l = __VERIFIER_nondet_long();"
    " if (c > 3 && d > 0.5 && l < -1) reach_error(); }",
    "assumption": "void reach_error(); int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 1);"
    " if (x < 9) reach_error(); }",
    "assert": "#include <assert.h>\nint main() { int x = __VERIFIER_nondet_int(); assert(x != 1); }",
    "undefined functions": "int value(int); void effect(int *); void reach_error(); int main() { int x = value(3);"
    " effect(&x); if (x == 1) reach_error(); }",
    "overflow wraps": "void reach_error(); int main() { int x = __VERIFIER_nondet_int();"
    " if (x + 1 < x) reach_error(); }",
    "arguments of main": "void reach_error(); int main(int argc, char **argv) { if (argc == 2) reach_error(); }",
    "library": "#include <stdlib.h>\n#include <string.h>\nvoid reach_error(); int main() { char *p = malloc(4);"
    ' strcpy(p, "ab"); if (strlen(p) == 2 && __VERIFIER_nondet_bool()) reach_error(); free(p); }',
}


def violation(text):
    program = load_source(DECLARATIONS + text, "test.c", LP64)
    execution = random_runs(program, seed=1, count=3000)
    assert execution is not None and execution.outcome == "error"
    return program, execution


@pytest.mark.parametrize("name", CONFIRMED)
def test_confirms(name):
    text = CONFIRMED[name]
    found = replay_native(DECLARATIONS + text, *violation(text))
    assert found.confirmed, found.reason


def test_other_program_does_not_reach_the_error(monkeypatch):
    limited = _Replay._limited

    def hurried(replay, command, **more):
        """The program, and no compiler, has little time."""
        is_program = command == [str(replay.directory / "program")]
        replay.limits = NativeLimits(seconds=1.0 if is_program and "while (1)" in changed else 600.0)
        return limited(replay, command, **more)

    monkeypatch.setattr(_Replay, "_limited", hurried)
    text = CONFIRMED["inputs in order"]
    program, execution = violation(text)
    for change, reason in {
        ("a == b + 1", "a == b"): ": it ends",
        ("return 1", "abort()"): "confirmed",
        ("if (", "abort(); if ("): "it aborts",
        ("if (", "__VERIFIER_nondet_int(); if ("): "more inputs",
        ("if (", "__VERIFIER_nondet_long(); if ("): "more inputs",
        ("if (", "*(int *)0 = 1; if ("): "SIGSEGV",
        ("if (", "while (1); if ("): "out of time",
        ("if (", "error"): "cannot compile",
    }.items():
        changed = DECLARATIONS + text.replace(*change)
        found = replay_native(changed, program, execution, NativeLimits(seconds=600.0))
        assert found.confirmed == (reason == "confirmed") and (found.confirmed or reason in found.reason), found


def test_what_the_machine_would_decide_is_not_run():
    for body, reason in {
        "int x; if (x == 1) reach_error();": "test.c:4:45: use of an uninitialised value of x",
        "int k = 40; if (1 << k == 256) reach_error();": "shift out of range",
    }.items():
        text = "void reach_error(); int main() { " + body + " }"
        found = replay_native(DECLARATIONS + text, *violation(text))
        assert not found.confirmed and reason in found.reason


SURROUNDINGS = """#include <stdlib.h>
#include <sys/resource.h>
static unsigned long limit(int which) { struct rlimit l; getrlimit(which, &l); return l.rlim_max; }
void reach_error(void);
int main() { if (CONDITION) reach_error(); }"""


@pytest.mark.parametrize(
    "condition",
    [
        'getenv("OF_THE_USER") == 0 && getenv("PATH")',
        "limit(RLIMIT_NPROC) == 0 && limit(RLIMIT_CPU) <= 601",
        "limit(RLIMIT_AS) <= 4096ul << 20 && limit(RLIMIT_FSIZE) <= 64 << 20",
        "malloc(5ul << 30) == 0",
    ],
)
def test_surroundings_are_limited(condition, monkeypatch):
    monkeypatch.setenv("OF_THE_USER", "1")
    program, execution = violation("void reach_error(); int main() { reach_error(); }")
    text = SURROUNDINGS.replace("CONDITION", condition)
    found = replay_native(text, program, execution, NativeLimits(seconds=600.0))
    assert found.confirmed, found.reason


def test_nothing_is_left_behind(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    text = CONFIRMED["assumption"]
    assert replay_native(DECLARATIONS + text, *violation(text)).confirmed
    assert not list(tmp_path.iterdir())


def test_without_gcc(monkeypatch):
    text = CONFIRMED["assumption"]
    program, execution = violation(text)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert replay_native(DECLARATIONS + text, program, execution).reason == (
        "a native run needs gcc, and none is installed"
    )
