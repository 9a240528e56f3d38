"""`chcverify annotate`: a program with its invariants at the loop heads; of C, as ACSL with contracts of functions."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from chcverify.cli.project_options import (
    boogie_options,
    flag_options,
    harness_options,
    input_of,
    only_file,
    require_one_entry,
    with_settings,
)
from chcverify.cli.shared_options import (
    Start,
    engine_options,
    limit_options,
    limits_of,
    search_options,
    source_options,
)
from chcverify.cli.terminal import fail, print_message, write_output
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, LEAST_S
from chcverify.errors import InputError, require_writable
from chcverify.explain.text_lines import counted
from chcverify.options import EngineOptions, Options, OutputOptions
from chcverify.properties.property import CHECKS_DECIDER
from chcverify.properties.registry import decider_of
from chcverify.run.procedures.annotation_run import annotated_program
from chcverify.run.supervisor import supervise
from chcverify.task import Task, read_text, resolve

if TYPE_CHECKING:
    from chcverify.explain.annotated_source import Annotated
    from chcverify.results.outcome import Outcome
    from chcverify.run.inference.contract_search import ContractSearchResult
LISTING_ENGINES = ("bounded", "explicit", "explicit-large", "explicit-refined")
"""Their models list the states of each loop, which nobody reads."""


@click.command("annotate", short_help="Write a program's invariants into it.")
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
@click.option(
    "--function-contracts/--no-function-contracts",
    default=True,
    show_default=True,
    help="With --as acsl: write a contract for each function, too, of which every clause is proved again.",
)
@click.option("--entry", "entries", multiple=True, metavar="NAME", help="As of verify: one function.")
@harness_options
@boogie_options
@flag_options
@source_options
@engine_options
@limit_options
@search_options
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Write FILE, a C program (.c, .i), its task (.yml) or a Boogie program (.bpl), with invariants at its loop heads.

    The invariants are those of a certified proof; without a verdict, those that were found until then. With --as acsl,
    functions get contracts, which are proved as they are written: --modular accepts them. The invariants of a Boogie
    program, and what its procedures ensure, are proved as they are written, too. Exit status:
    0 written, 1 the program reaches the error, 3 no invariants within the limits, 2 unusable input or options.
    """
    given = with_settings(given)
    only_file(given)
    require_one_entry(given)
    task = resolve(input_of(given))
    output = given["output"]
    if task.language == "horn":
        raise InputError(task.input_file, 0, 0, "only C and Boogie programs can be annotated")
    if task.language == "boogie" and given["style"] != "assume":
        raise click.UsageError("--as: not for Boogie programs")
    if given["calls"] == "summary":
        raise click.UsageError(
            "--calls: annotations hold for procedures by themselves, whose calls do what contracts say"
        )
    if output:
        require_writable(output, given["file"], task.input_file)
    options = Options(
        input_of(given),
        limits_of(given),
        EngineOptions(given["engine"], given["engine_option"]),
        output=OutputOptions(show_invariants=True),
    )
    outcome = supervise(task, _of_proof(options, task), start.time, child=start.child)
    if outcome.status == "safe" and not given["engine"] and task.language == "c":
        outcome = _general(task, options, outcome, start)
    if outcome.status == "unsafe":
        return fail(f"{task.input_file}: the program reaches the error; it is not annotated", 1)
    if outcome.status == "unknown":
        print_message(f"no verdict: {outcome.reason}")
        if not any(invariant.is_loop_head for invariant in outcome.invariants):
            return fail(f"{task.input_file}: no invariants were found", 130 if outcome.is_interrupted else 3)
    if task.language == "boogie":
        program = annotated_program(task, options, outcome, start.time + options.limits.timeout, supervise)
        written = counted(program.written, "loop head")
        written += f" and {counted(program.ensured, 'procedure')}" if program.ensured else ""
        return _written(program.text, written, program.notes, output)
    result = _annotated(task, outcome, given["style"], frozenset())
    notes = [*result.skipped]
    text, written = result.text, counted(result.written, "loop head")
    wants_contracts = given["style"] == "acsl" and given["function_contracts"] and outcome.status == "safe"
    if wants_contracts and decider_of(task.property) != CHECKS_DECIDER:
        print_message(f"no contracts of functions: {task.property} is not proved with them")
    elif wants_contracts:
        found = _with_contracts(task, options, outcome, start)
        notes += found.notes
        text = found.text
        written += f" and {counted(len(found.contracts), 'function')}" if found.contracts else ""
    return _written(text, written, notes, output)


def _of_proof(options: Options, task: Task) -> Options:
    """The options of the proof: of a Boogie program, with time left to prove again what is written."""
    if task.language != "boogie":
        return options
    return replace(options, limits=replace(options.limits, timeout=EQUAL_SHARE * options.limits.timeout))


def _written(text: str, written: str, notes: Sequence[str], output: str | None) -> int:
    """Writes the text to the file or to standard output. written: what got annotations. notes: what did not."""
    for note in notes:
        print_message(note)
    write_output(text, output)
    print_message(f"{written} annotated")
    return 0


def _general(task: Task, options: Options, outcome: "Outcome", start: Start) -> "Outcome":
    """The outcome of another proof if this one's invariants only list states; this one where there is no other."""
    engine, _, _ = outcome.engine.partition(" on ")
    begin = time.monotonic()
    seconds = EARLY_SHARE * (start.time + options.limits.timeout - begin)
    if engine not in LISTING_ENGINES or seconds < LEAST_S:
        return outcome
    limits = replace(options.limits, timeout=seconds)
    engines = replace(options.engines, without=LISTING_ENGINES)
    other = supervise(task, replace(options, limits=limits, engines=engines), begin)
    return other if other.status == "safe" else outcome


def _annotated(task: Task, outcome: "Outcome", style: str, without: frozenset[int]) -> "Annotated":
    """The text with the invariants at loop heads. without: lines whose loops get none."""
    from chcverify.explain.annotated_source import annotated

    invariants = [invariant for invariant in outcome.invariants if invariant.origin.line not in without]
    text = read_text(task.input_file)
    variants = [variant for variant in outcome.variants if variant.origin.line not in without]
    model: Any = task.data_model or "LP64"
    return annotated(text, task.input_file, invariants, style, model, variants)  # type: ignore[arg-type]


def _with_contracts(task: Task, options: Options, outcome: "Outcome", start: Start) -> "ContractSearchResult":
    """The text with contracts, too, within what the limits leave of the time."""
    from chcverify.run.inference.contract_search import ContractSearch
    from chcverify.run.inference.summary_run import contract_candidates_of

    deadline = start.time + options.limits.timeout
    begin = time.monotonic()
    limits = replace(options.limits, timeout=max(1.0, EQUAL_SHARE * (deadline - begin)))
    candidates = contract_candidates_of(task, replace(options, limits=limits, output=OutputOptions()), begin)
    search = ContractSearch(task, options, lambda without: _annotated(task, outcome, "acsl", without).text, deadline)
    return search.result(candidates)
