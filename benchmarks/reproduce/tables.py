"""Tables with the papers' figures in the last columns, and a line on what differs."""

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.reproduce.papers import S0_TABLE_6, S1_TABLE_2, PaperColumn
from chcverify.campaign.answers import Correctness, ToolAnswer
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.reporting.rendering import ReportTable, table_of
from chcverify.campaign.reporting.tables import tools_of

_UNSOLVED = ("T", "M", "O")  # in the paper's cells


def solved_by(results: Sequence[RunResult], tool: str) -> list[RunResult]:
    """The correct runs of a tool."""
    return [run for run in results if run.tool == tool and run.correctness is Correctness.CORRECT]


def solved_table(
    title: str,
    results: Sequence[RunResult],
    names: Mapping[str, str],
    paper: Sequence[PaperColumn],
    *,
    without: str = "",
    of: str = "",
) -> ReportTable:
    """One line per tool: solved tasks, true and false, wrong, time-outs, mean and median seconds, greatest and mean k;
    then the paper's configuration of that name. names: tool here to name in the paper. without: a tool whose solved
    tasks are left out; of: a tool to whose solved tasks the table is restricted."""
    left_out = {run.task.key for run in solved_by(results, without)}
    kept = {run.task.key for run in solved_by(results, of)} if of else {run.task.key for run in results}
    chosen = [run for run in results if run.task.key in kept - left_out and run.tool != without]
    columns = {column.name: column for column in paper}
    lines, shares = [], {}
    for tool in tools_of(chosen):
        own = [run for run in chosen if run.tool == tool]
        solved = solved_by(own, tool)
        column = columns.get(names.get(tool, ""))
        if column:
            shares[column.name] = len(solved)
        lines.append((tool, *_figures(own, solved), *_paper(column)))
    header = ("engine", "solved", "of", "true", "false", "wrong", "time-outs", "mean s", "median s", "max k", "mean k",
              "paper", "solved", "of", "share", "mean s")  # fmt: skip
    return table_of(f"{title}. {order_text(shares, columns)}", header, lines)


def _figures(runs: Sequence[RunResult], solved: Sequence[RunResult]) -> tuple[str, ...]:
    seconds = [run.cpu_seconds for run in solved]
    depths = [run.final_k for run in solved if run.final_k is not None]
    return (
        str(len(solved)),
        str(len(runs)),
        str(sum(run.answer is ToolAnswer.TRUE for run in solved)),
        str(sum(run.answer is ToolAnswer.FALSE for run in solved)),
        str(sum(run.correctness is Correctness.WRONG for run in runs)),
        str(sum(run.answer is ToolAnswer.TIMEOUT for run in runs)),
        f"{statistics.fmean(seconds):.1f}" if seconds else "",
        f"{statistics.median(seconds):.1f}" if seconds else "",
        str(max(depths)) if depths else "",
        f"{statistics.fmean(depths):.1f}" if depths else "",
    )


def _paper(column: PaperColumn | None) -> tuple[str, ...]:
    if column is None:
        return ("", "", "", "", "")
    mean = "" if column.mean_seconds is None else f"{column.mean_seconds:.0f}"
    return (column.name, str(column.solved), str(column.tasks), f"{100 * column.solved / column.tasks:.0f} %", mean)


def order_text(solved: Mapping[str, int], paper: Mapping[str, PaperColumn]) -> str:
    """Whether the configurations that both have are in the same order of solved tasks; the pairs that are not."""
    names = list(solved)
    swapped = [
        f"{first} and {second} the other way round"
        for number, first in enumerate(names)
        for second in names[number + 1 :]
        if (solved[first] - solved[second]) * (paper[first].solved - paper[second].solved) < 0
    ]
    equal = [
        f"{first} and {second} equal here"
        for number, first in enumerate(names)
        for second in names[number + 1 :]
        if solved[first] == solved[second] and paper[first].solved != paper[second].solved
    ]
    differences = swapped + equal
    return "Order as in the paper" if not differences else f"Order differs: {'; '.join(differences)}"


def program_table(
    title: str,
    results: Sequence[RunResult],
    tools: Sequence[str],
    configurations: Sequence[str],
    paper: Mapping[str, Sequence[str]] = S0_TABLE_6,
) -> ReportTable:
    """One line per program: CPU seconds of each tool, or why there are none, each with the paper's cell in brackets."""
    runs = {(Path(run.task.path).stem, run.tool): run for run in results}
    lines, cells = [], 0
    others: list[str] = []
    for program, figures in paper.items():
        line = [program]
        for tool, figure in zip(tools, figures, strict=True):
            run = runs.get((program, tool))
            solved = run is not None and run.correctness is Correctness.CORRECT
            shown = "not run" if run is None else f"{run.cpu_seconds:.1f}" if solved else run.answer.value
            line.append(f"{shown} ({figure})")
            cells += run is not None
            if run is not None and solved != (figure not in _UNSOLVED):
                others.append(f"{program} with {tool}")
        lines.append(tuple(line))
    header = tuple(f"{tool} ({name})" for tool, name in zip(tools, configurations, strict=True))
    agreement = f"{cells - len(others)} of {cells} cells agree on solved or not"
    differing = f"; the others: {', '.join(others)}" if others else ""
    return table_of(f"{title}. {agreement}{differing}", ("program", *header), lines)


def combined_tables(results: Sequence[RunResult]) -> list[ReportTable]:
    """The programs with both cases, greatest k and seconds, and the paper's table beside it."""
    runs = {(Path(run.task.path).stem, run.tool): run for run in results}
    lines, ratios = [], []
    for program in dict.fromkeys(Path(run.task.path).stem for run in results):
        combined = _first_solved(runs, program, ("combined", "combined+df"))
        split = _first_solved(runs, program, ("kind", "kind+df"))
        ratio = split.cpu_seconds / combined.cpu_seconds if combined and split else None
        if ratio is not None:
            ratios.append(ratio)
        lines.append((program, *_case(split), *_case(combined), "" if ratio is None else f"{ratio:.2f}"))
    only_combined = sum(bool(line[4]) and not line[1] for line in lines)
    only_split = sum(bool(line[1]) and not line[4] for line in lines)
    paper_mean = statistics.geometric_mean([row.speed_up for row in S1_TABLE_2])
    mean = "no common program"
    if ratios:
        found = statistics.geometric_mean(ratios)
        same = (found > 1) == (paper_mean > 1)
        mean = f"geometric mean of the speed-up {found:.2f}: direction {'as in' if same else 'differs from'} the paper"
    alone = {tool: len(solved_by(results, tool)) for tool in ("combined", "kind")}
    own = table_of(
        f"Here: without invariants {alone['combined']} of {len(lines)} programs by the combined case, {alone['kind']} "
        f"by the split case; with them {only_combined} by the combined case only, {only_split} by the split case only; "
        f"{mean}",
        ("program", "split case", "k", "s", "combined case", "k", "s", "speed-up"),
        lines,
    )
    paper = table_of(
        f"S1, table 2: geometric mean of the speed-up {paper_mean:.2f}",
        ("program", "invariants by hand", "split k", "s", "combined k", "s", "speed-up"),
        [
            (row.name, str(row.invariants), f"{row.split_k[0]}..{row.split_k[1]}", f"{row.split_seconds:.2f}",
             f"{row.combined_k[0]}..{row.combined_k[1]}", f"{row.combined_seconds:.2f}", f"{row.speed_up:.2f}")
            for row in S1_TABLE_2
        ],
    )  # fmt: skip
    return [own, paper]


def _first_solved(runs: Mapping[tuple[str, str], RunResult], program: str, tools: Sequence[str]) -> RunResult | None:
    """The run of the first tool that solves the program: a plain one before one that is fed."""
    solved = [runs[program, tool] for tool in tools if (program, tool) in runs]
    return next((run for run in solved if run.correctness is Correctness.CORRECT), None)


def _case(run: RunResult | None) -> tuple[str, str, str]:
    if run is None:
        return ("", "", "")
    return (run.tool, "" if run.final_k is None else str(run.final_k), f"{run.cpu_seconds:.2f}")
