"""The files that `chcverify verify` writes beside its verdict."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from chcverify import __version__
from chcverify.cli.terminal import print_message
from chcverify.errors import InputError, require_writable
from chcverify.options import Options, OutputOptions
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome
from chcverify.task import Task

OUTPUTS = ("certificate", "test", "witness", "sarif", "junit", "table", "report", "stats", "trace")
_FINDINGS = (CheckStatus.VIOLATED, CheckStatus.UNKNOWN)


def require_outputs(output: OutputOptions, trace_pdr: str | None, *inputs: str) -> None:
    """Raises an error if an output cannot be written, is an input, or has the name of another output."""
    named = [path for path in (*(getattr(output, name) for name in OUTPUTS), trace_pdr, output.write_baseline) if path]
    if output.baseline:
        from chcverify.explain.findings.baseline_file import read_baseline

        read_baseline(output.baseline)  # before the run, which may take long
    for path in named:
        require_writable(path, *inputs)
    files = [path for path in named if not Path(path).is_char_device()]
    if len(set(files)) < len(files):
        raise click.UsageError("two outputs have the same name")


def silenced(outcome: Outcome, options: Options) -> Outcome:
    """The outcome with what silences its findings: comments in the sources, and the file of --baseline."""
    if not any(verdict.status in _FINDINGS for verdict in outcome.checks):
        return outcome
    from chcverify.explain.findings.baseline_file import read_baseline
    from chcverify.explain.findings.suppressions import with_suppressions

    return with_suppressions(outcome, read_baseline(options.output.baseline) if options.output.baseline else {})


def new_baseline(outcomes: Sequence[Outcome], options: Options) -> dict[str, str]:
    """The file of --write-baseline, if it is asked for."""
    if not options.output.write_baseline:
        return {}
    from chcverify.explain.findings.baseline_file import baseline_text

    return {options.output.write_baseline: baseline_text(outcomes)}


def output_files(outcome: Outcome, task: Task, output: OutputOptions) -> dict[str, str]:
    """The text of every file that was asked for, by its path.

    Prints to standard error why a file is not written: without a verdict there is no certificate, witness or trace.
    """
    files = _result_files(outcome, task, output)
    if outcome.status != "unknown":
        return files | _evidence_files(outcome, task, output)
    for path in filter(None, (output.certificate, output.witness)):
        print_message(f"no verdict, so {path} is not written")
    return files


def _result_files(outcome: Outcome, task: Task, output: OutputOptions) -> dict[str, str]:
    """The files about any result, `unknown` included."""
    files: dict[str, str] = {}
    if output.stats:
        from chcverify.inputs.recorded_input import input_document, is_recorded

        about = {"input": input_document(task)} if is_recorded(task) else {}
        files[output.stats] = _json(outcome.statistics_document() | about)
    if output.sarif:
        from chcverify.explain.sarif import sarif

        files[output.sarif] = _json(sarif(outcome, task, __version__))
    if output.junit:
        from chcverify.explain.junit import junit

        files[output.junit] = junit(outcome, task, __version__)
    if output.report:
        from chcverify.explain.report import report

        files[output.report] = report(outcome, task, __version__)
    if output.test:
        files |= _test_file(outcome, output.test)
    return files


def _evidence_files(outcome: Outcome, task: Task, output: OutputOptions) -> dict[str, str]:
    """The files that rest on a verdict: certificate, witness and trace."""
    files: dict[str, str] = {}
    if output.certificate:
        from chcverify.inputs.recorded_input import with_input

        files[output.certificate] = with_input(outcome.certificate, task)
    if output.witness:
        files |= _witness_file(outcome, task, output.witness, output.witness_version)
    if output.trace:
        from chcverify.explain.invariant_lines import invariants_json
        from chcverify.explain.trace_lines import trace_json

        document = {"trace": trace_json(outcome.trace), "invariants": invariants_json(outcome.invariants)}
        document["assumptions"] = [assumption.document() for assumption in outcome.assumptions]
        files[output.trace] = _json({"verdict": outcome.word, **document})
    return files


def _witness_file(outcome: Outcome, task: Task, path: str, version: str) -> dict[str, str]:
    """The file of --witness; prints why there is none where the format cannot express the verdict."""
    from encoders.c.witnesses.witness_writer import NoWitness, witness, witness_text

    try:
        return {path: witness_text(witness(outcome, task, __version__, format_version=version))}
    except (NoWitness, InputError) as error:
        print_message(f"{path} is not written: {error}")
        return {}


def _test_file(outcome: Outcome, path: str) -> dict[str, str]:
    """The file of --test, if there is one; prints whether it was confirmed."""
    if outcome.test is None:
        print_message(f"test: no violation, so {path} is not written")
        return {}
    print_message(f"test: {path} {outcome.test.line}")
    return {path: outcome.test.code} if outcome.test.code else {}


def _json(document: dict[str, Any]) -> str:
    import json  # most runs write no files

    try:
        return json.dumps(document, indent=2) + "\n"
    except (TypeError, ValueError) as error:
        raise InputError("statistics", 0, 0, f"cannot be written as JSON: {error}") from error
