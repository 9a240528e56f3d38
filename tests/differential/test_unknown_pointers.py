"""Proofs about programs whose pointers functions without a body have made, against runs with such functions.

The functions that the runs have keep all pointers that they are given or that these lead to, and at each call write
some of them, or objects of their own, wherever they can.
"""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from chcverify.options import InputOptions, Limits, Options
from chcverify.problems.c_problem import load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.run.groups.easy_checks import QUICK_SOURCES, EasyChecks, thorough_sources
from chcverify.task import resolve
from encoders.c.cfa.program_checks import checks_of

RUNS = 60  # of each program
BOUNDS = re.compile(r"\.c:(\d+):\d+: runtime error: index")
FLAGS = ("-w", "-O0", "-fno-sanitize-recover=all", "-fsanitize=bounds-strict")
DECLARATIONS = """struct node { int v; struct node *next; };
void seed(int argc, char **argv);
void give(struct node *p);
struct node *make(void);
int ask(void);
"""
HOSTILE = (
    DECLARATIONS
    + """
#include <stdlib.h>
static unsigned state;
static struct node own[2], *known[64] = {&own[0], &own[1]};
static int count = 2;
static unsigned drawn(unsigned n) { state = state * 1103515245u + 12345u; return (state >> 16) % n; }
static struct node *any(void) { return drawn(4) ? known[drawn(count)] : 0; }
static void learn(struct node *p) {
  int depth;
  for (depth = 0; p && depth < 4; depth++, p = p->next) if (count < 64) known[count++] = p;
}
static void change(void) {
  int i;
  for (i = 0; i < count; i++) learn(known[i]->next);
  for (i = 0; i < 3; i++) {
    struct node *p = any();
    if (p && drawn(2)) p->v = drawn(10);
    if (p && drawn(2)) p->next = any();
  }
}
void seed(int argc, char **argv) { state = argc > 1 ? strtoul(argv[1], 0, 10) : 0; }
void give(struct node *p) { learn(p); change(); }
struct node *make(void) { change(); return any(); }
int ask(void) { change(); return drawn(10); }
"""
)


def _statement(draw: random.Random) -> str:
    object_, pointer, number = draw.choice("abc"), draw.choice(("m", "a.next", "b.next")), draw.randint(0, 9)
    return draw.choice(
        (
            "give(&a);",
            "give(&b);",
            "m = make();",
            "x = ask() & 7;",
            f"{object_}.v = {number};",
            f"x = {object_}.v;",
            f"if ({pointer})\n  {pointer}->v = {number};",
            f"if ({pointer})\n  x = {pointer}->v;",
            f"if ({pointer})\n  {pointer}->next = {draw.choice(('0', '&c', 'm'))};",
            f"if ({pointer})\n  m = {pointer}->next;",
            f"if (m == {draw.choice(('&a', '&c', 'a.next'))})\n  x = {number};",
            "a = b;",
            f"t[{draw.choice(('x', 'a.v', 'c.v', 't[x & 7]'))}] = {number};",
            f"t[{draw.choice(('x', 'b.v', 'c.v'))}] = x;",
        )
    )


def _program(number: int) -> str:
    draw = random.Random(number)
    body = "\n ".join(_statement(draw) for _ in range(12))
    return (
        f"{DECLARATIONS}int main(int argc, char **argv) {{\n"
        " struct node a = {1, 0}, b = {2, 0}, c = {3, 0}, *m = 0;\n int t[8] = {0}, x = 0;\n"
        f" seed(argc, argv);\n {body}\n t[c.v] = x;\n return t[0];\n}}\n"
    )


def _violated(path: Path) -> set[int]:
    """The lines of indices that are out of bounds in some run; each run ends at its first."""
    library, program = path.with_name("hostile.c"), path.with_suffix("")
    library.write_text(HOSTILE)
    subprocess.run(["gcc", *FLAGS, str(path), str(library), "-o", str(program)], check=True)
    found = set()
    for seed in range(RUNS):
        run = subprocess.run([str(program), str(seed)], capture_output=True, text=True, timeout=60, check=False)
        found |= {int(line) for line in BOUNDS.findall(run.stderr)}
    return found


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("numbers", [(0, 2), (1, 3, 4)], ids=str)
def test_no_proved_check_is_violated_in_a_run(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    violated = proved = 0
    for number in numbers:
        path = tmp_path / f"program{number}.c"
        path.write_text(_program(number))
        options = Options(InputOptions(str(path), property="undefined-behaviour"), Limits.of(600))
        task = resolve(options.input)
        program = load_c_program(task)
        checks = checks_of(program)
        problems, sources = CheckProblems.of(program, task.property), (*QUICK_SOURCES, *thorough_sources(task))
        easy = EasyChecks(task, options, problems, checks, checks, sources)
        covered = {check for group in easy.proved(600) for check in group.checks}
        bounds = [check for check in checks if check.kind.value == "bounds"]
        held = {check.origin.line for check in covered} - {c.origin.line for c in bounds if c not in covered}
        errors = _violated(path)
        assert not errors & held, f"{errors & held}\n{path.read_text()}"
        violated += len(errors)
        proved += len(held)
    assert violated and proved > violated
