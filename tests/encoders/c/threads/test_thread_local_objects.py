"""Thread-local objects: runs and clauses of programs that use them through calls and pointers."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

from encoders.c.cfa import ir
from encoders.c.execution.threads.search import ANY_CHECK, ThreadSearch, find_violation
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

HEAD = """
#include <pthread.h>
extern void reach_error(void);
static _Thread_local struct { int a, b; } own = { 1, 2 };
static __thread int count = 3;
int *lent;
static int bump(void) { static _Thread_local int calls; return own.b += ++calls; }
static void *run(void *p) { bump(); bump(); if (own.a != 1 || own.b != 5 || count != 3) reach_error(); return 0; }
static void *write(void *p) { *lent = 9; return count == 9 ? p : 0; }
"""
STARTED = "int main(void) { pthread_t a; bump(); pthread_create(&a, 0, run, 0); pthread_join(a, 0); %s return 0; }"


def loaded(text: str) -> ir.Program:
    return load_source(HEAD + text, "own.c", LP64, threads=True)


@pytest.mark.parametrize(
    "text",
    [
        STARTED % "if (own.b == 3) reach_error();",  # main has its own, which calls change
        STARTED % "run(0);",  # main calls what a thread begins with
        "int main(void) { pthread_t a; lent = &count; pthread_create(&a, 0, write, 0); pthread_join(a, 0);"
        " if (count == 9) reach_error(); return 0; }",  # main's own object may be lent
    ],
)
def test_errors_that_own_objects_show(text: str) -> None:
    assert find_violation(loaded(text), 0, math.inf) is not None


def test_threads_begin_with_the_first_values_and_do_not_see_those_of_others() -> None:
    program = loaded(STARTED % "if (own.b != 3 || count != 3) reach_error();")
    assert ThreadSearch(program, ANY_CHECK).find(math.inf, 200) is None


def test_functions_that_use_none_stay_as_they_are() -> None:
    program = load_source(
        "#include <pthread.h>\nint x; _Thread_local int y; int f(void) { return x; } void *run(void *p) { return p; }"
        "int main(void) { pthread_t a; pthread_create(&a, 0, run, 0); return f() + y; }",
        "own.c", LP64, threads=True,
    )  # fmt: skip
    assert not program.functions["f"].parameters
    assert [variable.name for variable in program.functions["main"].parameters] == ["<own y>"]


def reason(text: str, tmp_path: Path, *options: str) -> str:
    """Why the program is not decided, on one line."""
    file = tmp_path / "own.c"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "chcverify", file, *options], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout == "unknown\n", done
    return " ".join(done.stderr.split())


def test_handlers_of_interrupts_have_no_objects_of_their_own(tmp_path: Path) -> None:
    text = (
        HEAD
        + "static _Thread_local int x; void isr(void) { x = 1; } int main(void) { pthread_t a;"
        + " pthread_create(&a, 0, run, 0); if (x) return 1; return 0; }"
    )
    assert "thread-local objects in the handler" in reason(text, tmp_path, "--interrupt", "isr")


def test_handlers_have_those_of_main_where_there_are_no_threads(tmp_path: Path) -> None:
    file = tmp_path / "own.c"
    file.write_text(
        "#include <errno.h>\nextern void reach_error(void); void isr(void) { errno = 7; }"
        "int main(void) { errno = 0; if (errno) reach_error(); return 0; }",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "chcverify", str(file), "--interrupt", "isr"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == "false(unreach-call)\n", done


def test_functions_without_a_body_may_change_objects_that_other_files_see(tmp_path: Path) -> None:
    text = (
        HEAD
        + "_Thread_local int seen; void other(void);"
        + (
            "static void *use(void *p) { seen = 0; other(); if (seen) reach_error(); return 0; }"
            "int main(void) { pthread_t a; pthread_create(&a, 0, use, 0); return 0; }"
        )
    )
    found = reason(text, tmp_path, "--undefined-functions", "havoc")
    assert "call of other, which has no body and may change seen" in found
