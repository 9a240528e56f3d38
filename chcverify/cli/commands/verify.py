"""`chcverify [verify] FILE`: one verdict."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chcverify.cli.output_files import OUTPUTS, new_baseline, output_files, require_outputs, silenced
from chcverify.cli.project_options import (
    boogie_options,
    entry_options,
    flag_options,
    input_of,
    interrupt_option,
    with_settings,
)
from chcverify.cli.shared_options import (
    Start,
    check_options,
    engine_options,
    limit_options,
    limits_of,
    patience_option,
    refuse_unused,
    search_options,
    settings,
    source_options,
)
from chcverify.cli.terminal import print_message, print_output, write_files
from chcverify.display_limits import IN_A_LINE
from chcverify.explain.assumptions import assumption_texts
from chcverify.explain.check_table import check_lines
from chcverify.explain.text_lines import show
from chcverify.explain.verdict_lines import cross_check_lines, verdict_lines
from chcverify.options import CacheOptions, CheckOptions, EngineOptions, Options, OutputOptions
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.run.supervisor import supervise
from chcverify.task import Task, resolve

if TYPE_CHECKING:
    from chcverify.run.entries import FoundEntries


_SHOWING_CERTIFICATES = ("certificate", "certificates", "report", "verbose")
"""The options with which somebody reads certificates."""
_SHOWING_INVARIANTS = ("witness", "report", "trace", "verbose", "show_invariants")
"""The options with which somebody reads invariants at other places than the heads of loops."""


@click.command("verify", short_help="Decide a C or Boogie program, Horn clauses or a task.")
@click.argument("files", nargs=-1, metavar="FILE...")
@flag_options
@source_options
@entry_options
@interrupt_option
@boogie_options
@engine_options
@limit_options
@search_options
@patience_option
@check_options
@click.option(
    "--all-checks/--one-verdict",
    "all_checks",
    default=None,
    help="A verdict for each check and source line, or one verdict. Default: the former for several properties.",
)
@click.option("--list-checks", is_flag=True, help="List the checks of a C program with their ids, and decide nothing.")
@click.option(
    "--vacuity",
    type=click.Choice(["show", "error"]),
    default="show",
    show_default=True,
    help="Of checks that no run reaches: show them, or end with exit status 5.",
)
@click.option(
    "--preconditions/--no-preconditions", "preconditions", default=None,
    help="Infer what callers of an entry must guarantee, and which violations only calls that break it meet. Default: "
    "of several entries, where each check has a verdict.",
)  # fmt: skip
@click.option("--certificate", metavar="FILE", help="Write the model or the derivation.")
@click.option("--certificates", metavar="DIR", help="Write the certificate of each check.")
@click.option("--trace", metavar="FILE.json", help="Write the error trace or the invariants of a C program.")
@click.option("--test", metavar="FILE.c", help="Write a program that fails as the error trace does, and run it.")
@click.option("--witness", metavar="FILE.yml", help="Write an SV-COMP witness of a C program's verdict.")
@click.option(
    "--witness-version", type=click.Choice(["2.0", "2.1"]), default="2.0", show_default=True, help="Of its format."
)
@click.option("--sarif", metavar="FILE.sarif", help="Write the result for editors and code hosts.")
@click.option("--junit", metavar="FILE.xml", help="Write the result for continuous integration, as XML of JUnit.")
@click.option("--table", metavar="FILE.md|FILE.json", help="Write the table of the functions of --entry.")
@click.option("--baseline", metavar="FILE.json", help="Findings that are in this file are not reported again.")
@click.option("--write-baseline", metavar="FILE.json", help="Write the findings of this run as a baseline.")
@click.option("--report", metavar="FILE.html", help="Write a report to read in a browser.")
@click.option("--stats", metavar="FILE.json", help="Write phases, transforms, engines and checks with their times.")
@click.option("--tuned", metavar="FILE.json", help="Order and times of the portfolio, from `chcverify bench tune`.")
@click.option("--trace-pdr", metavar="FILE.jsonl", help="Write frames and lemmas; without --engine: of pdr.")
@click.option(
    "--k", multiple=True, callback=settings, metavar="LINE=K", help="k of the loop there; without --engine: combined."
)
@click.option(
    "--cache", metavar="DIR", help="Keep certificates there; those of unchanged clauses are only checked again."
)
@click.option("--cache-retry", is_flag=True, help="Try again what a run with no smaller limits did not decide.")
@click.option("--cache-only", is_flag=True, help="Answer from --cache, or `unknown`; no engine is started.")
@click.option("--debug-transforms", is_flag=True, help="Check each transform's back-translation; slow.")
@click.option(
    "--replay",
    type=click.Choice(["cfa", "native"]),
    default="cfa",
    show_default=True,
    help="native: print false only if the compiled program, run on this machine, reaches the error, too.",
)
@click.option(
    "--cross-check", is_flag=True, help="Let two engines (pdr and spacer, or --engine) answer; stop if they disagree."
)
@click.option("--warn-ub", is_flag=True, help="List all undefined behaviour on the way of an error trace.")
@click.option("--show-invariants", is_flag=True, help="Those at loop heads, without a verdict as well.")
@click.option("-v", "--verbose", is_flag=True, help="All invariants, the whole trace; the certificate of clauses.")
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Decide FILE: a C program (.c, .i), a Boogie program (.bpl), Horn clauses (.smt2) or a task definition (.yml).

    Several C files are linked. With --entry each function has a verdict of its own; the first line is that of all.

    The first line of standard output is the verdict: true, false(PROPERTY) or unknown; sat, unsat or unknown for Horn
    clauses. Exit status: 0 true or sat, 1 false or unsat, 3 unknown, 2 unusable input or options, 4 engines disagree,
    5 checks that no run reaches (with --vacuity error).
    """
    given = with_settings(given)
    if given["preconditions"]:  # they are about single checks
        given["all_checks"] = True
    options = run_options(given)
    _require_engines(options)
    if options.check.preconditions and not options.input.entries:
        raise click.UsageError("--preconditions needs --entry")
    require_cache(options)
    task = resolve(options.input)
    refuse_unused(task, given)
    inputs = {given["file"], task.input_file, *(source.path for source in task.files)}
    require_outputs(options.output, given["trace_pdr"], *inputs)
    _require_bodies(task, given)
    found_entries = entries_of(task, options, start)
    entries = () if found_entries is None else found_entries.functions
    if len(entries) == 1:
        task = replace(task, entry=entries[0].name)
    if given["list_checks"]:
        # modules that most runs do without load where they are used
        from chcverify.cli.check_listing import list_checks

        tasks = [replace(task, entry=entry.name) for entry in entries] or [task]
        return list_checks(tasks, options.limits, start.time)
    _require_fitting_outputs(task, bool(entries), options.output)
    if found_entries is not None and (len(entries) > 1 or options.output.table):
        from chcverify.cli.entry_runs import verify_entries

        return verify_entries(task, found_entries, options)
    parsed, packed = None, b"" if found_entries is None else found_entries.packed
    if packed:
        from chcverify.run.entries import parsed_files_of

        parsed = parsed_files_of(task, packed)
    outcome = supervise(task, options, start.time, child=start.child, parsed=parsed)
    if options.check.preconditions:
        from chcverify.run.inference.precondition_search import with_precondition

        outcome = with_precondition(task, outcome, options, packed)
    outcome = silenced(outcome, options)
    _print_outcome(outcome, options.output)
    write_files({**output_files(outcome, task, options.output), **new_baseline([outcome], options)})
    if options.output.certificates:
        from chcverify.cli.check_listing import write_certificates

        write_certificates(outcome.checks, Path(options.output.certificates))
    return _exit_status(outcome, is_vacuity_error=given["vacuity"] == "error")


def entries_of(task: Task, options: Options, start: Start) -> "FoundEntries | None":
    """The functions where verification is to begin; None if it begins with main, as in most runs."""
    if not options.input.entries and not task.harness.modular:
        return None
    from chcverify.cli.entry_runs import chosen_entries

    return chosen_entries(task, options, start)


def _print_outcome(outcome: Outcome, output: OutputOptions) -> None:
    """Prints the verdict, then what belongs to it, even if standard output is closed."""
    try:
        print_output(outcome.word)
    finally:
        _print_messages(outcome, output)
        compared = outcome.statistics.get("cross-check", {})
        if compared:
            show(cross_check_lines(compared))


def _exit_status(outcome: Outcome, *, is_vacuity_error: bool) -> int:
    """The exit status of one run, as the help of the command lists them."""
    if outcome.cause is Cause.DISAGREEMENT:
        return 4
    if is_vacuity_error and outcome.status == "safe" and _is_partly_vacuous(outcome):
        return 5
    return 130 if outcome.is_interrupted else outcome.exit_status


def _is_partly_vacuous(outcome: Outcome) -> bool:
    """True if there is a check that no run reaches, as far as that is known."""
    return outcome.is_vacuous or any(verdict.status is CheckStatus.NOT_REACHED for verdict in outcome.checks)


def _require_engines(options: Options) -> None:
    """UsageError for options about engines that fit no chosen engine."""
    if options.check.cross_check and len(options.engines.names) == 1:
        raise click.UsageError("--cross-check needs two engines")
    if options.engines.settings and not options.engines.names:
        raise click.UsageError("--engine-option needs --engine")


def _require_fitting_outputs(task: Task, has_entries: bool, output: OutputOptions) -> None:
    """UsageError for outputs of another kind of run: of one verdict, of each check, or of each entry."""
    if output.certificates and not task.all_checks:
        raise click.UsageError("--certificates needs --all-checks; --certificate writes that of one verdict")
    if output.certificate and task.all_checks:
        raise click.UsageError("--certificate is for one verdict; --certificates DIR writes that of each check")
    if (output.baseline or output.write_baseline) and not task.all_checks:
        raise click.UsageError("--baseline and --write-baseline need --all-checks")
    if output.table and not has_entries:
        raise click.UsageError("--table needs --entry")


def _require_bodies(task: Task, given: dict[str, Any]) -> None:
    """UsageError for outputs about runs of the program's own code, where contracts stand for bodies, or where others
    interrupt it; and for --check with --modular, whose verdicts rest on all checks."""
    is_replaced = bool(task.harness.uses) or task.harness.modular
    if not is_replaced and not task.interrupts:
        return
    named = [f"--{name}" for name in ("test", "witness") if given[name]]
    named += ["--replay native"] if given["replay"] == "native" else []
    named += ["--check"] if task.harness.modular and task.selected_checks else []
    if named:
        reason = "contracts in place of bodies" if is_replaced else "--interrupt"
        raise click.UsageError(f"{', '.join(named)}: not with {reason}")


def require_cache(options: Options) -> None:
    """Raises an error if the cache cannot be used, or not with these options."""
    directory, only = options.cache.directory, options.cache.only
    named = {"only": only, "retry": options.cache.retry}
    for name, given in named.items():
        if given and not directory:
            raise click.UsageError(f"--cache-{name} needs --cache")
    if directory is None:
        return
    if options.check.cross_check:
        raise click.UsageError("--cache is not for --cross-check, whose engines are to answer themselves")
    from chcverify.cache.store import require_directory

    require_directory(directory, writable=not only)


def _print_messages(outcome: Outcome, output: OutputOptions) -> None:
    """Prints what belongs to the verdict to standard error: its explanation, assumptions, warnings."""
    show(verdict_lines(outcome, output.verbose))
    show(check_lines(outcome.checks, output.verbose, outcome.precondition))
    for text in assumption_texts(outcome):
        print_message(text)
    for warning in outcome.warnings if output.warn_ub else outcome.warnings[:IN_A_LINE]:
        print_message(f"warning: {warning}")
    more = 0 if output.warn_ub else len(outcome.warnings) - IN_A_LINE
    if more > 0:
        print_message(f"warning: {more} more undefined on the way of the trace: --warn-ub")


def run_options(given: dict[str, Any]) -> Options:
    """The options of a run with the parameters of the command."""
    return Options(
        input_of(given),
        limits_of(given),
        _engines(given),
        CheckOptions(
            given["second_check"],
            given["debug_transforms"],
            given["replay"],
            given["cross_check"],
            given["preconditions"],
        ),
        OutputOptions(
            warn_ub=given["warn_ub"],
            witness_version=given["witness_version"],
            show_invariants=given["show_invariants"],
            certificates=given["certificates"],
            baseline=given["baseline"],
            write_baseline=given["write_baseline"],
            certificate_texts=any(given[name] for name in _SHOWING_CERTIFICATES),
            only_loop_heads=not any(given[name] for name in _SHOWING_INVARIANTS),
            **{name: given[name] for name in (*OUTPUTS, "verbose")},
        ),
        CacheOptions(*(given[f"cache{name}"] for name in ("", "_only", "_retry"))),
    )


def _engines(given: dict[str, Any]) -> EngineOptions:
    """--trace-pdr and --k are engine options with names of their own."""
    engines, chosen = given["engine"], dict(given["engine_option"])
    if given["trace_pdr"]:
        engines, chosen["trace"] = engines or ("pdr",), given["trace_pdr"]
    if given["k"]:
        engines, chosen["k"] = engines or ("combined",), ",".join(f"{line}:{k}" for line, k in given["k"].items())
    if engines and given["tuned"]:
        raise click.UsageError("--tuned is for the portfolio, not with --engine")
    return EngineOptions(engines, chosen, given["tuned"])
