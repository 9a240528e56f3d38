"""Runs of imaginary tools, for tests of figures and tables."""

from chcverify.campaign.answers import ToolAnswer, certify_answer
from chcverify.campaign.measurement import Method, RunResult
from chcverify.campaign.tasks import CampaignTask


def example_task(name: str, expected: bool | None = True, category: str = "loops") -> CampaignTask:
    """A task that lies in no file."""
    return CampaignTask(f"{category}/{name}.yml", f"{category}/{name}.c", category, "unreach-call", "LP64", expected)


def example_run(
    tool: str,
    task: CampaignTask,
    answer: ToolAnswer,
    seconds: float = 1.0,
    reason: str = "",
    engine: str = "",
    k: int | None = None,
) -> RunResult:
    """A run as if measured."""
    correctness = certify_answer(answer, task.expected)
    return RunResult(
        tool, task, answer, correctness, seconds, seconds, 50.0, Method.RUSAGE, reason, engine, k, "host", 0.0
    )
