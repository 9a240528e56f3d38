"""Programs that an interrupt handler interrupts: which accesses race, what runs reach, what is refused."""

import time
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import InputOptions, Limits, Options, SourceFile
from chcverify.results.outcome import Outcome
from chcverify.results.result import Unsafe
from chcverify.run.supervisor import supervise
from chcverify.task import Task
from encoders.c.concurrency.owicki_gries import encode_threads
from encoders.c.concurrency.thread_product import encode_product
from encoders.c.frontend import Begin, load_files
from encoders.c.types.c_types import LP64
from solvers.engine import Context
from solvers.spacer.engine import Spacer

HEAD = """
typedef int sig_atomic_t;
void reach_error(void) {}
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int x, y; volatile sig_atomic_t flag; volatile long long wide; _Atomic long atomic;
struct { volatile unsigned low : 4; } bits;
"""
RACES = [
    ("x = 1;", "x = 2;"),
    ("x = 1;", "y = x;"),
    ("wide = 1;", "wide = 2;"),
    ("bits.low = 1;", "bits.low = 2;"),
    ("x = 1;", "flag = 1; x = 2;"),
    ("*(int *)&flag = 1;", "flag = 2;"),
    ("__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();", "x = 2;"),
    ("if (!flag) x = 1;", "flag = 0; x = 2;"),
    ("y = x;", "y;"),
    ("*(long *)&atomic = 1;", "atomic = 2;"),
]
NO_RACES = [
    ("flag = 1;", "flag = 2;"),
    ("atomic = 1;", "atomic = 2;"),
    ("x = 1;", "__VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end();"),
    ("if (!flag) x = 1;", "flag = 1; x = 2; flag = 0;"),
    ("*(volatile int *)&x = 1;", "*(volatile int *)&x = 2;"),
    ("y = x;", "int z = x;"),
]


def outcome(tmp_path: Path, handler: str, main: str, property: str, *more: str) -> Outcome:
    file = tmp_path / "a.c"
    file.write_text(f"{HEAD}\nvoid handler(void) {{ {handler} }}\nint main(void) {{ {main} return 0; }}\n")
    options = Options(InputOptions(str(file)), Limits(timeout=60.0, jobs=1))
    task = Task(str(file), "c", property, interrupts=("handler", *more))
    return supervise(task, options, time.monotonic())


@pytest.mark.parametrize(("handler", "main"), RACES)
def test_races_with_what_is_interrupted(tmp_path: Path, handler: str, main: str) -> None:
    found = outcome(tmp_path, handler, main, "no-data-race")
    assert found.word == "false(no-data-race)" and found.trace


@pytest.mark.parametrize(("handler", "main"), NO_RACES)
def test_accesses_that_do_not_race(tmp_path: Path, handler: str, main: str) -> None:
    assert outcome(tmp_path, handler, main, "no-data-race").word == "true"


@pytest.mark.parametrize(
    ("handler", "main", "property", "word"),
    [
        ("x++;", "int a = x; int b = x; if (a != b) reach_error();", "unreach-call", "false(unreach-call)"),
        ("x = 1; y = 1;", "if (y == 1 && x != 1) reach_error();", "unreach-call", "true"),
        ("if (x < 3) x++;", "if (x > 3) reach_error();", "unreach-call", "true"),
        ("if (x < 3) x++;", "int a = x; a = x - a; if (a == 3) reach_error();", "unreach-call", "false(unreach-call)"),
        ("if (x < 3) x++;", "x = x + 2147483644;", "no-overflow", "true"),
        ("if (x < 4) x++;", "x = x + 2147483644;", "no-overflow", "false(no-overflow)"),
        ("for (int i = 0; i < 3; i++) x = i;", "if (x > 2) reach_error();", "unreach-call", "true"),
    ],
)
def test_what_interrupts_lead_to(tmp_path: Path, handler: str, main: str, property: str, word: str) -> None:
    assert outcome(tmp_path, handler, main, property).word == word


@pytest.mark.parametrize(("handler", "main"), RACES)
def test_no_proof_leaves_a_race_out(tmp_path: Path, handler: str, main: str) -> None:
    file = tmp_path / "a.c"
    file.write_text(f"{HEAD}void handler(void) {{ {handler} }}\nint main(void) {{ {main} return 0; }}\n")
    begin = Begin(threads=True, interrupts=("handler",))
    program = load_files([SourceFile(str(file))], LP64, "no-data-race", begin=begin)
    for encoding in (encode_threads(program, races=True), encode_product(program, races=True)):
        assert isinstance(Spacer().solve(encoding.system, Context.within(300)), Unsafe)


def test_handlers_do_not_interrupt_each_other(tmp_path: Path) -> None:
    main = "return 0; } void other(void) { x = x + 1; x = x - 1; if (x) reach_error(); } int unused(void) {"
    assert outcome(tmp_path, "x = 3; x = 0;", main, "unreach-call", "other").word == "true"
    assert outcome(tmp_path, "x = 3; x = 0;", main, "no-data-race", "other").word == "true"


def test_what_is_refused(tmp_path: Path) -> None:
    for property in ("termination", "no-deadlock"):
        found = outcome(tmp_path, "flag = 1;", "", property)
        assert found.word == "unknown" and "--interrupt" in (found.reason or "")
    with pytest.raises(InputError, match="no function 'other'"):
        outcome(tmp_path, "flag = 1;", "", "unreach-call", "other")
