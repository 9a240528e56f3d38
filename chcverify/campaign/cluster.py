"""Runs a campaign on a cluster with dask.distributed (extra `cluster`): `--executor dask://HOST:PORT`.

Tasks travel with their input files, so workers need no shared file system. Workers may come and go: dask starts the
runs of a lost worker again elsewhere. Before the first run the versions of all workers are compared with this process.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcverify.campaign.answers import Answer, Correctness
from chcverify.campaign.local import Estimate, OnResult, PlannedRun
from chcverify.campaign.measurement import Method, RunResult, measure_by_rusage, run_task
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tools import Tool, ToolLimits
from chcverify.errors import InputError

SCHEME = "dask://"
CONNECT_SECONDS = 30
RETRIES = 3  # of a run whose worker was lost; a task that ends its worker each time is an error then
COMPARED = ("chcverify", "z3-solver", "cvc5")


@dataclass(frozen=True)
class Payload:
    """A run with the files that it needs. files: path relative to a common folder, and content."""

    tool: Tool
    task: CampaignTask
    limits: ToolLimits
    files: tuple[tuple[str, bytes], ...]


def address_of(executor: str) -> str:
    """The scheduler's address HOST:PORT of `dask://HOST:PORT`; InputError for anything else."""
    address = executor.removeprefix(SCHEME)
    host, colon, port = address.rpartition(":")
    if not executor.startswith(SCHEME) or not host or not colon or not port.isdigit():
        raise InputError(executor, 0, 0, f"not an executor: {SCHEME}HOST:PORT")
    return address


def run_on_cluster(executor: str, runs: Sequence[PlannedRun], limits: ToolLimits, on_result: OnResult) -> None:
    """Makes all runs on the workers of a dask scheduler; on_result is called in the order in which runs end.

    Each worker makes as many runs at once as it has threads. Raises InputError if the cluster cannot be reached, or if
    its workers have other versions of chcverify or of the solvers.
    """
    address = address_of(executor)
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise InputError(executor, 0, 0, "needs dask: pip install 'chcverify[cluster]'") from None
    try:
        client = Client(f"tcp://{address}", timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError) as error:
        raise InputError(executor, 0, 0, f"the cluster cannot be reached: {error}") from error
    with client:
        require_equal_versions(executor, versions(), client.run(versions))
        futures = {
            client.submit(run_payload, payload_of(run, limits), retries=RETRIES, pure=False): run for run in runs
        }
        estimate = Estimate(len(runs))
        for future in as_completed(futures):
            failure = future.exception()
            result = future.result() if failure is None else lost_run(futures[future], failure)
            on_result(replace(result, task=futures[future].task), estimate.finished_one())


def versions() -> dict[str, str]:
    """The versions that must be equal on all machines: Python and the packages that decide answers."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": ".".join(map(str, sys.version_info[:2]))}
    for name in COMPARED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found


def require_equal_versions(executor: str, own: dict[str, str], workers: dict[str, dict[str, str]]) -> None:
    """InputError naming the first difference between this process and a worker; or that there are no workers."""
    if not workers:
        raise InputError(executor, 0, 0, "the cluster has no workers")
    for worker, theirs in sorted(workers.items()):
        for name, version in own.items():
            if theirs.get(name) != version:
                message = f"worker {worker} has {name} {theirs.get(name)}, this machine has {version}"
                raise InputError(executor, 0, 0, message)


def payload_of(run: PlannedRun, limits: ToolLimits) -> Payload:
    """The run with its task definition, property files and input file, at paths below a common folder."""
    task = run.task
    paths = {Path(task.path), Path(task.input_file)}
    paths |= {path for path in property_files(Path(task.path)) if path.exists()}
    absolute = sorted(path.resolve() for path in paths)
    root = common_folder(absolute)
    files = tuple((str(path.relative_to(root)), path.read_bytes()) for path in absolute)
    moved = replace(
        task,
        path=str(Path(task.path).resolve().relative_to(root)),
        input_file=str(Path(task.input_file).resolve().relative_to(root)),
    )
    return Payload(run.tool, moved, limits, files)


def property_files(task: Path) -> list[Path]:
    """The property files that a task definition names; none for a plain input file."""
    if task.suffix not in (".yml", ".yaml"):
        return []
    import yaml

    document = yaml.safe_load(task.read_text(encoding="utf-8"))
    entries = document.get("properties") or [] if isinstance(document, dict) else []
    names = [entry.get("property_file") for entry in entries if isinstance(entry, dict)]
    return [task.parent / name for name in names if isinstance(name, str)]


def common_folder(paths: Sequence[Path]) -> Path:
    """The deepest folder that all files lie below."""
    parents = [path.parents for path in paths]
    return max(set.intersection(*map(set, parents)), key=lambda folder: len(folder.parts))


def run_payload(payload: Payload) -> RunResult:
    """One run on a worker, in a temporary folder with its files."""
    with tempfile.TemporaryDirectory(prefix="chcverify-task-") as name:
        folder = Path(name)
        for path, data in payload.files:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        task = replace(
            payload.task, path=str(folder / payload.task.path), input_file=str(folder / payload.task.input_file)
        )
        return run_task(payload.tool, task, payload.limits, measure_by_rusage, None)


def lost_run(run: PlannedRun, error: BaseException) -> RunResult:
    """The result of a run that no worker could finish."""
    reason = f"no worker finished it: {type(error).__name__}"
    answer, nothing = Answer.ERROR, Correctness.UNDECIDED
    return RunResult(run.tool.name, run.task, answer, nothing, 0.0, 0.0, 0.0, Method.RUSAGE, reason, "", None, "", 0.0)
