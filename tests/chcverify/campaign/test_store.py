"""Stored results: what is committed stays, what does not fit is refused."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from campaign_examples import example_run, example_task

from chcverify.campaign.answers import ToolAnswer
from chcverify.campaign.local import Estimate, core_sets, plan, run_locally
from chcverify.campaign.measurement import measure_by_rusage
from chcverify.campaign.store import Conditions, ResultStore
from chcverify.campaign.tools import ToolLimits, command_tool
from chcverify.errors import InputError

CONDITIONS = Conditions.of(ToolLimits(5.0), {"a": "a {file}"})


def test_what_is_added_is_read_again(tmp_path: Path) -> None:
    run = example_run("a", example_task("x", None), ToolAnswer.TRUE, 1.5, engine="pdr", k=2)
    with ResultStore(tmp_path / "r.db") as store:
        store.add(run)
    with ResultStore(tmp_path / "r.db") as store:
        assert store.results() == [run]
        assert store.finished() == {("a", run.task.key)}


def test_runs_are_read_in_the_same_order_however_they_ended(tmp_path: Path) -> None:
    runs = [example_run(tool, example_task(name), ToolAnswer.TRUE) for name in ("x", "y") for tool in ("a", "b")]
    orders = []
    for number, order in enumerate((runs, runs[::-1])):
        with ResultStore(tmp_path / f"{number}.db") as store:
            for run in order:
                store.add(run)
            orders.append(store.results())
    assert orders[0] == orders[1] == runs


def test_other_conditions_are_refused_and_further_tools_are_not(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "r.db") as store:
        store.require_conditions(CONDITIONS)
        store.require_conditions(Conditions.of(ToolLimits(5.0), {"b": "b {file}"}))
        with pytest.raises(InputError, match=r"timeout_seconds = 5\.0, not 6\.0"):
            store.require_conditions(Conditions.of(ToolLimits(6.0), {"a": "a {file}"}))
        with pytest.raises(InputError, match="another command: a"):
            store.require_conditions(Conditions.of(ToolLimits(5.0), {"a": "other"}))


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("not a database, but text that is long enough to be looked at" * 100)
    with pytest.raises(InputError, match="not a result file"):
        ResultStore(tmp_path / "x.db")


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = (tmp_path / "x.db").read_bytes()
    with pytest.raises(InputError, match="another program"):
        ResultStore(tmp_path / "x.db")
    assert (tmp_path / "x.db").read_bytes() == before


def test_results_of_another_version_are_not_mixed(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "r.db") as store:
        store.require_conditions(replace(CONDITIONS, version="0.0"))
        with pytest.raises(InputError, match=r"version = 0\.0, not"):
            store.require_conditions(CONDITIONS)


def test_a_full_disk_is_one_error_and_loses_nothing(tmp_path: Path) -> None:
    script = (
        "import resource, signal\nfrom pathlib import Path\nfrom campaign_examples import *\n"
        "from chcverify.campaign.store import ResultStore\nfrom chcverify.errors import InputError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"store = ResultStore(Path({str(tmp_path / 'r.db')!r}))\n"
        "store.add(example_run('a', example_task('first'), ToolAnswer.TRUE))\n"
        f"size = Path({str(tmp_path / 'r.db')!r}).stat().st_size\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        "try:\n  for i in range(1000): store.add(example_run('a', example_task(f't{i}' * 50), ToolAnswer.TRUE))\n"
        "except InputError as error: print(error)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert "cannot be written" in ended.stdout, ended.stderr
    with ResultStore(tmp_path / "r.db") as store:
        assert "loops/first.yml" in {run.task.path for run in store.results()}


def test_the_plan_leaves_out_what_is_finished() -> None:
    tools = [command_tool("a=true"), command_tool("b=true")]
    tasks = [example_task("x"), example_task("y")]
    planned = plan(tools, tasks, {("a", tasks[0].key)})
    assert [(run.tool.name, run.task.path) for run in planned] == [
        ("b", "loops/x.yml"),
        ("a", "loops/y.yml"),
        ("b", "loops/y.yml"),
    ]


def test_core_sets_are_disjoint() -> None:
    assert core_sets(3, None) == [None, None, None]
    usable = len(os.sched_getaffinity(0))
    assert len({core for cores in core_sets(usable, 1) for core in cores or ()}) == usable
    with pytest.raises(ValueError, match="processors"):
        core_sets(usable + 1, 1)


def test_the_estimate_follows_the_clock() -> None:
    clock = iter([0.0, 2.0, 6.0])
    estimate = Estimate(4, lambda: next(clock))
    assert estimate.finished_one().remaining_seconds == 6.0
    assert estimate.finished_one().remaining_seconds == 6.0


def test_an_error_while_storing_ends_the_campaign() -> None:
    tool = command_tool("a=echo true")
    runs = plan([tool], [example_task(str(i)) for i in range(20)], set())
    with pytest.raises(InputError):
        run_locally(runs, ToolLimits(60.0), 2, measure_by_rusage, _full_disk)


def _full_disk(*arguments: object) -> None:
    raise InputError("r.db", 0, 0, "cannot be written")


def test_after_a_kill_the_same_command_goes_on_where_it_was(tmp_path: Path) -> None:
    """The second command finds the runs of the first, and the table has all."""
    for number in range(8):
        (tmp_path / f"t{number}.c").write_text("int main(void) { return 0; }\n")
    calls = tmp_path / "calls"
    slow = f"sh -c 'echo {{file}} >> {calls}; test -e {tmp_path}/fast || sleep 0.3; echo true'"
    command = [sys.executable, "-m", "chcverify", "bench", str(tmp_path), "--tool", f"slow={slow}"]
    command += ["--results", str(tmp_path / "r.db"), "--timeout", "50", "--property", "unreach-call"]
    first = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while not (calls.exists() and len(calls.read_text().splitlines()) >= 3):
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    with ResultStore(tmp_path / "r.db") as store:
        stored = len(store.results())
    assert 1 <= stored < 8
    (tmp_path / "fast").touch()
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"{stored} runs are stored already, {8 - stored} are left" in second.stderr
    assert second.returncode == 0 and len(second.stdout.splitlines()) >= 3
    with ResultStore(tmp_path / "r.db") as store:
        assert len(store.results()) == 8
