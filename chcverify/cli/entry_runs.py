"""Runs of `chcverify verify --entry` for several functions: the table of verdicts, and the files for all of them."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from chcverify import __version__
from chcverify.cli.check_listing import write_certificates
from chcverify.cli.output_files import new_baseline, silenced
from chcverify.cli.shared_options import Start
from chcverify.cli.terminal import print_message, print_output, write_files
from chcverify.errors import InputError
from chcverify.explain.entries.broken_calls import broken_calls
from chcverify.explain.entries.entry_documents import table_document
from chcverify.explain.entries.entry_table import EntryTable, entry_assumptions, sum_line
from chcverify.explain.text_lines import line, show
from chcverify.explain.verdict_lines import verdict_lines
from chcverify.options import Options
from chcverify.run.entries import EntryOutcome, FoundEntries, combined, entry_functions, modular_entries, preload, runs
from chcverify.run.inference.precondition_search import inferred
from chcverify.run.inference.project_calls import callers_first
from chcverify.run.supervisor import Stopped
from chcverify.task import Task

_OF_ONE_RUN = ("certificate", "witness", "report", "trace", "test")  # outputs about a single verdict


def chosen_entries(task: Task, options: Options, start: Start) -> FoundEntries:
    """The functions that --entry names, or those with contracts. Raises InputError for what names none."""
    if task.is_competition:
        raise click.UsageError("--entry is not for task definitions, which begin with main")
    preload()
    try:
        if not options.input.entries:
            return modular_entries(task, options.limits, start.time)
        return entry_functions(task, options.input.entries, options.limits, start.time)
    except Stopped as stop:
        raise InputError(task.input_file, 0, 0, f"its functions are not known: {stop}") from stop


def verify_entries(task: Task, found_entries: FoundEntries, options: Options) -> int:
    """Runs each entry, prints a row of the table when it is decided, then the verdict of all; the exit status.

    The file of --table and the certificates are written after each entry, so that they are of use when the run is
    stopped.
    """
    named = [f"--{name}" for name in _OF_ONE_RUN if getattr(options.output, name)]
    if named:
        raise click.UsageError(f"{', '.join(named)}: for one --entry at a time")
    is_brief = not (options.output.verbose or options.output.certificates)
    options = replace(options, output=replace(options.output, brief=is_brief))
    started = time.monotonic()
    outcomes: list[EntryOutcome] = []
    table = EntryTable(found_entries.functions, task.all_checks)
    show([table.heading()])
    entries = callers_first(found_entries.functions)
    all_runs = runs(task, entries, options, found_entries.packed)
    for found in inferred(task, all_runs, options, len(entries) == 1, found_entries.packed):
        found = replace(found, outcome=silenced(found.outcome, options))
        outcomes.append(found)
        show(table.rows(found.entry, found.outcome))
        if options.output.table:
            rows = [(each.entry, each.outcome) for each in outcomes]
            write_files({options.output.table: table_document(table, rows, options.output.table)})
        if options.output.certificates:
            write_certificates(found.outcome.checks, Path(options.output.certificates, found.entry.name))
        if options.output.verbose:
            show([line(f"{found.entry.name}  {found.entry.file}:{found.entry.line}", "head")])
            show(verdict_lines(found.outcome, verbose=True))
    word, status = combined(outcomes)
    interrupted = outcomes[-1].outcome.is_interrupted
    if interrupted and status == 0:
        word = "unknown"
    try:
        print_output(word)
    finally:
        rows = [(found.entry, found.outcome) for found in outcomes]
        calls = [table.broken_call(call) for call in broken_calls(rows)]
        show([line(text, "bad") for text in calls] + [sum_line([found.outcome for found in outcomes])])
        for text in entry_assumptions(rows, task.harness.modular):
            print_message(text)
    write_files(_files(task, outcomes, word, options, time.monotonic() - started))
    return 130 if interrupted else status


def _files(task: Task, outcomes: Sequence[EntryOutcome], word: str, options: Options, seconds: float) -> dict[str, str]:
    """The files about all entries together that were asked for."""
    files: dict[str, str] = {}
    if options.output.stats:
        entries = {found.entry.name: found.outcome.statistics_document() for found in outcomes}
        document = {"format": 1, "verdict": word, "seconds": round(seconds, 3), "entries": entries}
        files[options.output.stats] = json.dumps(document, indent=2) + "\n"
    files.update(new_baseline([found.outcome for found in outcomes], options))
    if options.output.sarif:
        from chcverify.explain.sarif import sarif

        logs = [sarif(found.outcome, task, __version__) for found in outcomes]
        merged = {**logs[0], "runs": [run for log in logs for run in log["runs"]]}
        files[options.output.sarif] = json.dumps(merged, indent=2) + "\n"
    if options.output.junit:
        from chcverify.explain.junit import junit_of_files

        results = [(found.outcome, replace(task, entry=found.entry.name)) for found in outcomes]
        files[options.output.junit] = junit_of_files(results, __version__)
    return files
