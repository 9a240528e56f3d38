"""The data that a schedule is tuned on: stored runs of engines, and the features of their tasks."""

import hashlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chcverify.campaign.answers import Correctness
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.store import ResultStore
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tuning import SolvedTask

FEATURE_SECONDS = 60  # for reading and encoding one task
_LINE = "features: "


def task_features(task: CampaignTask) -> str | None:
    """The features of a task's clauses by name, separated by commas, as `chcverify engines --schedule` prints them;
    None if the task cannot be encoded."""
    command = [sys.executable, "-m", "chcverify", "engines", "--schedule", task.path, "--timeout", str(FEATURE_SECONDS)]
    command += ["--property", task.property_name]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=2 * FEATURE_SECONDS, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return None
    found = [line.removeprefix(_LINE) for line in ended.stdout.splitlines() if line.startswith(_LINE)]
    return found[0] if found else None


def complete_features(store: ResultStore, jobs: int, report: Callable[[str], object]) -> dict[str, frozenset[str]]:
    """Features by key of the task; those that are not stored yet are computed, `jobs` tasks at once, and stored."""
    stored = store.features()
    tasks = {run.task.key: run.task for run in store.results()}
    missing = [task for key, task in tasks.items() if key not in stored]
    if missing:
        report(f"features of {len(missing)} tasks")
    with ThreadPoolExecutor(jobs) as pool:
        for task, names in zip(missing, pool.map(task_features, missing), strict=True):
            if names is None:
                report(f"{task.path}: cannot be encoded, left out")
            else:
                store.set_features(task.key, names)
    return {key: frozenset(names.split(", ")) - {"none"} for key, names in store.features().items() if key in tasks}


def solved_tasks(
    results: Sequence[RunResult], features: dict[str, frozenset[str]], dividing: frozenset[str]
) -> list[SolvedTask]:
    """The tasks with features, and the time of each engine that gave a correct answer.

    dividing: the features that divide tasks into classes. The family is the folder of the task. Tasks without expected
    verdict, and answers to them, are left out: nothing shows that they are correct.
    """
    tasks: dict[str, CampaignTask] = {}
    seconds: dict[str, dict[str, float]] = {}
    for run in results:
        if run.task.key in features and run.task.expected is not None:
            tasks[run.task.key] = run.task
            own = seconds.setdefault(run.task.key, {})
            if run.correctness is Correctness.CORRECT:
                own[run.tool] = run.wall_seconds
    return [SolvedTask(key, task.category, features[key] & dividing, seconds[key]) for key, task in tasks.items()]


def task_set_digest(tasks: Sequence[SolvedTask]) -> str:
    """A short digest of the names of the tasks, without the folders above: which set it was."""
    names = sorted("/".join(Path(task.key).parts[-2:]) for task in tasks)
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
