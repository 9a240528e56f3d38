"""A campaign: tools, tasks and limits, run locally or on a cluster, with stored results that it can resume from."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from chcverify.campaign.answers import Correctness
from chcverify.campaign.local import PlannedRun, Progress, plan, run_locally
from chcverify.campaign.measurement import RunResult, available_measurement
from chcverify.campaign.recheck import WantedChecks
from chcverify.campaign.selection import AllRuns, Selection
from chcverify.campaign.store import Conditions, ResultStore
from chcverify.campaign.tasks import CampaignTask
from chcverify.campaign.tools import Tool, ToolLimits
from chcverify.errors import InputError


class Campaign:
    """All tools on all tasks.

    results: the file to store results in and to resume from; None: a temporary one. selection: of the runs; all of them
    if it is None.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        tasks: Sequence[CampaignTask],
        limits: ToolLimits,
        results: str | None,
        selection: Selection | None = None,
    ) -> None:
        self.tools, self.tasks, self.limits, self.path = tools, tasks, limits, results
        self.selection: Selection = selection or AllRuns()

    def run(
        self, jobs: int, executor: str | None, wanted: WantedChecks, report: Callable[[str], object]
    ) -> list[RunResult]:
        """Makes the runs that are not stored yet; all results of this campaign's tools and tasks.

        jobs: runs at once on this machine. executor: the address of a cluster instead, `dask://HOST:PORT`.
        wanted: checks of certificates and witnesses. report: prints a line of progress.
        Raises InputError if results cannot be stored, or the stored ones were made under other conditions.
        """
        checks = wanted.checks()
        with tempfile.TemporaryDirectory() as folder, ResultStore(Path(self.path or f"{folder}/results.db")) as store:
            store.require_conditions(Conditions.of(self.limits, {tool.name: tool.text for tool in self.tools}))
            planned = plan(self.tools, self.tasks, store.finished())
            skipped = len(self.tools) * len(self.tasks) - len(planned)
            if skipped:
                report(f"{skipped} runs are stored already, {len(planned)} are left")

            self.selection.prepare(store, self.tasks, jobs, report)
            for result in store.results():
                self.selection.learn(result)

            def on_result(result: RunResult, progress: Progress) -> None:
                store.add(result)
                self.selection.learn(result)
                report(progress_line(result, progress))

            if executor is None:
                measure, method = available_measurement()
                report(f"resources are measured by {method.value}")
                try:
                    run_locally(planned, self.limits, jobs, measure, on_result, checks, self._wants)
                except ValueError as error:
                    raise InputError("--jobs", 0, 0, str(error)) from error
            else:
                from chcverify.campaign.cluster import run_on_cluster

                run_on_cluster(executor, planned, self.limits, on_result, wanted, is_wanted=self._wants)
            return self._own(store.results())

    def _wants(self, run: PlannedRun) -> bool:
        return self.selection.wants(run.tool.name, run.task)

    def _own(self, results: Sequence[RunResult]) -> list[RunResult]:
        """Those of this campaign's tools and tasks, in the order in which these were given."""
        tools = {tool.name: number for number, tool in enumerate(self.tools)}
        tasks = {task.key: number for number, task in enumerate(self.tasks)}
        own = [result for result in results if result.tool in tools and result.task.key in tasks]
        return sorted(own, key=lambda result: (tasks[result.task.key], tools[result.tool]))


def progress_line(result: RunResult, progress: Progress) -> str:
    """One run in a line: its number, answer, wall time, tool, task, and the estimated rest of the campaign."""
    mark = "  WRONG" if result.correctness is Correctness.WRONG else ""
    left = f"{progress.remaining_seconds / 60:.0f} min left" if progress.remaining_seconds >= 60 else ""
    return (
        f"[{progress.done}/{progress.planned}] {result.answer.value:8} {result.wall_seconds:7.2f} s  "
        f"{result.tool:16} {result.task.path}{mark}  {left}"
    ).rstrip()
