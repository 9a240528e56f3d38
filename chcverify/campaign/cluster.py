"""Runs a campaign on a cluster with dask.distributed (extra `cluster`): `--executor dask://HOST:PORT`.

Tasks travel with their input files, so workers need no shared file system. Workers may come and go: dask starts the
runs of a lost worker again elsewhere. The versions of all workers are compared with this process, of those that are
there before the first run, of those that come later before their first run.
"""

import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from chcverify.campaign.answers import Correctness, ToolAnswer
from chcverify.campaign.local import Estimate, OnResult, PlannedRun
from chcverify.campaign.measurement import Method, RunResult, measure_by_rusage, run_task
from chcverify.campaign.recheck import WantedChecks, find_checker
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tools import Tool, ToolLimits
from chcverify.effort import MAX_CASES, MAX_COMBINED, WAIT_S
from chcverify.errors import InputError
from chcverify.quick_dataclass import dataclass

if TYPE_CHECKING:
    from distributed import Client, Future

SCHEME = "dask://"
COMPARED = ("chcverify", "z3-solver", "cvc5")
NO_CHECKS_WANTED = WantedChecks()
CHECKER = "check_certificate.py"


@dataclass(frozen=True)
class Payload:
    """A run with the files that it needs."""

    tool: Tool
    task: CampaignTask
    limits: ToolLimits
    files: tuple[tuple[str, bytes], ...]
    """Path relative to a common folder, and content."""
    versions: tuple[tuple[str, str], ...] = ()
    """Those that the worker must have."""
    wanted: WantedChecks = NO_CHECKS_WANTED
    """The checks that the worker makes of the run's files."""


class OtherVersion(Exception):
    """A worker that joined later has another version."""


def address_of(executor: str) -> str:
    """The scheduler's address HOST:PORT of `dask://HOST:PORT`; InputError for anything else."""
    address = executor.removeprefix(SCHEME)
    host, colon, port = address.rpartition(":")
    if not executor.startswith(SCHEME) or not host or not colon or not port.isdigit():
        raise InputError(executor, 0, 0, f"not an executor: {SCHEME}HOST:PORT")
    return address


def run_on_cluster(
    executor: str,
    runs: Sequence[PlannedRun],
    limits: ToolLimits,
    on_result: OnResult,
    wanted: WantedChecks = NO_CHECKS_WANTED,
    run_one: Callable[[Payload], RunResult] | None = None,
    is_wanted: Callable[[PlannedRun], bool] = lambda run: True,
) -> None:
    """Makes all runs on the workers of a dask scheduler; on_result is called in the order in which runs end.

    is_wanted: is asked when a run could be submitted; without it the run is left out.

    Each worker makes as many runs at once as it has threads. run_one: what a worker does with a payload, `run_payload`
    by default (a simulation does less). Raises InputError if the cluster cannot be reached, or if its workers have
    other versions of chcverify or of the solvers.
    """
    with _connected(executor) as client:
        try:
            theirs = client.run(versions)
        except ImportError as error:
            raise InputError(executor, 0, 0, f"a worker cannot load chcverify: {error}") from error
        require_equal_versions(executor, versions(), theirs)
        estimate = Estimate(len(runs))
        # A task that ends its worker each time is an error at last.
        submit = partial(client.submit, run_one or run_payload, retries=MAX_COMBINED, pure=False)
        wanted_runs = filter(is_wanted, runs)
        for run, future in _ended(client, wanted_runs, lambda run: submit(payload_of(run, limits, wanted))):
            failure = future.exception()
            if isinstance(failure, OtherVersion):
                raise InputError(executor, 0, 0, str(failure))
            result = future.result() if failure is None else lost_run(run, failure)
            on_result(replace(result, task=run.task), estimate.finished_one())


def _connected(executor: str) -> "Client":
    """A client of the scheduler; InputError if dask is missing or the scheduler does not answer."""
    address = address_of(executor)
    try:
        from distributed import Client
    except ImportError:
        raise InputError(executor, 0, 0, "needs dask: pip install 'chcverify[cluster]'") from None
    try:
        return Client(f"tcp://{address}", timeout=WAIT_S)
    except (OSError, TimeoutError) as error:
        raise InputError(executor, 0, 0, f"the cluster cannot be reached: {error}") from error


def _ended(
    client: "Client", runs: Iterable[PlannedRun], submit: "Callable[[PlannedRun], Future]"
) -> Iterator[tuple[PlannedRun, "Future"]]:
    """Each run with its result as soon as it ends. Only a few runs per worker thread are submitted at a time, so that
    neither this process nor the scheduler ever holds the files of all tasks."""
    from distributed import as_completed

    waiting = iter(runs)
    submitted: dict[Future, PlannedRun] = {}
    ended = as_completed()

    def fill() -> None:
        # No worker waits, and little is in memory.
        window = max(MAX_CASES, MAX_COMBINED * sum(client.nthreads().values()))
        for run in islice(waiting, window - len(submitted)):
            future = submit(run)
            submitted[future] = run
            ended.add(future)

    fill()
    for future in ended:
        run = submitted.pop(future)
        fill()
        yield run, future


@cache
def versions() -> dict[str, str]:
    """The versions that must be equal on all machines: Python, the packages that decide answers, and the checker."""
    from importlib.metadata import PackageNotFoundError, version

    present = {"python": ".".join(map(str, sys.version_info[:2]))}
    for name in COMPARED:
        try:
            present[name] = version(name)
        except PackageNotFoundError:
            present[name] = "missing"
    try:
        present[CHECKER] = hashlib.sha256(find_checker().read_bytes()).hexdigest()[:16]
    except InputError:
        present[CHECKER] = "missing"
    return present


def difference(own: dict[str, str], theirs: dict[str, str]) -> str | None:
    """The first version in which a worker differs from this process, in words; None if all are equal."""
    for name, version in own.items():
        if theirs.get(name) != version:
            return f"has {name} {theirs.get(name)}, this machine has {version}"
    return None


def require_equal_versions(executor: str, own: dict[str, str], workers: dict[str, dict[str, str]]) -> None:
    """InputError naming the first difference between this process and a worker; or that there are no workers."""
    if not workers:
        raise InputError(executor, 0, 0, "the cluster has no workers")
    for worker, theirs in sorted(workers.items()):
        differs = difference(own, theirs)
        if differs:
            raise InputError(executor, 0, 0, f"worker {worker} {differs}")


def payload_of(run: PlannedRun, limits: ToolLimits, wanted: WantedChecks = NO_CHECKS_WANTED) -> Payload:
    """The run with its task definition, property files and input file, at paths below a common folder.

    Raises InputError if one of them cannot be read.
    """
    task = run.task
    paths = {Path(task.path), Path(task.input_file)}
    paths |= {path for path in property_files(Path(task.path)) if path.exists()}
    absolute = sorted(path.resolve() for path in paths)
    root = common_folder(absolute)
    try:
        files = tuple((str(path.relative_to(root)), path.read_bytes()) for path in absolute)
    except OSError as error:
        raise InputError(task.path, 0, 0, f"cannot be read: {error}") from error
    moved = replace(
        task,
        path=str(Path(task.path).resolve().relative_to(root)),
        input_file=str(Path(task.input_file).resolve().relative_to(root)),
    )
    return Payload(run.tool, moved, limits, files, tuple(versions().items()), wanted)


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
    """One run on a worker, in a temporary folder with its files. OtherVersion if the worker may not make it."""
    differs = difference(dict(payload.versions), versions())
    if differs:
        raise OtherVersion(f"a worker {differs}")
    with tempfile.TemporaryDirectory(prefix="chcverify-task-") as name:
        folder = Path(name)
        for path, data in payload.files:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        task = replace(
            payload.task, path=str(folder / payload.task.path), input_file=str(folder / payload.task.input_file)
        )
        return run_task(payload.tool, task, payload.limits, measure_by_rusage, None, payload.wanted.checks())


def lost_run(run: PlannedRun, error: BaseException) -> RunResult:
    """The result of a run that no worker could finish."""
    reason = f"no worker finished it: {type(error).__name__}"
    answer, nothing = ToolAnswer.ERROR, Correctness.UNDECIDED
    return RunResult(run.tool.name, run.task, answer, nothing, 0.0, 0.0, 0.0, Method.RUSAGE, reason, "", None, "", 0.0)
