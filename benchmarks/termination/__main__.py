"""Termination of tasks or of single functions, with each certificate checked three times.

    python -m benchmarks.termination TASKS [--timeout S] [--part K/N] [--output FILE.json]
    python -m benchmarks.termination LIST.csv --directory DIR [...]
    python -m benchmarks.termination --table FILE.json ...

TASKS: a folder with task definitions (.yml) for the property `termination`, also in its folders. LIST.csv: functions as
of benchmarks/functions; each is called with any arguments. Prints a line for each: the verdict, the seconds of the
processor, the checkers that accepted the certificate in the run (the kernel by z3, then by cvc5), and what
check_termination.py says of the certificate and the exported clauses, which shares nothing with the kernel. --table
prints the tables of earlier runs, by folder. Exit status 1 if a verdict is wrong or a certificate is refused.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.functions.__main__ import COMMAND, functions
from chcverify.task import read_task

ROOT = Path(__file__).resolve().parents[2]
PROPERTY = "termination"
EXPORT_S = 120  # for the clauses of a program; 2 s for the largest of 220 tasks
CHECK_S = 300  # for check_termination.py; 20 s for the largest of 220 tasks


@dataclass(frozen=True)
class Question:
    """Does every run of a program, or every call of a function, end?"""

    group: str
    """The folder of a task, the file of a function."""
    name: str
    arguments: tuple[str, ...]
    """Of the command: files, flags and options that say what is asked."""
    directory: Path
    """Where the command runs."""
    expected: bool | None
    """None where it is not known."""


@dataclass(frozen=True)
class Answer:
    """What a run said, and who accepted its certificate."""

    group: str
    name: str
    expected: bool | None
    verdict: str
    reason: str
    seconds: float
    """Of the processor, without the checks behind the run."""
    wall_seconds: float
    checkers: list[str] = field(default_factory=list)
    alone: str = ""
    """What check_termination.py printed; "" without a certificate."""
    loops: list[str] = field(default_factory=list)
    """What is shown at each loop: its ranks, or the state that recurs."""

    @property
    def is_decided(self) -> bool:
        """True unless the verdict is unknown."""
        return self.verdict.startswith(("true", "false"))

    @property
    def is_wrong(self) -> bool:
        """True if the verdict is not the expected one."""
        return self.is_decided and self.expected is not None and self.verdict.startswith("true") != self.expected

    @property
    def is_refused(self) -> bool:
        """True if the run or check_termination.py did not accept the certificate of a verdict."""
        return self.is_decided and not (self.checkers and self.alone == "accepted")


def tasks(folder: Path) -> Iterator[Question]:
    """The tasks below a folder whose definitions have a verdict of termination."""
    for path in sorted(folder.rglob("*.yml")):
        if "termination.prp" in path.read_text(encoding="utf-8"):
            expected = read_task(str(path), PROPERTY).expected
            yield Question(path.parent.name, path.stem, (str(path.resolve()),), folder, expected)


def entries(path: Path, directory: Path) -> Iterator[Question]:
    """The functions of a list. directory: of their files."""
    for function in functions(path):
        arguments = (function.file, *function.flags, "--entry", function.name)
        yield Question(function.file, function.name, arguments, directory, None)


def answered(question: Question, timeout: float) -> Answer:
    """The answer of one run with a limit in seconds."""
    with tempfile.TemporaryDirectory() as temporary:
        statistics, certificate = Path(temporary, "statistics.json"), Path(temporary, "certificate.json")
        before, began = _used(), time.monotonic()
        options = ["--timeout", str(timeout), "--stats", str(statistics), "--certificate", str(certificate)]
        ended = _command(question, "verify", [*options, "--jobs", "1"])
        seconds, wall = _used() - before, time.monotonic() - began
        found = json.loads(statistics.read_text()) if statistics.exists() else {}
        words = ended.stdout.split()
        alone = _checked_alone(question, certificate, Path(temporary)) if certificate.exists() else ""
    return Answer(
        question.group,
        question.name,
        question.expected,
        words[0] if words else "none",
        found.get("reason") or ended.stderr.strip()[:200],
        round(seconds, 2),
        round(wall, 2),
        [name.split()[0] for name in found.get("checkers") or ()],
        alone,
        [line.strip() for line in ended.stderr.splitlines() if "decreases" in line or "never ends" in line],
    )


def _checked_alone(question: Question, certificate: Path, temporary: Path) -> str:
    """What check_termination.py says of the certificate and the clauses of the program."""
    clauses = temporary / "clauses.smt2"
    has_estimates = json.loads(certificate.read_text()).get("integers") == "estimates"
    options = ["-o", str(clauses), "--timeout", str(EXPORT_S), *(["--estimates"] if has_estimates else [])]
    exported = _command(question, "export", options)
    if not clauses.exists():
        return f"not exported: {exported.stderr.strip()[:200]}"
    try:
        checked = subprocess.run(
            [sys.executable, str(ROOT / "check_termination.py"), str(certificate), str(clauses)],
            capture_output=True,
            text=True,
            timeout=CHECK_S,
        )
    except subprocess.TimeoutExpired:
        return f"not checked within {CHECK_S} s"
    return (checked.stdout + checked.stderr).strip()[:200]


def _command(question: Question, name: str, options: Sequence[str]) -> subprocess.CompletedProcess[str]:
    words = [name, *question.arguments, "--property", PROPERTY, "--config", "none", *options]
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        cwd=question.directory,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def _used() -> float:
    """The processor seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def line(answer: Answer) -> str:
    """An answer in a line."""
    word = answer.verdict + (" WRONG" if answer.is_wrong else "")
    checked = f"{'+'.join(answer.checkers) or '-'}, alone: {answer.alone}" if answer.is_decided else answer.reason
    return f"{answer.group:28} {answer.name:44} {word:20} {answer.seconds:6.1f} s  {checked}"


def table(answers: Sequence[Answer]) -> str:
    """By folder: decided of those that end and of those that do not, and who accepted the certificates."""
    rows = [
        "| folder | ends | does not | wrong | kernel | second solver | check_termination.py | median s |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    groups = sorted({answer.group for answer in answers})
    for name, chosen in [*((g, [a for a in answers if a.group == g]) for g in groups), ("all", list(answers))]:
        decided = [a for a in chosen if a.is_decided]
        by = [[a for a in chosen if a.expected is expected] for expected in (True, False)]
        shares = [f"{sum(a.is_decided and not a.is_wrong for a in part)} of {len(part)}" if part else "" for part in by]
        counts = [
            sum(a.is_wrong for a in chosen),
            sum(bool(a.checkers) for a in decided),
            sum(len(set(a.checkers)) > 1 for a in decided),
            sum(a.alone == "accepted" for a in decided),
        ]
        seconds = f"{median(a.seconds for a in chosen):.1f}"
        rows.append(f"| {' | '.join([name, *shares, *(str(c) for c in counts), seconds])} |")
    return "\n".join(rows)


def summary(answers: Sequence[Answer]) -> str:
    """Verdicts by their words, and by ranks of how many loops."""
    words = [answer.verdict for answer in answers]
    counts = ", ".join(f"{words.count(word)} {word}" for word in sorted(set(words)))
    ranked = sum(answer.verdict.startswith("true") and bool(answer.loops) for answer in answers)
    return f"{len(answers)}: {counts}; {ranked} true by ranks of loops"


def main() -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(description="Termination of tasks or functions; each certificate is checked.")
    parser.add_argument("questions", type=Path, nargs="+", help="a folder of tasks or a list (.csv) of functions")
    parser.add_argument("--directory", type=Path, help="of the functions' files; that of the list if it is not given")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--part", default="1/1", help="K/N: every N-th task, from the K-th on")
    parser.add_argument("--only", default="", help="names, with commas between them")
    parser.add_argument("--output", type=Path, help="file of the answers, which are added to those in it")
    parser.add_argument("--table", action="store_true", help="the questions are such files: print their tables")
    given = parser.parse_args()
    if given.table:
        answers = [Answer(**item) for path in given.questions for item in json.loads(path.read_text())]
    else:
        answers = list(_run(given))
    print(table(answers))
    print(summary(answers))
    return int(any(answer.is_wrong or answer.is_refused for answer in answers))


def _run(given: argparse.Namespace) -> Iterator[Answer]:
    """The answers to the questions of the command's arguments; each is printed and stored."""
    questions = [
        question
        for path in given.questions
        for question in (entries(path, given.directory or path.parent) if path.suffix == ".csv" else tasks(path))
    ]
    first, step = map(int, given.part.split("/"))
    names = frozenset(filter(None, given.only.split(",")))
    stored = json.loads(given.output.read_text()) if given.output and given.output.exists() else []
    for question in questions[first - 1 :: step]:
        if names and question.name not in names:
            continue
        answer = answered(question, given.timeout)
        print(line(answer), flush=True)
        if given.output:
            stored.append(asdict(answer))
            given.output.write_text(json.dumps(stored, indent=1))
        yield answer


if __name__ == "__main__":
    sys.exit(main())
