"""What goes wrong around a run costs an answer at most: phases that hang, eat memory or are killed; full disks."""

import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chcverify.options import InputOptions, Limits, Options
from chcverify.results.events import EngineEvent, PhaseStarted
from chcverify.results.outcome import Outcome
from chcverify.run import driver, supervisor
from chcverify.task import Task
from tests.chcverify.cli.session_processes import gone, living_processes

CLAUSES = """(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x) (= y (+ x 2))) (inv y))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))
(check-sat)
"""
PROGRAM = """void reach_error(void) {}
int main(void) {
  int x = 0;
  while (x < 10)
    x = x + 2;
  if (x == 10)
    reach_error();
  return 0;
}
"""
COMMAND = [sys.executable, "-m", "chcverify"]
PHASES = {"encode": "plan", "random runs": "find_violation_by_testing", "solve": "solve", "explain": "explain"}


def children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    assert not children()


@pytest.fixture
def task(tmp_path: Path) -> Task:
    (tmp_path / "p.smt2").write_text(CLAUSES)
    return Task(str(tmp_path / "p.smt2"), "horn", "check-sat")


def as_anybody() -> None:
    """Takes root's right to write everywhere from what is executed next; others do not have it."""
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


def hang(*arguments: Any) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)


def eat(*arguments: Any) -> None:
    blocks = []
    while True:
        blocks.append(bytearray(16 << 20))


def die(*arguments: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def cut_short(task: Task, over: Callable[[Any], bool]) -> Outcome:
    """The outcome of a run whose time is over as soon as the child sends an event for which `over` is true."""
    child = supervisor.early()

    def listener(event: Any) -> None:
        if over(event):
            child.limit(0.0, None)

    options = Options(InputOptions(task.input_file), Limits(timeout=600, jobs=1))
    return supervisor.supervise(task, options, time.monotonic(), listener, child)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("trouble", "reason"), [(hang, "time limit"), (eat, "memory"), (die, "killed by SIGKILL")])
def test_trouble_in_any_phase_is_unknown_with_its_reason(
    task: Task, monkeypatch: pytest.MonkeyPatch, phase: str, trouble: Callable[..., None], reason: str
) -> None:
    monkeypatch.setattr(driver.VerificationRun, PHASES[phase], trouble)
    if trouble is hang:
        outcome = cut_short(task, lambda event: event == PhaseStarted(phase))
    else:
        options = Options(InputOptions(task.input_file), Limits(timeout=600, memory=1500, jobs=1))
        outcome = supervisor.supervise(task, options, time.monotonic())
    assert outcome.word == "unknown" and reason in outcome.reason, outcome.reason
    assert outcome.reason.endswith(f" during {phase}")


def test_a_certified_verdict_stands_where_its_explanation_ends_in_trouble(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver.VerificationRun, "is_vacuous", die)
    options = Options(InputOptions(task.input_file), Limits(timeout=600, jobs=1))
    outcome = supervisor.supervise(task, options, time.monotonic())
    assert (outcome.status, outcome.word) == ("safe", "sat") and outcome.certificate and outcome.checkers
    assert outcome.statistics["phase"] == "explain" and not outcome.invariants


@pytest.mark.parametrize(("now", "left"), [(1000.0, 10.0), (1004.0, 6.0), (1020.0, 0.0)])
def test_the_child_has_the_time_that_is_left_and_little_more(
    monkeypatch: pytest.MonkeyPatch, now: float, left: float
) -> None:
    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: now))
    seconds = supervisor._seconds(Limits(timeout=10.0), started=1000.0)
    assert left <= seconds < left + 1.5  # of the promised two seconds, half a second is for the end of the processes


@pytest.mark.parametrize("seed", range(3))
def test_any_process_may_be_killed_at_any_time(task: Task, seed: int) -> None:
    chance = random.Random(seed)
    command = [*COMMAND, task.input_file, "--timeout", "600", "--jobs", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    for _ in range(3):
        time.sleep(chance.uniform(0.05, 0.5))
        if found := [one for one in living_processes(process.pid) if one != process.pid]:
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
    output, errors = process.communicate(timeout=900)
    assert (output, process.returncode) in (("sat\n", 0), ("unknown\n", 3)), errors
    assert "Traceback" not in errors
    assert gone(process.pid)


def test_the_memory_limit_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PROGRAM)
    command = [*COMMAND, str(tmp_path / "p.c"), "--memory", "64", "--timeout", "600"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert (ended.stdout, ended.returncode) == ("unknown\n", 3)
    assert "memory limit of 64 MB" in ended.stderr and "a larger --memory" in ended.stderr


def long_program() -> str:
    lines = [
        f"  if (__VERIFIER_nondet_int() > {i}) x = x + {i % 13}; else y = y - a[{i % 100}];" for i in range(20_000)
    ]
    start = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) {"
    return "\n".join(
        [start, "  int a[100], x = 0, y = 0;", *lines, "  if (x == 77 && y == 12345)\n    reach_error();\n}\n"]
    )


def many_clauses() -> str:
    """200 kB."""
    step = (
        "(assert (forall ((x Int) (y Int) (z Int) (w Int))"
        " (=> (and (p{0} x y z) (p{1} y z w) (= w (+ x {2} (* 2 z)))) (p{2} w y (- z 1)))))"
    )
    lines = ["(set-logic HORN)", *(f"(declare-fun p{i} (Int Int Int) Bool)" for i in range(1_300))]
    lines.append("(assert (forall ((x Int) (y Int) (z Int)) (=> (and (= x 0) (> y 0)) (p0 x y z))))")
    lines += [step.format(i - 1, i // 2, i) for i in range(1, 1_300)]
    lines.append("(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p1299 x y z) (< (* x y) 0)) false)))")
    return "\n".join([*lines, "(check-sat)\n"])


@pytest.mark.parametrize(("name", "text"), [("p.c", long_program), ("p.smt2", many_clauses)])
def test_the_limit_is_kept_on_large_inputs(
    tmp_path: Path, never: dict[str, str], name: str, text: Callable[[], str]
) -> None:
    """Reading and reducing do not look at the clock. No engine answers, so that the run ends by its limit only."""
    (tmp_path / name).write_text(text())
    options = ("--engine", "never", "--timeout", "1.5", "--stats", str(tmp_path / "stats"))
    process = subprocess.Popen(
        [*COMMAND, str(tmp_path / name), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=never,
    )
    output, errors = process.communicate(timeout=900)
    assert (output, process.returncode) == ("unknown\n", 3)
    assert errors.startswith("unknown after ") and "a larger --timeout" in errors
    assert json.loads((tmp_path / "stats").read_text())["verdict"] == "unknown"
    assert gone(process.pid)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("options", [("certificate", "witness"), ("sarif", "trace"), ("report", "stats")])
def test_a_full_disk_costs_files_only(tmp_path: Path, options: tuple[str, str]) -> None:
    program = tmp_path / "p.c"
    program.write_text(PROGRAM)
    full = [text for name in options for text in (f"--{name}", "/dev/full")]
    more = [f"--{options[0]}", "/dev/full", f"--{options[1]}", str(tmp_path / "kept")]
    for arguments in (full, more):
        command = [*COMMAND, str(program), "--timeout", "600", *arguments]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
        assert (ended.stdout, ended.returncode) == ("false(unreach-call)\n", 2)
        assert "/dev/full: cannot be written: no space left on device" in ended.stderr
    assert (tmp_path / "kept").read_text()


@pytest.mark.parametrize("option", ["certificate", "witness", "sarif", "trace", "stats"])
def test_a_read_only_directory_is_told_before_the_work(tmp_path: Path, option: str) -> None:
    program, closed = tmp_path / "p.c", tmp_path / "closed"
    program.write_text(PROGRAM)
    closed.mkdir(mode=0o500)
    command = [*COMMAND, str(program), f"--{option}", str(closed / "file")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900, preexec_fn=as_anybody)
    assert (ended.stdout, ended.returncode) == ("", 2) and "permission denied" in ended.stderr


def test_what_engines_said_is_told_when_the_run_is_cut_short(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(run: driver.VerificationRun, *arguments: Any) -> None:
        run.listener(EngineEvent("pdr", "frame", {"depth": 3, "lemmas": 7}))
        hang()

    monkeypatch.setattr(driver.VerificationRun, "solve", busy)
    outcome = cut_short(task, lambda event: getattr(event, "engine", "") == "pdr")
    assert outcome.reasons == {"pdr": "frame (depth 3, lemmas 7)"}
    assert outcome.statistics["phase"] == "solve"
