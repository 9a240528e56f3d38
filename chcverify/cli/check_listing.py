"""Lists the checks of a program."""

import click

from chcverify.cli.terminal import print_output
from chcverify.errors import InputError
from chcverify.options import Limits
from chcverify.results.events import Listener, PhaseStarted
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task


def list_checks(task: Task, limits: Limits, started: float) -> int:
    """Prints a line for each check of a C program: its id and the text of the source. Returns the exit status."""
    if task.language != "c":
        raise click.UsageError("--list-checks: for C programs only")
    try:
        lines = in_child(lambda listener: _checks(task, listener), limits, started)
    except Stopped as stop:
        raise InputError(task.input_file, 0, 0, f"the checks could not be listed: {stop}") from stop
    for line in lines:
        print_output(line)
    return 0


def _checks(task: Task, listener: Listener) -> list[str]:
    from chcverify.problems.c_problem import load_c_program
    from chcverify.problems.protocol import Refused
    from encoders.c.cfa.program_checks import checks_of

    listener(PhaseStarted("encode"))
    try:
        program = load_c_program(task)
    except Refused as refusal:
        raise InputError(task.input_file, 0, 0, str(refusal)) from refusal
    return [f"{check.id}  {check.text}".rstrip() for check in checks_of(program)]
