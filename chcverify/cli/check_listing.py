"""Lists the checks of a program, and writes the certificates of their verdicts."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from chcverify.certificate.files.named_checks import with_checks
from chcverify.cli.terminal import print_output
from chcverify.errors import InputError
from chcverify.options import Limits
from chcverify.results.checks import CheckVerdict
from chcverify.results.events import Listener, PhaseStarted
from chcverify.run.supervisor import Stopped, in_child
from chcverify.task import Task


def list_checks(tasks: Sequence[Task], limits: Limits, started: float) -> int:
    """Prints a line for each check of C programs: its id and the text of the source. Returns the exit status.

    tasks: of the same files, at least one; a check that several of them have is listed once.
    """
    if tasks[0].language != "c":
        raise click.UsageError("--list-checks: for C programs only")
    try:
        lines = in_child(lambda listener: [line for task in tasks for line in _checks(task, listener)], limits, started)
    except Stopped as stop:
        raise InputError(tasks[0].input_file, 0, 0, f"the checks could not be listed: {stop}") from stop
    for line in dict.fromkeys(lines):
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


def write_certificates(verdicts: Iterable[CheckVerdict], folder: Path) -> None:
    """Writes a file for each certificate into the folder; proved checks may share one. Raises InputError."""
    written: set[str] = set()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for verdict in verdicts:
            if verdict.certificate and verdict.certificate not in written:
                written.add(verdict.certificate)
                (folder / _file_name(verdict)).write_text(
                    with_checks(verdict.certificate, verdict.covered), encoding="utf-8"
                )
    except OSError as error:
        raise InputError(str(folder), 0, 0, f"cannot be written: {(error.strerror or str(error)).lower()}") from error


def _file_name(verdict: CheckVerdict) -> str:
    """`proved-0f3a….smt2`, `violated-….json`: the verdict, and a digest of what the certificate is about."""
    suffix = "json" if verdict.certificate.startswith("{") else "smt2"
    about = "\n".join((verdict.check.id, *verdict.covered))
    status = "violated" if suffix == "json" else "proved"
    return f"{status}-{hashlib.sha256(about.encode()).hexdigest()[:12]}.{suffix}"
