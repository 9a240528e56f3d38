"""`chcverify export`: the clauses of a program or system for other solvers."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chcverify.cli.project_options import flag_options, input_of, one_entry_option, require_one_entry, with_settings
from chcverify.cli.shared_options import Start, limit_options, limits_of, refuse_unused, source_options
from chcverify.cli.terminal import fail, print_message, write_output
from chcverify.errors import require_writable
from chcverify.results.events import Listener, PhaseStarted
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task, resolve

if TYPE_CHECKING:
    from chcverify.problems.protocol import Problem

FORMATS = {"smtlib": ".smt2", "rules": ".rules", "prolog": ".pl", "ranking": ".smt2"}


@click.command("export", short_help="Write the clauses of a program or system for other solvers.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("-o", "--output", metavar="FILE", help="Default: standard output.")
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), help="Default: by the output's suffix, smtlib.")
@click.option("--estimates", is_flag=True, help="Of C: the clauses of proofs that runs end; bits have any values.")
@flag_options
@source_options
@one_entry_option
@limit_options
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Write the clauses of FILE (.c, .smt2, .yml) as SMT-LIB of CHC-COMP, as Z3's rules (.rules) or Prolog (.pl).

    With --format ranking: the question for ranks by which every run ends, as SMT-LIB.

    Exit status: 0 written, 2 unusable, 3 not modelled or not within the limits.
    """
    output = given["output"]
    given = with_settings(given)
    require_one_entry(given)
    estimates = given.pop("estimates")
    task = resolve(input_of(given))
    refuse_unused(task, given)
    if estimates and task.language != "c":
        raise click.UsageError("--estimates is about C programs")
    task = replace(task, estimates=estimates)
    if output:
        require_writable(output, given["file"], task.input_file)
    suffix = Path(output).suffix if output else ""
    chosen = given["format_"] or next((name for name, end in FORMATS.items() if end == suffix), "smtlib")
    limits = limits_of(given)
    try:
        text, refusal, warnings = in_child(lambda listener: _export(task, chosen, listener), limits, start.time)
    except Stopped as stop:
        return fail(f"{given['file']}: {stop}", 130 if stop.interrupted else 3)
    if refusal:
        return fail(refusal, 3)
    for warning in warnings:
        print_message(f"warning: {warning}")
    write_output(text, output)
    return 0


def _export(task: Task, format_: str, listener: Listener) -> tuple[str, str, list[str]]:
    """The text, why there is none, and a warning for each query that stands for what is not modelled."""
    from chcverify.horn.io.prolog import to_prolog
    from chcverify.horn.io.writer import to_rules, to_smtlib
    from chcverify.problems.c_problem import load
    from chcverify.problems.protocol import Refused

    listener(PhaseStarted("encode"))
    try:
        problem = load(task)
    except Refused as refusal:
        return "", str(refusal), []
    listener(PhaseStarted("write"))
    if format_ == "ranking":
        from solvers.termination.ranking_problem import ranking_problem

        return ranking_problem(problem.system), "", []
    writer = {"smtlib": to_smtlib, "rules": to_rules, "prolog": to_prolog}[format_]
    return writer(problem.system), "", list(dict.fromkeys(_traps(problem)))


def _traps(problem: "Problem") -> Iterator[str]:
    """`a.c:3:1: not modelled: ...: without a model the clauses do not show a violation`, for each trap."""
    without = problem.without_traps()
    if without is None:
        return
    for clause, other in zip(problem.system.clauses, without.clauses, strict=True):
        if clause.is_query and clause is not other:
            yield f"{clause.origin}: {clause.name}; that the clauses have no model does not show a violation"
