"""The pairs of this directory: each as Boogie with its invariants, as Boogie without them, and as a C program.

    python -m benchmarks.boogie.run [--timeout S] [NAME ...]

NAME.bpl is correct and NAME-unsafe.bpl is not; NAME.c is the same program in C (for some in benchmarks/k_induction).
"!" marks a verdict that is not the expected one. Exit status 1 if there is one.
"""

import argparse
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
C_DIRECTORIES = (HERE, HERE.parent / "k_induction")
UNSAFE = "-unsafe"


@dataclass(frozen=True)
class Variant:
    """A program, and the options with which it is decided."""

    name: str
    path: Path
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What the command says of a variant."""

    verdict: str
    """`true`, `false` or `unknown`."""
    processor_s: float

    def text(self, expected: str) -> str:
        return f"{self.verdict}{'' if self.verdict == expected else '!'} {self.processor_s:.1f}"


def names() -> list[str]:
    """The programs, each pair as two."""
    return sorted(path.stem for path in HERE.glob("*.bpl"))


def expected(name: str) -> str:
    """The verdict that a program of this name is to get."""
    return "false" if name.endswith(UNSAFE) else "true"


def variants(name: str) -> Iterator[Variant]:
    """The program in Boogie with and without its invariants, and in C where it can be said in C."""
    path = HERE / f"{name}.bpl"
    yield Variant("Boogie", path)
    yield Variant("without invariants", path, ("--ignore-invariants",))
    in_c = next((directory / f"{name}.c" for directory in C_DIRECTORIES if (directory / f"{name}.c").exists()), None)
    if in_c is not None:
        yield Variant("C", in_c)


def answer(variant: Variant, timeout_s: float) -> Answer:
    """The verdict of the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "chcverify", str(variant.path), *variant.options, "--timeout", str(timeout_s)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = ended.stdout.split("(")[0].split()
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Answer(words[0] if words else "error", seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Pairs of Boogie programs, with and without invariants, and in C.")
    parser.add_argument("names", nargs="*", help="default: all")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds of each run")
    given = parser.parse_args(arguments)
    wrong = 0
    for name in given.names or names():
        cells = []
        for variant in variants(name):
            found = answer(variant, given.timeout)
            wrong += found.verdict != expected(name)
            cells.append(f"{found.text(expected(name)):12}")
        print(f"{name:26}", *cells, flush=True)
    print(f"{wrong} verdicts are not the expected ones")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
