"""What a campaign of many runs costs besides the runs: a simulation with runs that take no time.

    python -m benchmarks.campaign_scale [--runs 100000] [--cluster-runs 2000] [--workers 2]

Four tools, and tasks that are small generated programs. First on one machine, without any command: planning, storing
each run, reading all runs again, their tables. Then on a local cluster, whose workers answer at once: what travels.
Prints one line per figure.
"""

import argparse
import pickle
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from chcverify.campaign.answers import ToolAnswer, certify_answer
from chcverify.campaign.cluster import Payload, payload_of, run_on_cluster
from chcverify.campaign.local import PlannedRun, Progress, plan, run_locally
from chcverify.campaign.machine import machine_class
from chcverify.campaign.measurement import Measured, Method, RunResult
from chcverify.campaign.reporting.rendering import as_csv, as_html, campaign_tables
from chcverify.campaign.reporting.scores import SCHEMES
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tasks import CampaignTask, collect_tasks
from chcverify.campaign.tools import Tool, ToolLimits

LIMITS = ToolLimits(900.0)
TOOLS = tuple(Tool(f"tool-{number}", ("true", "{file}")) for number in range(4))
PROGRAM_LINES = 200  # of each generated program: about 6 kB, as the middle task of SV-COMP's loop categories


def no_time(command: list[str], limits: ToolLimits, cores: tuple[int, ...] | None) -> Measured:
    """A run that was never made."""
    return Measured("true\n", "", 0, 1.0, 1.0, 100.0, False, "", Method.RUSAGE)


def no_time_on_worker(payload: Payload) -> RunResult:
    """The same on a worker, which has received the files of the task."""
    answer, task = ToolAnswer.TRUE, payload.task
    correctness = certify_answer(answer, task.expected)
    return RunResult(payload.tool.name, task, answer, correctness, 1.0, 1.0, 100.0, Method.RUSAGE, "", "", 1, "", 0.0)


def tasks_in(folder: Path, number: int) -> list[CampaignTask]:
    """Generated programs as tasks, in folders of 100."""
    text = "int main(void) {\n" + "  int x = 0; x = x + 1;\n" * PROGRAM_LINES + "  return 0;\n}\n"
    for index in range(number):
        file = folder / f"family-{index // 100}" / f"task-{index:06}.c"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return collect_tasks([str(folder)], None, lambda error: None)


def show(what: str, seconds: float, runs: int, more: str = "") -> None:
    print(f"{what:34} {seconds:9.2f} s  {1e3 * seconds / runs:8.3f} ms per run  {more}".rstrip(), flush=True)


def local(planned: Sequence[PlannedRun], database: Path) -> None:
    """Stores results of all runs, as fast as they can be written, and makes the tables."""
    count = len(planned)
    with ResultStore(database) as store:
        start = time.monotonic()

        def on_result(result: RunResult, progress: Progress) -> None:
            store.add(result)

        run_locally(planned, LIMITS, 2, no_time, on_result)
        show("run and store, a commit for each", time.monotonic() - start, count)
    size = database.stat().st_size
    print(f"{'file of results':34} {size / 1e6:9.1f} MB {size / count:8.0f} bytes per run")
    with ResultStore(database) as store:
        start = time.monotonic()
        finished = store.finished()
        show("what is finished (on resuming)", time.monotonic() - start, count, f"{len(finished)} runs")
        start = time.monotonic()
        results = store.results()
        show("read all runs", time.monotonic() - start, count)
    start = time.monotonic()
    tables = campaign_tables(results, SCHEMES["sv-comp"])
    show("tables", time.monotonic() - start, count)
    start = time.monotonic()
    pages = len(as_html("simulation", tables)), len(as_csv(results))
    show("HTML and CSV", time.monotonic() - start, count, f"{pages[0] / 1e6:.1f} and {pages[1] / 1e6:.1f} MB")


def cluster(planned: Sequence[PlannedRun], workers: int, database: Path) -> None:
    """The runs over a local cluster whose workers answer at once."""
    from distributed import LocalCluster

    count = len(planned)
    payload = pickle.dumps(payload_of(planned[0], LIMITS))
    answer = pickle.dumps(no_time_on_worker(payload_of(planned[0], LIMITS)))
    print(f"{'one run travels as':34} {len(payload):9} bytes to the worker, {len(answer)} bytes back")
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as scheduler,
        ResultStore(database) as store,
    ):
        start = time.monotonic()

        def on_result(result: RunResult, progress: Progress) -> None:
            store.add(result)

        address = scheduler.scheduler_address.replace("tcp://", "dask://")
        run_on_cluster(address, planned, LIMITS, on_result, run_one=no_time_on_worker)
        show(f"cluster of {workers} workers, with storing", time.monotonic() - start, count)


def main() -> None:
    parser = argparse.ArgumentParser(description="What a campaign costs besides its runs.")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--cluster-runs", type=int, default=2_000, help="0: without the cluster")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    print(f"{machine_class()}; {given.runs} runs of {len(TOOLS)} tools")
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "tasks").mkdir()
        start = time.monotonic()
        tasks = tasks_in(Path(name) / "tasks", given.runs // len(TOOLS))
        show("write and collect the tasks", time.monotonic() - start, given.runs)
        start = time.monotonic()
        planned = plan(TOOLS, tasks, set())
        show("plan", time.monotonic() - start, given.runs)
        local(planned, Path(name) / "local.db")
        if given.cluster_runs:
            cluster(planned[: given.cluster_runs], given.workers, Path(name) / "cluster.db")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory of the campaign':34} {peak:9.0f} MB")


if __name__ == "__main__":
    main()
