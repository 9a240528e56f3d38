"""The data that a schedule is tuned on: stored runs of engines, and the features of their tasks."""

import hashlib
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chcverify.campaign.answers import Correctness, ToolAnswer
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tuning.schedule_model import MeasuredTask
from chcverify.effort import GLANCE_S, WAIT_S

_LINE = "features: "
BEFORE_ENGINES = "random runs"  # the name under which statistics record a verdict that needed no engine
_GAVE_UP = (ToolAnswer.UNKNOWN, ToolAnswer.ERROR)


def task_features(task: CampaignTask) -> str | None:
    """The features of a task's clauses by name, separated by commas, as `chcverify engines --schedule` prints them;
    None if the task cannot be encoded."""
    command = [sys.executable, "-m", "chcverify", "engines", "--schedule", task.path, "--timeout", str(WAIT_S)]
    command += ["--property", task.property_name]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=2 * WAIT_S, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return None
    found = [line.removeprefix(_LINE) for line in ended.stdout.splitlines() if line.startswith(_LINE)]
    return found[0] if found else None


def complete_features(
    store: ResultStore, tasks: Iterable[CampaignTask], jobs: int, report: Callable[[str], object]
) -> dict[str, frozenset[str]]:
    """Features of the tasks by key; those that are not stored yet are computed, `jobs` tasks at once, and stored."""
    stored = store.features()
    keys = {task.key: task for task in tasks}
    missing = [task for key, task in keys.items() if key not in stored]
    if missing:
        report(f"features of {len(missing)} tasks")
    with ThreadPoolExecutor(jobs) as pool:
        for task, names in zip(missing, pool.map(task_features, missing), strict=True):
            if names is None:
                report(f"{task.path}: cannot be encoded, left out")
            else:
                store.set_features(task.key, names)
    return {key: frozenset(names.split(", ")) - {"none"} for key, names in store.features().items() if key in keys}


def measured_tasks(
    results: Sequence[RunResult],
    features: Mapping[str, frozenset[str]],
    dividing: frozenset[str],
    needed: Callable[[frozenset[str]], Iterable[str]],
) -> list[MeasuredTask]:
    """The tasks on which every needed engine was measured, with their times.

    features: by key of the task. dividing: the features that divide tasks into classes. needed: the engines that a task
    with these features must have been measured with. The family is the folder of the task. Times are processor time
    beyond the shortest run of the task, which is taken for the time before the first engine starts. Left out are tasks
    without expected verdict, since nothing shows that answers are correct, those that were decided before any engine,
    and those that the campaign has not finished. A wrong answer counts as none.
    """
    by_task: dict[str, list[RunResult]] = {}
    for run in results:
        if run.task.key in features and run.task.expected is not None:
            by_task.setdefault(run.task.key, []).append(run)
    complete = {
        key: runs
        for key, runs in by_task.items()
        if set(needed(features[key])) <= {run.tool for run in runs}
        and not any(run.engine == BEFORE_ENGINES for run in runs)
    }
    return [_measured_task(runs, features[key] & dividing) for key, runs in complete.items()]


def _measured_task(runs: Sequence[RunResult], features: frozenset[str]) -> MeasuredTask:
    task = runs[0].task
    preparation = min(run.cpu_seconds for run in runs)
    net = {run.tool: max(GLANCE_S, run.cpu_seconds - preparation) for run in runs}
    return MeasuredTask(
        key=task.key,
        family=task.category,
        features=features,
        seconds={run.tool: net[run.tool] for run in runs if run.correctness is Correctness.CORRECT},
        gave_up={run.tool: net[run.tool] for run in runs if run.answer in _GAVE_UP},
        tried=frozenset(net),
        preparation=preparation,
    )


def task_set_digest(tasks: Sequence[MeasuredTask]) -> str:
    """A short digest of the names of the tasks, without the folders above: which set it was."""
    names = sorted("/".join(Path(task.key).parts[-2:]) for task in tasks)
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
