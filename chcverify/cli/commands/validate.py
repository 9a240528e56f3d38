"""`chcverify validate`: a witness against its program."""

from typing import Any

import click

from chcverify.cli.project_options import flag_options, input_of, only_file, with_settings
from chcverify.cli.shared_options import Start, limit_options, limits_of, search_options, source_options
from chcverify.cli.terminal import print_output
from chcverify.errors import InputError
from chcverify.explain.text_lines import Line, line, show
from chcverify.options import Options
from chcverify.results.events import Listener
from chcverify.results.outcome import Outcome
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import resolve

_STATUS = {"confirmed": 0, "rejected": 1, "unknown": 3}
_STYLE = {"confirmed": "good", "rejected": "bad", "unknown": "open"}


@click.command("validate", short_help="Confirm or reject a witness of a C program's verdict.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--witness", required=True, metavar="FILE.yml", help="The witness, in YAML format 2.0 or 2.1.")
@flag_options
@source_options
@limit_options
@search_options
@click.option("-v", "--verbose", is_flag=True, help="The run that was found, or all invariants.")
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Decide whether the witness of FILE, a C program (.c, .i) or its task definition (.yml), is right.

    Prints `confirmed`, `rejected` or `unknown`. Exit status: 0 confirmed, 1 rejected, 3 unknown, 2 what is no witness
    of this program, or unusable input or options.
    """
    given = with_settings(given)
    only_file(given)
    limits = limits_of(given)
    options = Options(input_of(given), limits)
    task = resolve(options.input)
    if task.language != "c":
        raise InputError(task.input_file, 0, 0, "only C programs have witnesses")

    def decide(listener: Listener) -> Outcome:
        from chcverify.run.witnesses.witness_validation import run

        return run(task, given["witness"], options, start.time, listener)

    interrupted = False
    try:
        outcome = in_child(decide, limits, start.time)
    except Stopped as stop:
        outcome, interrupted = Outcome("unknown", "unknown", str(stop), seconds=limits.timeout), stop.interrupted
    print_output(outcome.word)
    show(_lines(outcome, given["verbose"]))
    return 130 if interrupted else _STATUS[outcome.word]


def _lines(outcome: Outcome, verbose: bool) -> list[Line]:
    by = f" by {outcome.engine}" if outcome.engine else ""
    accepted = f"; certificate accepted by {' and '.join(outcome.checkers)}" if outcome.checkers else ""
    why = f": {outcome.reason}" if outcome.reason else ""
    head = f"{why} (decided{by} in {outcome.seconds:.2f} s{accepted})" if outcome.engine else why
    out = [Line(((outcome.word, _STYLE[outcome.word]), (head, "")), hang=2)]
    if verbose and any(reason != outcome.reason for reason in outcome.reasons.values()):
        out += [line(f"  {name}: {reason}", hang=6) for name, reason in outcome.reasons.items()]
    if outcome.trace and (verbose or outcome.word == "rejected"):
        from chcverify.explain.trace_lines import trace_lines

        out += trace_lines(outcome.trace, verbose)
    if outcome.invariants and verbose:
        from chcverify.explain.invariant_lines import invariant_lines

        out += invariant_lines(outcome.invariants, verbose)
    return out
