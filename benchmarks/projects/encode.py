"""How many functions of public projects encode: python -m benchmarks.projects.encode DIRECTORY [PROJECT ...]

Encodes each function by itself, with any arguments and all undefined behaviour checked, and solves nothing. A project's
files are read once; each function is encoded in a process of its own, which is a fork. The rows are those of the table
in benchmarks/results/projects.md: functions, encoded, median and maximal processor seconds; then the reasons of
those that are not encoded. `--output FILE.jsonl` gets a line for each function; a function that has one there is not
encoded again, so that an interrupted run goes on. `--cbmc` encodes the proofs for CBMC of aws-c-common instead.
"""

import argparse
import json
import math
import os
import resource
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.projects.catalogue import Project, chosen
from chcverify.errors import InputError
from chcverify.inputs.compiler_flags import read_call
from chcverify.inputs.proof_makefile import read_proof
from chcverify.options import SourceFile
from chcverify.portfolio.processes import run_limited
from chcverify.problems.c_problem import load_c_program, parsed_sources
from chcverify.problems.check_problems import CheckProblems
from chcverify.problems.protocol import Refused
from chcverify.problems.task_functions import entry_functions_of
from chcverify.task import Task

PROPERTY = "undefined-behaviour"
PROOFS = "verification/cbmc/proofs"


@dataclass(frozen=True)
class Encoded:
    """What came of one function. reason: "" if it is encoded. seconds: of the processor."""

    project: str
    function: str
    reason: str
    clauses: int
    seconds: float


def limited(clauses: Callable[[], int], project: str, function: str, seconds: int, memory_mb: int) -> Encoded:
    """What comes of an encoding in a fork of this process. clauses: encodes, and returns the number of clauses."""
    ended = run_limited(lambda: _attempt(clauses, seconds), math.inf, memory_mb)
    reason, count, spent = ended.value or (f"{ended.reason} (limit {seconds} s)", 0, seconds)
    return Encoded(project, function, reason, count, round(spent, 3))


def _attempt(clauses: Callable[[], int], seconds: int) -> tuple[str, int, float]:
    """The reason, the number of clauses, and the seconds of the processor, which are limited."""
    start = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
    try:
        return "", clauses(), time.process_time() - start
    except (Refused, InputError) as error:
        return str(error), 0, time.process_time() - start


def functions(project: Project, root: Path, known: set[str], seconds: int, memory_mb: int) -> Iterator[Encoded]:
    """Encodes the functions of a project that are not known."""
    home = root / project.directory
    os.chdir(home)
    flags = read_call(project.flags, "", project.name).flags
    sources = tuple(SourceFile(path, flags) for path in project.paths(root))
    task = Task(sources[0].path, "c", PROPERTY, all_checks=True, sources=sources)
    parsed = parsed_sources(task)
    for entry in entry_functions_of(task, ("*",)):
        if entry.name not in known:
            own = replace(task, entry=entry.name)
            yield limited(
                lambda own=own: _clauses(CheckProblems.of(load_c_program(own, parsed), PROPERTY)),
                project.name, entry.name, seconds, memory_mb,
            )  # fmt: skip


def proofs(root: Path, known: set[str], seconds: int, memory_mb: int) -> Iterator[Encoded]:
    """Encodes the proofs for CBMC of aws-c-common that are not known."""
    name = "aws-c-common"
    for makefile in sorted((root / name / PROOFS).glob("*/Makefile")):
        proof = makefile.parent.name
        if proof not in known and (makefile.parent / "cbmc-proof.txt").exists():
            yield limited(lambda makefile=makefile: _proof_clauses(makefile.parent), name, proof, seconds, memory_mb)


def _proof_clauses(directory: Path) -> int:
    proof = read_proof(str(directory))
    task = Task(
        proof.sources[0].path, "c", PROPERTY, all_checks=True, sources=proof.sources, entry=proof.entry,
        undefined_functions="pure",
    )  # fmt: skip
    return _clauses(CheckProblems.of(load_c_program(task), PROPERTY))


def _clauses(problems: CheckProblems) -> int:
    return len(problems.encoding.system.clauses) if problems.encoding is not None else 0


def row(name: str, found: list[Encoded]) -> str:
    """A row of the table."""
    encoded = [item for item in found if not item.reason]
    times = sorted(item.seconds for item in encoded) or [0.0]
    share = 100 * len(encoded) // max(1, len(found))
    median = statistics.median(times)
    return f"| {name} | {len(found)} | {len(encoded)} | {share} % | {median:.2f} | {times[-1]:.1f} | {sum(times):.0f} |"


def _known(output: Path | None) -> list[Encoded]:
    if output is None or not output.exists():
        return []
    return [Encoded(**json.loads(line)) for line in output.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, help="where the projects are")
    parser.add_argument("projects", nargs="*", help="their names; default: all")
    parser.add_argument("--cbmc", action="store_true", help="the proofs for CBMC instead of functions")
    parser.add_argument("--seconds", type=int, default=60, help="of the processor, for each function")
    parser.add_argument("--memory", type=int, default=4_000, metavar="MB")
    parser.add_argument("--output", type=Path, metavar="FILE.jsonl")
    given = parser.parse_args()
    root, output = given.directory.resolve(), given.output and given.output.resolve()
    before = _known(output)
    print("| project | functions | encoded | | median s | most s | all s |\n|---|--:|--:|--:|--:|--:|--:|", flush=True)
    everything: list[Encoded] = []
    for project in chosen(["aws-c-common"] if given.cbmc else given.projects):
        found = [item for item in before if item.project == project.name]
        done = {item.function for item in found}
        own = (root, done, given.seconds, given.memory)
        for item in proofs(*own) if given.cbmc else functions(project, *own):
            found.append(item)
            if output is not None:
                with output.open("a") as stream:
                    stream.write(json.dumps(asdict(item)) + "\n")
        everything += found
        print(row(project.name, found), flush=True)
    print(row("all", everything))
    for reason, count in Counter(item.reason for item in everything if item.reason).most_common():
        print(f"{count} x {reason}")


if __name__ == "__main__":
    main()
