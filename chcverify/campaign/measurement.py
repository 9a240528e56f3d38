"""One run of one tool on one task, measured, as a row of the results."""

import json
import math
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from chcverify.campaign.answers import Correctness, ToolAnswer, certify_answer, read_answer
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tools import Tool, ToolLimits
from chcverify.display_limits import FORMULA_CHARACTERS
from chcverify.effort import WAIT_S
from chcverify.process_lifetime import end_with_parent
from chcverify.quick_dataclass import dataclass

GRACE_SECONDS = 2.0
"""Seconds of the clock after its limit, within which chcverify promises its answer. Chosen by hand."""
_RUNNER = Path(__file__).with_name("runner.py")
_RUNEXEC = ("runexec", "--quiet", "--no-container")
"""Control groups measure and end all processes. A container would hide the folder in which tools write their files."""
# Causes of an unknown in the statistics of chcverify.
_CAUSES = {
    "time": ToolAnswer.TIMEOUT,
    "not_started": ToolAnswer.TIMEOUT,
    "memory": ToolAnswer.OUT_OF_MEMORY,
}
_OUT_OF_MEMORY = re.compile(r"out of memory|MemoryError|std::bad_alloc|memory limit", re.IGNORECASE)


class Method(Enum):
    """What measured the resources. RUSAGE: sums of times of all processes, memory of the largest one."""

    RUSAGE = "rusage"
    RUNEXEC = "runexec"


@dataclass(frozen=True)
class Measured:
    """The command's output and resources. status: exit status, negative for a signal. memory in megabytes."""

    output: str
    errors: str
    status: int
    wall_seconds: float
    cpu_seconds: float
    peak_megabytes: float
    timed_out: bool
    failure: str
    method: Method


@dataclass(frozen=True)
class RunResult:
    """A row of the results."""

    tool: str
    task: CampaignTask
    answer: ToolAnswer
    correctness: Correctness
    wall_seconds: float
    cpu_seconds: float
    peak_megabytes: float
    method: Method
    reason: str
    engine: str
    final_k: int | None
    host: str
    started: float

    @property
    def is_failure(self) -> bool:
        """True for a wrong answer, and for a run that ended in an error."""
        return self.correctness is Correctness.WRONG or self.answer is ToolAnswer.ERROR


class Measurement(Protocol):
    """Runs a command within limits."""

    def __call__(self, command: list[str], limits: ToolLimits, cores: tuple[int, ...] | None) -> Measured:
        """The measured run. cores: the processors that it may use, None for all."""


FileCheck = Callable[[CampaignTask, Path], str]  # task and file to the reason for rejecting the file, "" if accepted


@dataclass(frozen=True)
class Checks:
    """What is done with the files of a decided run, outside of the measured time; None: nothing.

    certificate: of tools that write one; an answer whose certificate is rejected becomes an error. witness: of tools
    that write one for the task; a correct answer whose witness is not confirmed is UNCONFIRMED.
    """

    certificate: FileCheck | None = None
    witness: FileCheck | None = None

    def rejection(self, tool: Tool, task: CampaignTask, folder: Path) -> str:
        """Why the certificate that the tool wrote is rejected, "" if it is not or there is none to check."""
        if self.certificate is None or not tool.writes_certificate:
            return ""
        return self.certificate(task, folder / "certificate")

    def doubt(self, tool: Tool, task: CampaignTask, folder: Path) -> str:
        """Why the witness that the tool wrote is not confirmed, "" if it is or there is none to validate."""
        if self.witness is None or not tool.writes_witness(task):
            return ""
        return self.witness(task, folder / "witness")


NO_CHECKS = Checks()


def measure_by_rusage(command: list[str], limits: ToolLimits, cores: tuple[int, ...] | None) -> Measured:
    """Runs the command below `runner.py`, which ends and measures its whole process tree."""
    wall = limits.seconds + GRACE_SECONDS
    given = {"command": command, "wall_seconds": wall, "cpu_seconds": limits.cpu_seconds}
    given |= {"megabytes": limits.megabytes, "cores": cores}
    process = subprocess.Popen(
        [sys.executable, "-I", str(_RUNNER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        text, _ = process.communicate(json.dumps(given), timeout=wall + WAIT_S)
        result: dict[str, Any] = json.loads(text)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        result = dict.fromkeys(("output", "errors"), "") | {"status": 1, "timed_out": False}
        result |= {"wall_seconds": wall, "cpu_seconds": 0.0, "peak_megabytes": 0.0, "failure": "the runner was lost"}
    finally:
        process.terminate()
        process.wait()
    return Measured(**result, method=Method.RUSAGE)


def measure_by_runexec(command: list[str], limits: ToolLimits, cores: tuple[int, ...] | None) -> Measured:
    """Runs the command below BenchExec's `runexec`, which measures with control groups."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "output"
        words = [*_RUNEXEC, "--output", str(output), "--walltimelimit", _whole(limits.seconds + GRACE_SECONDS)]
        words += ["--timelimit", _whole(limits.cpu_seconds)] if limits.cpu_seconds else []
        words += ["--memlimit", str(limits.megabytes * 10**6)] if limits.megabytes else []
        words += ["--cores", ",".join(map(str, cores))] if cores else []
        ended = subprocess.run(
            [*words, "--", *command],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: end_with_parent(signal.SIGTERM),  # runexec then ends the run
        )
        # The log begins with the command and a line of dashes.
        log = output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""
        text = log.partition("-" * 80)[2]
        return parse_runexec(ended.stdout, text, ended.returncode, ended.stderr)


def _whole(seconds: float) -> str:
    """The next whole number of seconds: runexec takes no others."""
    return str(math.ceil(seconds))


def parse_runexec(figures: str, output: str, status: int, errors: str) -> Measured:
    """The measured run from the `name=value` lines that runexec prints."""
    values = dict(line.split("=", 1) for line in figures.splitlines() if "=" in line)
    reason = values.get("terminationreason", "")
    return Measured(
        output=output,
        errors="" if status == 0 else errors,
        status=int(values.get("returnvalue", -int(values.get("exitsignal", 0)))),
        wall_seconds=_figure(values.get("walltime", "0")),
        cpu_seconds=_figure(values.get("cputime", "0")),
        peak_megabytes=_figure(values.get("memory", "0")) / 10**6,
        timed_out=reason in ("walltime", "cputime", "cputime-soft"),
        failure="" if values else f"runexec failed: {' '.join(errors.split())[:FORMULA_CHARACTERS]}",
        method=Method.RUNEXEC,
    )


def _figure(text: str) -> float:
    return float(re.sub(r"[a-zA-Z]+$", "", text))


def available_measurement() -> tuple[Measurement, Method]:
    """runexec where it is installed and its control groups work, else the project's own runner."""
    if shutil.which("runexec"):
        try:
            tried = subprocess.run(
                [*_RUNEXEC, "--output", "/dev/null", "--", "true"],
                capture_output=True, text=True, check=False, timeout=WAIT_S,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return measure_by_rusage, Method.RUSAGE
        if tried.returncode == 0 and "cputime=" in tried.stdout and "memory=" in tried.stdout:
            return measure_by_runexec, Method.RUNEXEC
    return measure_by_rusage, Method.RUSAGE


def run_task(
    tool: Tool,
    task: CampaignTask,
    limits: ToolLimits,
    measure: Measurement,
    cores: tuple[int, ...] | None,
    checks: Checks = NO_CHECKS,
) -> RunResult:
    """One run, measured and judged against the task's expected verdict, its files checked."""
    started = time.time()
    with tempfile.TemporaryDirectory(prefix="chcverify-run-") as name:
        folder = Path(name)
        measured = measure(tool.command(task, limits, folder), limits, cores)
        answer = classify(measured)
        reason = "" if answer.is_decided else _reason(measured)
        statistics = OwnStatistics.read(folder / "stats") if tool.writes_statistics else OwnStatistics()
        if answer is ToolAnswer.UNKNOWN:
            answer = _CAUSES.get(statistics.cause, answer)
        if answer.is_decided:
            reason = checks.rejection(tool, task, folder)
            answer = ToolAnswer.ERROR if reason else answer
        correctness = certify_answer(answer, task.expected)
        if correctness is Correctness.CORRECT:
            reason = checks.doubt(tool, task, folder)
            correctness = Correctness.UNCONFIRMED if reason else correctness
    return RunResult(
        tool=tool.name,
        task=task,
        answer=answer,
        correctness=correctness,
        wall_seconds=round(measured.wall_seconds, 3),
        cpu_seconds=round(measured.cpu_seconds, 3),
        peak_megabytes=round(measured.peak_megabytes, 1),
        method=measured.method,
        reason=statistics.reason if statistics.reason and not answer.is_decided else reason,
        engine=statistics.engine,
        final_k=statistics.final_k,
        host=platform.node(),
        started=started,
    )


def classify(measured: Measured) -> ToolAnswer:
    """The outcome of a measured run. An answer that was printed before a kill counts."""
    if measured.failure:
        return ToolAnswer.ERROR
    answer = read_answer(measured.output)
    if answer is not None and answer.is_decided:
        return answer
    if measured.timed_out:
        return ToolAnswer.TIMEOUT
    if _OUT_OF_MEMORY.search(measured.errors):
        return ToolAnswer.OUT_OF_MEMORY
    if answer is ToolAnswer.UNKNOWN:
        return ToolAnswer.TIMEOUT if "time limit" in measured.errors else ToolAnswer.UNKNOWN
    return ToolAnswer.ERROR


def _reason(measured: Measured) -> str:
    return measured.failure or " ".join(measured.errors.split())[:FORMULA_CHARACTERS]


@dataclass(frozen=True)
class OwnStatistics:
    """The part of chcverify's statistics file that the results keep. final_k: k or depth of the deciding engine."""

    engine: str = ""
    reason: str = ""
    cause: str = ""
    final_k: int | None = None

    @staticmethod
    def read(path: Path) -> "OwnStatistics":
        """The statistics in the file; nothing if there is none, as after a kill."""
        try:
            document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, json.JSONDecodeError):
            return OwnStatistics()
        if not isinstance(document, dict):
            return OwnStatistics()
        engine = document.get("engine") or ""
        figures = document.get("engines", {}).get(engine.partition("@")[0], {})
        depth = figures.get("k", figures.get("depth"))
        if isinstance(depth, dict):
            depth = max(depth.values(), default=None)
        if depth is not None and depth < 0:
            depth = None  # no step was taken: another phase decided
        return OwnStatistics(engine, document.get("reason") or "", document.get("cause") or "", depth)
