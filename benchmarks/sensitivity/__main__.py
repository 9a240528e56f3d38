"""What a tuning constant changes: the same tasks with the constant as it is and with multiples of it.

    python -m benchmarks.sensitivity NAME TASKS... [--factors 0.5,2] [--timeout S] [--jobs N] [--engine NAME]

NAME: the dotted name of a constant, such as `chcverify.effort.MAX_COMPARED`, or of a field of a class of constants,
such as `solvers.abstract_interpretation.domains.budget.Budget.pairwise`. Each factor gets a copy of the sources in
which that number is changed, so nothing in the program has to know of it. A line for each value: tasks that are
decided, wrong answers, and seconds of the processor, over all tasks; then the tasks whose verdict is another one.
"""

import argparse
import ast
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from chcverify.campaign.campaign import Campaign
from chcverify.campaign.measurement import RunResult
from chcverify.campaign.recheck import WantedChecks
from chcverify.campaign.reporting.rendering import as_text, table_of
from chcverify.campaign.reporting.tables import wrong_answers
from chcverify.campaign.tasks import collect_tasks
from chcverify.campaign.tools import PORTFOLIO, Tool, ToolLimits, engine_tool
from chcverify.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("chcverify", "encoders", "solvers")


def module_of(name: str) -> tuple[Path, list[str]]:
    """The file below ROOT that defines a dotted name, and the rest of the name; InputError if there is none."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        path = Path(*parts[:length]).with_suffix(".py")
        if (ROOT / path).is_file():
            return path, parts[length:]
    raise InputError(name, 0, 0, "no module defines this name")


def multiplied(source: str, names: Sequence[str], factor: float) -> tuple[str, float]:
    """The source in which the number of that name (class and field, or constant) is multiplied, and the new number.

    Whole numbers stay whole, and at least 1. Raises ValueError if there is no number of that name.
    """
    body: list[ast.stmt] = ast.parse(source).body
    for name in names[:-1]:
        body = next((node.body for node in body if isinstance(node, ast.ClassDef) and node.name == name), [])
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id == names[-1]:
                old = eval(compile(ast.Expression(node.value), "", "eval"), {"__builtins__": {}})
                new = max(1, round(old * factor)) if isinstance(old, int) else old * factor
                lines = source.splitlines(keepends=True)
                first, last = node.value.lineno - 1, node.value.end_lineno or node.value.lineno
                end = lines[last - 1][node.value.end_col_offset :]
                lines[first:last] = [lines[first][: node.value.col_offset] + repr(new) + end]
                return "".join(lines), new
    raise ValueError(f"no number is called {'.'.join(names)}")


def changed_tool(name: str, factor: float, folder: Path, engine: str, limits: ToolLimits) -> Tool:
    """chcverify from a copy of the sources in the folder, with the constant multiplied. Raises InputError."""
    path, names = module_of(name)
    try:
        source, value = multiplied((ROOT / path).read_text(encoding="utf-8"), names, factor)
    except (ValueError, NameError) as error:
        raise InputError(name, 0, 0, str(error)) from error
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / path).write_text(source, encoding="utf-8")
    words = engine_tool(engine, limits).words
    return Tool(f"{value:g} (x{factor:g})", ("env", "-C", str(folder), f"PYTHONPATH={folder}", *words))


def report(results: Sequence[RunResult], tools: Sequence[Tool]) -> str:
    """The table of the tools, and the tasks on which they differ in what they decide."""
    rows, verdicts = [], {}
    for tool in tools:
        own = [run for run in results if run.tool == tool.name]
        decided, wrong = sum(run.answer.is_decided for run in own), len(wrong_answers(own))
        rows.append((tool.name, str(decided), str(wrong), f"{sum(run.cpu_seconds for run in own):.1f}"))
        for run in own:
            verdicts.setdefault(run.task.key, []).append(run.answer.value)
    table = as_text([table_of("", ("value", "decided", "wrong", "processor s"), rows)])
    return "\n".join([table, *(f"{key}: {', '.join(found)}" for key, found in verdicts.items() if len(set(found)) > 1)])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What a tuning constant changes.")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("paths", nargs="+", metavar="TASKS", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--factors", default="0.5,2", metavar="X,X")
    parser.add_argument("--timeout", type=float, default=20.0, metavar="S")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--engine", default=PORTFOLIO, metavar="NAME")
    given = parser.parse_args(arguments)
    limits = ToolLimits(given.timeout, cores=1)
    with tempfile.TemporaryDirectory() as folder:
        try:
            tools = [
                changed_tool(given.name, factor, Path(folder, str(number)), given.engine, limits)
                for number, factor in enumerate([1.0, *map(float, given.factors.split(","))])
            ]
            tasks = collect_tasks(given.paths, None, lambda error: print(error, file=sys.stderr))
            campaign = Campaign(tools, tasks, limits, None)
            results = campaign.run(given.jobs, None, WantedChecks(), lambda text: print(text, file=sys.stderr))
        except InputError as error:
            print(error, file=sys.stderr)
            return 2
    print(report(results, tools))
    return 1 if wrong_answers(results) else 0


if __name__ == "__main__":
    sys.exit(main())
