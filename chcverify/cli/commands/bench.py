"""`chcverify bench`: campaigns of tools over tasks, their tables, plots and comparisons."""

import signal
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from chcverify.campaign.measurement import RunResult
from chcverify.campaign.reporting.scores import SCHEMES, ScoringScheme
from chcverify.campaign.tasks import collect_tasks, stratified_sample
from chcverify.campaign.tools import PORTFOLIO, Tool, ToolLimits, command_tool, engine_tool
from chcverify.cli.schedule_tuning import WHOLE_SCHEDULE, applicable_engines, scheduled_engines, tune_command
from chcverify.cli.shared_options import names
from chcverify.cli.terminal import fail, print_output, write_files
from chcverify.errors import InputError, require_writable

_COMMANDS = ("run", "table", "compare", "tune")
_PLOT_HELP = "KIND=FILE.svg|FILE.png, repeated; kinds: quantile, cactus, scatter-time, scatter-k, engines."


class BenchCommands(click.Group):
    """Sub-commands by name; `run` is implied."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        if arguments and arguments[0] not in (*_COMMANDS, "--help", "-h"):
            arguments = ["run", *arguments]
        return super().parse_args(context, arguments)


@click.group("bench", cls=BenchCommands, no_args_is_help=True, short_help="Run and compare tools over many tasks.")
def command() -> None:
    """Run tools over many tasks, store the results, and print tables.

    `chcverify bench TASKS...` is short for `chcverify bench run TASKS...`.
    """


command.add_command(tune_command)

_output_options = (
    click.option("--score", type=click.Choice(list(SCHEMES)), default="sv-comp", show_default=True),
    click.option("--select", callback=names, metavar="TOOL[,TOOL...]", help="Only the runs of these tools."),
    click.option("--markdown", metavar="FILE.md", help="Write the tables as Markdown."),
    click.option("--csv", metavar="FILE.csv", help="Write one line per run."),
    click.option("--html", metavar="FILE.html", help="Write one page with tables and plots."),
    click.option("--output", metavar="FILE.json", help="Write every run."),
    click.option("--plot", "plots", multiple=True, metavar="KIND=FILE", help=_PLOT_HELP),
)


def _with_output_options(function: Callable[..., int]) -> Callable[..., int]:
    for option in reversed(_output_options):
        function = option(function)
    return function


def _engines(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for value in values for name in names(context, parameter, value))


@command.command("run")
@click.argument("tasks", nargs=-1, required=True, type=click.Path(exists=True))
@click.option(
    "--engine",
    "engines",
    multiple=True,
    callback=_engines,
    metavar="NAME[,NAME...]",
    help=f"Engines of chcverify, repeated; default: {PORTFOLIO}. `{WHOLE_SCHEDULE}`: what `bench tune` needs.",
)
@click.option("--tool", "tools", multiple=True, metavar="'NAME=COMMAND {file}'", help="Another program, repeated.")
@click.option("--property", "property_", metavar="NAME|FILE.prp", help="Only tasks with this property.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only N tasks, spread over their categories.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=20.0, show_default=True, metavar="S")
@click.option("--cpu-time", type=click.FloatRange(0, min_open=True), metavar="S", help="Processor time of each run.")
@click.option("--memory", type=click.IntRange(64), metavar="MB", help="Address space of each process of a run.")
@click.option("--cores", type=click.IntRange(1), metavar="N", help="Processors of each run; default: all.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Runs at once.")
@click.option("--results", metavar="FILE.db", help="Store the results there; the same command goes on where it was.")
@click.option("--executor", metavar="dask://HOST:PORT", help="Run on a cluster (extra `cluster`).")
@click.option("--recheck", is_flag=True, help="Check certificates again with the stand-alone checker.")
@click.option("--validate", is_flag=True, help="Validate witnesses of C programs; without confirmation no points.")
@_with_output_options
def run_command(**given: Any) -> int:
    """Run each tool on each task and print how many were solved, how many wrongly.

    TASKS: task definitions (.yml), sets of them (.set), directories, C and SMT-LIB files. Exit status: 0, or 1 if an
    answer contradicts its task or a run ends in an error.
    """
    from chcverify.campaign.campaign import Campaign
    from chcverify.campaign.recheck import WantedChecks
    from chcverify.campaign.selection import ScheduleRuns

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # raises an exception, which ends the runs as well
    _require_outputs(given)
    from chcverify.task import property_name

    property_ = property_name(given["property_"]) if given["property_"] else None
    tasks = collect_tasks(given["tasks"], property_, lambda error: _ignore(fail(f"{error} (left out)")))
    if not tasks:
        raise InputError(given["tasks"][0], 0, 0, "no tasks here")
    if given["sample"]:
        tasks = stratified_sample(tasks, given["sample"])
    limits = ToolLimits(given["timeout"], given["memory"], given["cores"], given["cpu_time"])
    selection = ScheduleRuns(applicable_engines) if WHOLE_SCHEDULE in given["engines"] else None
    campaign = Campaign(_tools(given, limits), tasks, limits, given["results"], selection)
    wanted = WantedChecks(given["recheck"], given["validate"])
    results = campaign.run(given["jobs"], given["executor"], wanted, partial(click.echo, err=True))
    _show(results, given)
    return 1 if any(result.is_failure for result in results) else 0


def _ignore(status: int) -> None:
    """The status of a message about a file that is left out does not count."""


def _tools(given: dict[str, Any], limits: ToolLimits) -> list[Tool]:
    engines = list(given["engines"] or (() if given["tools"] else (PORTFOLIO,)))
    if WHOLE_SCHEDULE in engines:
        if engines != [WHOLE_SCHEDULE] or given["tools"]:
            raise click.UsageError(f"--engine {WHOLE_SCHEDULE} is all engines of the schedule, without other tools")
        engines = scheduled_engines()
    _require_engines(engines)
    tools = [engine_tool(engine, limits, given["validate"]) for engine in engines]
    tools += [command_tool(text) for text in given["tools"]]
    twice = [tool.name for number, tool in enumerate(tools) if tool.name in {other.name for other in tools[:number]}]
    if twice:
        raise click.UsageError(f"two tools are called {twice[0]}")
    return tools


def _require_engines(names_: Sequence[str]) -> None:
    """InputError for the first name that is no engine, before any run is made."""
    own = [name for name in names_ if name != PORTFOLIO]
    if not own:
        return
    from chcverify.portfolio.schedule import named

    for name in own:
        try:
            named([name])
        except KeyError as error:
            raise InputError("--engine", 0, 0, str(error.args[0])) from error


@command.command("table")
@click.argument("results", type=click.Path(exists=True, dir_okay=False))
@_with_output_options
def table_command(**given: Any) -> int:
    """Print the tables of stored RESULTS, and write them in other formats."""
    _require_outputs(given)
    _show(_stored(given["results"]), given)
    return 0


@command.command("compare")
@click.argument("first", type=click.Path(exists=True, dir_okay=False))
@click.argument("second", type=click.Path(exists=True, dir_okay=False))
@click.option("--tool", metavar="NAME", help="Of both; default: the only tool that both have.")
@click.option("--against", metavar="NAME", help="The tool of the second file, where it is another one.")
def compare_command(first: str, second: str, tool: str | None, against: str | None) -> int:
    """Compare a tool's runs in two files of results: what was won, lost, slower, faster, and whether it is noise.

    Two tools of one campaign: `chcverify bench compare r.db r.db --tool A --against B`.
    """
    from chcverify.campaign.reporting.comparison import compare, comparison_text
    from chcverify.campaign.reporting.tables import tools_of

    old, new = _stored(first), _stored(second)
    common = [name for name in tools_of(old) if name in tools_of(new)]
    if tool is None and len(common) != 1:
        raise click.UsageError(f"--tool NAME is needed: both have {', '.join(common) or 'no tool in common'}")
    before = tool or common[0]
    after = against or before
    for path, runs, name in ((first, old, before), (second, new, after)):
        if name not in tools_of(runs):
            raise InputError(path, 0, 0, f"has no runs of {name}; its tools: {', '.join(tools_of(runs)) or 'none'}")
    comparison = compare([r for r in old if r.tool == before], [r for r in new if r.tool == after])
    names = (Path(first).name, Path(second).name) if before == after else (before, after)
    print_output(comparison_text(comparison, *names))
    return 0


def _stored(path: str) -> list[RunResult]:
    from chcverify.campaign.store import ResultStore

    with ResultStore(Path(path)) as store:
        return store.results()


def _require_outputs(given: dict[str, Any]) -> None:
    for name in ("markdown", "csv", "html", "output"):
        if given[name]:
            require_writable(given[name])
    for text in given["plots"]:
        _, path = _plot(text)
        require_writable(str(path))


def _plot(text: str) -> tuple[str, Path]:
    from chcverify.campaign.reporting.plots import Plot

    kind, equals, path = text.partition("=")
    if not equals or kind not in {plot.value for plot in Plot} or Path(path).suffix not in (".svg", ".png"):
        raise click.UsageError(f"--plot {text}: not {_PLOT_HELP}")
    return kind, Path(path)


def _show(results: Sequence[RunResult], given: dict[str, Any]) -> None:
    """Prints the tables and writes the files that were asked for."""
    from chcverify.campaign.reporting.rendering import as_csv, as_html, as_json, as_markdown, as_text, campaign_tables

    selected = [r for r in results if not given["select"] or r.tool in given["select"]]
    scheme = SCHEMES[given["score"]]
    tables = campaign_tables(selected, scheme)
    print_output(as_text(tables))
    images = _draw(selected, scheme, given["plots"])
    texts = {
        given["markdown"]: as_markdown(tables),
        given["csv"]: as_csv(selected),
        given["html"]: as_html("chcverify bench", tables, images),
        given["output"]: as_json(selected),
    }
    write_files({path: text for path, text in texts.items() if path})


def _draw(results: Sequence[RunResult], scheme: ScoringScheme, plots: Sequence[str]) -> list[tuple[str, str]]:
    """Writes the plots; (caption, text) of those that are SVG, for the HTML page."""
    from chcverify.campaign.reporting.plots import Plot, draw

    images = []
    for text in plots:
        kind, path = _plot(text)
        draw(Plot(kind), results, scheme, path)
        if path.suffix == ".svg":
            images.append((kind, path.read_text(encoding="utf-8")))
    return images
