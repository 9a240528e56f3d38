"""How many stated invariants combined-case and split-case k-induction can do without.

    python -m benchmarks.boogie.left_out [--timeout S] [NAME ...]

Laid out as table 1 of Donaldson, Haller, Kroening, Rümmer: Software Verification Using k-Induction: for each engine the
invariants that can be left out together, all of them or as many as a greedy search finds, which leaves out one after
the other and keeps those without which the program is not proved. Only what the kernel accepts counts as proved.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.boogie.run import HERE, UNSAFE, names

ENGINES = ("combined", "kind", "kind+df")
_INVARIANT = re.compile(r"\n *invariant [^;]*;")


def is_proved(text: str, engine: str, timeout_s: float) -> bool:
    """True if the command proves the program of this text with this engine alone."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "p.bpl")
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "chcverify", str(path), "--engine", engine, "--timeout", str(timeout_s)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def without(text: str, left_out: frozenset[int]) -> str:
    """The text without the invariants of these numbers."""
    places = [found.span() for number, found in enumerate(_INVARIANT.finditer(text)) if number in left_out]
    for begin, end in reversed(places):
        text = text[:begin] + text[end:]
    return text


def most_left_out(text: str, engine: str, timeout_s: float) -> int:
    """The number of invariants that can be left out together; -1 if the program is not proved with all of them."""
    count = len(_INVARIANT.findall(text))
    if is_proved(without(text, frozenset(range(count))), engine, timeout_s):
        return count
    if not is_proved(text, engine, timeout_s):
        return -1
    left_out = frozenset[int]()
    for number in range(count):
        if is_proved(without(text, left_out | {number}), engine, timeout_s):
            left_out |= {number}
    return len(left_out)


def words(count: int, left_out: int) -> str:
    """How many of the invariants of a program can be left out, in words."""
    if left_out < 0:
        return "not proved with all of them"
    return "all left out" if left_out == count else "some left out" if left_out else "none left out"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Invariants that k-induction can do without.")
    parser.add_argument("names", nargs="*", help="default: all safe programs that state invariants")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds of each run")
    given = parser.parse_args(arguments)
    print(f"{'program':20} {'invariants':>10}", *(f"{engine:>9}" for engine in ENGINES), flush=True)
    totals: Counter[tuple[str, str]] = Counter()
    for name in given.names or [name for name in names() if not name.endswith(UNSAFE)]:
        text = (HERE / f"{name}.bpl").read_text(encoding="utf-8")
        count = len(_INVARIANT.findall(text))
        if count:
            found = [most_left_out(text, engine, given.timeout) for engine in ENGINES]
            cells = [f"{'-' if number < 0 else number:>9}" for number in found]
            print(f"{name:20} {count:10}", *cells, flush=True)
            totals.update((words(count, number), engine) for number, engine in zip(found, ENGINES, strict=True))
    for text in ("all left out", "some left out", "none left out", "not proved with all of them"):
        print(f"{text:31}", *(f"{totals[text, engine]:9}" for engine in ENGINES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
