"""Figures of a campaign by tool and category, as plain values for all output formats."""

import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace

from chcverify.campaign.answers import Correctness, ToolAnswer
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.reporting.scores import ScoringScheme
from chcverify.display_limits import LINE_CHARACTERS
from chcverify.quick_dataclass import dataclass

ALL = "all"


@dataclass(frozen=True)
class Row:
    """The figures of one tool in one category. Seconds are wall time of correct and unjudged answers, cpu_seconds their
    processor time; memory in MB."""

    category: str
    tool: str
    tasks: int
    score: int
    correct_true: int
    correct_false: int
    wrong: int
    unconfirmed: int
    unjudged: int
    unknown: int
    timeouts: int
    out_of_memory: int
    errors: int
    sum_seconds: float
    mean_seconds: float
    median_seconds: float
    cpu_seconds: float
    peak_megabytes: float
    median_k: float | None

    @property
    def solved(self) -> int:
        return self.correct_true + self.correct_false + self.unjudged


@dataclass(frozen=True)
class Disagreement:
    """A task for which two tools give opposite answers."""

    task: str
    true: tuple[str, ...]
    false: tuple[str, ...]
    expected: bool | None


def tools_of(results: Iterable[RunResult]) -> list[str]:
    return list(dict.fromkeys(result.tool for result in results))


def rows(results: Sequence[RunResult], scheme: ScoringScheme) -> list[Row]:
    """One row per tool for all tasks, then one per category and tool."""
    tools = tools_of(results)
    categories = sorted({result.task.category for result in results})
    groups: dict[tuple[str, str], list[RunResult]] = {}
    for result in results:
        groups.setdefault((ALL, result.tool), []).append(result)
        groups.setdefault((result.task.category, result.tool), []).append(result)
    names = [ALL, *categories] if len(categories) > 1 else [ALL]
    return [_row(name, tool, groups[name, tool], scheme) for name in names for tool in tools if (name, tool) in groups]


def _row(category: str, tool: str, results: list[RunResult], scheme: ScoringScheme) -> Row:
    solved = [r for r in results if r.correctness in (Correctness.CORRECT, Correctness.UNJUDGED)]
    correct = [r for r in results if r.correctness is Correctness.CORRECT]
    seconds = [result.wall_seconds for result in solved]
    depths = [result.final_k for result in solved if result.final_k is not None]
    return Row(
        category=category,
        tool=tool,
        tasks=len(results),
        score=scheme.total(results),
        correct_true=sum(result.answer is ToolAnswer.TRUE for result in correct),
        correct_false=sum(result.answer is ToolAnswer.FALSE for result in correct),
        wrong=sum(result.correctness is Correctness.WRONG for result in results),
        unconfirmed=sum(result.correctness is Correctness.UNCONFIRMED for result in results),
        unjudged=len(solved) - len(correct),
        unknown=_count(results, ToolAnswer.UNKNOWN),
        timeouts=_count(results, ToolAnswer.TIMEOUT),
        out_of_memory=_count(results, ToolAnswer.OUT_OF_MEMORY),
        errors=_count(results, ToolAnswer.ERROR),
        sum_seconds=sum(seconds),
        mean_seconds=statistics.fmean(seconds) if seconds else 0.0,
        median_seconds=statistics.median(seconds) if seconds else 0.0,
        cpu_seconds=sum(result.cpu_seconds for result in solved),
        peak_megabytes=max((result.peak_megabytes for result in results), default=0.0),
        median_k=statistics.median(depths) if depths else None,
    )


def _count(results: Iterable[RunResult], answer: ToolAnswer) -> int:
    return sum(result.answer is answer for result in results)


def disagreements(results: Iterable[RunResult]) -> list[Disagreement]:
    """The tasks for which tools contradict each other, the first thing to look at after a campaign."""
    by_task: dict[str, list[RunResult]] = {}
    for result in results:
        if result.answer.is_decided:
            by_task.setdefault(result.task.key, []).append(result)
    found = []
    for runs in by_task.values():
        true = tuple(run.tool for run in runs if run.answer is ToolAnswer.TRUE)
        false = tuple(run.tool for run in runs if run.answer is ToolAnswer.FALSE)
        if true and false:
            found.append(Disagreement(runs[0].task.path, true, false, runs[0].task.expected))
    return found


def wrong_answers(results: Iterable[RunResult]) -> list[RunResult]:
    return [result for result in results if result.correctness is Correctness.WRONG]


def unknown_reasons(results: Iterable[RunResult]) -> list[tuple[str, str, int]]:
    """(tool, reason, number of runs) of undecided runs, most frequent first. Reasons that differ only in numbers,
    such as lines and times, count as one."""
    counts: dict[tuple[str, str], int] = {}
    for result in results:
        if not result.answer.is_decided:
            reason = _general(result.reason) or result.answer.value
            counts[result.tool, reason] = counts.get((result.tool, reason), 0) + 1
    return sorted(((tool, reason, n) for (tool, reason), n in counts.items()), key=lambda item: (-item[2], item[:2]))


def _general(reason: str) -> str:
    """The reason with FILE for every path and N for every number, cut where it gets long."""
    return re.sub(r"\d+(\.\d+)?", "N", re.sub(r"[^\s(]*/[^\s)]*", "FILE", reason))[:LINE_CHARACTERS].strip(" :,;(")


@dataclass(frozen=True)
class EngineShare:
    """The tasks that one engine decided in the runs of one tool (the portfolio)."""

    tool: str
    engine: str
    decided: int


def engine_shares(results: Iterable[RunResult]) -> list[EngineShare]:
    counts: dict[tuple[str, str], int] = {}
    for result in results:
        if result.answer.is_decided and result.engine:
            counts[result.tool, result.engine] = counts.get((result.tool, result.engine), 0) + 1
    shares = [EngineShare(tool, engine, n) for (tool, engine), n in counts.items()]
    return sorted(shares, key=lambda share: (share.tool, -share.decided, share.engine))


VIRTUAL_BEST = "virtual best"


def virtual_best(results: Iterable[RunResult]) -> list[RunResult]:
    """For each task the fastest correct run of any tool, else the first run; as results of a tool `VIRTUAL_BEST`."""
    best: dict[str, RunResult] = {}
    for result in results:
        key = result.task.key
        if key not in best or _rank(result) < _rank(best[key]):
            best[key] = result
    return [replace(result, tool=VIRTUAL_BEST) for result in best.values()]


def _rank(result: RunResult) -> tuple[bool, float]:
    solved = result.correctness in (Correctness.CORRECT, Correctness.UNJUDGED)
    return not solved, result.wall_seconds if solved else 0.0
