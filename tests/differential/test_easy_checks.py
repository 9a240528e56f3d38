"""Checks that common invariants prove are never violated in runs of the program that gcc's sanitizers watch."""

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

RUNS = 40  # of each program
KINDS = {
    "signed integer overflow": "overflow",
    "cannot be represented in type": "overflow",
    "division by zero": "division",
    "out of bounds": "bounds",
    "shift exponent": "shift",
    "left shift of negative": "shift",
}
REPORT = re.compile(r"\.c:(\d+):\d+: runtime error: (.*)")
FLAGS = ("-w", "-O0", "-fno-sanitize-recover=all", "-fsanitize=undefined,bounds-strict")
NONDET = """#include <stdlib.h>
static unsigned state;
int __VERIFIER_nondet_int(void) {
  static const int corners[] = {0, 1, -1, 7, 8, 31, 32, 2147483647, -2147483647 - 1};
  state = state * 1103515245u + 12345u;
  unsigned drawn = state >> 16;
  return drawn & 1 ? corners[(drawn >> 1) % 9] : (int)(drawn >> 1) % 40 - 20;
}
void seed(int argc, char **argv) { state = argc > 1 ? strtoul(argv[1], 0, 10) : 0; }
"""


class _Generator:
    """Makes the body of one program, a statement for each line."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def value(self) -> str:
        a, b = self.operand(), self.operand()
        return self.random.choice((a, f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{a} / {b}", f"{a} << {b}", f"t[{a}]"))

    def operand(self) -> str:
        return self.random.choice(("a", "b", "c", str(self.random.randint(0, 9))))

    def assignment(self) -> str:
        target = self.random.choice(("a", "b", "c", f"t[{self.operand()}]"))
        return f"{target} = {self.value()};"

    def statement(self) -> str:
        variable, bound = self.random.choice("abc"), self.random.randint(0, 9)
        match self.random.randint(0, 5):
            case 0:
                return f"if ({variable} < {bound})\n {self.assignment()}"
            case 1:
                return f"if ({variable} < 0 || {variable} > {bound})\n {variable} = {bound};"
            case 2:
                return f"for (b = 0; b < {bound}; b++)\n t[b] = b + {bound};"
            case 3:
                return f"{variable} = n();"
            case _:
                return self.assignment()

    def text(self) -> str:
        body = "\n ".join(self.statement() for _ in range(self.random.randint(4, 10)))
        return (
            "extern int __VERIFIER_nondet_int(void);\nvoid seed(int argc, char **argv);\n"
            "int n(void) { return __VERIFIER_nondet_int(); }\nint main(int argc, char **argv) {\n"
            " int t[8] = {0}, a = 0, b = 0, c = 0;\n seed(argc, argv);\n a = n();\n c = n();\n"
            f" {body}\n return 0;\n}}\n"
        )


def reported(path: Path) -> set[tuple[int, str]]:
    """Line and kind of the errors in runs of the program with different inputs; each run ends with its first."""
    library, program = path.with_name("inputs.c"), path.with_suffix("")
    library.write_text(NONDET)
    subprocess.run(["gcc", *FLAGS, str(path), str(library), "-o", str(program)], check=True)
    found = set()
    for seed in range(RUNS):
        run = subprocess.run([str(program), str(seed)], capture_output=True, text=True, timeout=60, check=False)
        if report := REPORT.search(run.stderr):
            kind = next((kind for words, kind in KINDS.items() if words in report[2]), None)
            assert kind is not None, report[0]
            found.add((int(report[1]), kind))
    return found


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("numbers", [range(first, first + 3) for first in range(0, 12, 3)], ids=str)
def test_no_proved_check_is_violated_in_a_run(tmp_path: Path, numbers: range) -> None:
    violated = proved = 0
    for number in numbers:
        path = tmp_path / f"program{number}.c"
        path.write_text(_Generator(number).text())
        options = Options(InputOptions(str(path), property="undefined-behaviour"), Limits.of(600))
        task = resolve(options.input)
        program = load_c_program(task)
        checks = checks_of(program)
        problems, sources = CheckProblems.of(program, task.property), (*QUICK_SOURCES, *thorough_sources(task))
        groups = EasyChecks(task, options, problems, checks, checks, sources).proved(600)
        held = {(check.origin.line, check.kind.value) for group in groups for check in group.checks}
        errors = reported(path)
        several = {key for key in held if sum((c.origin.line, c.kind.value) == key for c in checks) > 1}
        assert not errors & (held - several), path.read_text()
        violated += len(errors)
        proved += len(held)
    assert violated and proved > violated
