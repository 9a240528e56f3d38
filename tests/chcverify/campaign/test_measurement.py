"""Single runs: limits, process trees, resources, and what becomes of an output."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chcverify.campaign.answers import Correctness, ToolAnswer
from chcverify.campaign.measurement import (
    Checks,
    Measured,
    Method,
    OwnStatistics,
    available_measurement,
    classify,
    measure_by_rusage,
    parse_runexec,
    run_task,
)
from chcverify.campaign.recheck import WantedChecks
from chcverify.campaign.reporting.scores import SCHEMES
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tools import Tool, ToolLimits, command_tool, engine_tool
from chcverify.errors import InputError

PYTHON = sys.executable
PATIENCE_SECONDS = 60.0  # a safety net


def _measured(output: str = "", errors: str = "", timed_out: bool = False, failure: str = "") -> Measured:
    return Measured(output, errors, 0, 1.0, 1.0, 1.0, timed_out, failure, Method.RUSAGE)


@pytest.mark.parametrize(
    ("measured", "answer"),
    [
        (_measured("true\n"), ToolAnswer.TRUE),
        (_measured("false(unreach-call)\n", timed_out=True), ToolAnswer.FALSE),
        (_measured("unknown\n"), ToolAnswer.UNKNOWN),
        (_measured("unknown\n", "unknown after 5 s: time limit"), ToolAnswer.TIMEOUT),
        (_measured(timed_out=True), ToolAnswer.TIMEOUT),
        (_measured(errors="std::bad_alloc"), ToolAnswer.OUT_OF_MEMORY),
        (_measured(), ToolAnswer.ERROR),
        (_measured("true\n", failure="cannot be started"), ToolAnswer.ERROR),
    ],
)
def test_outcomes(measured: Measured, answer: ToolAnswer) -> None:
    assert classify(measured) is answer


def test_times_of_children_count_and_output_is_kept() -> None:
    busy = "import time\nwhile time.process_time() < 0.2: pass\n"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}]); print('true')"
    measured = measure_by_rusage([PYTHON, "-c", parent], ToolLimits(PATIENCE_SECONDS), None)
    assert measured.output == "true\n" and measured.status == 0 and not measured.timed_out
    assert measured.cpu_seconds >= 0.2 and measured.peak_megabytes > 1


def test_a_process_tree_beyond_its_limit_is_ended(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    script = (
        "import os, sys, time\n"
        f"for _ in range(2):\n  if os.fork() == 0: os.setsid()\n"
        f"open({str(file)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "time.sleep(1000)\n"
    )
    measured = measure_by_rusage([PYTHON, "-c", script], ToolLimits(1.0), None)
    assert measured.timed_out and measured.status == -signal.SIGKILL
    assert not any(_exists(int(pid)) for pid in file.read_text().split())


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_runner_whose_parent_is_killed_ends_its_processes(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    child = f"import os, time; open({str(file)!r}, 'w').write(f'{{os.getpid()}} '); time.sleep(1000)"
    parent = (
        "from chcverify.campaign.measurement import measure_by_rusage\n"
        "from chcverify.campaign.tools import ToolLimits\n"
        f"measure_by_rusage([{PYTHON!r}, '-c', {child!r}], ToolLimits(1000.0), None)\n"
    )
    process = subprocess.Popen([PYTHON, "-c", parent])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (file.exists() and file.read_text().endswith(" ")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    while _exists(int(file.read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_memory_limit_holds() -> None:
    measured = measure_by_rusage([PYTHON, "-c", "bytearray(1 << 30)"], ToolLimits(PATIENCE_SECONDS, 512), None)
    assert classify(measured) is ToolAnswer.OUT_OF_MEMORY


def test_a_command_that_does_not_exist_is_an_error() -> None:
    measured = measure_by_rusage(["/no/such/command"], ToolLimits(PATIENCE_SECONDS), None)
    assert classify(measured) is ToolAnswer.ERROR and "cannot be started" in measured.failure


def test_what_runexec_prints() -> None:
    figures = "starttime=2026-01-01\nreturnvalue=1\nwalltime=2.5s\ncputime=3.25s\nmemory=12000000B\n"
    measured = parse_runexec(figures, "false\n", 0, "")
    assert (measured.wall_seconds, measured.cpu_seconds, measured.peak_megabytes) == (2.5, 3.25, 12.0)
    assert (measured.status, measured.method, classify(measured)) == (1, Method.RUNEXEC, ToolAnswer.FALSE)
    late = parse_runexec("terminationreason=walltime\nexitsignal=9\nwalltime=3s\n", "", 0, "")
    assert classify(late) is ToolAnswer.TIMEOUT and late.status == -9
    assert classify(parse_runexec("", "", 1, "no control groups")) is ToolAnswer.ERROR


def test_runexec_measures_where_control_groups_work() -> None:
    measure, method = available_measurement()
    if method is not Method.RUNEXEC:
        pytest.skip("runexec of BenchExec and control groups are needed")
    ended = measure([PYTHON, "-c", "print('true')"], ToolLimits(PATIENCE_SECONDS, cores=1), (0,))
    assert classify(ended) is ToolAnswer.TRUE and ended.wall_seconds > 0 and ended.peak_megabytes > 1
    endless = measure([PYTHON, "-c", "while True: pass"], ToolLimits(PATIENCE_SECONDS, cpu_seconds=0.5), None)
    assert classify(endless) is ToolAnswer.TIMEOUT and endless.cpu_seconds >= 0.5


def test_a_run_of_another_tool_is_judged() -> None:
    task = CampaignTask("x.yml", "x.c", "loops", "unreach-call", None, False)
    tool = command_tool("echo=sh -c 'echo true; echo {file} {data_model}'")
    result = run_task(tool, task, ToolLimits(PATIENCE_SECONDS), measure_by_rusage, None)
    assert (result.answer, result.correctness, result.is_failure) == (ToolAnswer.TRUE, Correctness.WRONG, True)


def test_a_rejected_certificate_takes_the_answer_back() -> None:
    task = CampaignTask("x.yml", "x.c", "loops", "unreach-call", None, True)
    for words, answer, reason in (
        ("x=sh -c 'echo true' {certificate}", ToolAnswer.ERROR, "rejected"),
        ("x=echo true", ToolAnswer.TRUE, ""),  # it writes none
    ):
        limits, checks = ToolLimits(PATIENCE_SECONDS), Checks(certificate=lambda task, path: "rejected")
        result = run_task(command_tool(words), task, limits, measure_by_rusage, None, checks)
        assert (result.answer, result.reason) == (answer, reason)


def test_an_own_unknown_for_lack_of_time_is_a_timeout() -> None:
    task = CampaignTask("x.yml", "x.c", "loops", "unreach-call", None, True)
    for cause, answer in (
        ("time", ToolAnswer.TIMEOUT),
        ("memory", ToolAnswer.OUT_OF_MEMORY),
        ("gave_up", ToolAnswer.UNKNOWN),
    ):
        script = f"import sys; open(sys.argv[1], 'w').write('{{\"cause\": \"{cause}\"}}'); print('unknown')"
        tool = Tool("x", (PYTHON, "-c", script, "{stats}"))
        assert run_task(tool, task, ToolLimits(PATIENCE_SECONDS), measure_by_rusage, None).answer is answer


def test_only_confirmed_witnesses_score() -> None:
    """Of a C program; Horn clauses have no witnesses, and wrong answers stay wrong."""
    limits, checks = ToolLimits(PATIENCE_SECONDS), Checks(witness=lambda task, path: "unknown")
    tool = command_tool("x=sh -c 'echo true' {witness}")
    for wanted, expected, correctness in (
        ("unreach-call", True, Correctness.UNCONFIRMED),
        ("unreach-call", False, Correctness.WRONG),
        ("check-sat", True, Correctness.CORRECT),
    ):
        task = CampaignTask("x.yml", "x", "loops", wanted, None, expected)
        result = run_task(tool, task, limits, measure_by_rusage, None, checks)
        assert (result.answer, result.correctness) == (ToolAnswer.TRUE, correctness)
        assert SCHEMES["sv-comp"].points(result) == {
            Correctness.UNCONFIRMED: 0, Correctness.WRONG: -32, Correctness.CORRECT: 2,
        }[correctness]  # fmt: skip


def test_own_witnesses_are_validated(tmp_path: Path) -> None:
    program = tmp_path / "x.c"
    program.write_text(
        "extern void reach_error(void);\nint main(void) { int i = 0; while (i < 5) i++; if (i != 5) reach_error(); }\n"
    )
    task = CampaignTask(str(program), str(program), "loops", "unreach-call", None, True)
    limits, checks = ToolLimits(PATIENCE_SECONDS), WantedChecks(witnesses=True).checks()
    result = run_task(engine_tool("kind", limits, True), task, limits, measure_by_rusage, None, checks)
    assert (result.correctness, result.reason) == (Correctness.CORRECT, "")
    forged = command_tool("x=sh -c 'echo forged > {witness}; echo true'")
    result = run_task(forged, task, limits, measure_by_rusage, None, checks)
    assert result.correctness is Correctness.UNCONFIRMED and result.reason


def test_engines_are_commands_of_this_installation(tmp_path: Path) -> None:
    task = CampaignTask("x.yml", "x.c", "loops", "no-overflow", None, True)
    limits = ToolLimits(5.0, 1000, 2)
    words = engine_tool("pdr", limits).command(task, limits, tmp_path)
    assert words[:4] == [PYTHON, "-m", "chcverify", "x.yml"]
    assert words[words.index("--engine") + 1] == "pdr" and words[words.index("--jobs") + 1] == "2"
    assert words[words.index("--property") + 1] == "no-overflow"
    assert "--engine" not in engine_tool("portfolio", limits).command(task, limits, tmp_path)


@pytest.mark.parametrize("text", ["golem", "=x {file}", "x=", "x='unclosed {file}", "x=run {fil}"])
def test_commands_that_are_none(text: str) -> None:
    with pytest.raises(InputError):
        command_tool(text)


def test_statistics_of_a_run_that_was_killed_are_empty(tmp_path: Path) -> None:
    assert OwnStatistics.read(tmp_path / "missing") == OwnStatistics()
    (tmp_path / "cut").write_text('{"engine": "pd')
    assert OwnStatistics.read(tmp_path / "cut") == OwnStatistics()
    (tmp_path / "list").write_text("[1]")
    assert OwnStatistics.read(tmp_path / "list") == OwnStatistics()
    (tmp_path / "k").write_text('{"engine": "combined@reduced", "engines": {"combined": {"k": {"a": 2, "b": 5}}}}')
    assert OwnStatistics.read(tmp_path / "k").final_k == 5
    (tmp_path / "none").write_text('{"engine": "bmc", "engines": {"bmc": {"depth": -1}}}')
    assert OwnStatistics.read(tmp_path / "none").final_k is None
