"""`chcverify harness`: the C code that calls a function as `--entry` assumes."""

from dataclasses import replace
from typing import Any

import click

from chcverify.cli.project_options import flag_options, harness_options, input_of, with_settings
from chcverify.cli.shared_options import Start, limit_options, limits_of, source_options
from chcverify.cli.terminal import fail, write_output
from chcverify.errors import require_writable
from chcverify.results.events import Listener, PhaseStarted
from chcverify.run.entries import entry_functions
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task, resolve


@click.command("harness", short_help="Write the C code that calls a function as --entry assumes.")
@click.argument("function")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("-o", "--output", metavar="FILE.c", help="Default, and with -: standard output.")
@flag_options
@source_options
@harness_options
@limit_options
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Write the harness that `verify --entry FUNCTION FILE...` assumes, as a C file that includes the function's one.

    Exit status: 0 written, 2 unusable, 3 not modelled or not within the limits.
    """
    given = with_settings({**given, "entries": (given["function"],)})
    task = resolve(input_of(given))
    output = given["output"] if given["output"] != "-" else None
    if output:
        require_writable(output, *(source.path for source in task.files))
    try:
        entries = entry_functions(task, (given["function"],), limits_of(given), start.time).functions
        if len(entries) > 1:
            return fail(f"{given['function']}: several functions: {', '.join(entry.name for entry in entries)}")
        task = replace(task, entry=entries[0].name)
        text, refusal = in_child(lambda listener: _harness(task, listener), limits_of(given), start.time)
    except Stopped as stop:
        return fail(f"{task.input_file}: {stop}", 130 if stop.interrupted else 3)
    if refusal:
        return fail(refusal, 3)
    write_output(text, output)
    return 0


def _harness(task: Task, listener: Listener) -> tuple[str, str]:
    """The text, and why there is none."""
    from chcverify.problems.protocol import Refused
    from chcverify.problems.task_functions import harness_text_of

    listener(PhaseStarted("encode"))
    try:
        return harness_text_of(task), ""
    except Refused as refusal:
        return "", str(refusal)
