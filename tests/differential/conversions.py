"""Random programs with conversions, executed here and under clang's sanitizers: the first violation is on one line.

`python -m tests.differential.conversions --count N --start M`. Generated around: bit-fields, which older clangs do not
check, and undefined shifts and quotients.
"""

import argparse
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from chcverify.results.checks import CheckKind
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import run
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TYPES = (
    "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool",
    "float", "double", "enum colour",
)  # fmt: skip
FLOATS = ("float", "double")
NUMBERS = (0, 1, 2, 100, 127, 128, 200, 255, 256, 32767, 40000, 65535, 65536, 2147483647, 2147483648, 4294967295)
_BEFORE = "enum colour { RED, GREEN, BLUE };"
_FLAGS = ("-std=gnu11", "-w", "-O0", "-fwrapv", "-fsanitize=implicit-conversion,float-cast-overflow")
_REPORT = re.compile(r"programs\.c:(\d+):\d+: runtime error")


class _Generator:
    """Makes one program: a statement for each line."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        kinds = self.random.sample(TYPES, 6)
        self.variables = {f"v{number}": kind for number, kind in enumerate(kinds)}

    def text(self) -> list[str]:
        """The body, line by line. Wherever a value is wanted that a type does not hold, a cast makes it."""
        lines = [f"{kind} {name} = ({kind}){self.number()};" for name, kind in self.variables.items()]
        return lines + [self.statement() for _ in range(self.random.randint(3, 10))]

    def number(self) -> str:
        value = self.random.choice(NUMBERS)
        sign = self.random.choice(("", "", "-"))
        if self.random.random() < 0.15:
            return f"{sign}{value}.75"
        return f"{sign}{value}{'L' if value > 2147483647 else ''}"

    def name(self, floats: bool = True) -> str | None:
        """A variable; one that is no floating-point number if these are not wanted. None if there is none."""
        names = [name for name, kind in self.variables.items() if floats or kind not in FLOATS]
        return self.random.choice(names) if names else None

    def statement(self) -> str:
        target, draw = self.name(), self.random.random()
        integer = self.name(floats=False)
        if draw < 0.4:
            return f"{target} = {self.value(2)};"
        if draw < 0.55:
            return f"{target} {self.random.choice('+-*')}= {self.value(1)};"
        if draw < 0.65:
            return f"{target}{self.random.choice(('++', '--'))};"
        if draw < 0.75 and integer is not None:
            return f"{integer} {self.random.choice('&|^')}= {self.integer(1)};"
        if draw < 0.85:
            return f"if ({self.value(1)} && {self.value(1)} < {self.value(1)}) {target} = {self.value(1)};"
        kind = self.random.choice(TYPES)
        return f"{target} = called_{TYPES.index(kind)}({self.value(1)});"

    def value(self, depth: int) -> str:
        draw = self.random.random()
        if depth == 0 or draw < 0.25:
            return str(self.name()) if self.random.random() < 0.7 else self.number()
        if draw < 0.4:
            return f"({self.random.choice(TYPES)})({self.value(depth - 1)})"
        if draw < 0.55:
            return f"({self.value(depth - 1)} ? {self.value(depth - 1)} : {self.value(depth - 1)})"
        if draw < 0.7:
            return self.integer(depth)
        operator = self.random.choice(("+", "-", "*", "<", "==", "&&", "||"))
        return f"({self.value(depth - 1)} {operator} {self.value(depth - 1)})"

    def integer(self, depth: int) -> str:
        name = self.name(floats=False)
        if name is None or depth == 0:
            return name or "7"
        operator = self.random.choice(("&", "|", "^"))
        return f"({self.integer(depth - 1)} {operator} {self.random.choice(('', '~', '-'))}{name})"


def bodies(seeds: Sequence[int]) -> list[list[str]]:
    """The bodies of the programs of these seeds, line by line."""
    return [_Generator(seed).text() for seed in seeds]


def _functions() -> list[str]:
    return [f"static {kind} called_{number}({kind} x) {{ return x; }}" for number, kind in enumerate(TYPES)]


def found_here(body: Sequence[str]) -> int | None:
    """The number of the body's line, from 0, where the first conversion changes a value; None if none does."""
    before = [_BEFORE, *_functions(), "int main(void) {"]
    text = "\n".join((*before, *body, "return 0; }", ""))
    execution = run(load_source(text, "values.c", LP64, "conversion"), Inputs())
    if execution.violation is None:
        assert execution.outcome == "end", execution.reason
        return None
    assert execution.violation.check.kind is CheckKind.CONVERSION
    return execution.violation.check.origin.line - 1 - len(before)


def found_by_clang(programs: Sequence[Sequence[str]]) -> list[int | None]:
    """The same, as clang's sanitizers see it."""
    lines, starts = ["#include <stdlib.h>", _BEFORE, *_functions()], list[int]()
    for number, body in enumerate(programs):
        lines.append(f"static void program_{number}(void) {{")
        starts.append(len(lines))
        lines += [*body, "}"]
    lines += ["int main(int argc, char **argv) {", "switch (atoi(argv[1])) {"]
    lines += [f"case {number}: program_{number}(); break;" for number in range(len(programs))]
    lines += ["}", "return 0; }"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "programs.c").write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = ["clang", *_FLAGS, "-o", "programs", "programs.c"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=600)
        out: list[int | None] = []
        for number, start in enumerate(starts):
            done = subprocess.run([f"{folder}/programs", str(number)], capture_output=True, text=True, timeout=60)
            said = _REPORT.search(done.stderr)
            out.append(None if said is None else int(said[1]) - 1 - start)
        return out


@cache
def is_installed() -> bool:
    """True if clang's sanitizers of conversions work here."""
    if shutil.which("clang") is None:
        return False
    try:
        return found_by_clang([["unsigned x = -1;"]]) == [0]
    except (OSError, subprocess.SubprocessError):
        return False


def differences(seeds: Sequence[int]) -> list[str]:
    """The programs of these seeds for which the two differ, with both lines."""
    programs = bodies(seeds)
    out = []
    for seed, body, theirs in zip(seeds, programs, found_by_clang(programs), strict=True):
        ours = found_here(body)
        if ours != theirs:
            shown = "" if None in (ours, theirs) else body[min(int(ours or 0), int(theirs or 0))]
            out.append(f"seed {seed}: here {ours}, clang {theirs}: {shown or body}")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    given = parser.parse_args()
    wrong = differences(range(given.start, given.start + given.count))
    print("\n".join(wrong))
    print(f"{given.count} programs, {len(wrong)} differences")


if __name__ == "__main__":
    main()
