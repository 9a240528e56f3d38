"""python -m tests.differential.variants TASKS --count N: makes N variants of tasks, and decides them.

The exit status is 1 if a verdict is wrong, or a smaller share than --require is decided.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from encoders.c.source.source_errors import SourceError, Unsupported

from .tasks import Variant, VariantTask, solved, tasks, variant
from .trees import NoVariant

_VERDICTS = {"true": True, "unknown": None}


@dataclass(frozen=True)
class Decided:
    """The answer about a variant: True, False or None. seconds: of the processor, as far as they were counted."""

    variant: Variant
    answer: bool | None
    seconds: float
    message: str

    @property
    def is_wrong(self) -> bool:
        """True if the answer is the opposite of the expected verdict."""
        return self.answer is not None and self.answer != self.variant.task.expected


def main() -> int:
    """Makes and decides what the arguments ask for; the exit status."""
    given = _arguments().parse_args()
    found = tasks(given.tasks)
    if given.results is not None:
        found = solved(found, given.results)
    if given.only:
        found = [task for task in found if given.only in str(task.path)]
    if not found:
        print("there are no C tasks with an expected verdict of unreach-call")
        return 2
    made = list(_variants(found, given.count, given.seed))
    if given.keep:
        for number, each in enumerate(made):
            _write(each, given.keep, number)
        return 0
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(given.jobs) as pool:
        rows = []
        files = [_write(each, Path(directory), number) for number, each in enumerate(made)]
        for row in pool.map(lambda pair: _decided(*pair, given.timeout, given.engine), zip(made, files, strict=True)):
            rows.append(row)
            if row.answer is not row.variant.task.expected:
                print(_line(row), flush=True)
    return _summary(rows, given.require)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.differential.variants")
    parser.add_argument("tasks", type=Path, help="a directory with task definitions")
    parser.add_argument("--results", type=Path, help="only of tasks that are solved in these rows of a measurement")
    parser.add_argument("--only", default="", help="only of tasks with this in their path")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for one variant")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--engine", default="", help="instead of the portfolio")
    parser.add_argument("--require", type=float, default=0.95, help="the share that is to be decided")
    parser.add_argument("--keep", type=Path, help="only write the variants into this directory")
    return parser


def _variants(found: Sequence[VariantTask], count: int, seed: int) -> Iterator[Variant]:
    """So many variants, of one task after another; tasks that have none are left out."""
    chance = random.Random(seed)
    queue = list(found)
    chance.shuffle(queue)
    made, failures = 0, 0
    while made < count and failures < len(queue):
        task = queue[(made + failures) % len(queue)]
        try:
            each = variant(task, random.Random(f"{seed} {made} {task.path.name}"))
        except (NoVariant, SourceError, Unsupported) as error:
            print(f"no variant: {error}")
            failures += 1
            continue
        made += 1
        yield each


def _write(each: Variant, directory: Path, number: int) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{number:03}-{each.task.path.stem}.c"
    path.write_text(f"// {each.task.path.name}: {', '.join(each.names)}; {each.task.expected}\n{each.text}")
    return path


def _decided(each: Variant, path: Path, seconds: float, engine: str) -> Decided:
    command = [sys.executable, "-m", "chcverify", str(path), "--timeout", str(seconds)]
    command += ["--data-model", each.task.model.name, "--undefined-functions", "pure", "--volatile", "plain"]
    command += ["--engine", engine] if engine else []
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors)
        _, _, used = os.wait4(process.pid, 0)
        output.seek(0)
        errors.seek(0)
        word, message = output.readline().strip(), " ".join(errors.readline().split())
    answer = False if word.startswith("false") else _VERDICTS.get(word)
    return Decided(each, answer, used.ru_utime + used.ru_stime, message)


def _line(row: Decided) -> str:
    kind = "WRONG" if row.is_wrong else "lost"
    task = row.variant.task.path
    return f"{kind}: {task.parent.name}/{task.name} by {', '.join(row.variant.names)}: {row.message[:100]}"


def _summary(rows: Sequence[Decided], require: float) -> int:
    """Prints the table by transformation; the exit status."""
    made: Counter[str] = Counter(name for row in rows for name in row.variant.names)
    kept = Counter(name for row in rows if row.answer is row.variant.task.expected for name in row.variant.names)
    for name in sorted(made):
        print(f"{name:12} {kept[name]:4} of {made[name]:4}")
    wrong = sum(row.is_wrong for row in rows)
    right = sum(row.answer is row.variant.task.expected for row in rows)
    share = right / max(1, len(rows))
    print(f"{right} of {len(rows)} variants as their originals ({share:.1%}), {wrong} wrong")
    return 1 if wrong or share < require else 0


if __name__ == "__main__":
    sys.exit(main())
