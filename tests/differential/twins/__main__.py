"""python -m tests.differential.twins [CLASS...] [--native]: decides all programs, and prints a table by class.

--native: the tools decide instead. Exit status 1 where a program is not what it is called.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from .natively import is_violated
from .twins import CLASSES, programs, verdict


def main() -> int:
    """Decides what the arguments ask for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.twins", description=__doc__)
    parser.add_argument("classes", nargs="*", default=CLASSES)
    parser.add_argument("--native", action="store_true", help="by sanitizers and valgrind")
    parser.add_argument("--timeout", type=int, default=30, help="seconds for one program")
    arguments = parser.parse_args()
    counted: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for group in arguments.classes:
        for program in programs(group):
            if arguments.native and not (program.is_safe or program.is_seen):
                continue
            with tempfile.TemporaryDirectory() as folder:
                if arguments.native:
                    said, text = "false" if is_violated(program, Path(folder)) else "true", ""
                else:
                    said, text = verdict(program, Path(folder), arguments.timeout)
            kind = "safe" if program.is_safe else "unsafe"
            answer = "true" if said == "true" else "false" if said.startswith("false") else "unknown"
            counted[group, f"{kind} {answer}"] += 1
            if answer == "unknown":
                print(f"{program}: {said} {' '.join(text.split())[:300]}", flush=True)
            elif (answer == "true") != program.is_safe:
                wrong += 1
                print(f"WRONG {program}: {said}\n{program.texts[0]}", flush=True)
    print(table(counted, arguments.classes))
    return int(wrong > 0)


def table(counted: Counter[tuple[str, str]], classes: list[str]) -> str:
    """The answers by class as a table in Markdown."""
    columns = [f"{kind} {answer}" for kind in ("safe", "unsafe") for answer in ("true", "false", "unknown")]
    lines = ["| class | programs | " + " | ".join(columns) + " |", "|---" * (len(columns) + 2) + "|"]
    total: Counter[str] = Counter()
    for group in classes:
        row = {column: counted[group, column] for column in columns}
        total.update(row)
        lines.append(f"| {group} | {sum(row.values())} | " + " | ".join(map(str, row.values())) + " |")
    lines.append(f"| all | {total.total()} | " + " | ".join(str(total[column]) for column in columns) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
