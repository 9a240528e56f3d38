"""Plots of a campaign with matplotlib (extra `plots`), written as SVG or PNG by the file's suffix."""

import math
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from chcverify.campaign.answers import Correctness
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.reporting.scores import ScoringScheme
from chcverify.campaign.reporting.tables import engine_shares, tools_of, virtual_best
from chcverify.errors import InputError

Points = list[tuple[float, float]]


class Plot(Enum):
    """The kinds of plots."""

    QUANTILE = "quantile"  # score-based quantile functions, as in SV-COMP
    CACTUS = "cactus"  # solved tasks against the time limit
    SCATTER_TIME = "scatter-time"  # wall time of two tools, task by task
    SCATTER_K = "scatter-k"  # final k of two tools, task by task
    ENGINES = "engines"  # tasks per deciding engine


def quantile_points(results: Sequence[RunResult], scheme: ScoringScheme) -> Points:
    """(accumulated score, seconds): correct answers by rising time, starting at the score of all wrong answers."""
    score = float(sum(scheme.points(r) for r in results if r.correctness is Correctness.WRONG))
    points: Points = []
    for result in sorted(_correct(results), key=lambda result: result.wall_seconds):
        score += scheme.points(result)
        points.append((score, result.wall_seconds))
    return points


def cactus_points(results: Sequence[RunResult]) -> Points:
    """(n, seconds of the n-th fastest correct answer)."""
    times = sorted(result.wall_seconds for result in _correct(results))
    return [(float(number), seconds) for number, seconds in enumerate(times, 1)]


def scatter_points(
    first: Sequence[RunResult], second: Sequence[RunResult], value: Callable[[RunResult], float | None]
) -> Points:
    """(value of the first tool, value of the second) for the tasks that both solve and where both have a value."""
    before = {result.task.key: value(result) for result in _correct(first)}
    pairs = ((before.get(result.task.key), value(result)) for result in _correct(second))
    return [(x, y) for x, y in pairs if x is not None and y is not None]


def _correct(results: Sequence[RunResult]) -> list[RunResult]:
    return [r for r in results if r.correctness in (Correctness.CORRECT, Correctness.UNJUDGED)]


def draw(kind: Plot, results: Sequence[RunResult], scheme: ScoringScheme, path: Path) -> None:
    """Writes one plot. InputError if matplotlib is missing, or a scatter plot does not get exactly two tools."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(str(path), 0, 0, "plots need matplotlib: pip install 'chcverify[plots]'") from None
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    _DRAW[kind](axes, results, scheme)
    for axis in (axes.xaxis, axes.yaxis):
        _label_plainly(axis)
    # The same results give the same file: no date, fixed identifiers; text stays text.
    metadata = {"Date": None} if path.suffix == ".svg" else None
    try:
        with rc_context({"svg.hashsalt": "chcverify", "svg.fonttype": "none"}):
            figure.savefig(path, metadata=metadata)
    except (OSError, ValueError) as error:
        raise InputError(str(path), 0, 0, f"cannot be written: {error}") from error


def _label_plainly(axis: Any) -> None:
    """Numbers such as 0.5 and 20 on a logarithmic axis; not powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogFormatter

    if axis.get_scale() != "log":
        return
    sparse = LogFormatter(minor_thresholds=(1.5, 0.5))  # knows which minor ticks have room for a label
    sparse.set_axis(axis)
    sparse.set_locs()
    axis.set_major_formatter(FuncFormatter(lambda value, position: f"{value:g}"))
    axis.set_minor_formatter(FuncFormatter(lambda value, position: f"{value:g}" if sparse(value) else ""))


def _by_tool(results: Sequence[RunResult]) -> dict[str, list[RunResult]]:
    grouped: dict[str, list[RunResult]] = {tool: [] for tool in tools_of(results)}
    for result in results:
        grouped[result.tool].append(result)
    return grouped


def _draw_quantile(axes: Any, results: Sequence[RunResult], scheme: ScoringScheme) -> None:
    for tool, own in _by_tool(results).items():
        _steps(axes, quantile_points(own, scheme), tool)
    axes.set(xlabel=f"accumulated score ({scheme.name})", ylabel="wall time in s", yscale="log")
    axes.legend()


def _draw_cactus(axes: Any, results: Sequence[RunResult], scheme: ScoringScheme) -> None:
    grouped = _by_tool(results)
    if len(grouped) > 1:
        grouped["virtual best"] = virtual_best(results)
    for tool, own in grouped.items():
        _steps(axes, cactus_points(own), tool)
    axes.set(xlabel="solved tasks", ylabel="wall time in s", yscale="log")
    axes.legend()


def _steps(axes: Any, points: Points, label: str) -> None:
    axes.plot([x for x, _ in points], [y for _, y in points], drawstyle="steps-post", marker=".", label=label)


def _two_tools(results: Sequence[RunResult]) -> list[tuple[str, list[RunResult]]]:
    grouped = list(_by_tool(results).items())
    if len(grouped) != 2:
        raise InputError("--plot", 0, 0, f"a scatter plot needs exactly two tools (--select), not {len(grouped)}")
    return grouped


def _draw_scatter_time(axes: Any, results: Sequence[RunResult], scheme: ScoringScheme) -> None:
    _scatter(axes, results, lambda result: result.wall_seconds, "wall time in s", "log")


def _draw_scatter_k(axes: Any, results: Sequence[RunResult], scheme: ScoringScheme) -> None:
    _scatter(axes, results, lambda result: result.final_k, "final k", "linear")


def _scatter(
    axes: Any, results: Sequence[RunResult], value: Callable[[RunResult], float | None], what: str, scale: str
) -> None:
    (left, first), (right, second) = _two_tools(results)
    points = scatter_points(first, second, value)
    axes.scatter([x for x, _ in points], [y for _, y in points], marker="x")
    most = max((max(point) for point in points), default=1.0)
    least = min((min(point) for point in points), default=0.0)
    axes.plot([least, most], [least, most], color="grey", linewidth=0.8)
    axes.set(xlabel=f"{left}: {what}", ylabel=f"{right}: {what}", xscale=scale, yscale=scale)


def _draw_engines(axes: Any, results: Sequence[RunResult], scheme: ScoringScheme) -> None:
    shares = engine_shares(results)
    labels = [f"{share.engine} ({share.tool})" for share in shares]
    axes.barh(labels[::-1], [share.decided for share in shares][::-1])
    axes.set(xlabel="tasks decided")
    axes.set_xlim(0, math.ceil(max((share.decided for share in shares), default=1) * 1.05))


_DRAW: dict[Plot, Callable[[Any, Sequence[RunResult], ScoringScheme], None]] = {
    Plot.QUANTILE: _draw_quantile,
    Plot.CACTUS: _draw_cactus,
    Plot.SCATTER_TIME: _draw_scatter_time,
    Plot.SCATTER_K: _draw_scatter_k,
    Plot.ENGINES: _draw_engines,
}
