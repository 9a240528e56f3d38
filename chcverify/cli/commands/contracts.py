"""`chcverify contracts`: a header with what callers of a library's functions must guarantee."""

import time
from dataclasses import replace
from typing import Any

import click

from chcverify.cli.project_options import entry_options, flag_options, input_of, with_settings
from chcverify.cli.shared_options import Start, engine_options, limit_options, limits_of, search_options, source_options
from chcverify.cli.terminal import fail, print_message, write_output
from chcverify.errors import require_writable
from chcverify.explain.contract_header import PublicFunction, contract_header
from chcverify.explain.entries.entry_table import EntryTable
from chcverify.explain.text_lines import counted, show
from chcverify.options import CheckOptions, EngineOptions, Options, OutputOptions
from chcverify.results.events import Listener, PhaseStarted
from chcverify.run.entries import entry_functions, runs
from chcverify.run.inference.precondition_search import inferred
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task, read_text, resolve


@click.command("contracts", short_help="Write what callers of a library's functions must guarantee.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("-o", "--output", metavar="FILE.h", help="Default, and with -: standard output.")
@flag_options
@source_options
@entry_options
@engine_options
@limit_options
@search_options
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Write a header with the preconditions of the public functions of FILE..., or of those of --entry, in ACSL.

    Pointers given to the functions may be null. Each precondition is proved to exclude all violations but those that
    are named beside it. `verify FILE... HEADER.h --contracts --entry NAME` reads them again. The time limit is that of
    each function, for its checks and again for its precondition. Exit status: 0 written, 2 unusable, 3 no time.
    """
    given = with_settings(given)
    given = {**given, "entry_null": True, "entries": given["entries"] or ("*",), "all_checks": True}
    given["property_"] = given["property_"] or "undefined-behaviour"
    task = resolve(input_of(given))
    output = given["output"] if given["output"] != "-" else None
    if output:
        require_writable(output, *(source.path for source in task.files))
    limits = replace(limits_of(given), patience=0.0)  # a precondition is proved where all its checks are decided
    try:
        declared = in_child(lambda listener: _prototypes(task, listener), limits, time.monotonic())
        found_entries = entry_functions(task, given["entries"], limits, time.monotonic())
    except Stopped as stop:
        return fail(f"{task.input_file}: {stop}", 130 if stop.interrupted else 3)
    entries = [entry for entry in found_entries.functions if entry.name in declared]
    options = Options(
        input_of(given),
        limits,
        EngineOptions(given["engine"], given["engine_option"]),
        CheckOptions(preconditions=True),
        OutputOptions(brief=True),
    )
    table = EntryTable(tuple(entries), with_checks=True)
    show([table.heading()])
    functions: list[PublicFunction] = []
    all_runs = runs(task, entries, options, found_entries.packed)
    for found in inferred(task, all_runs, options, packed=found_entries.packed):
        show(table.rows(found.entry, found.outcome))
        functions.append(PublicFunction(found.entry, declared[found.entry.name], found.outcome))
    texts = {source.path: read_text(source.path) for source in task.files}
    text = contract_header(functions, texts, output or "")
    write_output(text, output)
    print_message(f"{counted(len(functions), 'function')} with contracts")
    return 0


def _prototypes(task: Task, listener: Listener) -> dict[str, str]:
    from chcverify.problems.task_functions import prototypes_of

    listener(PhaseStarted("encode"))
    return prototypes_of(task)
