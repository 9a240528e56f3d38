"""What each generator of invariants proves alone, and what Spacer proves with and without their lemmas.

    python -m benchmarks.invariants [--engines NAME,...] [--limit S] [--jobs N] [--output FILE] TASK...

A TASK is a .yml file, or a directory whose tasks are all taken. Tasks are encoded and reduced once; each engine then
runs in a process of its own, limited in time and memory, and its certificate is checked on the original clauses. Times
are of the processor, for the engine alone; the limit is in wall-clock seconds. The exit status is 1 if an answer
contradicts its task.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem
from chcverify.portfolio.processes import run_limited
from chcverify.problems.c_problem import load
from chcverify.problems.protocol import Refused
from chcverify.results.result import Safe, Unsafe
from chcverify.task import read_task
from chcverify.transforms.base import BackTranslator
from chcverify.transforms.pipeline import default_pipeline
from solvers.engine import Context
from solvers.registry import get

PRESETS = ("df-boxes", "df-boxes-eq", "df-boxes-eq-mod2", "df", "df-poly", "df-refined")
PREPARE_S, CHECK_S = 60.0, 30.0


@dataclass(frozen=True)
class Run:
    """One engine on one task. answer: safe, unsafe, unknown, refused (certificate) or error. correct: None: unknown."""

    task: str
    engine: str
    answer: str
    seconds: float
    correct: bool | None = None
    reason: str = ""

    @property
    def solved(self) -> bool:
        return self.answer in ("safe", "unsafe") and self.correct is not False


def attempt(
    name: str, task: str, expected: bool | None, system: HornSystem, reduced: HornSystem, back: BackTranslator, s: float
) -> Run:
    """The engine's answer within s seconds, certified."""
    start = time.process_time()
    result = get(name).solve(reduced, Context.within(s))
    seconds = time.process_time() - start
    if not isinstance(result, Safe | Unsafe):
        return Run(task, name, "unknown", seconds, reason=result.reason)
    due = time.monotonic() + CHECK_S
    if isinstance(result, Safe):
        verdict = check_model(system, back.model(result.model), due)
    else:
        verdict = check_derivation(system, back.derivation(result.derivation), due)
    if not verdict.accepted:
        return Run(task, name, "refused", seconds, reason=verdict.reason)
    safe = isinstance(result, Safe)
    return Run(task, name, "safe" if safe else "unsafe", seconds, None if expected is None else expected == safe)


def runs(path: str, engines: Sequence[str], limit: float, memory_mb: int) -> list[Run]:
    """All engines on one task, one process each below this one."""
    task = read_task(path)
    name = f"{Path(path).parent.name}/{Path(path).stem}"
    try:
        system = load(task).system
    except (Refused, InputError) as error:
        return [Run(name, engine, "unknown", 0.0, reason=str(error)) for engine in engines]
    reduced, back = default_pipeline().apply(system)
    found = []
    for engine in engines:

        def one(engine: str = engine) -> Run:
            return attempt(engine, name, task.expected, system, reduced, back, limit)

        outcome = run_limited(one, limit + CHECK_S + 5, memory_mb)
        run = outcome.value if outcome.value is not None else Run(name, engine, "error", limit, reason=outcome.reason)
        found.append(run)
    return found


def everything(paths: Iterable[str], engines: Sequence[str], limit: float, memory_mb: int) -> Iterator[list[Run]]:
    """Task by task."""
    for path in paths:
        seconds = PREPARE_S + len(engines) * (limit + CHECK_S + 5)
        outcome = run_limited(lambda path=path: runs(path, engines, limit, memory_mb), seconds)  # type: ignore[misc]
        name = f"{Path(path).parent.name}/{Path(path).stem}"
        yield outcome.value or [Run(name, engine, "error", 0.0, reason=outcome.reason) for engine in engines]


def table(found: Sequence[Run], engines: Sequence[str]) -> Iterator[str]:
    """One line per engine: solved, proved safe, share of the tasks proved, wrong, times."""
    yield f"{'engine':20} solved  safe  share wrong errors median s  mean s"
    for engine in engines:
        own = [run for run in found if run.engine == engine]
        safe = sum(run.solved and run.answer == "safe" for run in own)
        cells = f"{sum(run.solved for run in own):6} {safe:5} {safe / len(own):6.1%}"
        cells += f" {sum(run.correct is False for run in own):5}"
        cells += f" {sum(run.answer in ('error', 'refused') for run in own):6}"
        times = [run.seconds for run in own]
        yield f"{engine:20} {cells} {statistics.median(times):8.2f} {statistics.fmean(times):7.2f}"


def tasks(given: Sequence[Path]) -> list[str]:
    """The .yml files that are given or lie below the directories."""
    return [str(file) for path in given for file in (sorted(path.rglob("*.yml")) if path.is_dir() else [path])]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.invariants", description="What generators of invariants prove.")
    parser.add_argument("tasks", nargs="*", type=Path, help="default: the programs of benchmarks/one_loop")
    parser.add_argument("--engines", default=",".join(PRESETS), help="default: %(default)s")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of each run")
    parser.add_argument("--memory", type=int, default=2048, metavar="MB")
    parser.add_argument("--part", default="0/1", metavar="I/N", help="every N-th task, from the I-th")
    parser.add_argument("--output", type=Path, help="writes every run to this file, as JSON")
    given = parser.parse_args(arguments)
    engines = given.engines.split(",")
    chosen = tasks(given.tasks or [Path(__file__).parents[1] / "one_loop"])
    first, step = map(int, given.part.split("/"))
    found: list[Run] = []
    for answers in everything(chosen[first::step], engines, given.limit, given.memory):
        found += answers
        words = " ".join(f"{run.answer + ('!' if run.correct is False else ''):8}{run.seconds:6.2f}" for run in answers)
        print(f"{words}  {answers[0].task}", flush=True)
    print(*table(found, engines), sep="\n")
    if given.output:
        given.output.write_text(json.dumps([asdict(run) for run in found], indent=1), encoding="utf-8")
    return 1 if any(run.correct is False for run in found) else 0


if __name__ == "__main__":
    sys.exit(main())
