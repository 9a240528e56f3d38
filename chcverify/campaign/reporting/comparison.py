"""Two campaigns, or two tools of one, compared task by task, with the confidence that a difference is no noise."""

import math
import statistics
from collections.abc import Sequence

from chcverify.campaign.answers import Correctness
from chcverify.campaign.measurement import RunResult
from chcverify.quick_dataclass import dataclass

SLOWER_FACTOR = 1.5
"""The ratio of two wall times from which a task counts as slower or faster. Chosen by hand."""
SLOWER_SECONDS = 0.5
"""Seconds of the clock between them, at least: below that, the noise of a machine decides. Chosen by hand."""


@dataclass(frozen=True)
class Comparison:
    """What changed from the first to the second list of runs, over the tasks that both have."""

    common: int
    won: tuple[str, ...]
    lost: tuple[str, ...]
    """Tasks solved by the second or the first only."""
    slower: tuple[str, ...]
    faster: tuple[str, ...]
    p_solved: float
    """Probability of a split at least as uneven as won against lost if both were equally strong (exact McNemar test).
    """
    wall: "TimeRatio"
    cpu: "TimeRatio"
    """The ratio of second to first wall time and processor time over the tasks that both solve."""


@dataclass(frozen=True)
class TimeRatio:
    """Geometric mean of ratios of times; low, high: its 95 % confidence interval (normal approximation of the mean
    logarithm)."""

    ratio: float
    low: float
    high: float

    @property
    def differs(self) -> bool:
        """True if the confidence interval leaves out 1."""
        return not self.low <= 1.0 <= self.high


def compare(first: Sequence[RunResult], second: Sequence[RunResult]) -> Comparison:
    """The comparison of two lists of runs of one tool each."""
    before = {result.task.key: result for result in first}
    pairs = [(before[result.task.key], result) for result in second if result.task.key in before]
    won = tuple(new.task.path for old, new in pairs if _solved(new) and not _solved(old))
    lost = tuple(new.task.path for old, new in pairs if _solved(old) and not _solved(new))
    both = [(old, new) for old, new in pairs if _solved(old) and _solved(new)]
    slower = tuple(new.task.path for old, new in both if _is_slower(old, new))
    faster = tuple(new.task.path for old, new in both if _is_slower(new, old))
    wall = time_ratio([(old.wall_seconds, new.wall_seconds) for old, new in both])
    cpu = time_ratio([(old.cpu_seconds, new.cpu_seconds) for old, new in both])
    return Comparison(len(pairs), won, lost, slower, faster, sign_test(len(won), len(lost)), wall, cpu)


def _solved(result: RunResult) -> bool:
    return result.correctness in (Correctness.CORRECT, Correctness.UNJUDGED)


def _is_slower(old: RunResult, new: RunResult) -> bool:
    longer = new.wall_seconds - old.wall_seconds
    return longer > SLOWER_SECONDS and new.wall_seconds > SLOWER_FACTOR * old.wall_seconds


def sign_test(wins: int, losses: int) -> float:
    """The two-sided probability of at least this uneven a split of wins + losses fair coin tosses; 1.0 without any."""
    n, extreme = wins + losses, max(wins, losses)
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(extreme, n + 1)) / 2**n
    return float(min(1.0, 2 * tail))


def time_ratio(seconds: Sequence[tuple[float, float]]) -> TimeRatio:
    """The ratio of second to first in pairs of seconds; with fewer than two pairs the interval is (0, inf)."""
    logarithms = [math.log(max(new, 1e-3) / max(old, 1e-3)) for old, new in seconds]
    if len(logarithms) < 2:
        return TimeRatio(math.exp(logarithms[0]) if logarithms else 1.0, 0.0, math.inf)
    mean = statistics.fmean(logarithms)
    margin = statistics.NormalDist().inv_cdf(0.975) * statistics.stdev(logarithms) / math.sqrt(len(logarithms))
    return TimeRatio(math.exp(mean), math.exp(mean - margin), math.exp(mean + margin))


def comparison_text(comparison: Comparison, first: str, second: str) -> str:
    """The comparison in words. first, second: the names of what is compared."""
    lines = [f"{comparison.common} tasks in both; {first} -> {second}"]
    for what, tasks in (
        (f"solved by {second} only", comparison.won),
        (f"solved by {first} only", comparison.lost),
        (f"slower with {second}", comparison.slower),
        (f"faster with {second}", comparison.faster),
    ):
        lines.append(f"{what}: {len(tasks)}")
        lines.extend(f"  {task}" for task in tasks)
    certain = "no noise" if comparison.p_solved < 0.05 else "may be noise"
    lines.append(f"difference in solved tasks: p = {comparison.p_solved:.3f} (exact McNemar test): {certain}")
    for name, time in (("wall time", comparison.wall), ("processor time", comparison.cpu)):
        certain = "no noise" if time.differs else "may be noise"
        lines.append(
            f"{name}, second / first: {time.ratio:.3f}, 95 % between {time.low:.3f} and {time.high:.3f}: {certain}"
        )
    return "\n".join(lines)
