"""python -m tests.differential.library_comparison --count N --start S: N programs of 100 random calls each.

Prints each difference and a table of the functions; exit status 1 where there is a difference.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from .compare import CALLS, FOLLOWED, Compared, compared
from .functions import FUNCTIONS
from .native_calls import Tool


def main() -> int:
    """Compares what the arguments ask for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.library_comparison", description=__doc__)
    parser.add_argument("--count", type=int, default=10, help=f"how many programs of {CALLS} calls")
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--only", nargs="*", default=(), help="names of functions")
    parser.add_argument(
        "--tools",
        type=int,
        default=2,
        help="valgrind, and the memory sanitizer, look at one of so many",
    )
    parser.add_argument(
        "--clauses", type=int, default=20, help="one of so many programs is short, and the clauses follow its runs"
    )
    parser.add_argument("--table", type=Path, help="a file for the table, rewritten after each program")
    arguments = parser.parse_args()
    counted: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for seed in range(arguments.start, arguments.start + arguments.count):
        follow = seed % arguments.clauses == 0
        number = FOLLOWED if follow else CALLS
        results = compared(seed, number, arguments.only, _tool(seed, arguments.tools), follow)
        for result in results:
            _count(counted, result)
            if result.difference:
                wrong += 1
                print(f"seed {seed} {result.call.function.name}: {result.difference}\n  {result.call.text}", flush=True)
        if arguments.table is not None:
            arguments.table.write_text(table(counted), encoding="utf-8")
    print(table(counted))
    return int(wrong > 0)


def _tool(seed: int, period: int) -> Tool:
    """The tool that looks at a seed's program."""
    return {0: Tool.VALGRIND, 1: Tool.MEMORY_SANITIZER}.get(seed % period, Tool.NONE)


def _count(counted: Counter[tuple[str, str]], result: Compared) -> None:
    columns = ["calls", result.outcome, *(["clauses"] if result.clauses else [])]
    columns += ["differences"] if result.difference else []
    for name in (result.call.function.name, "all"):
        counted.update((name, column) for column in columns)


def table(counted: Counter[tuple[str, str]]) -> str:
    """The counted calls of each function as a table in Markdown."""
    columns = ("calls", "safe", "leak", "violation", "open", "not modelled", "clauses", "differences")
    lines = ["| function | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name in (*sorted(FUNCTIONS), "all"):
        lines.append(f"| {name} | " + " | ".join(str(counted[name, column]) for column in columns) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
