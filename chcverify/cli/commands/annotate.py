"""`chcverify annotate`: a C program with its invariants at the loop heads."""

import sys
from typing import Any

import click

from chcverify.cli.project_options import flag_options, input_of, only_file, with_settings
from chcverify.cli.shared_options import (
    Start,
    engine_options,
    limit_options,
    limits_of,
    search_options,
    source_options,
)
from chcverify.cli.terminal import fail, print_output, write_files
from chcverify.errors import InputError, require_writable
from chcverify.explain.text_lines import counted
from chcverify.options import EngineOptions, Options, OutputOptions
from chcverify.run.supervisor import supervise
from chcverify.task import read_text, resolve


@click.command("annotate", short_help="Write a C program's invariants into it.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("-o", "--output", metavar="FILE", help="Default: standard output.")
@click.option(
    "--as",
    "style",
    type=click.Choice(["assume", "acsl", "comment"]),
    default="assume",
    show_default=True,
    help="Calls of __VERIFIER_assume, ACSL for Frama-C, or comments for people.",
)
@flag_options
@source_options
@engine_options
@limit_options
@search_options
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Write FILE, a C program (.c, .i) or its task (.yml), with invariants at its loop heads.

    The invariants are those of a certified proof; without a verdict, those that were found until then. Exit status:
    0 written, 1 the program reaches the error, 3 no invariants within the limits, 2 unusable input or options.
    """
    given = with_settings(given)
    only_file(given)
    task = resolve(input_of(given))
    output = given["output"]
    if task.language != "c":
        raise InputError(task.input_file, 0, 0, "only C programs can be annotated")
    if output:
        require_writable(output, given["file"], task.input_file)
    options = Options(
        input_of(given),
        limits_of(given),
        EngineOptions(given["engine"], given["engine_option"]),
        output=OutputOptions(show_invariants=True),
    )
    outcome = supervise(task, options, start.time, child=start.child)
    if outcome.status == "unsafe":
        return fail(f"{task.input_file}: the program reaches the error; it is not annotated", 1)
    if outcome.status == "unknown":
        print(f"no verdict: {outcome.reason}", file=sys.stderr)
        if not any(invariant.is_loop_head for invariant in outcome.invariants):
            interrupted = outcome.statistics.get("interrupted")
            return fail(f"{task.input_file}: no invariants were found", 130 if interrupted else 3)
    from chcverify.explain.annotated_source import annotated

    result = annotated(
        read_text(task.input_file), task.input_file, outcome.invariants, given["style"], task.data_model or "LP64"
    )
    for note in result.skipped:
        print(note, file=sys.stderr)
    if output:
        write_files({output: result.text})
    else:
        print_output(result.text.rstrip("\n"))
    print(f"{counted(result.written, 'loop head')} annotated", file=sys.stderr)
    return 0
