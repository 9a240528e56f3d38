"""Campaigns on a cluster of worker processes on this machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from chcverify.campaign.answers import ToolAnswer
from chcverify.campaign.cluster import (
    OtherVersion,
    address_of,
    common_folder,
    payload_of,
    require_equal_versions,
    run_payload,
    versions,
)
from chcverify.campaign.local import PlannedRun
from chcverify.campaign.recheck import WantedChecks
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tasks import CampaignTask, collect_tasks
from chcverify.campaign.tools import ToolLimits, command_tool, engine_tool
from chcverify.errors import InputError

PATIENCE_SECONDS = 120.0  # a safety net


def test_addresses() -> None:
    assert address_of("dask://localhost:8786") == "localhost:8786"
    for text in ("dask://localhost", "localhost:8786", "dask://:1", "dask://h:port"):
        with pytest.raises(InputError, match="not an executor"):
            address_of(text)


def test_workers_must_have_the_same_versions() -> None:
    own = versions()
    require_equal_versions("dask://h:1", own, {"w": dict(own)})
    with pytest.raises(InputError, match="worker w has z3-solver 0"):
        require_equal_versions("dask://h:1", own, {"w": own | {"z3-solver": "0"}})
    with pytest.raises(InputError, match="no workers"):
        require_equal_versions("dask://h:1", own, {})


def test_files_travel_with_their_task(tmp_path: Path) -> None:
    (tmp_path / "properties").mkdir()
    (tmp_path / "tasks").mkdir()
    (tmp_path / "properties" / "unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (tmp_path / "tasks" / "x.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "tasks" / "x.yml").write_text(
        "input_files: x.c\nproperties:\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: true\n"
    )
    (task,) = collect_tasks([str(tmp_path / "tasks")], None, lambda error: None)
    tool = command_tool("cat=sh -c 'cat {file} && ls $(dirname {task})/../properties/unreach-call.prp && echo true'")
    payload = payload_of(PlannedRun(tool, task), ToolLimits(PATIENCE_SECONDS))
    assert {path for path, _ in payload.files} == {"tasks/x.c", "tasks/x.yml", "properties/unreach-call.prp"}
    assert run_payload(payload).answer is ToolAnswer.TRUE


def test_a_worker_of_another_version_that_joins_later_makes_no_run() -> None:
    task = CampaignTask(__file__, __file__, "campaign", "unreach-call", None, None)
    payload = payload_of(PlannedRun(command_tool("x=true"), task), ToolLimits(1.0))
    with pytest.raises(OtherVersion, match=r"has z3-solver .*, this machine has 0"):
        run_payload(replace(payload, versions=(("z3-solver", "0"),)))


def test_certificates_are_rechecked_on_the_worker(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text(
        "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return x; }\n"
    )
    (task,) = collect_tasks([str(tmp_path / "x.c")], None, lambda error: None)
    limits = ToolLimits(PATIENCE_SECONDS)
    accepted = run_payload(
        payload_of(PlannedRun(engine_tool("bmc", limits), task), limits, WantedChecks(certificates=True))
    )
    assert (accepted.answer, accepted.reason) == (ToolAnswer.TRUE, "")
    forged = command_tool("x=sh -c 'echo forged > {certificate}; echo true'")
    assert (
        run_payload(payload_of(PlannedRun(forged, task), limits, WantedChecks(certificates=True))).answer
        is ToolAnswer.ERROR
    )


def test_the_common_folder_of_one_file_is_its_own() -> None:
    assert common_folder([Path("/a/b/c.c")]) == Path("/a/b")
    assert common_folder([Path("/a/b/c.c"), Path("/a/d/e.prp")]) == Path("/a")


@contextmanager
def _cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers as processes: the executor's address, and the workers."""
    file = folder / "scheduler.json"
    environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "10"}

    def start(*words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + words[0], *words[1:], "--scheduler-file", str(file)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, cwd=folder,
        )  # fmt: skip

    scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter")
    started = [
        start("dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        for _ in range(workers)
    ]
    try:
        from distributed import Client

        deadline = time.monotonic() + PATIENCE_SECONDS
        while not file.exists():
            assert time.monotonic() < deadline and scheduler.poll() is None
            time.sleep(0.05)
        with Client(scheduler_file=str(file), timeout=PATIENCE_SECONDS) as client:
            client.wait_for_workers(workers, timeout=PATIENCE_SECONDS)
            address = client.scheduler.address.removeprefix("tcp://")
        yield f"dask://{address}", started
    finally:
        for process in (*started, scheduler):
            process.kill()
            process.wait()


def test_a_campaign_survives_the_loss_of_a_worker(tmp_path: Path) -> None:
    """Three workers, one is killed while it works, one is slow: the table has every run, as on one machine."""
    pytest.importorskip("distributed")
    tasks, calls = tmp_path / "tasks", tmp_path / "calls"
    tasks.mkdir()
    for number in range(12):
        (tasks / f"t{number}.c").write_text("int main(void) { return 0; }\n")
    script = f"echo $PPID >> {calls}; case {{file}} in *t3.c) sleep 2;; *) sleep 0.2;; esac; echo true"
    command = [sys.executable, "-m", "chcverify", "bench", str(tasks), "--tool", f"x=sh -c '{script}'"]
    command += ["--results", str(tmp_path / "r.db"), "--timeout", "50"]
    with _cluster(tmp_path, 3) as (address, workers):
        campaign = subprocess.Popen([*command, "--executor", address], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (calls.exists() and len(calls.read_text().splitlines()) >= 4):
            assert time.monotonic() < deadline and campaign.poll() is None
            time.sleep(0.02)
        workers[0].send_signal(signal.SIGKILL)
        output, errors = campaign.communicate(timeout=PATIENCE_SECONDS)
    assert campaign.returncode == 0, errors.decode()
    with ResultStore(tmp_path / "r.db") as store:
        results = store.results()
    assert {result.task.path for result in results} == {str(path) for path in tasks.glob("*.c")}
    assert all(result.answer is ToolAnswer.TRUE for result in results)
    assert b"all" in output


def test_an_executor_that_cannot_be_reached_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    code = (
        "import chcverify.campaign.cluster as cluster, sys\ncluster.WAIT_S = 1\n"
        "from chcverify.cli.app import run\n"
        f"sys.exit(run(['bench', {str(tmp_path)!r}, '--tool', 'x=echo true', '--executor', 'dask://127.0.0.1:9'], 0.0))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    lines = [line for line in ended.stderr.splitlines() if "cannot be reached" in line]
    assert ended.returncode == 2 and len(lines) == 1 and "Traceback" not in ended.stderr


def test_a_plain_file_travels_alone() -> None:
    task = CampaignTask(__file__, __file__, "campaign", "unreach-call", None, None)
    payload = payload_of(PlannedRun(command_tool("x=true"), task), ToolLimits(1.0))
    assert [path for path, _ in payload.files] == [Path(__file__).name]
