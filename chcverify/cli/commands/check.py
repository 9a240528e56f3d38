"""`chcverify check`: a certificate against the clauses of a file."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from chcverify.certificate.files.named_checks import named_checks
from chcverify.cli.project_options import flag_options, input_of, one_entry_option, require_one_entry, with_settings
from chcverify.cli.shared_options import (
    Start,
    check_options,
    limit_options,
    limits_of,
    refuse_unused,
    source_options,
)
from chcverify.cli.terminal import print_message, print_output
from chcverify.errors import InputError
from chcverify.results.events import Listener, PhaseStarted
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task, read_text, resolve

if TYPE_CHECKING:  # imported where a certificate is read
    from chcverify.certificate.kernel.checkers.z3_checker import Verdict
    from chcverify.certificate.kernel.policy import Second
    from chcverify.certificate.termination import Certificate
    from chcverify.horn.system import HornSystem


@click.command("check", short_help="Check a certificate against its clauses.")
@click.argument("certificate")
@click.argument("files", nargs=-1, metavar="FILE...")
@flag_options
@source_options
@one_entry_option
@limit_options
@check_options
@click.option("--also-by", metavar="SOLVER", help="One more solver must accept it, by pysmt: msat, yices, btor, ...")
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Check CERTIFICATE, a model or a derivation, against the clauses of FILE (.smt2, .c, .yml).

    Prints `accepted` or `rejected`. Exit status: 0 accepted, 1 rejected, 3 not decided within the limits.
    """
    given = with_settings(given)
    require_one_entry(given)
    task = resolve(input_of(given))
    refuse_unused(task, given)
    path, text = given["certificate"], read_text(given["certificate"])
    if task.language == "c" and not task.selected_checks:
        task = replace(task, selected_checks=named_checks(text))
    limits = limits_of(given)
    try:
        word, lines = in_child(
            lambda listener: _check(
                task, path, text, start.time + limits.timeout, given["second_check"], given["also_by"], listener
            ),
            limits,
            start.time,
        )
    except Stopped as stop:
        word, lines = "unknown", [str(stop)]
    print_output(word)
    for line in lines:
        print_message(line)
    return {"accepted": 0, "rejected": 1}.get(word, 3)


def _check(
    task: Task, path: str, text: str, deadline: float, second: "Second", also_by: str | None, listener: Listener
) -> tuple[str, list[str]]:
    """The word for the result, and the verdict of each checker.

    second: `--second-check`. also_by: the solver of `--also-by`, which is asked where the kernel accepts.
    """
    from chcverify.certificate.files.termination_json import certificate_from_text, names_estimates
    from chcverify.certificate.kernel.policy import certify
    from chcverify.problems.c_problem import load
    from chcverify.problems.protocol import Refused

    listener(PhaseStarted("encode"))
    try:
        system = load(replace(task, estimates=names_estimates(text))).system
    except Refused as refusal:
        raise InputError(task.input_file, 0, 0, str(refusal)) from refusal
    listener(PhaseStarted("check"))
    certificate = certificate_from_text(system, text, path)
    found = certify(system, certificate, deadline, second)
    verdicts = list(found.verdicts)
    if found.accepted and also_by is not None:
        verdicts.append(_further_opinion(also_by, system, certificate, deadline))
    said = [f"{v.checker}: {'accepted' if v.accepted else v.reason or 'not accepted'}" for v in verdicts]
    if not found.accepted:
        return "rejected", [found.reason, *said]
    return "accepted" if also_by is None or verdicts[-1].accepted else "rejected", said


def _further_opinion(solver: str, system: "HornSystem", certificate: "Certificate", deadline: float) -> "Verdict":
    from chcverify.certificate.derivation import Derivation
    from chcverify.certificate.model import Model
    from chcverify.certificate.pysmt_checker import check_also_by

    if not isinstance(certificate, Model | Derivation):
        raise InputError("--also-by", 0, 0, "is for models and derivations, not for certificates of termination")
    return check_also_by(solver, system, certificate, deadline)
