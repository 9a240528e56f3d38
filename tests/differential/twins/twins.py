"""Reads the pairs, and what chcverify says about their programs."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CLASSES = tuple(sorted(path.stem for path in HERE.glob("*.txt")))
_DIFFERENCE = re.compile(r"<\[(.*?)~~(.*?)\]>")
_PRELUDE = """#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#ifdef NATIVE
#define malloc(size) (getenv("NO_MEMORY") ? 0 : malloc(size))
#endif
extern int __VERIFIER_nondet_int(void);
static int input(void) {
  int value = __VERIFIER_nondet_int();
  if (value < 0 || value > 15) _exit(0);
  return value;
}
"""


@dataclass(frozen=True)
class Program:
    """One of a pair. texts: of its files. property: as for `--property`; is_safe: does it have it?

    is_seen: do the tools see the violation? Of others (a star behind the name) the standard says it.
    """

    group: str
    name: str
    property: str
    is_safe: bool
    is_seen: bool
    texts: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.group}/{self.name} ({'safe' if self.is_safe else 'unsafe'})"

    def write(self, folder: Path) -> list[Path]:
        """Its files, written to a folder."""
        paths = [folder / f"{self.name}_{number}.c" for number in range(len(self.texts))]
        for path, text in zip(paths, self.texts, strict=True):
            path.write_text(text, encoding="utf-8")
        return paths


def programs(group: str) -> list[Program]:
    """The programs of a class, the safe one of each pair first."""
    found = []
    for line in (HERE / f"{group}.txt").read_text(encoding="utf-8").splitlines():
        name, property, code = line.split(" | ", 2)
        for is_safe in (True, False):
            number = 1 if is_safe else 2
            parts = [part.strip() for part in _DIFFERENCE.sub(lambda m, n=number: m[n].strip(), code).split("@@")]
            main = f"{_PRELUDE}{parts[0]}\nint main(void) {{\n  {parts[1]}\n}}\n"
            is_seen = not name.endswith("*")
            found.append(
                Program(
                    group, name.rstrip("*"), property, is_safe, is_seen, (main, *(f"{part}\n" for part in parts[2:]))
                )
            )
    return found


def verdict(program: Program, folder: Path, timeout_seconds: int) -> tuple[str, str]:
    """What chcverify prints about a program, the verdict and the rest. folder: where its files are made."""
    command = [sys.executable, "-m", "chcverify", *map(str, program.write(folder))]
    command += ["--property", program.property, "--timeout", str(timeout_seconds)]
    command += ["--malloc", "may-fail"] if program.property == "null" else []
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10 * timeout_seconds)
    return (ended.stdout.splitlines() or [""])[0], ended.stderr
