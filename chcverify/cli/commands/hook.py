"""`chcverify hook FILES...`: the files of a commit, for pre-commit hooks and servers."""

import sys
import time
from dataclasses import replace
from typing import Any

import click

from chcverify import __version__
from chcverify.cli.commands import verify
from chcverify.cli.project_options import with_settings
from chcverify.cli.shared_options import Start, refuse_unused
from chcverify.cli.terminal import print_output, write_files
from chcverify.errors import InputError, require_writable
from chcverify.explain.junit import junit_of_files
from chcverify.explain.trace_lines import violated
from chcverify.lsp.function_scan import functions
from chcverify.results.outcome import Outcome
from chcverify.run.entries import runs
from chcverify.run.supervisor import supervise
from chcverify.task import Task, read_text, resolve

# Options of `verify` that write a file for one run, and those whose results only its own output shows.
_FILES = (
    *("certificate", "certificates", "trace", "test", "witness", "sarif", "report", "stats", "trace_pdr"),
    *("junit", "table"),
)
_SHOWN = ("witness_version", "list_checks", "cross_check", "verbose", "warn_ub", "show_invariants")
_OF_ONE_RUN = frozenset(["files", *_FILES, *_SHOWN])


def _hook(files: tuple[str, ...], unknown: str, junit: str | None, **given: Any) -> int:
    """Verify each of FILES that defines main, or the functions of --entry; options as of `verify`, one line for each.

    Exit status: 0 if no file has a violation, 1 for a violation, 2 for unusable input, 3 with --unknown fail if a file
    has no verdict.
    """
    if junit is not None:
        require_writable(junit, *files)
    results: list[tuple[Outcome, Task]] = []
    status = 0
    for file in files:
        try:
            found = _verified(file, given)
        except InputError as error:
            print(error, file=sys.stderr)
            status = 2
            continue
        if not found:
            print(f"{file}: no main: not verified", file=sys.stderr)
        for outcome, task in found:
            results.append((outcome, task))
            print_output("\n".join(_lines(file if task.entry is None else f"{file}: {task.entry}", outcome)))
    if junit is not None:
        write_files({junit: junit_of_files(results, __version__)})
    statuses = {outcome.status for outcome, _ in results}
    if status == 0 and "unsafe" in statuses:
        status = 1
    return 3 if status == 0 and unknown == "fail" and "unknown" in statuses else status


def _verified(file: str, given: dict[str, Any]) -> list[tuple[Outcome, Task]]:
    """The outcome for a file, or for each of its functions with --entry; none without --entry if it has no main."""
    parameters = with_settings({**_defaults(), **given, "files": (file,)})
    options = verify.run_options(parameters)
    is_program = file.endswith((".c", ".i", ".h")) and not parameters["entries"]
    if is_program and all(item.name != "main" for item in functions(read_text(file))):
        return []
    verify.require_cache(options)
    task = resolve(options.input)
    refuse_unused(task, parameters)
    started = time.monotonic()
    found_entries = verify.entries_of(task, options, Start(started))
    if found_entries is not None:
        outcomes = runs(task, found_entries.functions, options, found_entries.packed)
        return [(found.outcome, replace(task, entry=found.entry.name)) for found in outcomes]
    return [(supervise(task, options, started), task)]


def _lines(file: str, outcome: Outcome) -> list[str]:
    reason = f": {outcome.reason}" if outcome.status == "unknown" else ""
    lines = [f"{file}: {outcome.word}{reason}"]
    if outcome.trace:
        end = outcome.trace[-1].origin
        about = violated(outcome.trace)
        values = ", ".join(f"{name} = {value}" for name, value in about[1].items()) if about else ""
        what = f"{about[0]}{' where ' if values else ''}{values}" if about else outcome.trace[-1].text
        lines.append(f"{end.file}:{end.line}: violated: {what}")
    return lines


def _defaults() -> dict[str, Any]:
    """The values of the options of `verify` that the hook does not have."""
    parameters = verify.command.make_context("verify", ["file"]).params
    return {name: value for name, value in parameters.items() if name in _OF_ONE_RUN}


command = click.Command(
    "hook",
    callback=_hook,
    params=[
        *(parameter for parameter in verify.command.params if parameter.name not in _OF_ONE_RUN),
        click.Option(["--unknown"], type=click.Choice(["pass", "fail"]), default="pass", show_default=True,
                     help="What a file without a verdict does."),
        click.Option(["--junit"], metavar="FILE.xml", help="Write all results as XML of JUnit."),
        click.Argument(["files"], nargs=-1, required=True),
    ],
    help=_hook.__doc__,
    short_help="Verify the files of a commit; for pre-commit and servers.",
)  # fmt: skip
