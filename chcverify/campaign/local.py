"""Runs a campaign on this machine: a fixed number of runs at once, each result stored as soon as its run ends."""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from chcverify.campaign.measurement import NO_CHECKS, Checks, Measurement, RunResult, run_task
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tools import Tool, ToolLimits
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class PlannedRun:
    """A run that is still to be made."""

    tool: Tool
    task: CampaignTask

    @property
    def key(self) -> tuple[str, str]:
        return self.tool.name, self.task.key


@dataclass(frozen=True)
class Progress:
    """What has happened so far. remaining_seconds: an estimate from the mean time of the runs so far."""

    done: int
    planned: int
    remaining_seconds: float


OnResult = Callable[[RunResult, Progress], None]


def plan(tools: Sequence[Tool], tasks: Sequence[CampaignTask], finished: set[tuple[str, str]]) -> list[PlannedRun]:
    """The runs without those that are finished: task by task, so that an interrupted campaign compares all tools."""
    runs = [PlannedRun(tool, task) for task in tasks for tool in tools]
    return [run for run in runs if run.key not in finished]


def core_sets(jobs: int, cores: int | None) -> list[tuple[int, ...] | None]:
    """Disjoint sets of processors, one per job; None each where no number of cores was asked for.

    Raises ValueError if jobs * cores exceeds the processors that this process may use.
    """
    if cores is None:
        return [None] * jobs
    usable = sorted(os.sched_getaffinity(0))
    if jobs * cores > len(usable):
        raise ValueError(f"{jobs} jobs with {cores} cores each need {jobs * cores} processors; there are {len(usable)}")
    return [tuple(usable[job * cores : (job + 1) * cores]) for job in range(jobs)]


class Estimate:
    """Estimates the remaining time of a campaign from its finished runs."""

    def __init__(self, planned: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._planned, self._clock, self._start, self._done = planned, clock, clock(), 0

    def left_out(self) -> None:
        """One of the planned runs is not made."""
        self._planned -= 1

    def finished_one(self) -> Progress:
        """The progress after one more run."""
        self._done += 1
        per_run = (self._clock() - self._start) / self._done
        return Progress(self._done, self._planned, per_run * (self._planned - self._done))


def run_locally(
    runs: Iterable[PlannedRun],
    limits: ToolLimits,
    jobs: int,
    measure: Measurement,
    on_result: OnResult,
    checks: Checks = NO_CHECKS,
    is_wanted: Callable[[PlannedRun], bool] = lambda run: True,
) -> None:
    """Makes all runs, `jobs` at once. on_result is called in the calling thread, in the order in which runs end.

    is_wanted: is asked when a run could start; without it the run is left out.

    An exception in on_result (a full disk) or Ctrl-C ends the campaign: no further run starts. The runs that are under
    way are ended by their runners as soon as this process ends; their results are lost and made again next time.
    """
    waiting: queue.SimpleQueue[PlannedRun] = queue.SimpleQueue()
    ended: queue.SimpleQueue[RunResult | BaseException | None] = queue.SimpleQueue()
    planned = list(runs)
    for run in planned:
        waiting.put(run)
    stop = threading.Event()

    def work(cores: tuple[int, ...] | None) -> None:
        while not stop.is_set():
            try:
                run = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                wanted = is_wanted(run)
                ended.put(run_task(run.tool, run.task, limits, measure, cores, checks) if wanted else None)
            except BaseException as error:
                ended.put(error)
                return

    threads = [threading.Thread(target=work, args=(cores,), daemon=True) for cores in core_sets(jobs, limits.cores)]
    for thread in threads:
        thread.start()
    estimate = Estimate(len(planned))
    try:
        for _ in planned:
            result = ended.get()
            if isinstance(result, BaseException):
                raise result
            if result is None:
                estimate.left_out()
            else:
                on_result(result, estimate.finished_one())
    finally:
        stop.set()
