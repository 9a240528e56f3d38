"""`chcverify engines`."""

from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from chcverify.cli.project_options import input_of
from chcverify.cli.shared_options import Start, limit_options, limits_of, refuse_unused, source_options
from chcverify.cli.terminal import fail, print_output
from chcverify.options import Limits
from chcverify.results.events import Listener, PhaseStarted
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task, resolve

if TYPE_CHECKING:
    pass


@click.command("engines", short_help="List the engines, or the schedule for an input.")
@click.option("--schedule", "file", metavar="FILE", help="Show which engine gets which seconds for FILE, and why.")
@click.option("--tuned", metavar="FILE.json", help="With --schedule: of this schedule, from `chcverify bench tune`.")
@source_options
@limit_options
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Engines side by side.")
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """List the engines: name, what it does, what systems it needs (transforms in front of it provide that).

    With --schedule: the engines that FILE gets, in order, on which form of its clauses and for how many seconds.
    """
    if given["file"] is None:
        context = click.get_current_context()
        set_ = [name for name in given if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
        if set_:
            options = ", ".join(f"--{name.strip('_').replace('_', '-')}" for name in set_)
            raise click.UsageError(f"{options}: only with --schedule FILE")
        print_output(_listed())
        return 0
    task = resolve(input_of({**given, "files": (given["file"],)}))
    refuse_unused(task, given)
    limits = limits_of(given)
    try:
        shown, refusal = in_child(
            lambda listener: _schedule(task, limits, given["tuned"], listener), limits, start.time
        )
    except Stopped as stop:
        return fail(f"{given['file']}: {stop}", 130 if stop.interrupted else 3)
    if refusal:
        return fail(refusal, 3)
    print_output(shown)
    return 0


def _schedule(task: Task, limits: Limits, tuned: str | None, listener: Listener) -> tuple[str, str]:
    """The table, and why there is none. tuned: the file of a schedule, None for the hand-made one."""
    from chcverify.portfolio.timetable import timetable, tuned_timetable
    from chcverify.portfolio.tuned import read_tuned
    from chcverify.problems.c_problem import load
    from chcverify.problems.protocol import Refused

    schedule = read_tuned(tuned) if tuned else None

    listener(PhaseStarted("encode"))
    try:
        system = load(task).system
    except Refused as refusal:
        return "", str(refusal)
    seconds = limits.timeout - limits.reserve
    if schedule is not None:
        return tuned_timetable(schedule, system, seconds, limits.jobs), ""
    return timetable(system, seconds, limits.jobs), ""


def _listed() -> str:
    """The engines, one in each line."""
    from chcverify.portfolio.run_plan import Variant
    from solvers.registry import engines

    lines = []
    for name, entry in sorted(engines().items()):
        source = "" if entry.source == "chcverify" else f" [{entry.source}]"
        try:
            engine = entry.load()
        except Exception as error:  # a plug-in's module may fail in any way; the others still want to be listed
            lines.append(f"{name:20} cannot be loaded{source}: {type(error).__name__}: {error}")
            continue
        needs = " (needs linear clauses)" if engine.requires.linear else ""
        lines.append(f"{name:20} {engine.description}{needs}{source}")
    lines.append("external:'COMMAND'   any CHC-COMP solver; {file} in COMMAND stands for the clauses' file")
    lines.append(f"NAME@FORM            on the clauses in another form: {', '.join(get_args(Variant))}")
    return "\n".join(lines)
